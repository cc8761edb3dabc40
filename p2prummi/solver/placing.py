"""Melds that are settled first: each of several is tried, and the rest arranged around it.

So a free joker that found no room (all groups are of four, all runs of thirteen) is put into each possible
meld in turn; the rest is a task with a joker less. Jokers that the joker rules bind are placed in the same
way (`p2prummi.solver.joker_places`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from p2prummi.rules.tiles import JOKER_FACE
from p2prummi.solver.arranging import arrange
from p2prummi.solver.limit import TimeUp, look
from p2prummi.solver.opening_melds import RUN_MOST, possible_melds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from p2prummi.solver.arranging import Arrangement, Task
    from p2prummi.solver.layout import FaceMeld
    from p2prummi.solver.limit import IsTimeUp

    Arranging: TypeAlias = Callable[[Task, int, IsTimeUp], Arrangement | None]

LONGEST_RUN: Final = RUN_MOST + 2
"""A longer run around a joker can be split so that a number tile stays with it."""


def arrange_all(task: Task, least: int, is_time_up: IsTimeUp) -> Arrangement | None:
    """The best arrangement, every joker of the table in a meld; None where it is worth less than `least`.

    Raises TimeUp.
    """
    found = arrange(task, (), least, is_time_up)
    if found is None or not found.short:
        return found
    # How much more it could be if every joker found room.
    hoped = found.worth + (found.short - found.must) * task.joker_weight
    best = found if not found.must and found.worth >= least else None
    must, may = task.on_table()[JOKER_FACE], task.rack[JOKER_FACE]
    for laid in range(may if task.joker_weight else 0, -1, -1):
        reachable = hoped - (may - laid) * task.joker_weight if task.joker_weight else hoped
        needed = max(least, 0 if best is None else best.worth + 1)
        if reachable < needed or not must + laid:
            break
        bonus = laid * task.joker_weight
        trial = task
        if task.joker_weight:
            trial = task.changed(loose=[JOKER_FACE] * laid, unrack=[JOKER_FACE] * may)
        try:
            placed = _place_one(trial, needed - bonus, reachable - bonus, is_time_up)
        except TimeUp:
            if best is None:
                raise
            return replace(best, is_best=False)
        if placed is not None:
            best = replace(placed, extra=placed.extra + bonus, is_best=found.is_best and placed.is_best)
    return best


def _place_one(task: Task, least: int, reachable: int, is_time_up: IsTimeUp) -> Arrangement | None:
    """The best arrangement with one joker of the table placed in each possible meld in turn."""
    on_table = task.on_table()

    def arrangements() -> Iterator[Callable[[int], Arrangement | None]]:
        for meld in melds_with_jokers(task, LONGEST_RUN, is_time_up):
            # Jokers of the rack are only worth placing beside those of the table.
            yield partial(arrange_around, task, meld, rack_faces(meld, on_table), is_time_up, arrange_all)

    return best_of(arrangements(), least, reachable)


def rack_faces(meld: FaceMeld, on_table: Sequence[int]) -> list[int]:
    """The faces of a meld for which the rack must give the tile."""
    numbered = [face for face in meld.faces if face != JOKER_FACE]
    jokers = len(meld.faces) - len(numbered)
    from_rack = [face for face in numbered if not on_table[face]]
    return from_rack + [JOKER_FACE] * (jokers - min(jokers, on_table[JOKER_FACE]))


def best_of(
    arrangements: Iterable[Callable[[int], Arrangement | None]], least: int, reachable: int | None
) -> Arrangement | None:
    """The best of arrangements that are worth at least so much, each asked for the least that is of use.

    Nothing more is asked for once one is worth all that is reachable, or when the time is up. Raises TimeUp
    where that leaves nothing.
    """
    best = None
    try:
        for arrangement in arrangements:
            found = arrangement(least)
            if found is not None:
                best, least = found, found.worth + 1
                if found.worth == reachable:
                    break
    except TimeUp:
        if best is None:
            raise
        return replace(best, is_best=False)
    return best


def melds_with_jokers(task: Task, run_most: int, is_time_up: IsTimeUp) -> list[FaceMeld]:
    """Every meld with jokers that can be made of all tiles. Raises TimeUp."""
    there = [table + rack for table, rack in zip(task.on_table(), task.rack, strict=True)]
    return [meld.faces for meld in possible_melds(there, is_time_up, run_most) if meld.jokers]


def arrange_around(
    task: Task,
    meld: FaceMeld,
    from_rack: Sequence[int],
    is_time_up: IsTimeUp,
    arranging: Arranging,
    least: int,
) -> Arrangement | None:
    """The best arrangement that holds a meld, some of whose faces come from the rack. Raises TimeUp."""
    look(is_time_up)
    of_table = list(meld.faces)
    for face in from_rack:
        of_table.remove(face)
    worth = task.worth(from_rack)
    others = task.changed(unloose=of_table, unrack=from_rack)
    found = arranging(others, max(0, least - worth), is_time_up)
    if found is None:
        return None
    return replace(found, placed=(meld, *found.placed), extra=found.extra + worth)
