"""The canonical encoding: one form a value; bytes give a value or a named refusal, and cost no memory."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.encoding import Value, decode, encode
from tests.wire.samples import refusal_of, result_or_refusal, values


def nested(levels: int) -> Value:
    """A value below which nothing lies but arrays: `levels` of them, the innermost empty."""
    value: Value = ()
    for _ in range(levels - 1):
        value = (value,)
    return value


DEEPEST = nested(limits.DEPTH_MAX + 1)

FORMS = [
    (False, "c2"),
    (True, "c3"),
    (0, "00"),
    (127, "7f"),
    (128, "cc80"),
    (255, "ccff"),
    (256, "cd0100"),
    (65535, "cdffff"),
    (65536, "ce00010000"),
    (2**32 - 1, "ceffffffff"),
    (2**32, "cf0000000100000000"),
    (2**64 - 1, "cfffffffffffffffff"),
    (-1, "ff"),
    (-32, "e0"),
    (-33, "d0df"),
    (-128, "d080"),
    (-129, "d1ff7f"),
    (-32768, "d18000"),
    (-32769, "d2ffff7fff"),
    (-(2**31), "d280000000"),
    (-(2**31) - 1, "d3ffffffff7fffffff"),
    (-(2**63), "d38000000000000000"),
    ("", "a0"),
    ("é", "a2c3a9"),
    ("x" * 31, "bf" + "78" * 31),
    ("x" * 32, "d920" + "78" * 32),
    ("x" * 256, "da0100" + "78" * 256),
    (b"", "c400"),
    (bytes(255), "c4ff" + "00" * 255),
    (bytes(256), "c50100" + "00" * 256),
    ((), "90"),
    ((1,) * 15, "9f" + "01" * 15),
    ((1,) * 16, "dc0010" + "01" * 16),
    ({}, "80"),
    ({"b": 1, "a": 2, "ab": 3, "Z": 4}, "84a15a04a16102a2616203a16201"),
    ({chr(key): 0 for key in range(65, 81)}, "de0010" + "".join(f"a1{key:02x}00" for key in range(65, 81))),
    (("x" * limits.TEXT_BYTES_MAX,), "91da0400" + "78" * limits.TEXT_BYTES_MAX),
]  # fmt: skip

NOT_CANONICAL = {
    "a small integer in two bytes": "cc01",
    "an integer of one byte in three": "cd00ff",
    "an integer of two bytes in five": "ce0000ffff",
    "an integer of four bytes in nine": "cf00000000ffffffff",
    "a negative integer in two bytes": "d0ff",
    "a negative integer in three bytes": "d1ff80",
    "a negative integer in five bytes": "d2ffff8000",
    "a negative integer in nine bytes": "d3ffffffff80000000",
    "a positive integer in a signed form": "d07f",
    "a short text with a length of one byte": "d90178",
    "a text with a length of two bytes": "da0020" + "78" * 32,
    "a text with a length of four bytes": "db00000100" + "78" * 256,
    "a blob with a length of two bytes": "c5000100",
    "a blob with a length of four bytes": "c60000000100",
    "an array with a length of two bytes": "dc000101",
    "an array with a length of four bytes": "dd0000000101",
    "a map with a length of two bytes": "de0001a17801",
    "a map with a length of four bytes": "df00000001a17801",
    "keys that descend": "82a16201a16101",
    "a longer key before its beginning": "82a2616201a16102",
    "keys in the order of UTF-16, not of UTF-8": "82a4f090808001a3ef808002",
    "a key twice": "82a17801a17802",
    "a key twice, entries equal": "82a17801a17801",
    "a fault deep inside": "9191cc01",
}

MALFORMED = {
    "nothing": "",
    "nil": "c0",
    "the byte that begins nothing": "c1",
    "not a number": "cb7ff8000000000000",
    "a float": "cb3ff0000000000000",
    "a short float": "ca3f800000",
    "an extension": "c7010500",
    "an extension of no bytes": "c70005",
    "a fixed extension": "d405ff",
    "a long extension": "c900000001ff00",
    "a timestamp": "d6ff00000000",
    "a timestamp of eight bytes": "d7ff0000000000000000",
    "a timestamp of no bytes": "c700ff",
    "a byte after the value": "0100",
    "a value after the value": "9090",
    "an integer cut short": "cd01",
    "a text cut short": "a278",
    "a blob cut short": "c40200",
    "a text that claims 4 GiB": "dbffffffff",
    "a blob that claims 4 GiB": "c6ffffffff",
    "an array cut short": "9201",
    "a map cut short": "81a178",
    "a text that is not UTF-8": "a1ff",
    "a text with half of a pair of surrogates": "a3eda080",
    "a text in an overlong form": "a2c080",
    "a key that is an integer": "810101",
    "a key that is an array": "819001",
    "a key that is a map": "818001",
    "a key that is a blob": "81c4017801",
    "a key that is nil": "81c001",
    "a key that is not UTF-8": "81a1ff01",
    "nil inside": "91c0",
}

OVER_LIMIT = {
    "an array that claims 4 G": "ddffffffff",
    "a map that claims 4 G": "dfffffffff",
    "one item too many": "dc0101" + "01" * 257,
    "one entry too many": "de0041" + "".join(f"a1{key:02x}01" for key in range(33, 98)),
    "a text one byte too long": "da0401" + "78" * 1025,
    "a blob one byte too long": "c5c001" + "00" * 49153,
    "one level too many": "91" * 9 + "90",
    "one level too many, of maps": "81a178" * 9 + "80",
    "a thousand levels": "91" * 1000 + "90",
    "five thousand levels": "91" * 5000 + "90",
    "a value longer than a frame": "dc0002" + ("c5bfff" + "00" * 49151) * 2,
}  # fmt: skip


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
        pytest.param(None, id="nothing"),
        pytest.param(1.5, id="a float"),
        pytest.param({1, 2}, id="a set"),
        pytest.param({1: 2}, id="a key that is a number"),
        pytest.param({b"x": 2}, id="a key that is a blob"),
        pytest.param({"x": None}, id="nothing inside"),
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
