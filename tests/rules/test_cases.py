"""Situations in which real programs went wrong (tests/data/cases.json): each is tested in one of three files.

A test is named after its case: `test_a01_...`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.rules import test_cases_of_melds, test_cases_of_rounds, test_cases_of_turns

CASES = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text(encoding="utf-8"))
TESTED = {
    *(case for case, _, _ in test_cases_of_melds.MELDS_THAT_ARE_NONE),
    *(
        name.split("_")[1].upper()
        for module in (test_cases_of_melds, test_cases_of_turns, test_cases_of_rounds)
        for name in vars(module)
        if name.startswith("test_")
    ),
}


@pytest.mark.parametrize("case", [case["id"] for case in CASES])
def test_every_case_has_its_test(case: str) -> None:
    assert case in TESTED
