"""The keys of one round: each seat's own, the joint one, and the joint coin.

Order: every seat publishes a commitment to (key, its proof, 32 random bytes); once all are there, everybody
reveals. Nobody can then choose a key or a coin that depends on another's. Who copies a commitment can't open
it, since the seat is in it. Two equal keys, a key that makes the sum neutral: refused. Keys are fresh each
round. Proof of a key: `key_proof.py`.
Specification: `protocol/spec/crypto.md`, "Keys and coin".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from p2prummi.crypto.entropy import Entropy, random_scalar
from p2prummi.crypto.group import Point, add, multiply_generator, scalar_to_bytes, secret_from_bytes
from p2prummi.crypto.labels import Label, digest, uint32
from p2prummi.crypto.refusal import RefusalError, require_bytes
from p2prummi.errors import FaultCode, LocalProtocolError

COIN_BYTES = 32


class RoundKey:
    """One seat's key for one round. `repr` shows the public half only."""

    __slots__ = ("_secret", "point", "public")

    point: Point
    """The public key Y."""
    public: bytes
    """Its 33 bytes."""

    def __init__(self, secret: int) -> None:
        self._secret = secret
        self.point = multiply_generator(secret)
        self.public = self.point.to_bytes()

    @staticmethod
    def from_secret_bytes(secret: object) -> RoundKey:
        """The key with this 32-byte secret.

        Raises `RefusalError`: `wrong_schema`, `invalid_scalar` (zero too).
        """
        return RoundKey(secret_from_bytes(secret))

    @property
    def secret(self) -> int:
        """The secret scalar, for the proofs of this package."""
        return self._secret

    def secret_bytes(self) -> bytes:
        """The secret's 32 bytes, which are published when the round is settled."""
        return scalar_to_bytes(self._secret)

    def __repr__(self) -> str:
        return f"<RoundKey public={self.public.hex()}>"


def make_round_key(entropy: Entropy) -> RoundKey:
    """A fresh key, uniform among all."""
    return RoundKey(random_scalar(entropy))


def public_of(secret: object) -> bytes:
    """The 33-byte public key of a published 32-byte secret.

    Raises `RefusalError` like `RoundKey.from_secret_bytes`.
    """
    return RoundKey.from_secret_bytes(secret).public


def key_commitment(context: bytes, seat: int, public: bytes, proof: bytes, coin: bytes) -> bytes:
    """What a seat publishes before anything is revealed: a 32-byte hash of all that it will reveal."""
    return digest(Label.KEY_COMMITMENT, context, uint32(seat), public, proof, coin)


def verify_key_commitment(
    context: bytes, seat: int, commitment: bytes, public: bytes, proof: bytes, coin: bytes
) -> None:
    """Check that this was committed to.

    Raises `RefusalError` (`commitment_mismatch`, condition `commitment`).
    """
    require_bytes(coin, COIN_BYTES, "coin")
    if key_commitment(context, seat, public, proof, coin) != commitment:
        raise RefusalError(
            FaultCode.COMMITMENT_MISMATCH,
            "commitment",
            "what was revealed is not what was committed to",
            seat=seat,
        )


@dataclass(frozen=True, slots=True)
class JointKey:
    """The sum Y of all seats' keys, under which the deck is encrypted."""

    point: Point

    @property
    def public(self) -> bytes:
        """Its 33 bytes."""
        return self.point.to_bytes()


def joint_key(publics: Sequence[bytes]) -> JointKey:
    """The joint key of the seats' keys, each 33 bytes, in seat order.

    Raises `RefusalError`: `wrong_schema`, `invalid_point`, `neutral_element` (a key, or the sum),
    `key_reused`. Whether each seat knows its key's secret is checked by `verify_key` first.
    """
    if len(publics) < 2:
        raise LocalProtocolError("a joint key is that of two seats at least")
    points = [Point.from_bytes(public, "key") for public in publics]
    check_distinct(dict(enumerate(publics)))
    total = add(points)
    if total.is_neutral:
        raise RefusalError(FaultCode.NEUTRAL_ELEMENT, "neutral", "the keys cancel each other")
    return JointKey(total)


def check_distinct(publics: Mapping[int, bytes]) -> None:
    """Checks that no two of these seats, given with their keys in ascending order, have the same key.

    Raises `RefusalError` (`key_reused`) with the first seat whose key is that of a seat before it.
    """
    before: set[bytes] = set()
    for seat, public in publics.items():
        if public in before:
            raise RefusalError(FaultCode.KEY_REUSED, "distinct keys", "a key is another seat's", seat=seat)
        before.add(public)


def joint_coin(context: bytes, coins: Sequence[bytes]) -> bytes:
    """The 32 bytes that nobody chose, from every seat's 32, in seat order.

    Raises `RefusalError` (`wrong_schema`).
    """
    return digest(Label.JOINT_COIN, context, *(require_bytes(coin, COIN_BYTES, "coin") for coin in coins))


def coin_draw(coin: bytes) -> Callable[[int], int]:
    """A function that draws, from the coin alone, one uniform number below its argument after the other.

    Each attempt hashes the coin and a counter that runs through all draws; a value in the last, incomplete
    multiple of the bound is thrown away. Raises `LocalProtocolError` for a bound below 1.
    """
    counter = count()

    def draw(bound: int) -> int:
        if bound < 1:
            raise LocalProtocolError("a draw needs a bound of at least 1")
        limit = 2**256 - 2**256 % bound
        while True:
            value = int.from_bytes(digest(Label.COIN_DRAW, coin, uint32(next(counter))), "big")
            if value < limit:
                return value % bound

    return draw
