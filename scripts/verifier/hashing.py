"""Labels, framing, digests, hash to group and the running challenge (notation.md)."""

import hashlib
from functools import cache
from itertools import count

from verifier.group import Point, Q, point_of

PREFIX = "p2prummi/1 "


def u32(number: int) -> bytes:
    """A number in four bytes, big endian."""
    return number.to_bytes(4, "big")


def framed(label: str, *parts: bytes) -> bytes:
    """The label and each part with its length, so that no two lists of parts give the same bytes."""
    return (PREFIX + label).encode("ascii") + b"\0" + b"".join(u32(len(part)) + part for part in parts)


def digest(label: str, *parts: bytes) -> bytes:
    """The SHA-256 of the framed parts."""
    return hashlib.sha256(framed(label, *parts)).digest()


@cache
def hash_to_group(label: str, index: int) -> Point:
    """The first point with even y that the attempts hit."""
    for attempt in count():
        point = point_of(b"\2" + digest(label, u32(index), u32(attempt)))
        if point is not None:
            return point
    raise AssertionError


def tile_point(tile: int) -> Point:
    """The point M_t of a tile."""
    return hash_to_group("tile", tile)


def generators(size: int) -> list[Point]:
    """The points h_1 .. h_N of commitments to vectors."""
    return [hash_to_group("generator", i) for i in range(1, size + 1)]


class RunningChallenge:
    """One SHA-512 over everything absorbed; each challenge drawn is hashed into those after it."""

    def __init__(self, label: str) -> None:
        self._state = framed(label)

    def absorb(self, name: str, item: bytes) -> None:
        """Hash one more item."""
        encoded = name.encode("ascii")
        self._state += u32(len(encoded)) + encoded + u32(len(item)) + item

    def draw(self, name: str) -> int:
        """Give the scalar that follows from all that was absorbed."""
        self.absorb(name, b"")
        challenge = int.from_bytes(hashlib.sha512(self._state).digest(), "big") % Q
        self.absorb(name, challenge.to_bytes(32, "big"))
        return challenge


class CoinDraws:
    """Numbers drawn from a coin; one counter of attempts runs through all of them."""

    def __init__(self, coin: bytes) -> None:
        self._coin = coin
        self._attempts = count()

    def below(self, bound: int) -> int:
        """Draw a number below a bound."""
        while True:
            v = int.from_bytes(digest("coin draw", self._coin, u32(next(self._attempts))), "big")
            if v < 2**256 - 2**256 % bound:
                return v % bound
