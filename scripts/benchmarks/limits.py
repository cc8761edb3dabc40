"""How long past its limit the solver answers, on positions of every kind, up to all 160 tiles.

Time on the clock, and Python's garbage collector is on, as in any program that calls the solver; but what
other benchmarks have loaded is none of its business.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.report import Figure
from p2prummi.rules import PRESETS
from p2prummi.solver import Objective, OpeningChoice, Solution, solve

sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

from tests.solver.random_positions import KINDS, LARGE, crowded, jokers_in_runs

ASKED = 5000
LIMITS_MS = (0, 1, 5, 20, 100)
LONG_LIMIT_MS, LONG_ASKED = 2000, 10
"""What was cut short at the longest of those is asked again: more time makes more memory to give back."""
OVER_MS_MOST = 20


def figures() -> Iterator[Figure]:
    """Solves positions of a seed by every preset, with three copies and four jokers."""
    rng = random.Random(160)  # noqa: S311 - it draws positions
    kinds = [*KINDS.values(), crowded, crowded, jokers_in_runs]
    rulesets = [replace(each, copies=3, jokers=4, players=(2, 6)) for each in PRESETS.values()]
    over, hard = [], []
    gc.collect()
    gc.freeze()
    for _ in range(ASKED):
        table, rack = rng.choice(kinds)(rng, LARGE)
        limit_ms = rng.choice(LIMITS_MS)
        ask = partial(
            solve,
            rng.choice(rulesets),
            table,
            rack,
            opened=rng.random() < 0.7,
            objective=rng.choice(list(Objective)),
            opening=rng.choice(list(OpeningChoice)),
        )
        late_ms, is_cut = _late(ask, limit_ms)
        over.append(late_ms)
        if is_cut and limit_ms == LIMITS_MS[-1]:
            hard.append(ask)
    long = [_late(ask, LONG_LIMIT_MS) for ask in hard[:LONG_ASKED]]
    gc.unfreeze()
    yield Figure(
        name=f"answers of {ASKED} more than {OVER_MS_MOST} ms past their limit",
        value=sum(each > OVER_MS_MOST for each in over), unit="", at_most=0,
    )  # fmt: skip
    yield Figure(name="  the latest of them past its limit", value=max(over), unit="ms", at_most=OVER_MS_MOST)
    yield Figure(
        name=f"  the latest of {len(long)} that were cut short, at a limit of {LONG_LIMIT_MS} ms",
        value=max(late_ms for late_ms, _ in long), unit="ms", at_most=OVER_MS_MOST,
    )  # fmt: skip
    yield Figure(name="    of those cut short again", value=sum(is_cut for _, is_cut in long), unit="")


def _late(ask: Callable[..., Solution], limit_ms: float) -> tuple[float, bool]:
    """How many milliseconds past its limit an answer came, and whether it was cut short."""
    start = perf_counter()
    found = ask(clock=perf_counter, deadline=start + limit_ms / 1000)
    return (perf_counter() - start) * 1000 - limit_ms, not found.is_optimal
