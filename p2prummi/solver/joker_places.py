"""Jokers that the joker rules bind: each is put into every meld that it may go to, the rest arranged freely.

A taken joker goes only to certain melds: what the rules ask of a meld is said by where its tiles come from
(`Origins`). A kept joker is a tile of what it stands for, which goes wherever it fits, but not among jokers
alone; they are placed only where an arrangement that takes them for number tiles proves to be impossible.
Runs of six or more are left out where a shorter part of them serves as well.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from p2prummi.rules.tiles import JOKER_FACE
from p2prummi.solver.limit import look
from p2prummi.solver.opening_melds import possible_melds
from p2prummi.solver.placing import (
    LONGEST_RUN,
    arrange_all,
    arrange_around,
    best_of,
    melds_with_jokers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from p2prummi.solver.arranging import Arrangement, Task
    from p2prummi.solver.layout import FaceMeld
    from p2prummi.solver.limit import IsTimeUp
    from p2prummi.solver.origins import Origin, Origins


def place_taken(
    jokers_from: tuple[int, ...],
    origins: Origins,
    used: frozenset[Origin],
    task: Task,
    least: int,
    is_time_up: IsTimeUp,
    *,
    kept_too: bool,
) -> Arrangement | None:
    """The best arrangement with the jokers of these melds taken; None where it is worth less than `least`.

    `used` are tiles that lie in melds placed already; with `kept_too`, the kept jokers are placed after the
    taken ones, as `place_kept` does. Raises TimeUp.
    """
    if not jokers_from:
        return (partial(place_kept, origins, used) if kept_too else arrange_all)(task, least, is_time_up)

    def arrangements() -> Iterator[Callable[[int], Arrangement | None]]:
        seen = set()
        placings = _placings(task, jokers_from, origins, used, is_time_up, kept_too=kept_too)
        for meld, from_rack, rest, more_used in placings:
            name = (tuple(sorted(meld.faces)), tuple(sorted(from_rack)), rest, more_used)
            if name not in seen:
                seen.add(name)
                arranging = partial(place_taken, rest, origins, used | more_used, kept_too=kept_too)
                yield partial(arrange_around, task, meld, from_rack, is_time_up, arranging)

    return best_of(arrangements(), least, None)


def _placings(
    task: Task,
    jokers_from: tuple[int, ...],
    origins: Origins,
    used: frozenset[Origin],
    is_time_up: IsTimeUp,
    *,
    kept_too: bool,
) -> Iterator[tuple[FaceMeld, list[int], tuple[int, ...], frozenset[Origin]]]:
    """Melds for the first joker: each with what comes from the rack, the jokers left, and the tiles used.

    Raises TimeUp.
    """
    for meld in melds_with_jokers(task, origins.run_most, is_time_up):
        # Of thousands most may be passed over, as the rack holds too few of their tiles.
        look(is_time_up)
        slots = meld.faces.count(JOKER_FACE)
        for others in _fillings(len(jokers_from) - 1, slots - 1, task.rack[JOKER_FACE]):
            moving = (jokers_from[0], *[jokers_from[1 + other] for other in others])
            rest = tuple([old for place, old in enumerate(jokers_from[1:]) if place not in others])
            laid_jokers = slots - len(moving)
            all_ways = kept_too or bool(rest)
            sources = _sources(meld, moving, laid_jokers, task, origins, used, is_time_up, all_ways=all_ways)
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
    used: frozenset[Origin],
    is_time_up: IsTimeUp,
    *,
    all_ways: bool,
) -> Iterator[tuple[list[int], frozenset[Origin]]]:
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
                has_number = count > 0 or origins.have_number(tiles)
                if has_number and origins.allows(moving, counts, count + laid_jokers):
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
    used: frozenset[Origin],
    is_time_up: IsTimeUp,
) -> Iterator[tuple[dict[int, int], frozenset[Origin]]]:
    """All ways to take faces from the table: how many come from each meld before, and which tiles."""
    if not faces:
        yield dict(nothing), frozenset()
        return
    face = faces[0]
    for counts, tiles in _matchings(faces[1:], nothing, origins, used, is_time_up):
        look(is_time_up)
        for old, _ in origins.of_face(face, used):
            if old < 0:
                yield dict(counts), tiles | {(old, face)}
            elif counts.get(old, 0) < origins.most_together:
                yield {**counts, old: counts.get(old, 0) + 1}, tiles | {(old, face)}


def place_kept(
    origins: Origins, used: frozenset[Origin], task: Task, least: int, is_time_up: IsTimeUp
) -> Arrangement | None:
    """The best arrangement in which each kept joker lies in a meld with a number tile.

    None where it is worth less than `least`. `used` are tiles, kept jokers too, that lie in melds placed
    already. Raises TimeUp.
    """
    joker = min(origins.kept - used, default=None)
    if joker is None:
        return arrange_all(task, least, is_time_up)
    on_table = task.on_table()
    there = [table + rack for table, rack in zip(on_table, task.rack, strict=True)]

    def arrangements() -> Iterator[Callable[[int], Arrangement | None]]:
        for meld in possible_melds(there, is_time_up, LONGEST_RUN):
            faces = meld.faces.faces
            if joker[1] not in faces:
                continue
            others = [face for face in faces if face not in (JOKER_FACE, joker[1])]
            laid_jokers = [JOKER_FACE] * max(0, faces.count(JOKER_FACE) - on_table[JOKER_FACE])
            for from_rack, tiles in _beside(others, origins, used, task):
                if from_rack or origins.have_number(tiles):
                    arranging = partial(place_kept, origins, used | tiles | {joker})
                    rack = [*from_rack, *laid_jokers]
                    yield partial(arrange_around, task, meld.faces, rack, is_time_up, arranging)

    return best_of(arrangements(), least, None)


def _beside(
    faces: Sequence[int], origins: Origins, used: frozenset[Origin], task: Task
) -> Iterator[tuple[list[int], frozenset[Origin]]]:
    """All ways to take faces: which of them come from the rack, and which tiles of the table are used.

    Of the number tiles of a face, and of the jokers that stand for it, one is as good as another.
    """
    if not faces:
        yield [], frozenset()
        return
    face = faces[0]
    alike = {tile in origins.kept: tile for tile in origins.of_face(face, used)}
    for from_rack, tiles in _beside(faces[1:], origins, used, task):
        if task.rack[face]:
            yield [face, *from_rack], tiles
        for tile in alike.values():
            yield from_rack, tiles | {tile}
