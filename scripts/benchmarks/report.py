"""One measured figure and how it is shown.

Ratios and counts are judged against what was asked, absolutes only shown.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure; `at_most` is what was asked of it, None where it is only shown."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    is_absolute: bool = True

    @property
    def is_met(self) -> bool:
        """Whether it is within what was asked."""
        return self.at_most is None or self.value <= self.at_most

    def __str__(self) -> str:
        asked = ""
        if self.at_most is not None:
            asked = f"   asked: at most {self.at_most:g}" + ("" if self.is_met else "   NOT REACHED")
        kind = " (absolute: of this machine, now)" if self.is_absolute else ""
        return f"{self.name:<58} {self.value:>10.4g} {self.unit}{kind}{asked}"


def median_ms(run: Callable[[], object], runs: int) -> float:
    """The median time of `run` in milliseconds, after one run that is not counted."""
    run()
    return statistics.median(_timed(run) for _ in range(runs)) * 1000


def _timed(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def paired_ratio(run: Callable[[], object], base: Callable[[], object], runs: int) -> float:
    """The median ratio of the two times, measured in turn: a machine whose speed drifts drifts for both."""
    run(), base()
    return statistics.median(_timed(run) / _timed(base) for _ in range(runs))


def percentile(values: Sequence[float], percent: int) -> float:
    """The value below which `percent` of 100 lie."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]
