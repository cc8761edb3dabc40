"""Leaving the table alone: which changed melds hang together, and which of them were changed for nothing.

Melds before and after a turn hang together where they share a face. A patch of them into which nothing was
laid holds the same tiles before and after, so that its melds can stay as they were. In a patch with one meld
of the table, that one had to change, or it would have been taken out of the layout unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.rules.tiles import FACE_COUNT, HIGHEST_NUMBER, JOKER_FACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2prummi.solver.layout import FaceMeld


@dataclass(slots=True)
class Patch:
    """Melds that hang together: indexes of the table's, and those after the turn."""

    before: list[int]
    after: list[FaceMeld]

    def is_unchanged(self, table: Sequence[FaceMeld]) -> bool:
        """Whether it holds the same tiles before and after."""
        held = [face for index in self.before for face in table[index].faces]
        holds = [face for meld in self.after for face in meld.faces]
        return len(held) == len(holds) and sorted(held) == sorted(holds)


def patches(table: Sequence[FaceMeld], changed: Iterable[int], after: Iterable[FaceMeld]) -> list[Patch]:
    """The patches of the changed table melds and the melds after."""
    by_face: dict[int, Patch] = {}
    for index in changed:
        _join(by_face, table[index].faces, Patch([index], []))
    for meld in after:
        _join(by_face, meld.faces, Patch([], [meld]))
    return list({id(patch): patch for patch in by_face.values()}.values())


def _join(by_face: dict[int, Patch], faces: Sequence[int], patch: Patch) -> None:
    """Join a meld to all patches that hold one of its faces, making them one."""
    for other in {id(found): found for face in faces if (found := by_face.get(face))}.values():
        patch.before += other.before
        patch.after += other.after
        for face in [face for face, found in by_face.items() if found is other]:
            by_face[face] = patch
    for face in faces:
        by_face[face] = patch


def scattered(meld: FaceMeld, after: Iterable[FaceMeld]) -> int:
    """How many tiles of a meld are at least not together with the others after the turn."""
    mine = set(meld.faces)
    return len(meld.faces) - max([len(mine.intersection(other.faces)) for other in after])


def has_lone_tile(counts: Sequence[int]) -> bool:
    """Whether some tile is in none of the melds that these tiles could form; False is no promise."""
    jokers = counts[JOKER_FACE]
    if jokers > 1:
        return False
    masks = [
        sum([1 << number for number in range(HIGHEST_NUMBER) if counts[lowest + number]])
        for lowest in range(0, FACE_COUNT, HIGHEST_NUMBER)
    ]
    black, blue, red, orange = masks
    if jokers:
        grouped = black & blue | red & orange | (black | blue) & (red | orange)
    else:
        grouped = black & blue & (red | orange) | red & orange & (black | blue)
    for mask in masks:
        left = mask & ~grouped
        if left:
            pairs = mask & mask << 1
            if jokers:
                spread = mask & mask << 2
                in_runs = pairs | pairs >> 1 | spread | spread >> 2
            else:
                triples = pairs & mask << 2
                in_runs = triples | triples >> 1 | triples >> 2
            if left & ~in_runs:
                return True
    return False
