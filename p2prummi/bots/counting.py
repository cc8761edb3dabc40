"""Counting tiles: which of them a seat has not seen, and how many of those a table would let in.

A tile that lies neither on the table nor on the own rack is on another rack or in the pool. Who holds it can
lay it at once where it makes a step by itself (`steps.py`), and a joker nearly everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.bots.steps import steps_from
from p2prummi.rules import tiles_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Meld, Tile


def unseen_tiles(view: PlayerView) -> list[Tile]:
    """The tiles of the set that are on other racks or in the pool, copies apart."""
    seen = {*tiles_of(view.table), *view.rack}
    return [tile for tile in view.ruleset.tile_set.tiles if tile not in seen]


def let_in(table: tuple[Meld, ...], unseen: Sequence[Tile]) -> int:
    """How many of the unseen tiles could be put to the table by themselves, jokers included."""
    faces = {step.laid[0].face for step in steps_from(table, unseen) if len(step.laid) == 1}
    return sum([tile.is_joker or tile.face in faces for tile in unseen])
