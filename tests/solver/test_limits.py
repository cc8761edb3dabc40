"""Limits: time that is up, positions that can't be, memory over many solves.

Clocks here count how often they are looked at.
"""

from __future__ import annotations

import gc
import random
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.rules import PRESETS, OpeningJoker, Ruleset, Tile, TileSet, TurnFaultCode, format_tiles
from p2prummi.solver import ImpossiblePosition, OpeningChoice, solve
from p2prummi.solver import opened as best_turns
from p2prummi.solver.arranging import VALUE_WEIGHTS, Task, counts_of
from p2prummi.solver.at_once import laid_at_once
from p2prummi.solver.layout import FaceMeld
from p2prummi.solver.limit import TimeUp, times_out
from p2prummi.solver.opening_melds import possible_melds
from p2prummi.solver.steps import eager_steps, exact_steps, reluctant_steps
from tests.solver.positions import FREE, rack_of, read_positions, solved, table_of
from tests.solver.random_positions import KINDS, LARGE, SMALL, Position, crowded, jokers_in_runs

if TYPE_CHECKING:
    from types import FrameType

POSITIONS = read_positions()


def looks() -> Callable[[], float]:
    counter = count()
    return lambda: next(counter)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=lambda ruleset: ruleset.name)
@pytest.mark.parametrize("limit", [0, 1, 3, 30])
def test_whenever_the_time_is_up_the_play_is_legal_and_claims_no_more_than_it_is(
    kind: str, ruleset: Ruleset, limit: int
) -> None:
    rng = random.Random(f"{kind} {ruleset.name} {limit}")
    tile_set = rng.choice((SMALL, LARGE))
    if tile_set is LARGE:
        ruleset = replace(ruleset, copies=3, jokers=4, players=(2, 6))
    table, rack = KINDS[kind](rng, tile_set)
    for opened in (True, False):
        for choice in OpeningChoice:
            asked: dict[str, Any] = {"opened": opened, "opening": choice}
            found = solved(ruleset, table, rack, **asked, clock=looks(), deadline=limit)
            if found.is_optimal:
                assert found.tiles == solved(ruleset, table, rack, **asked).tiles


def test_between_two_ways_to_deal_kept_jokers_the_clock_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked, looked_at_ways = 0, []

    def clock() -> float:
        nonlocal looked
        looked += 1
        return 0.0

    def refuse(*_: object) -> bool:
        looked_at_ways.append(looked)
        return False

    monkeypatch.setattr(best_turns, "jokers_agree", refuse)
    table = table_of("run[J R7 J J]", "[J R8 R9]", "[O2 O3 O4 O5]")
    ruleset = replace(PRESETS["official"], copies=3, jokers=4, players=(2, 6))
    assert solve(ruleset, table, rack_of("R3 R8", table), opened=True, clock=clock, deadline=1.0).tiles == 0
    assert len(looked_at_ways) > 5
    assert max(Counter(looked_at_ways).values()) <= 2


def test_a_search_ends_before_its_deadline_to_give_back_its_memory_in_time() -> None:
    now = [100.0]
    is_time_up = times_out(lambda: now[0], 120.0)
    told = []
    for now[0] in (100.0, 116.9, 117.1, 130.0):
        told.append(is_time_up())
    assert told == [False, False, True, True]
    assert times_out(lambda: now[0], 129.0)(), "it was over before it began"
    assert not times_out(None, None)()


class WorkClock:
    """Counts the calls of functions, of Python's and of C's, since it was last looked at; `most` at once."""

    def __init__(self, looks_left: int) -> None:
        self.looks_left, self.calls, self.most = looks_left, 0, 0

    def __call__(self) -> float:
        self.look()
        self.looks_left -= 1
        return -self.looks_left

    def look(self) -> None:
        self.calls, self.most = 0, max(self.most, self.calls)

    def count(self, frame: FrameType, event: str, argument: object) -> None:
        self.calls += event in ("call", "c_call")


CALLS_BETWEEN_LOOKS_MOST = 30_000
"""Five milliseconds or so."""


def jokers_alone(rng: random.Random, tile_set: TileSet) -> Position:
    """All jokers, and hardly a tile with them."""
    tiles = rng.sample(tile_set.tiles, rng.randint(0, 2))
    return (), tuple({*tiles, *[tile for tile in tile_set.tiles if tile.is_joker]})


WORKING: dict[str, Callable[[random.Random, TileSet], Position]] = {
    **KINDS,
    "crowded": crowded,
    "jokers_alone": jokers_alone,
    "jokers_in_runs": jokers_in_runs,
}


@pytest.mark.parametrize("kind", WORKING)
def test_the_work_between_two_looks_is_bounded(kind: str) -> None:
    # Also that before the first look, and that after the one that tells that the time is up.
    for seed in range(30):
        rng = random.Random(f"work {kind} {seed}")
        ruleset = replace(rng.choice(list(PRESETS.values())), copies=3, jokers=4, players=(2, 6))
        table, rack = WORKING[kind](rng, LARGE)
        opened, choice = rng.random() < 0.7, rng.choice(list(OpeningChoice))
        clock = WorkClock(rng.choice((0, 1, 3, 10, 50, 200)))
        sys.setprofile(clock.count)
        try:
            solve(ruleset, table, rack, opened=opened, opening=choice, clock=clock, deadline=0)
        finally:
            sys.setprofile(None)
        clock.look()
        assert clock.most < CALLS_BETWEEN_LOOKS_MOST, (seed, opened, choice)


def test_the_work_is_bounded_where_hundreds_of_melds_want_more_rack_tiles_than_there_are() -> None:
    def run(colour: str, start: int) -> str:
        return f"[{' '.join(f'{colour}{number}' for number in range(start, 14))}]"

    runs = [run(colour, start) for colour, start in (("K", 4), ("B", 1), ("R", 2), ("O", 1))]
    table = table_of(*runs, "[B7 B8 J J]", "[O7 O8 J J]")
    ruleset = replace(PRESETS["official"], copies=3, jokers=4, players=(2, 6))
    clock = WorkClock(1000)
    sys.setprofile(clock.count)
    try:
        solve(ruleset, table, rack_of("K2 O9 B9", table), opened=True, clock=clock, deadline=0)
    finally:
        sys.setprofile(None)
    clock.look()
    assert clock.most < CALLS_BETWEEN_LOOKS_MOST


@pytest.mark.parametrize("is_enabled", [True, False])
def test_no_collection_begins_while_a_deadline_is_waited_for(is_enabled: bool) -> None:
    seen = []

    def clock() -> float:
        seen.append(gc.isenabled())
        return 0

    if not is_enabled:
        gc.disable()
    try:
        position = POSITIONS[25]
        solved(FREE, position.table, position.rack, clock=clock, deadline=1)
        after = gc.isenabled()
    finally:
        gc.enable()
    assert len(seen) > 10
    assert not any(seen)
    assert after == is_enabled


@pytest.mark.parametrize("kind", WORKING)
def test_an_optimum_that_is_claimed_is_one(kind: str) -> None:
    for seed in range(40):
        rng = random.Random(f"claim {kind} {seed}")
        ruleset = rng.choice(list(PRESETS.values()))
        if rng.random() < 0.5:
            ruleset = replace(ruleset, copies=3, jokers=4, players=(2, 6))
        table, rack = WORKING[kind](rng, ruleset.tile_set)
        asked: dict[str, Any] = {"opened": rng.random() < 0.6, "opening": rng.choice(list(OpeningChoice))}
        long = solved(ruleset, table, rack, **asked, clock=looks(), deadline=1000)
        is_fewest = asked == {"opened": False, "opening": OpeningChoice.FEWEST}
        is_less_better = is_fewest and not ruleset.opening_then_table and long.play is not None
        for limit in rng.sample(range(200), 3):
            short = solved(ruleset, table, rack, **asked, clock=looks(), deadline=limit)
            if short.is_optimal:
                assert (short.play is None) == (long.play is None), (seed, limit)
                better = long.tiles < short.tiles if is_less_better else long.tiles > short.tiles
                assert not better, (seed, limit)


@pytest.mark.parametrize("limit", [3, 10, 40, 80])
def test_what_one_choice_for_the_jokers_brings_is_no_optimum_before_the_others_are_tried(limit: int) -> None:
    table = table_of(
        "[K9 B9 O9]", "[B1 B2 B3 B4 B5 B6 B7]", "[O1 O2 J]", "[K1 B1 R1]", "[K11 K12 K13]",
        "[O1 O2 O3 O4 O5 O6 O7 O8 O9 O10 O11 O12 O13]", "[B10 R10 J]", "[K5 B5 R5]",
    )  # fmt: skip
    rack = rack_of("K5 R2 K2 K1 K2 K6 B2 K10", table)
    short = solved(PRESETS["official"], table, rack, clock=looks(), deadline=limit)
    assert short.tiles < 8
    assert not short.is_optimal
    assert solved(PRESETS["official"], table, rack).tiles == 8


def test_possible_melds_are_not_listed_on_when_the_time_is_up() -> None:
    counts = [1] * 52 + [4]
    assert len(possible_melds(counts, lambda: False, 13)) > 30_000
    clock = looks()
    with pytest.raises(TimeUp):
        possible_melds(counts, lambda: clock() >= 20, 13)
    assert clock() == 21


def test_what_the_rack_lays_at_once_is_the_better_of_runs_first_and_groups_first() -> None:
    def laid(rack: str) -> list[FaceMeld]:
        counts = counts_of([tile.face_index for tile in rack_of(rack)])
        return laid_at_once(Task(table=(), rack=counts, weights=VALUE_WEIGHTS, joker_weight=30))

    assert laid("K1 K2 K3 B3 R3") == [FaceMeld((2, 15, 28))]
    assert laid("K4 K5 K6 B4 R4") == [FaceMeld((3, 4, 5), 4)]
    # What is over after the one makes the other, whichever is first.
    assert sorted(meld.faces for meld in laid("K1 K1 B1 R1 O1 K2 K3 J")) == [(0, 1, 2), (0, 13, 26, 39)]
    assert sorted(meld.faces for meld in laid("K12 K12 K13 K13 K11 K11 B11 B12 B13")) == [
        (10, 11, 12),
        (10, 11, 12),
        (23, 24, 25),
    ]
    assert laid("K1 K2 B3 B4 J J") == []


def test_with_no_time_at_all_the_rack_alone_is_laid() -> None:
    table = table_of("[R4 R5 R6]")
    solution = solved(FREE, table, rack_of("R7 K10 K11 K12 J", table), clock=looks(), deadline=0)
    assert (format_tiles(solution.laid), solution.changed, solution.is_optimal) == ("K10 K11 K12", 0, False)


def test_a_search_that_is_cut_short_says_so_and_lays_what_it_found() -> None:
    hard = [POSITIONS[number] for number in (25, 44, 104, 155, 161, 164)]
    short = [solved(FREE, each.table, each.rack, clock=looks(), deadline=1) for each in hard]
    assert not any(solution.is_optimal for solution in short)
    assert all(solution.play is not None for solution in short)


def test_time_that_is_not_up_changes_nothing() -> None:
    position = POSITIONS[164]
    unlimited = solved(FREE, position.table, position.rack)
    assert solved(FREE, position.table, position.rack, clock=looks(), deadline=10**9) == unlimited
    assert unlimited.is_optimal


def test_after_the_time_is_up_the_clock_is_seldom_looked_at() -> None:
    # Every look stands for a few nodes: so many more of them are a few milliseconds.
    for ruleset in PRESETS.values():
        for position in POSITIONS[::20]:
            clock = looks()
            solve(ruleset, position.table, position.rack, opened=True, clock=clock, deadline=2)
            assert clock() < 40


@pytest.mark.parametrize(
    ("rack", "code"),
    [
        pytest.param(rack_of("K1 K1 K1")[2:], TurnFaultCode.NO_SUCH_TILE, id="third-copy"),
        pytest.param(rack_of("J J J")[2:], TurnFaultCode.NO_SUCH_TILE, id="third-joker"),
        pytest.param(rack_of("R4"), TurnFaultCode.TILE_TWICE, id="on-table-and-rack"),
        pytest.param((*rack_of("K1"), *rack_of("K1")), TurnFaultCode.TILE_TWICE, id="twice-on-the-rack"),
    ],
)
@pytest.mark.parametrize("opened", [True, False])
def test_tiles_that_cant_be_there_are_refused(
    rack: tuple[Tile, ...], code: TurnFaultCode, opened: bool
) -> None:
    with pytest.raises(ImpossiblePosition) as refused:
        solve(FREE, table_of("[R4 R5 R6]"), rack, opened=opened)
    assert [fault.code for fault in refused.value.faults] == [code]
    assert str(refused.value) == refused.value.faults[0].text


def forget() -> None:
    for remembered in (eager_steps, reluctant_steps, exact_steps):
        remembered.cache_clear()


def test_memory_stays_flat_over_many_solves() -> None:
    # What is kept already was not counted, what takes its place would be.
    forget()
    positions = [each for each in POSITIONS if len(each.rack) <= 9][:12]
    rulesets = [*PRESETS.values(), Ruleset(opening_joker=OpeningJoker.FORBIDDEN)]

    def solve_all() -> int:
        for number, position in enumerate(positions):
            ruleset = rulesets[number % len(rulesets)]
            solve(ruleset, position.table, position.rack, opened=True)
            solve(ruleset, (), position.rack, opened=False)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    before, after = ([solve_all() for _ in range(5)][-1] for _ in range(2))
    tracemalloc.stop()
    assert after - before < 20_000


def test_few_objects_stay_for_the_garbage_collector_to_go_through() -> None:
    # A full collection goes through all that is remembered, and may begin as an answer is given.
    rng = random.Random("remembered")
    ruleset = replace(PRESETS["official"], copies=3, jokers=4, players=(2, 6))
    forget()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(150):
        table, rack = crowded(rng, LARGE)
        solve(ruleset, table, rack, opened=True, clock=looks(), deadline=30)
    gc.collect()
    assert len(gc.get_objects()) - before < 7_500
