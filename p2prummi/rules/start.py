"""How a round starts: who has the first turn, and which tile of the deck goes to whom.

Tiles drawn for the start are public, so they come from the joint coin that no one can choose; all go back
before the deal. Source: protocol/spec/rules.md, "The start".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.errors import LocalProtocolError
from p2prummi.rules.fields import Starter
from p2prummi.rules.tiles import HIGHEST_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting:
    """Who starts, and the rounds of draws that decided it, if any: for each, who drew which tile."""

    seat: int
    draws: tuple[tuple[tuple[int, Tile], ...], ...] = ()


def starter_from_coin(
    ruleset: Ruleset, players: int, draw: Callable[[int], int], left: Collection[int] = ()
) -> Starting:
    """Who starts the first round; `draw(n)` gives a uniform whole number below n from the joint coin.

    With `highest_tile` each seat, ascending, draws one of the tiles left (by tile number); the highest number
    starts, a joker being highest, and those who tie for it draw again from the tiles left.
    """
    tied = [seat for seat in range(players) if seat not in left]
    if ruleset.starter is Starter.RANDOM:
        return Starting(seat=tied[draw(len(tied))])
    tiles: list[Tile] = []
    draws = []
    while len(tied) > 1:
        if len(tiles) < len(tied):
            tiles = list(ruleset.tile_set.tiles)
        drawn = tuple((seat, tiles.pop(draw(len(tiles)))) for seat in tied)
        draws.append(drawn)
        highest = max(_height(tile) for _, tile in drawn)
        tied = [seat for seat, tile in drawn if _height(tile) == highest]
    (seat,) = tied
    return Starting(seat=seat, draws=tuple(draws))


def _height(tile: Tile) -> int:
    return HIGHEST_NUMBER + 1 if tile.is_joker else tile.number


def next_starter(starter: int, players: int, left: Collection[int] = ()) -> int:
    """Who starts the next round: the next seat that is still in; LocalProtocolError where none is."""
    for step in range(1, players + 1):
        seat = (starter + step) % players
        if seat not in left:
            return seat
    raise LocalProtocolError("no seat is left to start a round")


def deal_order(ruleset: Ruleset, players: int, starter: int, left: Collection[int] = ()) -> tuple[int, ...]:
    """The seat that each of the first tiles of the deck goes to, by deck index.

    In each pass every seat, from the starter on, takes as many tiles in a row as the pass has.
    """
    order = [(starter + step) % players for step in range(players)]
    return tuple(
        seat for count in ruleset.deal_passes for seat in order if seat not in left for _ in range(count)
    )
