"""What a rack lays without the table and without a search: the way out when no time is left.

Runs first and then groups of what is over, or groups first: the better of both. Jokers are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.rules.tiles import FACE_COUNT, HIGHEST_NUMBER
from p2prummi.solver.layout import FaceMeld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.solver.arranging import Task

LEAST_TILES = 3
"""Of a run or a group."""


def laid_at_once(task: Task) -> list[FaceMeld]:
    """Melds from the rack alone; none where neither way finds one."""
    ways = []
    for take_first, take_then in (_take_runs, _take_groups), (_take_groups, _take_runs):
        counts = list(task.rack)
        ways.append([*take_first(counts), *take_then(counts)])
    return max(ways, key=lambda melds: task.worth([face for meld in melds for face in meld.faces]))


def _take_runs(counts: list[int]) -> list[FaceMeld]:
    """Runs as long as they can be, taken out of the counts."""
    melds = []
    for lowest in range(0, FACE_COUNT, HIGHEST_NUMBER):
        start = lowest
        while start < lowest + HIGHEST_NUMBER:
            end = start
            while end < lowest + HIGHEST_NUMBER and counts[end]:
                end += 1
            if end - start < LEAST_TILES:
                start = end + 1
            else:
                melds.append(_taken(counts, range(start, end), start - lowest + 1))
    return melds


def _take_groups(counts: list[int]) -> list[FaceMeld]:
    """Groups of as many colours as there are, taken out of the counts."""
    melds = []
    for number in range(HIGHEST_NUMBER):
        while (
            len(faces := [face for face in range(number, FACE_COUNT, HIGHEST_NUMBER) if counts[face]])
            >= LEAST_TILES
        ):
            melds.append(_taken(counts, faces, 0))
    return melds


def _taken(counts: list[int], faces: Sequence[int], start: int) -> FaceMeld:
    for face in faces:
        counts[face] -= 1
    return FaceMeld(tuple(faces), start)
