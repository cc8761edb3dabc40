"""Openings by their melds: every choice of melds from a rack that opens and could spare none of them.

Whether a rack holds an opening at all is told by `p2prummi.rules.opening`, which is quicker. Here it is asked
for the opening that lays the fewest tiles (of these with the fewest jokers, then worth the most), or for all
of them in turn. Runs of six and more are left out: they are two shorter runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, cycle
from typing import TYPE_CHECKING

from p2prummi.rules.opening import GROUP_FORMS
from p2prummi.rules.tiles import FACE_COUNT, HIGHEST_NUMBER, JOKER_FACE
from p2prummi.solver.layout import FaceMeld
from p2prummi.solver.limit import look

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from p2prummi.solver.limit import IsTimeUp

RUN_MOST = 5
COUNT_BITS = 4
_ENOUGH = sum(1 << (COUNT_BITS * face + COUNT_BITS - 1) for face in range(FACE_COUNT + 1))
"""A bit above each face's count, which stays as long as nothing was taken that is not there."""
NODES_BETWEEN_LOOKS = 256


@dataclass(frozen=True, slots=True)
class PossibleMeld:
    """A meld that the rack holds; `packed` are its faces, counted, a few bits for each face."""

    faces: FaceMeld
    worth: int
    tiles: int
    jokers: int
    packed: int


def packed_counts(faces: Sequence[int]) -> int:
    """Faces, counted, as one number."""
    return sum([1 << (COUNT_BITS * face) for face in faces])


def possible_melds(
    counts: Sequence[int], is_time_up: IsTimeUp, run_most: int = RUN_MOST
) -> list[PossibleMeld]:
    """All groups, and runs of up to `run_most` tiles, that can be made of so many tiles of each face.

    Raises TimeUp.
    """
    jokers = counts[JOKER_FACE]
    found = []
    for number in range(HIGHEST_NUMBER):
        present = [counts[colour * HIGHEST_NUMBER + number] > 0 for colour in range(4)]
        if sum(present) + jokers < 3:
            continue
        for colours, used in GROUP_FORMS:
            if used <= jokers and all(present[colour] for colour in colours):
                faces = [*[colour * HIGHEST_NUMBER + number for colour in colours], *[JOKER_FACE] * used]
                found.append(_possible(FaceMeld(tuple(faces)), (number + 1) * len(faces)))
    for lowest in range(0, FACE_COUNT, HIGHEST_NUMBER):
        for start in range(HIGHEST_NUMBER - 2):
            for end in range(start + 3, min(start + run_most, HIGHEST_NUMBER) + 1):
                places = range(lowest + start, lowest + end)
                missing = [face for face in places if not counts[face]]
                if len(missing) > jokers or len(missing) == len(places):
                    if len(missing) > jokers:
                        break
                    continue
                # With four jokers a long run can be filled in a thousand ways.
                look(is_time_up)
                worth = (start + 1 + end) * (end - start) // 2
                found += [
                    _possible(FaceMeld(run, start + 1), worth)
                    for run in _with_jokers(places, missing, jokers)
                ]
    return found


def _with_jokers(places: range, missing: Sequence[int], jokers: int) -> Iterator[tuple[int, ...]]:
    """A run's faces: jokers where there is no tile, and anywhere else as well."""
    present = [face for face in places if face not in missing]
    for spared in range(min(jokers - len(missing), len(present) - 1) + 1):
        for also in combinations(present, spared):
            yield tuple([JOKER_FACE if face in missing or face in also else face for face in places])


def _possible(faces: FaceMeld, worth: int) -> PossibleMeld:
    jokers = faces.faces.count(JOKER_FACE)
    return PossibleMeld(faces, worth, len(faces.faces), jokers, packed_counts(faces.faces))


def fewest_tiles(
    melds: Sequence[PossibleMeld], counts: Sequence[int], points: int, most: int, is_time_up: IsTimeUp
) -> list[FaceMeld] | None:
    """The opening of the fewest tiles, up to `most`; None where there is none. Raises TimeUp."""
    for tiles in range(3, most + 1):
        best: tuple[int, int] | None = None
        chosen: list[FaceMeld] = []
        for opening in _choices(melds, counts, points, tiles, is_time_up):
            rank = (-sum([meld.jokers for meld in opening]), sum([meld.worth for meld in opening]))
            if best is None or rank > best:
                best, chosen = rank, [meld.faces for meld in opening]
        if best is not None:
            return chosen
    return None


def _choices(
    melds: Sequence[PossibleMeld], counts: Sequence[int], points: int, tiles: int, is_time_up: IsTimeUp
) -> Iterator[list[PossibleMeld]]:
    """All choices of just so many tiles that are worth enough."""
    # The melds that bring the most a tile come first: what follows can't bring more.
    ordered = sorted(melds, key=lambda meld: (-meld.worth / meld.tiles, meld.jokers))
    packed = sum([count << (COUNT_BITS * face) for face, count in enumerate(counts)])
    looks = cycle(range(NODES_BETWEEN_LOOKS))
    return _extended(ordered, 0, packed | _ENOUGH, points, tiles, looks, is_time_up)


def _extended(
    ordered: Sequence[PossibleMeld],
    first: int,
    left: int,
    needed: int,
    room: int,
    looks: Iterator[int],
    is_time_up: IsTimeUp,
) -> Iterator[list[PossibleMeld]]:
    """The choices among the melds from `first` on, of the tiles `left`; `looks` tells by 0 that one is due.

    By itself, as a function that calls itself inside another is a circle, which the collector has to find.
    """
    for index in range(first, len(ordered)):
        meld = ordered[index]
        if meld.worth * room < needed * meld.tiles:
            return
        if not next(looks):
            look(is_time_up)
        rest = room - meld.tiles
        if rest and rest < 3:
            continue
        after = left - meld.packed
        if after & _ENOUGH != _ENOUGH:
            continue
        if rest:
            for others in _extended(ordered, index, after, needed - meld.worth, rest, looks, is_time_up):
                yield [meld, *others]
        elif meld.worth >= needed:
            yield [meld]


def openings(
    melds: Sequence[PossibleMeld], counts: Sequence[int], points: int, is_time_up: IsTimeUp
) -> Iterator[list[FaceMeld]]:
    """All openings that can spare no meld, those of the fewest tiles first. Raises TimeUp."""
    for tiles in range(3, sum(counts) + 1):
        for opening in _choices(melds, counts, points, tiles, is_time_up):
            worth = sum([meld.worth for meld in opening])
            if all(worth - meld.worth < points for meld in opening):
                yield [meld.faces for meld in opening]
