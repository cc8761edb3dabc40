"""The first lay: the opening with the fewest tiles, the one that lays the most, or the best whole turn.

- Whether there is an opening at all: `p2prummi.rules.opening`.
- The most: what the rack lays at best, whatever it is worth; that is nearly always worth enough. Otherwise
  every opening that can spare no meld is tried, with the most from the rest of the rack.
- A whole turn (`opening_then_table`): what could be laid by someone who had opened is a bound; an opening is
  taken from those tiles, or else from the rack, and the rest of the turn solved on the table with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2prummi.rules.fields import OpeningJoker
from p2prummi.rules.opening import find_opening
from p2prummi.rules.tiles import HIGHEST_NUMBER, JOKER_FACE
from p2prummi.solver.arranging import Task, arrange, counts_of
from p2prummi.solver.layout import face_meld
from p2prummi.solver.limit import TimeUp
from p2prummi.solver.opening_melds import fewest_tiles, openings, possible_melds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile
    from p2prummi.solver.layout import FaceMeld
    from p2prummi.solver.limit import IsTimeUp


def usable_counts(ruleset: Ruleset, rack: Collection[Tile]) -> list[int]:
    """How often each face is on the rack that an opening may hold."""
    counts = list(counts_of([tile.face_index for tile in rack]))
    if ruleset.opening_joker is OpeningJoker.FORBIDDEN:
        counts[JOKER_FACE] = 0
    return counts


def points_needed(ruleset: Ruleset) -> int:
    """What an opening must be worth: at least one meld, which is worth more than nothing."""
    return max(ruleset.opening_points, 1)


def fewest(
    ruleset: Ruleset, rack: Collection[Tile], is_time_up: IsTimeUp
) -> tuple[list[FaceMeld], bool] | None:
    """The opening of the fewest tiles and whether it is sure to be; None where there is no opening."""
    first = find_opening(ruleset, rack)
    if first is None:
        return None
    melds = [face_meld(meld) for meld in first]
    counts = usable_counts(ruleset, rack)
    most = sum(len(meld.faces) for meld in melds)
    try:
        found = fewest_tiles(
            possible_melds(counts, is_time_up), counts, points_needed(ruleset), most, is_time_up
        )
    except TimeUp:
        return melds, False
    return found or melds, True


def most(
    ruleset: Ruleset,
    rack: Collection[Tile],
    weights: tuple[int, ...],
    joker_weight: int,
    is_time_up: IsTimeUp,
) -> tuple[list[FaceMeld], bool] | None:
    """The opening that lays the most and whether it is sure to be; None where there is no opening."""
    first = find_opening(ruleset, rack)
    if first is None:
        return None
    counts = usable_counts(ruleset, rack)
    task = Task(table=(), rack=tuple(counts), weights=weights, joker_weight=joker_weight)
    best = [face_meld(meld) for meld in first]
    try:
        found = arrange(task, (), 0, is_time_up)
        if found is None:
            return best, False
        if sum(meld.worth for meld in found.melds) >= points_needed(ruleset):
            return [*found.melds], found.is_best
        reached = -1
        for opening in openings(
            possible_melds(counts, is_time_up), counts, points_needed(ruleset), is_time_up
        ):
            laid = counts_of([face for meld in opening for face in meld.faces])
            rest = tuple(count - used for count, used in zip(counts, laid, strict=True))
            value = laid[JOKER_FACE] * joker_weight + sum(
                count * weights[face % HIGHEST_NUMBER + 1] for face, count in enumerate(laid[:JOKER_FACE])
            )
            others = arrange(replace(task, rack=rest), (), max(0, reached + 1 - value), is_time_up)
            if others is not None and value + others.value > reached:
                best, reached = [*opening, *others.melds], value + others.value
    except TimeUp:
        return best, False
    return best, True


def witnesses(
    ruleset: Ruleset, rack: Collection[Tile], likely: Collection[Tile], is_time_up: IsTimeUp
) -> Iterator[list[FaceMeld]]:
    """Openings to begin a whole turn with: one from the likely tiles, then all that can spare no meld.

    Raises TimeUp.
    """
    first: tuple[Meld, ...] | None = find_opening(ruleset, likely) or find_opening(ruleset, rack)
    if first is None:
        return
    yield [face_meld(meld) for meld in first]
    counts = usable_counts(ruleset, rack)
    yield from openings(possible_melds(counts, is_time_up), counts, points_needed(ruleset), is_time_up)
