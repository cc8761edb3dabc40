"""Melds as plain values for JSON."""

from __future__ import annotations

import pytest

from p2prummi.rules import parse_meld
from p2prummi.rules.plain import meld_to_json


@pytest.mark.parametrize(
    ("meld", "plain"),
    [
        ("[R4 R5 J]", ["R4", "R5", "J"]),
        ("[K9 B9 R9]", ["K9", "B9", "R9"]),
        ("run[R4 J J]", {"run": ["R4", "J", "J"]}),
        ("group[R4 J J]", {"group": ["R4", "J", "J"]}),
    ],
)
def test_a_meld_is_written_so_that_check_reads_it(meld: str, plain: object) -> None:
    assert meld_to_json(parse_meld(meld)) == plain
