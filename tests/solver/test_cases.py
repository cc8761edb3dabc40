"""Positions that other programs stumbled over, by their numbers in `tests/data/cases.json`."""

from __future__ import annotations

import random

import pytest

from p2prummi.rules import PRESETS, Ruleset, format_tiles, tiles_of
from p2prummi.solver import Objective
from p2prummi.solver.arranging import TILES_WEIGHTS, Task, counts_of
from p2prummi.solver.placing import arrange_all
from tests.solver.positions import FREE, rack_of, solved, table_of

ANY_RULES = tuple(PRESETS.values())


@pytest.mark.parametrize("ruleset", ANY_RULES, ids=lambda ruleset: ruleset.name)
@pytest.mark.parametrize(
    ("table", "rack", "tiles"),
    [
        pytest.param(("[R1 R2 R3]", "[R1 R2 R3]"), "R4 B9", 1, id="E01-two-equal-melds"),
        pytest.param((), "R5 J J", 3, id="E03-two-jokers-in-a-meld"),
        pytest.param((), "K3 K4 K5 K6 K7 B6 R6", 6, id="E07-a-split-that-greed-misses"),
        pytest.param(("[R1 R2 R3]",), "B3 K3", 0, id="E08-no-table-tile-is-left-alone"),
    ],
)
def test_most_tiles(ruleset: Ruleset, table: tuple[str, ...], rack: str, tiles: int) -> None:
    melds = table_of(*table)
    solution = solved(ruleset, melds, rack_of(rack, melds))
    assert (solution.tiles, solution.is_optimal) == (tiles, True)


@pytest.mark.parametrize("ruleset", ANY_RULES, ids=lambda ruleset: ruleset.name)
def test_e05_a_joker_from_the_rack_extends_a_run(ruleset: Ruleset) -> None:
    table = table_of("[K2 R2 B2 J]")
    assert solved(ruleset, table, rack_of("R9 J K8 B2 R8 R6", table)).tiles == 4


@pytest.mark.parametrize("ruleset", ANY_RULES, ids=lambda ruleset: ruleset.name)
def test_e06_the_most_value_is_not_the_most_tiles(ruleset: Ruleset) -> None:
    solution = solved(ruleset, (), rack_of("B10 K10 O10 O11 O12"), objective=Objective.VALUE)
    assert (solution.value, format_tiles(solution.laid)) == (33, "O10 O11 O12")


def test_e07_only_the_highest_tile_is_left() -> None:
    solution = solved(FREE, (), rack_of("K3 K4 K5 K6 K7 B6 R6"))
    assert "K7" not in format_tiles(solution.laid)


@pytest.mark.parametrize("size", range(15, 31))
def test_e09_an_opening_is_found_on_a_large_rack(size: int) -> None:
    ruleset = PRESETS["official"]
    rng = random.Random(size)
    wanted = rack_of("R11 R12 R13")
    others = rng.sample([tile for tile in ruleset.tile_set.tiles if tile not in wanted], size - 3)
    solution = solved(ruleset, (), (*wanted, *others), opened=False)
    assert solution.play is not None
    assert solution.points >= 30


def test_e10_where_nothing_can_be_laid_there_is_no_play() -> None:
    solution = solved(FREE, table_of("[R4 R5 R6]"), rack_of("K1 B9"))
    assert (solution.play, solution.laid, solution.is_optimal) == (None, (), True)


def test_e13_three_runs_of_one_colour_beside_each_other() -> None:
    table = table_of(
        "[R1 R2 R3 R4 R5 R6 R7]",
        "[R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13]",
        "[J R8 R9 R10 R11 R12 R13]",
    )
    assert solved(FREE, table, ()).is_optimal
    loose = counts_of([tile.face_index for tile in tiles_of(table)])
    task = Task(table=(), rack=counts_of([]), weights=TILES_WEIGHTS, joker_weight=1, loose=loose)
    found = arrange_all(task, 0, lambda: False)
    assert found is not None
    assert found.short == 0
    assert sorted(face for meld in found.all_melds for face in meld.faces) == sorted(
        tile.face_index for tile in tiles_of(table)
    )


def test_i03_the_swedish_double_split() -> None:
    table = table_of("[O5 O6 O7]", "[R5 R6 R7]", "[K5 K6 K7 K8 K9]")
    solution = solved(PRESETS["sv-klassisk"], table, rack_of("B5 K10"))
    assert solution.tiles == 2
    assert solution.play is not None
    assert {str(meld) for meld in solution.play.melds} >= {"[K6 R6 O6]", "[K7 R7 O7]", "[K8 K9 K10]"}
