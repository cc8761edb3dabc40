"""The coverage floors: added up by package, lines and branches together, and missed by a hair is missed."""

from __future__ import annotations

from typing import Any

import coverage_floors
import pytest

FLOORS = {"rules": 100, "wire": 100, "*": 50}


def report(**files: tuple[int, int, int, int]) -> dict[str, Any]:
    """Return a report in the form of `coverage json`: by file covered and all lines, then branches."""
    keys = ("covered_lines", "num_statements", "covered_branches", "num_branches")
    return {
        "files": {
            name.replace("__", "/") + ".py": {"summary": dict(zip(keys, counts, strict=True))}
            for name, counts in files.items()
        }
    }


def test_packages_are_added_up_and_the_rest_is_one() -> None:
    measured = report(
        p2prummi__rules__tiles=(10, 10, 4, 4),
        p2prummi__rules__melds=(9, 10, 3, 4),
        p2prummi__cli__main=(1, 2, 0, 0),
        p2prummi__errors=(1, 2, 0, 0),
    )
    tallies = coverage_floors.tally(measured, FLOORS)
    assert {name: (entry.covered, entry.total) for name, entry in tallies.items()} == {
        "rules": (26, 28),
        "*": (2, 4),
    }


@pytest.mark.parametrize(
    ("counts", "missed"),
    [((10, 10, 4, 4), False), ((9999, 10000, 0, 0), True), ((10, 10, 3, 4), True), ((0, 0, 0, 0), False)],
)
def test_a_floor_is_missed_by_a_line_or_a_branch(counts: tuple[int, int, int, int], missed: bool) -> None:
    tallies = coverage_floors.tally(report(p2prummi__rules__tiles=counts), FLOORS)
    assert [line.split(":")[0] for line in coverage_floors.misses(tallies, FLOORS)] == ["rules"] * missed


def test_a_package_that_is_not_there_misses_no_floor() -> None:
    tallies = coverage_floors.tally(report(p2prummi__cli__main=(1, 1, 0, 0)), FLOORS)
    assert coverage_floors.misses(tallies, FLOORS) == []


def test_windows_names_its_files_otherwise() -> None:
    measured = report()
    measured["files"]["p2prummi\\wire\\frames.py"] = report(x=(1, 2, 0, 0))["files"]["x.py"]
    assert coverage_floors.misses(coverage_floors.tally(measured, FLOORS), FLOORS)


def test_the_exit_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(coverage_floors, "measure", lambda: report(p2prummi__rules__tiles=(1, 1, 1, 1)))
    assert coverage_floors.main() == 0
    monkeypatch.setattr(coverage_floors, "measure", lambda: report(p2prummi__rules__tiles=(1, 1, 0, 1)))
    assert coverage_floors.main() == 1
    assert "rules: 50.00 % of lines and branches, the floor is 100 %" in capsys.readouterr().err
