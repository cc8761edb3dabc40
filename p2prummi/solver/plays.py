"""From arrangements in faces to plays of tiles: which of several equal tiles lies where."""

from __future__ import annotations

from collections import defaultdict
from itertools import repeat
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from p2prummi.rules.melds import Group, Run, ordered_group

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.tiles import Tile
    from p2prummi.solver.layout import FaceMeld


_COPY = attrgetter("copy")
_NOTHING: Mapping[Tile, int] = MappingProxyType({})


class TilePiles:
    """Tiles by face; those of the table are taken before those of the rack.

    Jokers in `stands_for` lie apart, by the face that they stand for.
    """

    def __init__(
        self, table: Iterable[Tile], rack: Iterable[Tile], stands_for: Mapping[Tile, int] = _NOTHING
    ) -> None:
        self._piles: dict[int, list[Tile]] = defaultdict(list)
        self._kept: dict[int, list[Tile]] = defaultdict(list)
        for tile in rack:
            self._piles[tile.face_index].append(tile)
        for pile in self._piles.values():
            if len(pile) > 1:
                pile.sort(key=_COPY, reverse=True)
        # What comes last is taken first.
        for tile in table:
            if tile in stands_for:
                self._kept[stands_for[tile]].append(tile)
            else:
                self._piles[tile.face_index].append(tile)

    def meld(self, faces: FaceMeld, jokers: Collection[int] = ()) -> Meld:
        """The meld of these faces, its tiles taken from the piles, kept jokers for the faces in `jokers`."""
        tiles = tuple([(self._kept if face in jokers else self._piles)[face].pop() for face in faces.faces])
        return Run(tiles) if faces.is_run else Group(ordered_group(tiles))


def melds_after(
    table: Sequence[Meld],
    rack: Collection[Tile],
    kept: Collection[int],
    melds: Sequence[FaceMeld],
    stands_for: Mapping[Tile, int] = _NOTHING,
    jokers: Iterable[Collection[int]] = repeat(()),
) -> tuple[Meld, ...]:
    """The whole table after a turn: the melds that are kept in their order, then the others.

    `jokers` holds for each of those the faces that kept jokers take in it. Raises MeldError where a meld
    would hold nothing but jokers.
    """
    piles = TilePiles(loose_tiles(table, kept), rack, stands_for)
    return (
        *[meld for index, meld in enumerate(table) if index in kept],
        *[piles.meld(meld, faces) for meld, faces in zip(melds, jokers, strict=False)],
    )


def loose_tiles(table: Sequence[Meld], kept: Collection[int]) -> list[Tile]:
    """The tiles of a table that lie in melds that are not kept."""
    return [tile for index, meld in enumerate(table) if index not in kept for tile in meld.tiles]
