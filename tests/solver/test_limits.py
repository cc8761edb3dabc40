"""Limits: time that is up, positions that can't be, memory over many solves.

Clocks here count how often they are looked at.
"""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from p2prummi.rules import PRESETS, OpeningJoker, Ruleset, Tile, TurnFaultCode
from p2prummi.solver import ImpossiblePosition, OpeningChoice, solve
from p2prummi.solver.prospects import prospect
from tests.solver.positions import FREE, rack_of, read_positions, solved, table_of
from tests.solver.random_positions import KINDS, LARGE, SMALL

POSITIONS = read_positions()


def looks() -> Callable[[], float]:
    counter = count()
    return lambda: next(counter)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=lambda ruleset: ruleset.name)
@pytest.mark.parametrize("limit", [0, 1, 3, 30])
def test_whenever_the_time_is_up_the_play_is_legal(kind: str, ruleset: Ruleset, limit: int) -> None:
    rng = random.Random(f"{kind} {ruleset.name} {limit}")
    tile_set = rng.choice((SMALL, LARGE))
    if tile_set is LARGE:
        ruleset = replace(ruleset, copies=3, jokers=4, players=(2, 6))
    table, rack = KINDS[kind](rng, tile_set)
    for opened in (True, False):
        for choice in OpeningChoice:
            solved(ruleset, table, rack, opened=opened, opening=choice, clock=looks(), deadline=limit)


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


def test_memory_stays_flat_over_many_solves() -> None:
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
    solve_all()
    before = solve_all()
    after = [solve_all() for _ in range(5)][-1]
    tracemalloc.stop()
    assert after - before < 20_000
    assert prospect.cache_info().currsize <= 256
