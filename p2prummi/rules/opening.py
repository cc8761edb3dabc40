"""Whether tiles hold an opening, exactly: melds from them alone that are worth `opening_points` in all.

The numbers are gone through from 13 down to 1. A state is what later numbers depend on: the runs that are
open in each colour, and the jokers left; for each state only the greatest worth of finished melds is kept.
The search stops at the first state that is worth enough. A rack that is full of melds stops after a few
numbers, and one without them has few states, so what is dealt and drawn takes milliseconds; thirty low tiles
with four jokers that are nearly worth enough take seconds. It is not the solver, which looks for the best
play. Source: protocol/spec/rules.md, "The opening". The state of open runs follows van Rijn, Takes and Vis,
"The Complexity of Rummikub Problems" (2015).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.rules.fields import OpeningJoker
from p2prummi.rules.melds import Group, Run, ordered_group
from p2prummi.rules.tiles import HIGHEST_NUMBER, JOKER_FACE, Colour, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset

# An open run by what matters for its future: 1 and 2 are its length, LONG is three or more. Negative lengths
# are of jokers alone, which still need a number tile, however many. START is a run about to begin.
START, LONG = 0, 3
_WITH_TILE = {START: 1, 1: 2, 2: LONG, LONG: LONG, -1: 2, -2: LONG, -3: LONG, -4: LONG}
_WITH_JOKER = {START: -1, 1: 2, 2: LONG, LONG: LONG, -1: -2, -2: -3, -3: -4}

OpenRuns: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Step:
    """What happens in one colour at one number: which open runs go on, each with a tile or a joker.

    `finished` holds the lengths of the runs that become melds, `prolonged` counts those that were melds.
    """

    runs: OpenRuns
    places: tuple[tuple[int, bool], ...]
    tiles: int
    jokers: int
    finished: tuple[int, ...]
    prolonged: int


@dataclass(frozen=True, slots=True)
class _Trail:
    """How a state came about: the steps in the four colours and the groups, at each number from 13 down."""

    before: _Trail | None
    number: int
    steps: tuple[_Step, ...]
    groups: tuple[GroupForm, ...]


def holds_opening(ruleset: Ruleset, rack: Iterable[Tile]) -> bool:
    """Whether the tiles alone hold an opening."""
    return find_opening(ruleset, rack) is not None


def find_opening(
    ruleset: Ruleset, rack: Iterable[Tile], look: Callable[[], None] = lambda: None
) -> tuple[Meld, ...] | None:
    """Melds from the tiles alone that are an opening by the ruleset, or None where there are none.

    `look` is called now and then; what it raises ends the search.
    """
    piles: dict[int, list[Tile]] = defaultdict(list)
    for tile in rack:
        piles[tile.face_index].append(tile)
    jokers = len(piles[JOKER_FACE]) if ruleset.opening_joker is OpeningJoker.AS_REPLACED else 0
    counts = [
        tuple(len(piles[colour * HIGHEST_NUMBER + number - 1]) for colour in Colour)
        for number in range(1, HIGHEST_NUMBER + 1)
    ]
    # Any meld is worth more than nothing, and an opening has at least one.
    trail = _search(counts, jokers, max(ruleset.opening_points, 1), look)
    return None if trail is None else _build(trail, piles)


def _search(
    counts: list[tuple[int, ...]], jokers: int, target: int, look: Callable[[], None]
) -> _Trail | None:
    """The trail to finished melds worth the target, if there is one."""
    nothing: tuple[OpenRuns, ...] = ((), (), (), ())
    layer: dict[tuple[tuple[OpenRuns, ...], int], tuple[int, _Trail | None]] = {(nothing, jokers): (0, None)}
    for number in range(HIGHEST_NUMBER, 0, -1):
        rest = sum(each * sum(counts[each - 1]) for each in range(1, number))
        below = counts[max(0, number - 1 - jokers) : number - 1]
        # Jokers alone that begin a run need a number tile soon.
        joker_starts = tuple(any(column[colour] for column in below) for colour in Colour)
        following: dict[tuple[tuple[OpenRuns, ...], int], tuple[int, _Trail | None]] = {}
        for (runs, left), (value, trail) in layer.items():
            look()
            for steps in _steps(runs, counts[number - 1], joker_starts, left, number):
                gained, unused = _gain(steps, counts[number - 1], number)
                after = left - sum(step.jokers for step in steps)
                state = tuple(step.runs for step in steps)
                for used, grouped, groups in _groupings(unused, after):
                    worth = value + gained + number * grouped
                    key = (state, after - used)
                    # What all that is left could add at best, whether it fits or not.
                    hope = rest + _open_worth(state, number) + key[1] * (number - 1)
                    if worth + hope < target or (key in following and following[key][0] >= worth):
                        continue
                    following[key] = (worth, _Trail(trail, number, steps, groups))
                    if worth >= target:
                        return following[key][1]
        layer = following
    return None


def _open_worth(state: tuple[OpenRuns, ...], number: int) -> int:
    """What the tiles in unfinished runs are worth after a number, their lowest."""
    lengths = [abs(run) for runs in state for run in runs if run != LONG]
    return sum(_worth(length, number) for length in lengths)


def _worth(length: int, number: int) -> int:
    """What consecutive numbers are worth, so many from a number up."""
    return length * number + length * (length - 1) // 2


def _gain(steps: tuple[_Step, ...], counts: tuple[int, ...], number: int) -> tuple[int, tuple[int, ...]]:
    """The worth that runs gain at a number, and the tiles of the four colours that they leave over."""
    worth = sum(step.prolonged * number for step in steps)
    worth += sum(_worth(length, number) for step in steps for length in step.finished)
    return worth, tuple(count - step.tiles for count, step in zip(counts, steps, strict=True))


def _steps(
    runs: tuple[OpenRuns, ...],
    counts: tuple[int, ...],
    joker_starts: tuple[bool, ...],
    jokers: int,
    number: int,
) -> Iterator[tuple[_Step, ...]]:
    """All ways to go on at a number in the colours of `runs`, one colour after the other.

    `joker_starts` says by colour whether a joker may begin a run.
    """
    if not runs:
        yield ()
        return
    for step in _colour_steps(runs[0], counts[0], jokers, number >= 3, joker_starts[0]):
        for others in _steps(runs[1:], counts[1:], joker_starts[1:], jokers - step.jokers, number):
            yield (step, *others)


@lru_cache(maxsize=1 << 14)
def _colour_steps(
    runs: OpenRuns, tiles: int, jokers: int, may_start: bool, joker_starts: bool
) -> tuple[_Step, ...]:
    """All ways to go on in one colour; a joker may stand where a tile is, which a group may need more."""
    unfinished = tuple(run for run in runs if run != LONG)
    spare = tiles + jokers - len(unfinished)
    found = {}
    for prolonged in range(min(len(runs) - len(unfinished), spare) + 1):
        for started in range((spare - prolonged if may_start else 0) + 1):
            slots = (*unfinished, *[LONG] * prolonged, *[START] * started)
            for by_joker in range(max(0, len(slots) - tiles), min(jokers, len(slots)) + 1):
                for chosen in combinations(range(len(slots)), by_joker):
                    places = tuple(sorted((slot, place in chosen) for place, slot in enumerate(slots)))
                    if joker_starts or (START, True) not in places:
                        found[places] = _step(places)
    return tuple(found.values())


def _step(places: tuple[tuple[int, bool], ...]) -> _Step:
    """The step that puts a tile, or where it says so a joker, onto each of these runs."""
    after = [(_WITH_JOKER if joker else _WITH_TILE)[slot] for slot, joker in places]
    jokers = sum(joker for _, joker in places)
    return _Step(
        runs=tuple(sorted(after)),
        places=places,
        tiles=len(places) - jokers,
        jokers=jokers,
        finished=tuple(
            abs(slot) + 1
            for (slot, _), run in zip(places, after, strict=True)
            if run == LONG and slot != LONG
        ),
        prolonged=sum(slot == LONG for slot, _ in places),
    )


GroupForm: TypeAlias = tuple[tuple[int, ...], int]
"""The colours of a group's number tiles, and its jokers."""
GROUP_FORMS: tuple[GroupForm, ...] = tuple(
    (colours, jokers)
    for size in range(1, 5)
    for colours in combinations(range(4), size)
    for jokers in range(4)
    if 3 <= size + jokers <= 4
)


def _groupings(counts: tuple[int, ...], jokers: int) -> Iterator[tuple[int, int, tuple[GroupForm, ...]]]:
    """For each number of jokers that pays: the jokers used, the tiles grouped with them, and the groups."""
    grouped_before = -1
    for used in range(jokers + 1):
        grouped, groups = _most_grouped(counts, used)
        if grouped > grouped_before:
            yield used, grouped, groups
        grouped_before = grouped


@lru_cache(maxsize=1 << 12)
def _most_grouped(counts: tuple[int, ...], jokers: int) -> tuple[int, tuple[GroupForm, ...]]:
    """The most tiles of one number that go into groups, jokers counted, and these groups."""
    best: tuple[int, tuple[GroupForm, ...]] = (0, ())
    for colours, used in GROUP_FORMS:
        if used <= jokers and all(counts[colour] for colour in colours):
            rest = tuple(count - (colour in colours) for colour, count in enumerate(counts))
            grouped, groups = _most_grouped(rest, jokers - used)
            grouped += len(colours) + used
            if grouped > best[0]:
                best = (grouped, (*groups, (colours, used)))
    return best


def _build(trail: _Trail | None, piles: dict[int, list[Tile]]) -> tuple[Meld, ...]:
    """Lay out what a trail did, from the tiles themselves."""
    trails = []
    while trail is not None:
        trails.append(trail)
        trail = trail.before
    melds: list[Meld] = []
    open_runs: list[list[tuple[int, list[Tile]]]] = [[], [], [], []]
    for each in reversed(trails):
        for colour, step in enumerate(each.steps):
            pile = piles[colour * HIGHEST_NUMBER + each.number - 1]
            going_on = []
            for slot, is_joker in step.places:
                tile = (piles[JOKER_FACE] if is_joker else pile).pop()
                ready = [place for place, (code, _) in enumerate(open_runs[colour]) if code == slot]
                tiles = open_runs[colour].pop(ready[0])[1] if ready else []
                after = (_WITH_JOKER if is_joker else _WITH_TILE)[slot]
                going_on.append((after, [tile, *tiles]))
            melds += [Run(tuple(tiles)) for _, tiles in open_runs[colour]]
            open_runs[colour] = going_on
        for colours, jokers in each.groups:
            tiles = [piles[colour * HIGHEST_NUMBER + each.number - 1].pop() for colour in colours]
            tiles += [piles[JOKER_FACE].pop() for _ in range(jokers)]
            melds.append(Group(ordered_group(tiles)))
    melds += [Run(tuple(tiles)) for runs in open_runs for code, tiles in runs if code == LONG]
    return tuple(melds)
