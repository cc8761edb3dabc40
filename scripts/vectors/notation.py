"""Values as vectors and schemas write them in JSON: `protocol/spec/events.md`, "Values"."""

from __future__ import annotations

from typing import Any

from p2prummi.wire.encoding import Encodable, Value


def to_json(value: Encodable) -> Any:
    """A value in JSON: blobs and maps marked as such, all else as JSON has it."""
    match value:
        case bytes():
            return {"blob": value.hex()}
        case dict():
            return {"map": {key: to_json(value[key]) for key in sorted(value, key=str.encode)}}
        case tuple() | list():
            return [to_json(item) for item in value]
    return value


def from_json(written: Any) -> Value:
    """The value that was written in JSON; KeyError or TypeError for what `to_json` never writes."""
    match written:
        case {"blob": digits}:
            return bytes.fromhex(digits)
        case {"map": entries}:
            return {key: from_json(each) for key, each in entries.items()}
        case list():
            return tuple(map(from_json, written))
        case bool() | int() | str():
            return written
    raise TypeError(f"{written!r} stands for no value")
