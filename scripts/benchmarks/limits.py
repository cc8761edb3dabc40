"""How long past its limit the solver answers, on positions of every kind, up to all 160 tiles.

Time on the clock, and Python's garbage collector is on, as in any program that calls the solver; but what
other benchmarks have loaded is none of its business.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from benchmarks.report import Figure
from p2prummi.rules import PRESETS
from p2prummi.solver import Objective, OpeningChoice, solve

sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

from tests.solver.random_positions import KINDS, LARGE, crowded, jokers_in_runs

ASKED = 5000
LIMITS_MS = (0, 1, 5, 20, 100)
OVER_MS_MOST = 20


def figures() -> Iterator[Figure]:
    """Solves positions of a seed by every preset, with three copies and four jokers."""
    rng = random.Random(160)  # noqa: S311 - it draws positions
    kinds = [*KINDS.values(), crowded, crowded, jokers_in_runs]
    rulesets = [replace(each, copies=3, jokers=4, players=(2, 6)) for each in PRESETS.values()]
    over = []
    gc.collect()
    gc.freeze()
    for _ in range(ASKED):
        table, rack = rng.choice(kinds)(rng, LARGE)
        limit = rng.choice(LIMITS_MS) / 1000
        start = perf_counter()
        solve(
            rng.choice(rulesets),
            table,
            rack,
            opened=rng.random() < 0.7,
            objective=rng.choice(list(Objective)),
            opening=rng.choice(list(OpeningChoice)),
            clock=perf_counter,
            deadline=start + limit,
        )
        over.append((perf_counter() - start - limit) * 1000)
    gc.unfreeze()
    yield Figure(
        name=f"answers of {ASKED} more than {OVER_MS_MOST} ms past their limit",
        value=sum(each > OVER_MS_MOST for each in over), unit="", at_most=0,
    )  # fmt: skip
    yield Figure(name="  the latest of them past its limit", value=max(over), unit="ms", at_most=OVER_MS_MOST)
