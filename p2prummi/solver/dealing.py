"""In which melds the jokers lie that are kept: all the ways to deal an arrangement.

A kept joker counts as a tile of a face, so it may lie in any meld that holds that face, as long as every meld
holds a number tile.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from p2prummi.rules.tiles import JOKER_FACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from p2prummi.solver.layout import FaceMeld


def ways_to_deal(melds: Sequence[FaceMeld], jokers: Mapping[int, int]) -> Iterator[list[set[int]]]:
    """For each meld the faces that jokers take in it, in every way to deal so many jokers of each face.

    Ways in which the first melds get the number tiles come first.
    """
    numbers = [len(meld.faces) - meld.faces.count(JOKER_FACE) for meld in melds]
    choices = []
    for face, count in jokers.items():
        holding = [index for index, meld in enumerate(melds) if face in meld.faces]
        choices.append([(face, chosen) for chosen in combinations(reversed(holding), count)])
    for chosen in product(*choices):
        way: list[set[int]] = [set() for _ in melds]
        for face, indexes in chosen:
            for index in indexes:
                way[index].add(face)
        if all(len(faces) < most for faces, most in zip(way, numbers, strict=True)):
            yield way
