"""Randomness as an argument: what an entropy source is, and the unbiased draws made from it.

Nothing below `net/` reads the system's source: callers pass an `Entropy`, for which `net/` passes the
system's own. `SeededEntropy` is for tests, simulations and vectors; real keys and shuffles never come from
it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import shake_256

from p2prummi.crypto.group import ORDER
from p2prummi.crypto.labels import Label, framed, uint32
from p2prummi.errors import LocalProtocolError

Entropy = Callable[[int], bytes]
"""`entropy(n)` gives `n` fresh bytes that nobody else can know or influence."""

# 48 bytes reduced modulo a 256-bit number are uniform up to 2**-128, without a loop that depends on secrets.
_WIDE_BYTES = 48


class SeededEntropy:
    """A reproducible stream: the n-th call hashes the seed and n. Two equal seeds give equal streams."""

    __slots__ = ("_calls", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._calls = 0

    def __call__(self, count: int) -> bytes:
        """The next `count` bytes."""
        stream = shake_256(framed(Label.SEEDED_ENTROPY, self._seed, self._calls.to_bytes(8, "big")))
        self._calls += 1
        return stream.digest(count)

    def __repr__(self) -> str:
        return f"<SeededEntropy after {self._calls} calls>"

    def child(self, number: int) -> SeededEntropy:
        """An independent stream for the `number`-th part of something larger; does not advance this one."""
        return SeededEntropy(framed(Label.SEEDED_ENTROPY, self._seed, b"child", uint32(number)))


def random_bytes(entropy: Entropy, count: int) -> bytes:
    """`count` bytes; raises `LocalProtocolError` when the source gives another number of them."""
    drawn = entropy(count)
    if len(drawn) != count:
        raise LocalProtocolError(f"the entropy source gave {len(drawn)} bytes where {count} were asked for")
    return drawn


def random_scalar(entropy: Entropy) -> int:
    """A uniform scalar from 1 to q - 1."""
    return random_scalars(entropy, 1)[0]


def random_scalars(entropy: Entropy, count: int) -> list[int]:
    """`count` independent uniform scalars from 1 to q - 1, from one call of the source."""
    drawn = random_bytes(entropy, _WIDE_BYTES * count)
    return [
        int.from_bytes(drawn[start : start + _WIDE_BYTES], "big") % (ORDER - 1) + 1
        for start in range(0, len(drawn), _WIDE_BYTES)
    ]


def random_weights(entropy: Entropy, count: int) -> list[int]:
    """`count` independent uniform numbers below 2**128.

    A verifier multiplies equations by them to judge their sum.
    """
    drawn = random_bytes(entropy, 16 * count)
    return [int.from_bytes(drawn[start : start + 16], "big") for start in range(0, len(drawn), 16)]


def random_below(entropy: Entropy, bound: int) -> int:
    """A uniform number from 0 to `bound` - 1, by rejection.

    Raises `LocalProtocolError` for a bound below 1.
    """
    if bound < 1:
        raise LocalProtocolError("a random number needs a bound of at least 1")
    bits = (bound - 1).bit_length()
    count = (bits + 7) // 8
    while True:
        drawn = int.from_bytes(random_bytes(entropy, count), "big") >> (8 * count - bits)
        if drawn < bound:
            return drawn


def random_permutation(entropy: Entropy, size: int) -> list[int]:
    """A uniform permutation of 0 .. `size` - 1 (Fisher and Yates, each draw by rejection)."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = random_below(entropy, last + 1)
        order[last], order[other] = order[other], order[last]
    return order
