"""In which melds the jokers lie that are kept: all the ways to deal an arrangement.

A kept joker counts as a tile of a face, so it may lie in any meld that holds that face, as long as every meld
holds a number tile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING

from p2prummi.rules.tiles import JOKER_FACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from p2prummi.solver.arranging import Arrangement
    from p2prummi.solver.layout import FaceMeld


@dataclass(frozen=True, slots=True)
class Dealt:
    """A meld by its faces: the faces that the rack gives, and those for which a kept joker stands."""

    faces: FaceMeld
    from_rack: tuple[int, ...] = ()
    jokers: frozenset[int] = frozenset()

    @property
    def numbers(self) -> int:
        """How many number tiles it holds."""
        return len(self.faces.faces) - self.faces.faces.count(JOKER_FACE) - len(self.jokers)

    @property
    def may_hold_jokers_as(self) -> list[int]:
        """The faces as which kept jokers may lie in it."""
        return [face for face in self.faces.faces if face != JOKER_FACE and face not in self.from_rack]


def dealt(found: Arrangement) -> list[Dealt]:
    """The melds of an arrangement that are not there yet, as they are dealt where no joker is kept."""
    placed = [Dealt(meld, from_rack) for meld, from_rack in found.placed]
    return [*placed, *[Dealt(meld) for meld in found.melds]]


def ways_to_deal(melds: Sequence[Dealt], jokers: Mapping[int, int]) -> Iterator[list[Dealt]]:
    """These melds with so many jokers of each face in them, in every way.

    Ways in which the first melds get the number tiles come first.
    """
    choices = []
    for face, count in jokers.items():
        holding = [index for index, meld in enumerate(melds) if face in meld.may_hold_jokers_as]
        choices.append([(face, chosen) for chosen in combinations(reversed(holding), count)])
    for chosen in product(*choices):
        stood: list[list[int]] = [[] for _ in melds]
        for face, indexes in chosen:
            for index in indexes:
                stood[index].append(face)
        way = [
            replace(meld, jokers=frozenset(faces)) if faces else meld
            for meld, faces in zip(melds, stood, strict=True)
        ]
        if all(meld.numbers for meld in way):
            yield way
