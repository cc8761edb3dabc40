"""From arrangements in faces to plays of tiles: which of several equal tiles lies where."""

from __future__ import annotations

from collections import defaultdict
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from p2prummi.rules.melds import Group, Run, ordered_group
from p2prummi.rules.tiles import JOKER_FACE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.tiles import Tile
    from p2prummi.solver.layout import FaceMeld


_COPY = attrgetter("copy")
_NOTHING: Mapping[Tile, int] = MappingProxyType({})


class TilePiles:
    """Tiles by face; those of the table are taken before those of the rack.

    Jokers in `stands_for` count as tiles of that face, taken between the two or, for faces in `jokers_first`,
    before.
    """

    def __init__(
        self,
        table: Iterable[Tile],
        rack: Iterable[Tile],
        stands_for: Mapping[Tile, int] = _NOTHING,
        *,
        jokers_first: Collection[int] = (),
    ) -> None:
        self.piles: dict[int, list[Tile]] = defaultdict(list)
        for tile in rack:
            self.piles[tile.face_index].append(tile)
        for pile in self.piles.values():
            if len(pile) > 1:
                pile.sort(key=_COPY, reverse=True)
        numbered: list[Tile] = []
        first: list[tuple[int, Tile]] = []
        for tile in table:
            if tile.colour is not None:
                numbered.append(tile)
            elif (face := stands_for.get(tile, JOKER_FACE)) in jokers_first:
                first.append((face, tile))
            else:
                self.piles[face].append(tile)
        # What comes last is taken first.
        for tile in numbered:
            self.piles[tile.face_index].append(tile)
        for face, tile in first:
            self.piles[face].append(tile)

    def meld(self, faces: FaceMeld, from_rack: Collection[int] = ()) -> Meld:
        """The meld of these faces, its tiles taken from the piles, some of them from the rack.

        From the rack is what lies at the bottom. Number tiles are told by their face, jokers are all alike.
        """
        tiles = tuple(
            [
                self.piles[face].pop(0 if face in from_rack and face != JOKER_FACE else -1)
                for face in faces.faces
            ]
        )
        return Run(tiles) if faces.is_run else Group(ordered_group(tiles))


def melds_after(
    table: Sequence[Meld],
    rack: Collection[Tile],
    kept: Collection[int],
    melds: Iterable[FaceMeld],
    stands_for: Mapping[Tile, int] = _NOTHING,
    placed: Iterable[tuple[FaceMeld, Collection[int]]] = (),
    *,
    jokers_first: Collection[int] = (),
) -> tuple[Meld, ...]:
    """The whole table after a turn: the melds that are kept in their order, then those placed, the others.

    Of a number tile and a joker that stands for it, the first meld gets the tile, or the joker for faces in
    `jokers_first`.
    """
    loose = [tile for index, meld in enumerate(table) if index not in kept for tile in meld.tiles]
    piles = TilePiles(loose, rack, stands_for, jokers_first=jokers_first)
    return (
        *[meld for index, meld in enumerate(table) if index in kept],
        *[piles.meld(each, from_rack) for each, from_rack in placed],
        *[piles.meld(each) for each in melds],
    )
