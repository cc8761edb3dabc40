"""What the rack shows: its tiles in sorted blocks, and apart from them what was taken up from the table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from p2prummi.console.rack.model import Order
from p2prummi.console.table.presenter import Mark, TileShown

if TYPE_CHECKING:
    from p2prummi.console.rack.model import RackModel
    from p2prummi.console.table.model import Position
    from p2prummi.rules import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class RackShown:
    """The rack in blocks of one colour, or of one number; `taken_up` must go back to the table."""

    count: int
    blocks: tuple[tuple[TileShown, ...], ...]
    taken_up: tuple[TileShown, ...]


def present(rack: RackModel, position: Position) -> RackShown:
    """What to show of the rack."""
    taken_up = position.draft.taken_up
    own = [tile for tile in position.draft.hand if tile not in taken_up]
    return RackShown(
        count=len(own),
        blocks=tuple(
            tuple(TileShown(tile, Mark.NEW if tile in position.drawn else Mark.NONE) for tile in block)
            for block in blocks(own, rack.order)
        ),
        taken_up=tuple(TileShown(tile) for tile in taken_up),
    )


def blocks(tiles: list[Tile], order: Order) -> list[list[Tile]]:
    """Tiles sorted and parted where the colour, or the number, changes; jokers last."""
    if order is Order.COLOUR:
        ordered = sorted(tiles, key=lambda tile: tile.canonical_key)
        return [list(block) for _, block in groupby(ordered, key=lambda tile: tile.colour)]
    ordered = sorted(tiles, key=lambda tile: (tile.is_joker, tile.number, tile.canonical_key))
    return [list(block) for _, block in groupby(ordered, key=lambda tile: tile.number)]
