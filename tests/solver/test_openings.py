"""Openings: the fewest tiles and the most against the integer program, the rules of jokers, whole turns."""

from __future__ import annotations

import random
from itertools import count
from typing import Any

import pytest

from p2prummi.rules import PRESETS, OpeningJoker, Ruleset, Tile, find_opening, format_tiles
from p2prummi.solver import Objective, OpeningChoice, solve
from tests.solver.integer_program import best_opening
from tests.solver.positions import OBJECTIVES, rack_of, solved, table_of, weights_of, worth
from tests.solver.random_positions import ordinary

SEEDS = 60
OFFICIAL = PRESETS["official"]


def usable(ruleset: Ruleset, rack: tuple[Tile, ...]) -> list[Tile]:
    forbidden = ruleset.opening_joker is OpeningJoker.FORBIDDEN
    return [tile for tile in rack if not (forbidden and tile.is_joker)]


@pytest.mark.parametrize("opening_joker", OpeningJoker)
@pytest.mark.parametrize("choice", OpeningChoice)
def test_the_opening_is_that_of_the_integer_program(
    opening_joker: OpeningJoker, choice: OpeningChoice
) -> None:
    for seed in range(SEEDS):
        rng = random.Random(f"{opening_joker} {choice} {seed}")
        points = rng.choice((0, 30, 30, 60, 100))
        is_large = rng.random() < 0.3
        sizes: dict[str, Any] = {"copies": 3, "jokers": 4, "players": (2, 6)} if is_large else {}
        ruleset = Ruleset(opening_joker=opening_joker, opening_points=points, **sizes)
        rack = tuple(rng.sample(ruleset.tile_set.tiles, rng.randint(3, 22)))
        if rng.random() < 0.3:
            # So few tiles that jokers may find no room.
            jokers = [tile for tile in ruleset.tile_set.tiles if tile.is_joker]
            rack = (*jokers, *[tile for tile in rack[: rng.randint(2, 8)] if not tile.is_joker])
        objective, joker_value = OBJECTIVES[rng.choice(list(OBJECTIVES))]
        solution = solved(
            ruleset, (), rack, opened=False, objective=objective, joker_value=joker_value, opening=choice
        )
        assert solution.is_optimal
        expected = best_opening(
            usable(ruleset, rack),
            max(points, 1),
            *weights_of(objective, joker_value),
            fewest=choice is OpeningChoice.FEWEST,
        )
        shown = f"seed {seed}: {format_tiles(rack)} for {points}"
        if expected is None:
            assert solution.play is None, shown
        elif choice is OpeningChoice.FEWEST:
            assert solution.tiles == expected, shown
        else:
            assert worth(solution, objective) == expected, shown


@pytest.mark.parametrize(
    ("rack", "tiles"),
    [
        pytest.param("K11 B11 O11 R11 J J", 6, id="a-group-of-four-gives-one-up"),
        pytest.param("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J", 14, id="a-run-of-thirteen-is-split"),
    ],
)
def test_the_most_holds_the_jokers_that_find_no_room_at_first(rack: str, tiles: int) -> None:
    solution = solved(OFFICIAL, (), rack_of(rack), opened=False, opening=OpeningChoice.MOST)
    assert (solution.tiles, solution.is_optimal) == (tiles, True)


LOW = rack_of(
    "J J J J O1 K1 K2 R1 R2 O1 K3 B3 O2 R2 O1 K3 R4 R2 O4 K3 B3 B5 R5 B1 B4 O4 K4 O3 O5 B1 R3 B3 R5 K5"
)
"""Just about worth a hundred, in very many ways."""


@pytest.mark.parametrize("opening_then_table", [False, True])
@pytest.mark.parametrize("choice", OpeningChoice)
def test_a_long_search_for_any_opening_ends_in_time(choice: OpeningChoice, opening_then_table: bool) -> None:
    ruleset = Ruleset(
        copies=3, jokers=4, players=(2, 6), opening_points=100, opening_then_table=opening_then_table
    )
    clock = count()
    solution = solved(ruleset, (), LOW, opened=False, opening=choice, clock=lambda: next(clock), deadline=60)
    assert (solution.play, solution.is_optimal) == (None, False)
    assert next(clock) < 400


def test_an_opening_of_few_tiles_is_found_whatever_the_time() -> None:
    solution = solved(OFFICIAL, (), rack_of("K10 B10 J"), opened=False, clock=lambda: 1, deadline=1)
    assert solution.tiles == 3


def test_an_opening_that_lies_at_hand_is_found_though_the_time_is_up() -> None:
    ruleset = Ruleset(copies=3, jokers=4, players=(2, 6), opening_points=60)
    rack = (*LOW, *rack_of("R11 R12 R13 K11 K12 K13"))
    solution = solved(ruleset, (), rack, opened=False, clock=lambda: 1, deadline=1)
    assert solution.play is not None
    assert not solution.is_optimal


@pytest.mark.parametrize("choice", OpeningChoice)
def test_a_meld_that_lays_the_most_but_opens_nothing_gives_way(choice: OpeningChoice) -> None:
    # The most tiles are K1 K2 K3 and three groups of low worth; to open, K3 is needed for [K3 K4 K5].
    ruleset = Ruleset(opening_points=27)
    rack = rack_of("K7 K8 K9 B8 R8 B1 B2 B3 R1 R2 R3")
    solution = solved(ruleset, (), rack, opened=False, opening=choice)
    assert solution.points >= 27


def test_the_fewest_tiles_keep_jokers_and_then_are_worth_the_most() -> None:
    rack = rack_of("R10 R11 R12 K11 K12 K13 J B1")
    solution = solved(OFFICIAL, (), rack, opened=False)
    assert format_tiles(solution.laid) == "K11 K12 K13"


def test_the_table_is_left_alone() -> None:
    table = table_of("[R4 R5 R6]", "[K9 B9 R9]")
    solution = solved(OFFICIAL, table, rack_of("R7 O9 K11 K12 K13"), opened=False, opening=OpeningChoice.MOST)
    assert (solution.tiles, solution.changed) == (3, 0)


def test_a_joker_is_not_laid_where_it_may_not_open() -> None:
    rack = rack_of("R10 R11 R12 J")
    assert solved(PRESETS["nl-klassiek"], (), rack, opened=False, opening=OpeningChoice.MOST).tiles == 3
    assert solved(OFFICIAL, (), rack, opened=False, opening=OpeningChoice.MOST).tiles == 4


@pytest.mark.parametrize("seed", range(30))
def test_a_whole_turn_opens_and_lays_what_it_can(seed: int) -> None:
    rng = random.Random(seed)
    ruleset = PRESETS["nl-digitaal"]
    table, rack = ordinary(rng, ruleset.tile_set)
    rack = (
        *rack,
        *[tile for tile in rack_of("O11 O12 O13", table) if tile not in rack and tile in ruleset.tile_set],
    )
    solution = solved(ruleset, table, rack, opened=False)
    if find_opening(ruleset, rack) is None:
        assert solution.play is None
        return
    opened = solve(ruleset, table, rack, opened=True)
    assert solution.play is not None
    assert solution.tiles <= opened.tiles or not opened.is_optimal
    if opened.tiles == solution.tiles:
        assert solution.is_optimal
    if find_opening(ruleset, opened.laid) and not any(tile.is_joker for meld in table for tile in meld.tiles):
        assert solution.tiles == opened.tiles


def test_a_whole_turn_whose_best_lay_holds_no_opening() -> None:
    # Opened, all but K13 could be laid onto the table; the opening takes K11 K12 K13 together.
    table = table_of("[K8 K9 K10]", "[B11 R11 O11]", "[B12 R12 O12]")
    solution = solved(PRESETS["nl-digitaal"], table, rack_of("K11 K12 K13", table), opened=False)
    assert (solution.tiles, solution.points, solution.is_optimal) == (3, 36, True)


def test_a_whole_turn_for_value() -> None:
    solution = solved(
        PRESETS["nl-digitaal"],
        table_of("[R4 R5 R6]"),
        rack_of("K11 K12 K13 R7"),
        opened=False,
        objective=Objective.VALUE,
    )
    assert (solution.value, solution.points, solution.is_optimal) == (43, 36, True)
