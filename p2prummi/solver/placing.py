"""Jokers that must lie in a meld of their own choosing: each such meld is tried, the rest arranged freely.

- A free joker that found no room (all groups are of four, all runs of thirteen) is put into each possible
  meld in turn; the rest is a task with a joker less.
- A joker that the joker rules let go only to certain melds is put into each of those; what the rules ask of
  a meld is said by where its tiles come from (`Origin`).
- A kept joker that would lie among jokers alone is put into each meld that holds a number tile.
Runs of six or more are left out where a shorter part of them serves as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.rules.fields import JokerReuse
from p2prummi.rules.tiles import HIGHEST_NUMBER, JOKER_FACE
from p2prummi.solver.arranging import arrange
from p2prummi.solver.limit import TimeUp, look
from p2prummi.solver.opening_melds import RUN_MOST, possible_melds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from p2prummi.solver.arranging import Arrangement, Task
    from p2prummi.solver.layout import FaceMeld
    from p2prummi.solver.limit import IsTimeUp

    Arranging: TypeAlias = Callable[[Task, int, IsTimeUp], Arrangement | None]


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
        for meld in _melds_with_jokers(task, RUN_MOST + 2, is_time_up):
            # Jokers of the rack are only worth placing beside those of the table.
            yield partial(_rest, task, meld, _from_rack(meld, on_table), is_time_up, arrange_all)

    return _best_of(arrangements(), least, reachable)


def arrange_beside(
    face: int, origins: Origins, task: Task, least: int, is_time_up: IsTimeUp
) -> Arrangement | None:
    """The best arrangement with one tile of a face in a meld with a number tile; if it is there at all.

    None where it is worth less than `least`. Raises TimeUp.
    """
    on_table = task.on_table()
    if not on_table[face]:
        return arrange_all(task, least, is_time_up)
    there = [table + rack for table, rack in zip(on_table, task.rack, strict=True)]

    def arrangements() -> Iterator[Callable[[int], Arrangement | None]]:
        for meld in possible_melds(there, is_time_up, RUN_MOST + 2):
            if face in meld.faces.faces:
                from_rack = _from_rack(meld.faces, on_table)
                for sources in _with_number(meld.faces, from_rack, origins, task):
                    yield partial(_rest, task, meld.faces, sources, is_time_up, arrange_all)

    return _best_of(arrangements(), least, None)


def _with_number(meld: FaceMeld, from_rack: list[int], origins: Origins, task: Task) -> Iterator[list[int]]:
    """What comes from the rack so that a number tile is in the meld: the table's, or one more of the rack."""
    if not origins.numbered.isdisjoint(meld.faces):
        yield from_rack
    for face in meld.faces:
        if face != JOKER_FACE and task.rack[face]:
            yield from_rack if face in from_rack else [*from_rack, face]


def _from_rack(meld: FaceMeld, on_table: Sequence[int]) -> list[int]:
    """The faces of a meld for which the rack must give the tile."""
    numbered = [face for face in meld.faces if face != JOKER_FACE]
    jokers = len(meld.faces) - len(numbered)
    from_rack = [face for face in numbered if not on_table[face]]
    return from_rack + [JOKER_FACE] * (jokers - min(jokers, on_table[JOKER_FACE]))


def _best_of(
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


def _melds_with_jokers(task: Task, run_most: int, is_time_up: IsTimeUp) -> list[FaceMeld]:
    """Every meld with jokers that can be made of all tiles. Raises TimeUp."""
    there = [table + rack for table, rack in zip(task.on_table(), task.rack, strict=True)]
    return [meld.faces for meld in possible_melds(there, is_time_up, run_most) if meld.jokers]


def _rest(
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
    rest = task.changed(unloose=of_table, unrack=from_rack)
    found = arranging(rest, max(0, least - worth), is_time_up)
    if found is None:
        return None
    return replace(found, placed=((meld, tuple(from_rack)), *found.placed), extra=found.extra + worth)


_NEW_MELDS = (JokerReuse.NEW_MELD, JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Where tiles can come from, and where a taken joker may go.

    `melds` gives for each face the melds before that hold it (kept jokers as what they stand for), `sizes`
    the tiles of each meld. `replacing` counts tiles laid to replace jokers, which serve for nothing else.
    `numbered` are the faces of which a number tile, not just a kept joker, lies on the table or replaces one
    that is taken.
    """

    reuse: JokerReuse
    numbered: frozenset[int]
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
        return HIGHEST_NUMBER if self.rack_tiles else RUN_MOST + 2

    @property
    def most_together(self) -> int:
        """How many tiles of one meld before a taken joker's meld may hold, the joker included."""
        return 2 if self.reuse in _NEW_MELDS else HIGHEST_NUMBER

    def have_number(self, meld: FaceMeld, task: Task) -> bool:
        """Whether one of the faces of a meld can be a number tile, as far as the task still has one."""
        return any(face in self.numbered or (face != JOKER_FACE and task.rack[face]) for face in meld.faces)

    def allows(self, jokers_from: Sequence[int], counts: Mapping[int, int], rack_tiles: int) -> bool:
        """Whether jokers from these melds may lie in a meld with so many tiles of each meld before."""
        if self.reuse is JokerReuse.ANY_MELD:
            return True
        if self.reuse is JokerReuse.OTHER_MELD:
            return all(counts[old] < self.sizes[old] for old in jokers_from)
        return max(counts.values()) <= 2 and rack_tiles >= self.rack_tiles


def place_taken(
    jokers_from: tuple[int, ...],
    origins: Origins,
    used: frozenset[tuple[int, int]],
    last: Arranging,
    task: Task,
    least: int,
    is_time_up: IsTimeUp,
) -> Arrangement | None:
    """The best arrangement with the jokers of these melds taken; None where it is worth less than `least`.

    `used` are tiles, as pairs of a meld before and a face, that lie in melds placed already; `last` arranges
    what is left then. Raises TimeUp.
    """
    if not jokers_from:
        return last(task, least, is_time_up)

    def arrangements() -> Iterator[Callable[[int], Arrangement | None]]:
        seen = set()
        for placing in _placings(task, jokers_from, origins, used, is_time_up):
            meld, from_rack, rest, more_used = placing
            name = (tuple(sorted(meld.faces)), tuple(sorted(from_rack)), rest, more_used)
            if name not in seen:
                seen.add(name)
                arranging = partial(place_taken, rest, origins, used | more_used, last)
                yield partial(_rest, task, meld, from_rack, is_time_up, arranging)

    return _best_of(arrangements(), least, None)


def _placings(
    task: Task,
    jokers_from: tuple[int, ...],
    origins: Origins,
    used: frozenset[tuple[int, int]],
    is_time_up: IsTimeUp,
) -> Iterator[tuple[FaceMeld, list[int], tuple[int, ...], frozenset[tuple[int, int]]]]:
    """Melds for the first joker: each with what comes from the rack, the jokers left, and the tiles used.

    Raises TimeUp.
    """
    for meld in _melds_with_jokers(task, origins.run_most, is_time_up):
        if not origins.have_number(meld, task):
            continue
        slots = meld.faces.count(JOKER_FACE)
        for others in _fillings(len(jokers_from) - 1, slots - 1, task.rack[JOKER_FACE]):
            moving = (jokers_from[0], *[jokers_from[1 + other] for other in others])
            rest = tuple([old for place, old in enumerate(jokers_from[1:]) if place not in others])
            laid_jokers = slots - len(moving)
            sources = _sources(
                meld, moving, laid_jokers, task, origins, used, is_time_up, all_ways=bool(rest)
            )
            for from_rack, more_used in sources:
                yield meld, [*from_rack, *[JOKER_FACE] * laid_jokers], rest, more_used


def _fillings(others: int, slots: int, rack_jokers: int) -> Iterator[tuple[int, ...]]:
    """Which of the other taken jokers go into the same meld, jokers of the rack filling the other slots."""
    for count in range(max(0, slots - rack_jokers), min(others, slots) + 1):
        yield from combinations(range(others), count)


def _sources(
    meld: FaceMeld,
    moving: Sequence[int],
    laid_jokers: int,
    task: Task,
    origins: Origins,
    used: frozenset[tuple[int, int]],
    is_time_up: IsTimeUp,
    *,
    all_ways: bool,
) -> Iterator[tuple[list[int], frozenset[tuple[int, int]]]]:
    """Which faces of a meld come from the rack, no more than needed, and which table tiles it uses."""
    numbered = [face for face in meld.faces if face != JOKER_FACE]
    held = [face for face in numbered if task.rack[face]]
    smallest: list[frozenset[int]] = []
    for count in range(max(0, origins.rack_tiles - laid_jokers), len(held) + 1):
        for chosen in combinations(held, count):
            look(is_time_up)
            from_rack = frozenset(chosen)
            if not all_ways and any(smaller <= from_rack for smaller in smallest):
                continue
            others = [face for face in numbered if face not in from_rack]
            is_found = False
            nothing = {old: moving.count(old) for old in moving}
            for counts, tiles in _matchings(others, nothing, origins, used, is_time_up):
                if origins.allows(moving, counts, count + laid_jokers):
                    yield list(chosen), tiles
                    is_found = True
                    if not all_ways:
                        break
            if is_found:
                smallest.append(from_rack)


def _matchings(
    faces: Sequence[int],
    nothing: dict[int, int],
    origins: Origins,
    used: frozenset[tuple[int, int]],
    is_time_up: IsTimeUp,
) -> Iterator[tuple[dict[int, int], frozenset[tuple[int, int]]]]:
    """All ways to take faces from the table: how many come from each meld before, and which tiles."""
    if not faces:
        yield dict(nothing), frozenset()
        return
    face = faces[0]
    for counts, tiles in _matchings(faces[1:], nothing, origins, used, is_time_up):
        look(is_time_up)
        if origins.replacing.get(face, 0) > sum([1 for old, each in used if old < 0 and each == face]):
            yield dict(counts), tiles | {(-1, face)}
        for old in origins.melds.get(face, ()):
            if (old, face) not in used and counts.get(old, 0) < origins.most_together:
                counts_after = dict(counts)
                counts_after[old] = counts_after.get(old, 0) + 1
                yield counts_after, tiles | {(old, face)}
