"""Every joker rule with every reuse rule: small positions against brute force, and some by hand."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from itertools import count, product
from typing import Any

import pytest

from p2prummi.rules import PRESETS, JokerReuse, JokerSwapFrom, Ruleset, format_tiles
from p2prummi.solver import Objective
from tests.solver.brute_force import best_worth
from tests.solver.positions import OBJECTIVES, rack_of, solved, table_of, weights_of, worth
from tests.solver.random_positions import KINDS, LARGE, SMALL, small_with_jokers

THOROUGH = os.environ.get("P2PRUMMI_HYPOTHESIS") == "thorough"
SEEDS = 200 if THOROUGH else 12
RULES = list(product(JokerSwapFrom, JokerReuse))
LARGE_SET: dict[str, Any] = {"copies": 3, "jokers": 4, "players": (2, 6)}


@pytest.mark.parametrize(("swap_from", "reuse"), RULES)
def test_the_optimum_is_that_of_brute_force(swap_from: JokerSwapFrom, reuse: JokerReuse) -> None:
    small = Ruleset(joker_swap_from=swap_from, joker_reuse=reuse)
    large = Ruleset(joker_swap_from=swap_from, joker_reuse=reuse, **LARGE_SET)
    for seed in range(SEEDS):
        rng = random.Random(f"{swap_from} {reuse} {seed}")
        ruleset = rng.choice((small, small, large))
        table, rack = small_with_jokers(rng, ruleset.tile_set)
        objective, joker_value = OBJECTIVES[rng.choice(list(OBJECTIVES))]
        solution = solved(ruleset, table, rack, objective=objective, joker_value=joker_value)
        shown = f"seed {seed}: {[str(meld) for meld in table]} with {format_tiles(rack)}"
        assert solution.is_optimal, shown
        expected = best_worth(ruleset, table, rack, *weights_of(objective, joker_value))
        assert worth(solution, objective) == expected, shown


@pytest.mark.parametrize(("swap_from", "reuse"), RULES)
def test_every_play_of_larger_positions_is_legal(swap_from: JokerSwapFrom, reuse: JokerReuse) -> None:
    for seed in range(4):
        rng = random.Random(f"legal {swap_from} {reuse} {seed}")
        tile_set = rng.choice((SMALL, LARGE))
        settings: dict[str, Any] = LARGE_SET if tile_set is LARGE else {}
        ruleset = Ruleset(joker_swap_from=swap_from, joker_reuse=reuse, **settings)
        table, rack = KINDS[rng.choice(list(KINDS))](rng, tile_set)
        nodes = iter(range(3000))
        solved(ruleset, table, rack, clock=lambda nodes=nodes: next(nodes, 3000), deadline=3000)


def test_a_joker_may_stand_for_a_tile_of_which_all_copies_lie_beside_it() -> None:
    # R9 four times, three of which may come to lie in groups with the fourth.
    table = table_of(
        "[B9 R9 O9]", "[K9 B9 O9]", "[K9 B9 R9]", "[K5 B5 R5 O5]", "[R6 R7 R8 J]", "[B1 B2 B3]",
        "[K2 B2 R2 O2]", "[R8 R9 R10]", "[K1 K2 K3 K4]", "[K4 B4 R4 O4]", "[O8 O9 O10 O11 O12]",
        "[K8 B8 R8 O8]", "[K11 B11 R11 O11]", "[R1 R2 R3]", "[K4 B4 R4 O4]", "[K10 B10 O10]",
    )  # fmt: skip
    ruleset = replace(PRESETS["nl-digitaal"], **LARGE_SET)
    solution = solved(ruleset, table, rack_of("B11 B11", table))
    assert (solution.tiles, solution.is_optimal) == (1, True)


def test_a_joker_that_is_kept_may_change_places_with_a_tile_that_it_stands_for() -> None:
    # O3 takes the place of one joker, which must go to a new meld; so the other goes where O4 lies.
    table = table_of("[K4 B4 R4 O4]", "[K11 K12 K13]", "run[O2 J J]")
    looks = count()
    solution = solved(
        PRESETS["sv-klassisk"], table, rack_of("O3", table), clock=lambda: next(looks), deadline=200
    )
    # To place each joker by itself would take more looks at the clock.
    assert (solution.tiles, solution.is_optimal) == (1, True)


FREE, RACK, BOTH = JokerSwapFrom.FREE, JokerSwapFrom.RACK, JokerSwapFrom.RACK_OR_TABLE
ANY, OTHER, NEW = JokerReuse.ANY_MELD, JokerReuse.OTHER_MELD, JokerReuse.NEW_MELD
WITH_TWO = JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES


@pytest.mark.parametrize(
    ("swap_from", "reuse", "table", "rack", "tiles"),
    [
        # Three jokers would be a meld of the best arrangement if they could be one.
        (BOTH, OTHER, ("run[J J J R12]", "[J B6 B7]"), "R13 R13 B12 B5", 2),
        (BOTH, ANY, ("[K1 K2 J]", "run[J R3 R4 J R6 R7]"), "K3 J", 2),
        # A tile of the rack takes a kept joker's place, in a meld where all others are kept jokers.
        (RACK, WITH_TWO, ("[R8 R9 R10]", "[K13 B13 R13 O13]", "group[R5 J J J]"), "K5 O5 R9", 2),
        # The only number tile that could lie beside the kept jokers is needed for the one that is taken.
        (RACK, WITH_TWO, ("[B8 R8 O8 J]", "run[J J J B8]"), "R7 K8 B7 O8", 3),
        # It is wanted elsewhere, where it can't go.
        (RACK, WITH_TWO, ("run[J J J R12]", "[B1 B2 B3]"), "K12 B12 B4", 1),
        # The rack has number tiles that could lie beside them, which the best arrangement leaves there.
        (FREE, WITH_TWO, ("run[B5 J J J]", "[R6 J R8]"), "B8 B8 K5 K6 O5", 3),
        # Of two tiles that may lie in the meld of the taken joker, one is a kept joker and must not.
        (RACK, NEW, ("[K2 B2 R2 J]", "run[J J O8]", "[K8 R8 J]"), "O2", 0),
        (BOTH, NEW, ("run[J J K5]", "[B5 R5 J J]"), "O5", 0),
        (FREE, WITH_TWO, ("[K6 K7 J J]", "[K2 J K4 J K6]"), "K3 R6 K2", 2),
        # Where all kept jokers find a number tile, fewer tiles can be laid than where they don't.
        (RACK, NEW, ("run[J J J B9]", "[O2 J O4 O5 O6]"), "R6 K9 B10 O9", 2),
        (RACK, WITH_TWO, ("group[K8 J J J]", "[K5 K6 J]", "[K9 B9 R9 O9]"), "O10 K9 K10", 1),
        # The only number tiles that can lie beside the kept jokers are the rack's.
        (RACK, NEW, ("group[O8 J J J]",), "K6 B7 O10 J", 2),
        # Kept jokers and number tiles of what they stand for lie in the melds in just one way.
        (RACK, NEW, ("run[J R7 J J]", "[J R8 R9]", "[O2 O3 O4 O5]"), "R3 R8", 1),
        # A kept joker and a taken one come to lie in one meld.
        (RACK, ANY, ("run[J J R10]", "run[J K9 J]"), "B10 K10 O9", 1),
    ],
)
def test_jokers_that_are_kept_are_not_left_alone(
    swap_from: JokerSwapFrom, reuse: JokerReuse, table: tuple[str, ...], rack: str, tiles: int
) -> None:
    melds = table_of(*table)
    ruleset = Ruleset(joker_swap_from=swap_from, joker_reuse=reuse, **LARGE_SET)
    solution = solved(ruleset, melds, rack_of(rack, melds))
    assert (solution.tiles, solution.is_optimal) == (tiles, True)


def test_a_meld_of_the_table_to_which_jokers_go_back_is_left_alone() -> None:
    # The jokers of the first meld find no room, and are put into a meld as the second one is.
    table = table_of("[K13 B13 J J]", "group[K11 J J]")
    ruleset = replace(PRESETS["da-online"], **LARGE_SET)
    solution = solved(ruleset, table, rack_of("R13 O13", table))
    assert (solution.tiles, solution.changed) == (2, 1)


@pytest.mark.parametrize(
    ("rules", "table", "rack", "tiles"),
    [
        # Freed by R6, the joker needs two other tiles of the rack beside it.
        pytest.param("official", ("[R4 R5 J]",), "R6 K3 K4", 3, id="freed-into-a-new-meld"),
        pytest.param("official", ("[R4 R5 J]",), "R6 K3", 0, id="too-few-rack-tiles"),
        pytest.param("official", ("[R4 R5 J]",), "R3 R6 R7", 2, id="the-run-grows-around-it"),
        pytest.param("official", ("group[R7 J J]",), "B7 K7 K8", 3, id="two-jokers-of-a-group"),
        pytest.param("nl-klassiek", ("[R3 R4 R5 J]", "[B3 B4 B5 J]"), "R6 B6", 2, id="beside-what-frees-it"),
        pytest.param("fi-klassinen", ("[R4 R5 J]",), "R6", 1, id="moved-along-in-its-run"),
        pytest.param("nl-klassiek", ("[R4 R5 J]",), "R6", 0, id="not-in-its-own-run"),
        pytest.param("sv-klassisk", ("[R4 R5 J]", "[R6 B6 K6 O6]"), "K1 K2", 2, id="freed-by-the-table"),
        pytest.param("nl-digitaal", ("[R4 R5 J]",), "B8 B9", 0, id="never-without-its-tile"),
        pytest.param("da-online", ("[R4 R5 R6 J]",), "B8 B9", 2, id="free-to-go"),
    ],
)
def test_by_hand(rules: str, table: tuple[str, ...], rack: str, tiles: int) -> None:
    melds = table_of(*table)
    solution = solved(PRESETS[rules], melds, rack_of(rack, melds), objective=Objective.TILES)
    assert (solution.tiles, solution.is_optimal) == (tiles, True)
