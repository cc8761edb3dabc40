"""Lines: every width is counted in columns, so that wide characters and marks keep columns straight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.console.lines import (
    beside,
    clipped,
    columns_of,
    in_ascii,
    line_columns,
    padded,
    padded_line,
    wrapped,
)
from p2prummi.console.marks import ASCII, UNICODE, Marks, marks_for
from p2prummi.wire.shown import shown

texts = st.text().map(shown)


@given(texts, st.integers(0, 30))
def test_padded_text_has_its_columns_exactly(text: str, columns: int) -> None:
    assert columns_of(padded(text, columns)) == columns
    assert columns_of(clipped(text, columns)) <= columns


@given(st.lists(st.tuples(st.just(""), texts)).map(tuple), st.integers(0, 40))
def test_padded_lines_have_their_columns_exactly(line: tuple[tuple[str, str], ...], columns: int) -> None:
    assert line_columns(padded_line(line, columns)) == columns
    assert line_columns(beside(line, (("", "end"),), columns + 3)) == columns + 3


@given(texts, st.integers(2, 30))
def test_wrapped_text_fits_and_loses_nothing(text: str, columns: int) -> None:
    lines = list(wrapped(text, columns))
    assert all(columns_of(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [("日本語", 5, "日本…"), ("日本語", 6, "日本語"), ("abc", 2, "a…"), ("abc", 1, "a"), ("é́é", 1, "é́")],
)
def test_cutting(text: str, columns: int, expected: str) -> None:
    assert clipped(text, columns) == expected


def test_ascii_keeps_the_columns() -> None:
    line = (("", "日本 é ─"),)
    assert in_ascii(line) == (("", "???? ? ?"),)
    assert line_columns(in_ascii(line)) == line_columns(line)


@pytest.mark.parametrize(
    ("environment", "encoding", "marks"),
    [
        ({"LANG": "nl_NL.UTF-8"}, "utf-8", UNICODE),
        ({"LANG": "nl_NL.UTF-8", "LC_ALL": "C"}, "utf-8", ASCII),
        ({"LC_ALL": "", "LC_CTYPE": "POSIX", "LANG": "en_US.utf8"}, "utf-8", ASCII),
        ({"LC_ALL": "C.UTF-8"}, "utf-8", UNICODE),
        ({"LANG": "sv_SE.ISO-8859-1"}, "iso8859-1", ASCII),
        ({}, "utf-8", UNICODE),
        ({}, "cp1252", ASCII),
    ],
)
def test_marks_are_those_that_the_terminal_can_show(
    environment: dict[str, str], encoding: str, marks: Marks
) -> None:
    assert marks_for(environment, encoding) is marks
    asked = marks_for(environment, encoding, ascii_asked=True)
    assert asked.stands.isascii()
    assert asked.is_ascii is marks.is_ascii


@pytest.mark.parametrize("marks", [UNICODE, ASCII])
def test_marks_are_one_column_wide_and_differ(marks: Marks) -> None:
    signs = [marks.stands, marks.fails, marks.to_move, marks.new, marks.mine]
    assert [columns_of(sign) for sign in signs] == [1] * 5
    assert len(set(signs)) == 5
    assert not marks.is_ascii or all(
        sign.isascii() for sign in (*signs, marks.rule, marks.upright, marks.between)
    )
