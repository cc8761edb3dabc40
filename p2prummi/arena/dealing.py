"""Deals from a seed: the order of the tiles, who starts, and each seat's own source of chance.

Every source is made from the seed and its place (`chances`), so none depends on what was played before it.
It is Python's generator and not the cryptographic one of real rounds: nobody plays against these deals.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.rules import deal_order, starter_from_coin

if TYPE_CHECKING:
    from p2prummi.rules import Ruleset, Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A round that can begin: racks by seat, the pool in the order in which it is drawn, who starts."""

    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]
    starter: int


def chances(seed: int, *place: str | int) -> random.Random:
    """The source of chance at a place of the plan with that seed, always in the same first state."""
    words = "/".join(map(str, ("p2prummi arena", seed, *place)))
    return random.Random(words)  # noqa: S311 - a repeatable game, not a real one


def deal_from_seed(ruleset: Ruleset, players: int, seed: int, number: int) -> Deal:
    """The deal of that number, the same whoever plays it."""
    rng = chances(seed, "deal", number)
    deck = list(ruleset.tile_set.tiles)
    rng.shuffle(deck)
    starter = starter_from_coin(ruleset, players, rng.randrange).seat
    order = deal_order(ruleset, players, starter)
    racks: list[list[Tile]] = [[] for _ in range(players)]
    for seat, tile in zip(order, deck, strict=False):
        racks[seat].append(tile)
    return Deal(racks=tuple(map(tuple, racks)), pool=tuple(deck[len(order) :]), starter=starter)
