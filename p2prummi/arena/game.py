"""One game on the rules alone: a deal goes in, turns are asked for one after the other, an outcome comes out.

A game is one round, scored as the ruleset says. It is a generator: it yields what the seat to move sees, and
is sent that seat's turn; so it knows no strategy, clock or thread. Who asks the strategies:
`p2prummi.arena.table`.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.bots import PlayerView, PublicTurn
from p2prummi.rules import Draw, Play, Turn, laid_tiles, new_game, score_round, take_turn, tiles_of

if TYPE_CHECKING:
    from p2prummi.arena.dealing import Deal
    from p2prummi.rules import Game, Ruleset, Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a game ended: points by seat, the winning seats (a team's, or one, or none), and its length."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
    turns: int


RunningGame: TypeAlias = Generator[PlayerView, Turn, Outcome]
"""Yields the views of the seats to move, is sent their turns, returns the outcome."""


def running_game(ruleset: Ruleset, deal: Deal) -> RunningGame:
    """Play a deal to its end. Raises IllegalTurn when it is sent a turn that the rules refuse."""
    racks = [list(rack) for rack in deal.racks]
    drawn: list[tuple[Tile, ...] | None] = [None] * len(racks)
    pool = iter(deal.pool)
    history: list[PublicTurn] = []
    game = new_game(ruleset, len(racks), deal.starter)
    while game.ended is None:
        seat = game.to_move
        rack = racks[seat]
        turn = yield PlayerView(seat=seat, rack=tuple(rack), game=game, history=tuple(history))
        after = take_turn(game, turn, rack)
        laid: tuple[Tile, ...] = ()
        drawn[seat] = ()
        match turn:
            case Play(melds=melds):
                laid = laid_tiles(game.table, tiles_of(melds))
                racks[seat] = [tile for tile in rack if tile not in laid]
            case Draw():
                tile = next(pool)
                drawn[seat] = (tile,)
                rack.append(tile)
        history.append(PublicTurn(seat, turn, laid))
        game = after
    return _outcome(game, racks, drawn)


def _outcome(game: Game, racks: list[list[Tile]], drawn: list[tuple[Tile, ...] | None]) -> Outcome:
    assert game.ended is not None, "only a game that is over has an outcome"
    scores = score_round(
        game.ruleset,
        racks=racks,
        opened=game.opened,
        winner=game.ended.winner,
        next_seat=game.ended.next,
        drawn_last=drawn,
    )
    return Outcome(points=scores.points, winners=scores.winners, turns=game.turn_number)
