"""The canonical encoding: one form a value; bytes give a value or a named refusal, and cost no memory."""

from __future__ import annotations

import re
import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.encoding import Value, decode, encode
from tests.wire.forms import FORMS, MALFORMED, NOT_CANONICAL, OVER_LIMIT
from tests.wire.samples import refusal_of, result_or_refusal, values


def nested(levels: int) -> Value:
    """A value below which nothing lies but arrays: `levels` of them, the innermost empty."""
    value: Value = ()
    for _ in range(levels - 1):
        value = (value,)
    return value


DEEPEST = nested(limits.DEPTH_MAX + 1)


@pytest.mark.parametrize(("value", "form"), FORMS, ids=[form[:24] for _, form in FORMS])
def test_each_value_has_its_one_form(value: Value, form: str) -> None:
    assert encode(value).hex() == form
    assert decode(bytes.fromhex(form)) == value


@pytest.mark.parametrize(
    ("code", "form"),
    [
        *(pytest.param(FaultCode.NOT_CANONICAL, form, id=name) for name, form in NOT_CANONICAL.items()),
        *(pytest.param(FaultCode.MALFORMED_FRAME, form, id=name) for name, form in MALFORMED.items()),
        *(pytest.param(FaultCode.LIMIT_EXCEEDED, form, id=name) for name, form in OVER_LIMIT.items()),
    ],
)
def test_whatever_else_arrives_is_refused_by_name(code: FaultCode, form: str) -> None:
    assert refusal_of(decode, bytes.fromhex(form)).code is code


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("the byte that begins nothing", "a byte in it begins no value"),
        ("a byte after the value", "bytes follow after its value"),
        ("a text that is not UTF-8", "a text in it is not UTF-8"),
        ("a text cut short", "its bytes end before its value does, or hold what does not travel"),
        ("an extension", "its bytes end before its value does, or hold what does not travel"),
        ("nil", "it holds nil, a float or a time, which do not travel"),
        ("a float inside", "it holds nil, a float or a time, which do not travel"),
        ("a timestamp", "it holds nil, a float or a time, which do not travel"),
        ("a text that claims 4 GiB", "it says that it is longer than anything that travels"),
    ],
)
def test_a_refusal_says_in_words_what_is_wrong(name: str, words: str) -> None:
    assert refusal_of(decode, bytes.fromhex({**MALFORMED, **OVER_LIMIT}[name])).text == words


@pytest.mark.parametrize("form", {**MALFORMED, **OVER_LIMIT, **NOT_CANONICAL}.values())
def test_no_refusal_names_what_only_the_program_knows(form: str) -> None:
    words = refusal_of(decode, bytes.fromhex(form)).text
    assert re.search(r"[a-z][A-Z]|Error|Timestamp|strict_|\bint\b", words) is None


@pytest.mark.parametrize("length", ["dd", "dc"], ids=["four-byte lengths", "two-byte lengths"])
def test_nested_claims_take_no_memory(length: str) -> None:
    """Each level claims as many items as its length allows, and the next level is its first item."""
    claim = bytes.fromhex(length + ("ffffffff" if length == "dd" else "ffff"))
    data = claim * (limits.FRAME_BYTES_MAX // len(claim))
    tracemalloc.start()
    try:
        refusal_of(decode, data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1024 * 1024


@given(st.binary(max_size=64) | st.binary(max_size=6).map(lambda tail: bytes.fromhex("9381a178c401") + tail))
@example(bytes.fromhex("c70005"))
def test_any_bytes_give_a_value_or_a_refusal(data: bytes) -> None:
    value = result_or_refusal(decode, data)
    assert isinstance(value, RemoteProtocolError) or encode(value) == data


@given(values())
def test_values_come_back(value: Value) -> None:
    assert decode(encode(value)) == value


@given(values(), st.data())
def test_a_changed_byte_gives_another_value_or_a_refusal(value: Value, data: st.DataObject) -> None:
    form = bytearray(encode(value))
    place = data.draw(st.integers(0, len(form) - 1))
    form[place] ^= data.draw(st.integers(1, 255))
    changed = result_or_refusal(decode, bytes(form))
    # Python's True equals 1, so the forms are compared and not the values.
    assert isinstance(changed, RemoteProtocolError) or encode(changed) == bytes(form) != encode(value)


def test_lists_travel_as_arrays() -> None:
    assert decode(encode([1, [2]])) == (1, (2,))


def test_the_deepest_value_travels() -> None:
    assert decode(encode(DEEPEST)) == DEEPEST


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(object(), id="an object"),
        pytest.param(None, id="nil"),
        pytest.param({"x": None}, id="nil inside"),
        pytest.param(1.5, id="a float"),
        pytest.param({1, 2}, id="a set"),
        pytest.param({1: 2}, id="a key that is a number"),
        pytest.param({b"x": 2}, id="a key that is a blob"),
        pytest.param({"x": 1.5}, id="a float inside"),
        pytest.param({None: 1}, id="a key that is nil"),
        pytest.param(2**64, id="an integer too large"),
        pytest.param(-(2**63) - 1, id="an integer too small"),
        pytest.param("\ud800", id="half of a pair of surrogates"),
        pytest.param({"\ud800": 1}, id="half of a pair of surrogates as a key"),
        pytest.param((DEEPEST,), id="one level too many"),
        pytest.param({"x": DEEPEST}, id="one level too many below a map"),
        pytest.param((0,) * (limits.ARRAY_ITEMS_MAX + 1), id="one item too many"),
        pytest.param({str(key): 0 for key in range(limits.MAP_ENTRIES_MAX + 1)}, id="one entry too many"),
        pytest.param("é" * (limits.TEXT_BYTES_MAX // 2) + "x", id="one byte of text too many"),
        pytest.param({"x" * (limits.TEXT_BYTES_MAX + 1): 0}, id="one byte of a key too many"),
        pytest.param(bytes(limits.BLOB_BYTES_MAX + 1), id="one byte too many"),
        pytest.param((bytes(limits.FRAME_BYTES_MAX // 2),) * 2, id="longer than a frame"),
    ],
)
def test_what_would_be_refused_is_not_encoded(value: Value) -> None:
    with pytest.raises(LocalProtocolError):
        encode(value)
