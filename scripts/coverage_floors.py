"""Fails when a package of p2prummi is covered less than its floor.

The floors are in `pyproject.toml`, `[tool.p2prummi.coverage_floors]`: percent of lines and branches taken
together, by package, and `*` for everything else as one. The measurement is the `.coverage` file that
`pytest --cov` leaves. A package that is not in the tree has no floor to miss.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent
REST = "*"


@dataclass(slots=True)
class Tally:
    """How many lines and branches there are, and how many of them ran."""

    covered: int = 0
    total: int = 0

    @property
    def percent(self) -> float:
        """Share of lines and branches that ran, 0 to 100; nothing to run is all of it."""
        return 100 * self.covered / self.total if self.total else 100.0


def tally(report: Mapping[str, Any], floors: Mapping[str, float]) -> dict[str, Tally]:
    """Add up a coverage report (the JSON of `coverage json`) by the packages that have a floor."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for name, measured in report["files"].items():
        parts = PurePath(name.replace("\\", "/")).with_suffix("").parts
        package = parts[parts.index("p2prummi") + 1]
        summary = measured["summary"]
        entry = tallies[package if package in floors else REST]
        entry.covered += summary["covered_lines"] + summary["covered_branches"]
        entry.total += summary["num_statements"] + summary["num_branches"]
    return dict(tallies)


def misses(tallies: Mapping[str, Tally], floors: Mapping[str, float]) -> list[str]:
    """Return a sentence for each package that is below its floor."""
    return [
        f"{package}: {entry.percent:.2f} % of lines and branches, the floor is {floors[package]:g} %"
        for package, entry in sorted(tallies.items())
        if entry.percent < floors[package]
    ]


def measure() -> dict[str, Any]:
    """Return the report on the last measured test run."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "coverage.json"
        command = [sys.executable, "-m", "coverage", "json", "--quiet", "-o", str(target)]
        subprocess.run(command, cwd=ROOT, check=True)
        report: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return report


def main() -> int:
    """Print each package's coverage; return 1 when one is below its floor."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    floors = project["tool"]["p2prummi"]["coverage_floors"]
    tallies = tally(measure(), floors)
    for package, entry in sorted(tallies.items()):
        print(f"{package:<12} {entry.percent:6.2f} %   floor {floors[package]:g} %")
    missed = misses(tallies, floors)
    for line in missed:
        print(line, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
