"""Tiles and melds as plain values for JSON, as scripts read and write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.tiles import Tile


def tiles_to_json(tiles: Iterable[Tile]) -> list[str]:
    """Tiles as they are written everywhere: `R7`, `J`."""
    return [str(tile) for tile in tiles]


def meld_to_json(meld: Meld) -> list[str] | dict[str, list[str]]:
    """A meld as a list of tiles, with its kind where a single number tile leaves it open."""
    tiles = tiles_to_json(meld.tiles)
    numbered = sum(not tile.is_joker for tile in meld.tiles)
    return {meld.kind: tiles} if numbered == 1 else tiles
