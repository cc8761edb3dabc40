"""The deck: ElGamal ciphertexts under the joint key, by index. It knows indices, never tiles.

Tile t is the point M_t (hash to group); the first deck holds (G, M_t + Y), randomness 1, so that nothing in
it is neutral. Re-encryption adds (r·G, r·Y). Shuffling and its proof are in `shuffle_*.py`, shares in
`dleq.py`. Specification: `protocol/spec/crypto.md`, "Deck".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from p2prummi.crypto.group import (
    GENERATOR,
    Point,
    add,
    add_pairs,
    hash_to_group,
    points_from_bytes,
)
from p2prummi.crypto.labels import Label
from p2prummi.crypto.refusal import RefusalError
from p2prummi.errors import FaultCode, LocalProtocolError


class Deck:
    """N ciphertexts (`firsts[i]`, `seconds[i]`) = (r·G, M + r·Y).

    Immutable; equal when the bytes are equal.
    """

    __slots__ = ("_encoded", "firsts", "seconds")

    firsts: tuple[Point, ...]
    seconds: tuple[Point, ...]

    def __init__(self, firsts: Sequence[Point], seconds: Sequence[Point]) -> None:
        """A deck of these parts.

        Raises `RefusalError` (`neutral_element`) if one is neutral, `LocalProtocolError` for a size below 2.
        """
        if len(firsts) != len(seconds) or len(firsts) < 2:
            raise LocalProtocolError("a deck has as many first as second parts, two at least")
        if any(part.is_neutral for part in (*firsts, *seconds)):
            raise RefusalError(
                FaultCode.NEUTRAL_ELEMENT, "neutral", "a part of a ciphertext is the neutral element"
            )
        self.firsts = tuple(firsts)
        self.seconds = tuple(seconds)
        self._encoded: bytes | None = None

    @staticmethod
    def from_bytes(data: object, size: int) -> Deck:
        """A deck of `size` ciphertexts from `size` times 66 bytes.

        Raises `RefusalError`: `wrong_schema`, `invalid_point`, `neutral_element`.
        """
        parts = points_from_bytes(data, 2 * size, "deck")
        return Deck(parts[0::2], parts[1::2])

    def to_bytes(self) -> bytes:
        """The first, then the second part of each index in turn: 66 bytes an index."""
        if self._encoded is None:
            self._encoded = b"".join(
                [part.to_bytes() for pair in zip(self.firsts, self.seconds, strict=True) for part in pair]
            )
        return self._encoded

    @property
    def size(self) -> int:
        """How many ciphertexts it holds."""
        return len(self.firsts)

    def checked(self, index: int) -> int:
        """The index, if the deck has it; raises `LocalProtocolError` else, for a negative one too."""
        if not 0 <= index < self.size:
            raise LocalProtocolError(f"the deck has no index {index}")
        return index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deck):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"Deck.from_bytes(bytes.fromhex('{self.to_bytes().hex()}'), {self.size})"


@lru_cache(maxsize=8)
def tile_points(size: int) -> tuple[Point, ...]:
    """M_0 .. M_(size - 1). Made at first use and kept."""
    return tuple(hash_to_group(Label.TILE, tile) for tile in range(size))


@lru_cache(maxsize=8)
def _tile_numbers(size: int) -> dict[Point, int]:
    return {point: tile for tile, point in enumerate(tile_points(size))}


def first_deck(size: int, joint_key: Point) -> Deck:
    """The deck before any shuffle: index t holds tile t, readable by everybody."""
    return Deck((GENERATOR,) * size, add_pairs(tile_points(size), (joint_key,) * size))


def tile_of(deck: Deck, index: int, shares: Sequence[Point]) -> int:
    """The tile at `index`, given every seat's share of it: the t with M_t = second - Σ shares.

    Raises `RefusalError` (`no_such_tile`) if that is no tile's point.
    """
    message = deck.seconds[deck.checked(index)] - add(shares)
    tile = _tile_numbers(deck.size).get(message)
    if tile is None:
        raise RefusalError(FaultCode.NO_SUCH_TILE, "tile", f"index {index} holds no tile of the set")
    return tile
