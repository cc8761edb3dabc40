"""Measures the program: `python scripts/bench.py [TOPIC ...]`, run with the Python of `.venv`.

Ratios and counts compare two things measured in the same run, so they hold on any machine; absolute figures
are marked as such and belong to this machine at this moment. Nothing is asserted: what was asked of a figure
stands beside it, and whether it is met. Topics: proofs, table, program,
solver, limits; without one, all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from benchmarks import limits, program, proofs, solver, table
from benchmarks.report import Figure

TOPICS: dict[str, Callable[[], Iterator[Figure]]] = {
    "proofs": proofs.figures,
    "table": table.figures,
    "program": program.figures,
    "solver": solver.figures,
    "limits": limits.figures,
}


def main(names: list[str]) -> int:
    """Prints the figures of the named topics; 2 for a name that is none."""
    unknown = [name for name in names if name not in TOPICS]
    if unknown:
        print(f"no such topic: {', '.join(unknown)}; there are {', '.join(TOPICS)}", file=sys.stderr)
        return 2
    for name in names or TOPICS:
        print(f"{name}:")
        for figure in TOPICS[name]():
            print(f"  {figure}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
