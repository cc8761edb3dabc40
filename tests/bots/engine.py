"""Rounds on the rules engine alone, without a network: strategies in, the whole course of the round out."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from p2prummi.bots import Decision, PlayerView, PublicTurn, Strategy, decide
from p2prummi.rules import Draw, Game, Play, Ruleset, Tile, deal_order, new_game, take_turn

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass
class PlayedRound:
    """A round that was played to its end: what each mover saw and decided, and the last state."""

    game: Game
    racks: list[list[Tile]]
    views: list[PlayerView] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


def play_round(ruleset: Ruleset, strategies: Sequence[Strategy], seed: int) -> PlayedRound:
    """Deals by the seed, and asks the strategies in turn until the round has ended."""
    rng = random.Random(seed)
    pool = list(ruleset.tile_set.tiles)
    rng.shuffle(pool)
    racks: list[list[Tile]] = [[] for _ in strategies]
    for seat in deal_order(ruleset, len(strategies), 0):
        racks[seat].append(pool.pop())
    played = PlayedRound(new_game(ruleset, len(strategies), 0), racks)
    history: list[PublicTurn] = []
    while played.game.ended is None:
        game, seat = played.game, played.game.to_move
        view = PlayerView(seat=seat, rack=tuple(racks[seat]), game=game, history=tuple(history))
        decision = decide(strategies[seat], view, rng)
        played.views.append(view)
        played.decisions.append(decision)
        played.game = take_turn(game, decision.turn, racks[seat])
        laid: tuple[Tile, ...] = ()
        if isinstance(decision.turn, Play):
            laid = view.judge(decision.turn).laid
            racks[seat] = [tile for tile in racks[seat] if tile not in laid]
        elif isinstance(decision.turn, Draw):
            racks[seat].append(pool.pop())
        history.append(PublicTurn(seat, decision.turn, laid))
    return played
