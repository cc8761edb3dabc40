"""What a field may hold: small checks that are put together to the schema of an event or a frame.

A check takes a decoded value and returns it with its type known, or raises RemoteProtocolError
(wrong_schema). Which fields a message has is said beside the message (`events.py`, `frames.py`, `hello.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias, TypeVar

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire.encoding import Value

T = TypeVar("T")
Check: TypeAlias = Callable[[Value], T]


def _refuse(expected: str) -> NoReturn:
    raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, f"expected {expected}")


def boolean() -> Check[bool]:
    """A truth value."""

    def check(value: Value) -> bool:
        return value if isinstance(value, bool) else _refuse("a truth value")

    return check


def integer(minimum: int, maximum: int) -> Check[int]:
    """An integer from `minimum` to `maximum`, both included."""

    def check(value: Value) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
            _refuse(f"an integer from {minimum} to {maximum}")
        return value

    return check


def text(bytes_max: int, *, bytes_min: int = 0) -> Check[str]:
    """A text of `bytes_min` to `bytes_max` bytes of UTF-8."""

    def check(value: Value) -> str:
        if not isinstance(value, str) or not bytes_min <= len(value.encode()) <= bytes_max:
            _refuse(f"a text of {bytes_min} to {bytes_max} bytes")
        return value

    return check


def one_of(*names: str) -> Check[str]:
    """One of the given texts."""

    def check(value: Value) -> str:
        return value if isinstance(value, str) and value in names else _refuse(f"one of {', '.join(names)}")

    return check


def blob(size_min: int, size_max: int | None = None) -> Check[bytes]:
    """A blob of exactly `size_min` bytes, or of `size_min` to `size_max`."""
    top = size_min if size_max is None else size_max

    def check(value: Value) -> bytes:
        if not isinstance(value, bytes) or not size_min <= len(value) <= top:
            _refuse(
                f"a blob of {size_min} bytes" if top == size_min else f"a blob of {size_min} to {top} bytes"
            )
        return value

    return check


def array(item: Check[T], items_max: int, *, items_min: int = 0) -> Check[tuple[T, ...]]:
    """An array of `items_min` to `items_max` values that each pass `item`."""

    def check(value: Value) -> tuple[T, ...]:
        if not isinstance(value, tuple) or not items_min <= len(value) <= items_max:
            _refuse(f"an array of {items_min} to {items_max} items")
        return tuple(item(each) for each in value)

    return check


def record(*fields: Check[Any]) -> Check[tuple[Any, ...]]:
    """An array with exactly these fields, in this order."""

    def check(value: Value) -> tuple[Any, ...]:
        if not isinstance(value, tuple) or len(value) != len(fields):
            _refuse(f"an array of {len(fields)} fields")
        return tuple(field(each) for field, each in zip(fields, value, strict=True))

    return check


def table() -> Check[dict[str, Value]]:
    """A map; what its entries mean is checked by who asked for it."""

    def check(value: Value) -> dict[str, Value]:
        return value if isinstance(value, dict) else _refuse("a map")

    return check
