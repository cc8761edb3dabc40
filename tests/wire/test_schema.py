"""The checks that schemas are made of: what each takes, what it refuses, and what it gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.errors import FaultCode
from p2prummi.wire import schema
from tests.wire.samples import refusal_of

if TYPE_CHECKING:
    from p2prummi.wire.encoding import Value

TAKEN: list[tuple[str, schema.Check[Any], list[Value]]] = [
    ("boolean", schema.boolean(), [True, False]),
    ("integer", schema.integer(-2, 3), [-2, 0, 3]),
    ("text", schema.text(4, bytes_min=2), ["é", "xx", "éé"]),
    ("one_of", schema.one_of("left", "right"), ["left", "right"]),
    ("blob of one size", schema.blob(2), [b"xx"]),
    ("blob", schema.blob(1, 3), [b"x", b"xxx"]),
    ("array", schema.array(schema.integer(0, 1), 2, items_min=1), [(0,), (1, 0)]),
    ("record", schema.record(schema.boolean(), schema.blob(1)), [(True, b"x")]),
    ("table", schema.table(), [{}, {"x": 1}]),
]
REFUSED: list[tuple[str, schema.Check[Any], list[Value]]] = [
    ("boolean", schema.boolean(), [0, 1, "", (), {}]),
    ("integer", schema.integer(0, 3), [-1, 4, True, False, "1", b"\x01", (1,)]),
    ("text", schema.text(4, bytes_min=2), ["x", "xxxxx", "ééé", b"xx", 2, ("xx",)]),
    ("one_of", schema.one_of("left", "right"), ["up", "", b"left", 0, True]),
    ("blob of one size", schema.blob(2), [b"x", b"xxx", "xx", 2, (1, 2)]),
    ("blob", schema.blob(1, 3), [b"", b"xxxx", "x", True]),
    ("array", schema.array(schema.integer(0, 1), 2, items_min=1), [(), (0, 0, 0), (0, 2), b"\x00", {}, 1]),
    ("record", schema.record(schema.boolean(), schema.blob(1)), [(True,), (True, b"x", 1), (b"x", True), 1]),
    ("table", schema.table(), [(), "", 1, b""]),
]  # fmt: skip


@pytest.mark.parametrize(("check", "good"), [pytest.param(*each[1:], id=each[0]) for each in TAKEN])
def test_what_fits_is_given_back(check: schema.Check[Any], good: list[Value]) -> None:
    assert [check(value) for value in good] == good


@pytest.mark.parametrize(("check", "bad"), [pytest.param(*each[1:], id=each[0]) for each in REFUSED])
def test_what_does_not_fit_is_refused(check: schema.Check[Any], bad: list[Value]) -> None:
    assert [refusal_of(check, value).code for value in bad] == [FaultCode.WRONG_SCHEMA] * len(bad)


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (schema.integer(0, 3), "an integer from 0 to 3"),
        (schema.text(4), "a text of 0 to 4 bytes"),
        (schema.blob(2), "a blob of 2 bytes"),
        (schema.blob(1, 3), "a blob of 1 to 3 bytes"),
        (schema.one_of("left", "right"), "one of left, right"),
        (schema.array(schema.table(), 2), "an array of 0 to 2 items"),
        (schema.record(), "an array of 0 fields"),
        (schema.table(), "a map"),
        (schema.boolean(), "a truth value"),
    ],
)
def test_a_refusal_says_what_was_expected(check: schema.Check[Any], words: str) -> None:
    assert refusal_of(check, -1).text == f"expected {words}"
