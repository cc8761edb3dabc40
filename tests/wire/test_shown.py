"""Texts from the network: nothing in what is shown acts on a terminal or forges a line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.wire.shown import MARKS_MAX, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alice", "alice"),
        ("  Ana\tMaría \n x ", "Ana María x"),
        ("\x1b]52;c;AAAA\x07bob\x1b[2J", "]52;c;AAAAbob[2J"),
        ("a\u202eb\u2066c\u200bd\ufeffe", "abcde"),
        ("line\u2028end\u0085x", "line end x"),
        ("z" + "\u0301" * 30, "\u017a\u0301\u0301"),
        ("\u0301\u0301x", "x"),
        ("日本 🂡", "日本 🂡"),
        ("\x00\u200e\ud800", ""),
        ("\ue000\U000e0041", ""),
    ],
)
def test_what_is_shown(text: str, expected: str) -> None:
    assert shown(text) == expected


@given(st.text())
def test_nothing_that_acts_is_ever_left(text: str) -> None:
    seen = shown(text)
    marks = 0
    for character in seen:
        category = unicodedata.category(character)
        assert category[0] != "C"
        assert category not in {"Zl", "Zp"}
        marks = marks + 1 if category[0] == "M" else 0
        assert marks <= MARKS_MAX
    assert seen == seen.strip()


@given(st.text())
def test_showing_twice_is_showing_once(text: str) -> None:
    assert shown(shown(text)) == shown(text)
