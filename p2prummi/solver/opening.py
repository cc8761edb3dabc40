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
from p2prummi.solver.arranging import VALUE_WEIGHTS, Task, counts_of
from p2prummi.solver.at_once import laid_at_once
from p2prummi.solver.layout import face_meld
from p2prummi.solver.limit import TimeUp, look
from p2prummi.solver.opening_melds import fewest_tiles, openings, possible_melds
from p2prummi.solver.placing import arrange_all

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

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


STATES_AT_LEAST = 40
"""So many states are gone through for an opening even if the time is up: most racks have no more."""


def some_opening(ruleset: Ruleset, rack: Collection[Tile], is_time_up: IsTimeUp) -> list[FaceMeld] | None:
    """An opening, or None where there is none.

    Raises TimeUp where it is not known yet whether there is one, and none lies at hand.
    """
    states = iter(range(STATES_AT_LEAST))

    def look_after_some() -> None:
        if next(states, None) is None:
            look(is_time_up)

    try:
        found = find_opening(ruleset, rack, look_after_some)
    except TimeUp:
        counts = tuple(usable_counts(ruleset, rack))
        melds = laid_at_once(Task(table=(), rack=counts, weights=VALUE_WEIGHTS, joker_weight=0))
        if sum(meld.worth for meld in melds) < points_needed(ruleset):
            raise
        return melds
    return None if found is None else [face_meld(meld) for meld in found]


def fewest(
    ruleset: Ruleset, rack: Collection[Tile], is_time_up: IsTimeUp
) -> tuple[list[FaceMeld], bool] | None:
    """The opening of the fewest tiles and whether it is sure to be; None where there is no opening.

    Raises TimeUp where it is not known yet whether there is one.
    """
    melds = some_opening(ruleset, rack, is_time_up)
    if melds is None:
        return None
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
    """The opening that lays the most and whether it is sure to be; None where there is no opening.

    Raises TimeUp where it is not known yet whether there is one.
    """
    best = some_opening(ruleset, rack, is_time_up)
    if best is None:
        return None
    counts = usable_counts(ruleset, rack)
    task = Task(table=(), rack=tuple(counts), weights=weights, joker_weight=joker_weight)
    try:
        found = arrange_all(task, 0, is_time_up)
        if found is not None and sum(meld.worth for meld in found.all_melds) >= points_needed(ruleset):
            return [*found.all_melds], found.is_best
        reached = -1
        for opening in openings(
            possible_melds(counts, is_time_up), counts, points_needed(ruleset), is_time_up
        ):
            laid = counts_of([face for meld in opening for face in meld.faces])
            rest = tuple(count - used for count, used in zip(counts, laid, strict=True))
            value = laid[JOKER_FACE] * joker_weight + sum(
                count * weights[face % HIGHEST_NUMBER + 1] for face, count in enumerate(laid[:JOKER_FACE])
            )
            others = arrange_all(replace(task, rack=rest), max(0, reached + 1 - value), is_time_up)
            if others is not None and value + others.worth > reached:
                best, reached = [*opening, *others.all_melds], value + others.worth
    except TimeUp:
        return best, False
    return best, True


def witnesses(
    ruleset: Ruleset, rack: Collection[Tile], likely: Collection[Tile], is_time_up: IsTimeUp
) -> Iterator[list[FaceMeld]]:
    """Openings to begin a whole turn with: one from the likely tiles, then all that can spare no meld.

    Raises TimeUp.
    """
    first = some_opening(ruleset, likely, is_time_up) or some_opening(ruleset, rack, is_time_up)
    if first is None:
        return
    yield first
    counts = usable_counts(ruleset, rack)
    yield from openings(possible_melds(counts, is_time_up), counts, points_needed(ruleset), is_time_up)
