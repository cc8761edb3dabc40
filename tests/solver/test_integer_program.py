"""Jokers moving freely: random and adversarial positions against an integer program written apart."""

from __future__ import annotations

import os
import random

import pytest

from p2prummi.rules import format_tiles
from tests.solver.integer_program import best_lay
from tests.solver.positions import FREE, FREE_LARGE, OBJECTIVES, solved, weights_of, worth
from tests.solver.random_positions import KINDS, LARGE, SMALL

SEEDS = 1000 if os.environ.get("P2PRUMMI_HYPOTHESIS") == "thorough" else 24


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("half", range(2))
def test_the_optimum_is_that_of_the_integer_program(kind: str, half: int) -> None:
    # The program takes seconds where nearly all tiles lie on the table.
    for seed in range(half, SEEDS // 6 if kind == "dense" else SEEDS, 2):
        rng = random.Random(f"{kind} {seed}")
        ruleset, tile_set = rng.choice(((FREE, SMALL), (FREE_LARGE, LARGE)))
        table, rack = KINDS[kind](rng, tile_set)
        objective, joker_value = OBJECTIVES[rng.choice(list(OBJECTIVES))]
        solution = solved(ruleset, table, rack, objective=objective, joker_value=joker_value)
        shown = f"seed {seed}: {[str(meld) for meld in table]} with {format_tiles(rack)}"
        assert solution.is_optimal, shown
        answer = best_lay(table, rack, *weights_of(objective, joker_value))
        assert worth(solution, objective) == answer.value, shown
