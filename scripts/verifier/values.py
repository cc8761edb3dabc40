"""The one encoding of each value (events.md, "Values"), and how values are written in JSON."""

from __future__ import annotations

import json
from typing import Any

from verifier.refusal import Refused, require

LAYER = "encoding"
LEVEL_MAX = 8
ARRAY_ITEMS_MAX = 256
MAP_ENTRIES_MAX = 64
TEXT_BYTES_MAX = 1024
BLOB_BYTES_MAX = 49152
VALUE_BYTES_MAX = 65536

Value = bool | int | str | bytes | list["Value"] | dict[str, "Value"]


def encode(value: Value) -> bytes:
    """The encoding of a value that keeps the limits."""
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _encode_integer(value)
    if isinstance(value, str):
        data = value.encode("utf-8")
        return _encode_length(len(data), 0xA0, 32, 0xD9, 0xDA) + data
    if isinstance(value, bytes):
        return _encode_length(len(value), 0, 0, 0xC4, 0xC5) + value
    if isinstance(value, list):
        return _encode_length(len(value), 0x90, 16, None, 0xDC) + b"".join(encode(item) for item in value)
    entries = sorted((key.encode("utf-8"), key) for key in value)
    head = _encode_length(len(value), 0x80, 16, None, 0xDE)
    return head + b"".join(encode(key) + encode(value[key]) for _, key in entries)


def _encode_integer(value: int) -> bytes:
    if -32 <= value < 128:
        return value.to_bytes(1, "big", signed=value < 0)
    first = 0xD0 if value < 0 else 0xCC
    for form, width in enumerate((1, 2, 4, 8)):
        bits = 8 * width
        if -(2 ** (bits - 1)) <= value < 2**bits:
            return bytes([first + form]) + value.to_bytes(width, "big", signed=value < 0)
    raise ValueError(value)


def _encode_length(length: int, fixed: int, fixed_below: int, one_byte: int | None, two_bytes: int) -> bytes:
    if length < fixed_below:
        return bytes([fixed + length])
    if one_byte is not None and length < 2**8:
        return bytes([one_byte, length])
    return bytes([two_bytes]) + length.to_bytes(2, "big")


def _require(holds: bool, fault: str) -> None:
    require(holds, fault, layer=LAYER)


def decode(data: bytes) -> Value:
    """Read a value in any form within the limits, and refuse all forms but the canonical one."""
    _require(len(data) <= VALUE_BYTES_MAX, "limit_exceeded")
    reader = _Reader(data)
    value = reader.value(0)
    _require(reader.at == len(data), "malformed_frame")
    _require(encode(value) == data, "not_canonical")
    return value


class _Reader:
    """Walks once through the bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def _take(self, length: int) -> bytes:
        taken = self._data[self.at : self.at + length]
        _require(len(taken) == length, "malformed_frame")
        self.at += length
        return taken

    def _number(self, width: int, *, signed: bool = False) -> int:
        return int.from_bytes(self._take(width), "big", signed=signed)

    def _within(self, length: int, maximum: int) -> int:
        """Compare a length with its limit, before anything of this length is read."""
        _require(length <= maximum, "limit_exceeded")
        return length

    def value(self, level: int) -> Value:
        _require(level <= LEVEL_MAX, "limit_exceeded")
        first = self._number(1)
        match first:
            case 0xC2 | 0xC3:
                return first == 0xC3
            case _ if first < 0x80 or first >= 0xE0:
                return first if first < 0x80 else first - 256
            case 0xCC | 0xCD | 0xCE | 0xCF:
                return self._number(1 << first - 0xCC)
            case 0xD0 | 0xD1 | 0xD2 | 0xD3:
                return self._number(1 << first - 0xD0, signed=True)
            case _ if 0xA0 <= first < 0xC0:
                return self._text(first - 0xA0)
            case 0xD9 | 0xDA | 0xDB:
                return self._text(self._number(1 << first - 0xD9))
            case 0xC4 | 0xC5 | 0xC6:
                return self._take(self._within(self._number(1 << first - 0xC4), BLOB_BYTES_MAX))
            case _ if 0x90 <= first < 0xA0:
                return self._array(first - 0x90, level)
            case 0xDC | 0xDD:
                return self._array(self._number(2 << first - 0xDC), level)
            case _ if 0x80 <= first < 0x90:
                return self._map(first - 0x80, level)
            case 0xDE | 0xDF:
                return self._map(self._number(2 << first - 0xDE), level)
        raise Refused(
            "malformed_frame", layer=LAYER
        )  # Nil, floats, extensions and the byte that begins nothing.

    def _text(self, length: int) -> str:
        try:
            return self._take(self._within(length, TEXT_BYTES_MAX)).decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("malformed_frame", layer=LAYER) from None

    def _array(self, length: int, level: int) -> Value:
        return [self.value(level + 1) for _ in range(self._within(length, ARRAY_ITEMS_MAX))]

    def _map(self, length: int, level: int) -> Value:
        entries: dict[str, Value] = {}
        for _ in range(self._within(length, MAP_ENTRIES_MAX)):
            key = self.value(level + 1)
            if not isinstance(key, str):
                raise Refused("malformed_frame", layer=LAYER)
            entries[key] = self.value(level + 1)
        return entries


def to_json(value: Value) -> Any:
    """A value as vectors and schemas write it."""
    if isinstance(value, bytes):
        return {"blob": value.hex()}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {"map": {key: to_json(item) for key, item in value.items()}}
    return value


def from_json(written: Any) -> Value:
    """The value that a vector writes."""
    if isinstance(written, list):
        return [from_json(item) for item in written]
    if isinstance(written, dict):
        ((kind, content),) = written.items()
        if kind == "blob":
            return bytes.fromhex(content)
        return {key: from_json(item) for key, item in content.items()}
    if isinstance(written, bool | int | str):
        return written
    raise TypeError(written)


def same_json(left: Any, right: Any) -> bool:
    """Whether two values in JSON are equal, truth values and numbers kept apart."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
