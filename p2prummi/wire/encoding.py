"""Canonical msgpack: one value has one encoding, and whatever else arrives is refused.

A value is a bool, an integer of 64 bits, a text, a blob, an array (a tuple once decoded) or a map from
texts to values; nothing else travels. Canonical means: the shortest form of every integer, length and string,
map keys in ascending byte order, no key twice, nothing after the value. This is the only module that uses the
msgpack library; what a field may hold is decided in `schema.py`. Specification: `protocol/spec/events.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn, TypeAlias, cast

import msgpack

from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.wire import limits

Value: TypeAlias = "bool | int | str | bytes | tuple[Value, ...] | dict[str, Value]"
"""What `decode` returns."""
Encodable: TypeAlias = "bool | int | str | bytes | Sequence[Encodable] | Mapping[str, Encodable]"
"""What `encode` takes: a `Value`, or lists for arrays and any mappings for maps."""

_SCALARS = (bool, int, str, bytes)


def encode(value: Encodable) -> bytes:
    """Returns the canonical bytes of `value`; maps may come in any order.

    Raises LocalProtocolError for whatever `decode` would refuse: what does not travel, what is over a limit.
    """
    try:
        data = cast(bytes, msgpack.packb(_sorted(value, limits.DEPTH_MAX), use_bin_type=True))
        _at_most(len(data), limits.FRAME_BYTES_MAX, "bytes")
    except (ValueError, TypeError, OverflowError) as error:
        raise LocalProtocolError(f"this value cannot be encoded: {error}") from error
    return data


def decode(data: bytes) -> Value:
    """Returns the value that `data` encodes, arrays as tuples.

    Raises RemoteProtocolError: malformed_frame for bytes that are no encoding or hold what does not travel,
    not_canonical for another encoding of a good value, limit_exceeded for too long, too many or too deep.
    """
    if len(data) > limits.FRAME_BYTES_MAX:
        raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, f"a value of {len(data)} bytes")
    try:
        # The library checks these limits when it reads a length, before it takes any memory for what follows.
        value = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            ext_hook=_refuse_extension,
            max_str_len=limits.TEXT_BYTES_MAX,
            max_bin_len=limits.BLOB_BYTES_MAX,
            max_array_len=limits.ARRAY_ITEMS_MAX,
            max_map_len=limits.MAP_ENTRIES_MAX,
        )
    except msgpack.exceptions.StackError as error:
        raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, "nested too deep to be read") from error
    except (ValueError, msgpack.exceptions.UnpackException) as error:
        if _claims_too_much(data):
            raise RemoteProtocolError(
                FaultCode.LIMIT_EXCEEDED, "it says that it is longer than anything that travels"
            ) from error
        raise RemoteProtocolError(FaultCode.MALFORMED_FRAME, _what_is_wrong(error)) from error
    checked = _checked(value)
    if encode(checked) != data:
        raise RemoteProtocolError(
            FaultCode.NOT_CANONICAL, "the bytes are not the canonical encoding of their value"
        )
    return checked


def _what_is_wrong(error: Exception) -> str:
    """What is wrong with bytes that the library can't read; its own words name Python's types."""
    match error:
        case msgpack.exceptions.FormatError():
            return "a byte in it begins no value"
        case msgpack.exceptions.ExtraData():
            return "bytes follow after its value"
        case UnicodeDecodeError():
            return "a text in it is not UTF-8"
    return "its bytes end before its value does, or hold what does not travel"


_SHORT_FORMS = {
    **dict.fromkeys((*range(0x80), 0xC2, 0xC3, *range(0xE0, 0x100)), (0, 0)),
    **{first + form: (1 << form, 0) for first in (0xCC, 0xD0) for form in range(4)},
    **{0x80 + entries: (0, 2 * entries) for entries in range(16)},
    **{0x90 + items: (0, items) for items in range(16)},
    **{0xA0 + length: (length, 0) for length in range(32)},
}
"""By the first byte, where that says all: how many bytes and how many values follow."""
_LONG_FORMS = {
    **{0xC4 + form: (1 << form, limits.BLOB_BYTES_MAX, 1, 0) for form in range(3)},
    **{0xD9 + form: (1 << form, limits.TEXT_BYTES_MAX, 1, 0) for form in range(3)},
    **{0xDC + form: (2 << form, limits.ARRAY_ITEMS_MAX, 0, 1) for form in range(2)},
    **{0xDE + form: (2 << form, limits.MAP_ENTRIES_MAX, 0, 2) for form in range(2)},
}
"""By the first byte: the bytes of the length, its limit, how many bytes and values follow for each unit."""


def _claims_too_much(data: bytes) -> bool:
    """Whether these bytes, which are no value, say somewhere that they are longer than a limit allows.

    The library can't be asked: it misses the bytes of a long text before it looks at the text's length.
    """
    at, awaited = 0, 1
    while awaited and at < len(data):
        first = data[at]
        at += 1
        if first in _SHORT_FORMS:
            size, values = _SHORT_FORMS[first]
            at, awaited = at + size, awaited + values - 1
        elif first in _LONG_FORMS:
            width, limit, unit_size, unit_values = _LONG_FORMS[first]
            length = int.from_bytes(data[at : at + width], "big")
            if length > limit and at + width <= len(data):
                return True
            at, awaited = at + width + length * unit_size, awaited + length * unit_values - 1
        else:
            return False
    return False


def _refuse_extension(code: int, _data: bytes) -> NoReturn:
    raise ValueError(f"an extension of type {code} does not travel")


def _at_most(count: int, limit: int, noun: str) -> None:
    if count > limit:
        raise ValueError(f"{count} {noun} are more than {limit}")


def _sorted(value: Encodable, depth: int) -> object:
    """Returns `value` with the keys of its maps in order, refusing what `decode` would refuse."""
    if depth < 0:
        raise ValueError(f"nested deeper than {limits.DEPTH_MAX} levels")
    match value:
        case tuple() | list():
            _at_most(len(value), limits.ARRAY_ITEMS_MAX, "items")
            # Most of what travels is arrays of small numbers, which need no closer look.
            return [item if type(item) is int else _sorted(item, depth - 1) for item in value]
        case dict():
            _at_most(len(value), limits.MAP_ENTRIES_MAX, "entries")
            return {key: _sorted(value[key], depth - 1) for key in sorted(value, key=_key)}
        case str():
            _at_most(len(value.encode()), limits.TEXT_BYTES_MAX, "bytes of text")
        case bytes():
            _at_most(len(value), limits.BLOB_BYTES_MAX, "bytes")
        case bool() | int():
            pass
        case _:
            raise TypeError(f"{type(value).__name__} does not travel")
    return value


def _key(key: object) -> bytes:
    """The bytes by which the keys of a map are ordered."""
    if not isinstance(key, str):
        raise TypeError("a map's keys are texts")
    _at_most(len(key.encode()), limits.TEXT_BYTES_MAX, "bytes of text")
    return key.encode()


def _checked(value: object) -> Value:
    """Refuses types and depths that do not travel, level by level: no nesting can exhaust the stack."""
    level: list[object] = [value]
    for _ in range(limits.DEPTH_MAX + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, tuple):
                below.extend(item)
            elif isinstance(item, dict):
                if not all(isinstance(key, str) for key in item):
                    raise RemoteProtocolError(FaultCode.MALFORMED_FRAME, "a map's keys are texts")
                below.extend(item.values())
            elif not isinstance(item, _SCALARS):
                raise RemoteProtocolError(
                    FaultCode.MALFORMED_FRAME, "it holds nil, a float or a time, which do not travel"
                )
        if not below:
            return cast(Value, value)
        level = below
    raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, f"nested deeper than {limits.DEPTH_MAX} levels")
