"""Where the tiles of the table come from, and what the joker rules ask of that where a taken joker goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from p2prummi.rules.fields import JokerReuse
from p2prummi.rules.tiles import HIGHEST_NUMBER
from p2prummi.solver.placing import LONGEST_RUN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

Origin: TypeAlias = "tuple[int, int]"
"""A tile of the table: the meld before that it lay in, or a number below zero for a tile that was laid to
replace a joker, and its face."""

_NEW_MELDS: Final = (JokerReuse.NEW_MELD, JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Where tiles can come from, and where a taken joker may go.

    `melds` gives for each face the melds before that hold it (kept jokers as what they stand for), `sizes`
    the tiles of each meld. `replacing` counts tiles laid to replace jokers, which serve for nothing else.
    `kept` are the jokers that are kept, with the face that they stand for.
    """

    reuse: JokerReuse
    kept: frozenset[Origin]
    melds: Mapping[int, Sequence[int]]
    sizes: Sequence[int]
    replacing: Mapping[int, int]

    @property
    def rack_tiles(self) -> int:
        """How many tiles from the rack a taken joker needs beside it."""
        return 2 if self.reuse is JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES else 0

    @property
    def run_most(self) -> int:
        """The longest run that may be needed: rack tiles may be far apart, otherwise a run can be split."""
        return HIGHEST_NUMBER if self.rack_tiles else LONGEST_RUN

    @property
    def most_together(self) -> int:
        """How many tiles of one meld before a taken joker's meld may hold, the joker included."""
        return 2 if self.reuse in _NEW_MELDS else HIGHEST_NUMBER

    def of_face(self, face: int, used: Collection[Origin]) -> Iterator[Origin]:
        """The tiles of a face that are not used yet; of those that were laid to replace jokers, just one."""
        count = sum([1 for old, each in used if old < 0 and each == face])
        if count < self.replacing.get(face, 0):
            yield -1 - count, face
        for old in self.melds.get(face, ()):
            if (old, face) not in used:
                yield old, face

    def have_number(self, tiles: Collection[Origin]) -> bool:
        """Whether some of these tiles are no kept jokers."""
        return not self.kept.issuperset(tiles)

    def allows(self, jokers_from: Sequence[int], counts: Mapping[int, int], rack_tiles: int) -> bool:
        """Whether jokers from these melds may lie in a meld with so many tiles of each meld before."""
        if self.reuse is JokerReuse.ANY_MELD:
            return True
        if self.reuse is JokerReuse.OTHER_MELD:
            return all(counts[old] < self.sizes[old] for old in jokers_from)
        return max(counts.values()) <= 2 and rack_tiles >= self.rack_tiles
