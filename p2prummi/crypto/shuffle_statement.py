"""What a shuffle proof is about and what it consists of.

Statement, fields, bytes, and the challenges in their order.

The argument is that of Bayer and Groth (Eurocrypt 2012) with one row. Letters as in
`protocol/spec/crypto.md`, "Shuffle argument"; there are N ciphertexts, and i and π(i) run from 1 to N. Output
i is a re-encryption of input π(i). Making proofs is in `shuffle_prover.py`, judging them in
`shuffle_verifier.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2prummi.crypto.challenge import RunningChallenge
from p2prummi.crypto.elgamal import Deck
from p2prummi.crypto.group import (
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    points_from_bytes,
    scalar_from_bytes,
    scalar_to_bytes,
)
from p2prummi.crypto.labels import Label, uint32
from p2prummi.crypto.refusal import require_bytes

_POINTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleStatement:
    """`after` is a shuffle of `before` under the joint key, says `seat` in `context`.

    `proof` is its evidence. `context` holds whatever else the proof is bound to (match, round, chain head,
    all keys); it is hashed whole.
    """

    context: bytes
    seat: int
    before: Deck
    after: Deck
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleProof:
    """The fields of a proof, by the spec's letters.

    `b` holds b'_2 .. b'_(N-1): the first and the last are implied.
    """

    A: Point
    B: Point
    C_d: Point
    C_delta: Point
    C_Delta: Point
    C_beta: Point
    E_first: Point
    E_second: Point
    a: tuple[int, ...]
    b: tuple[int, ...]
    m: tuple[int, ...]
    r_a: int
    r_b: int
    r_m: int
    rho: int

    def to_bytes(self) -> bytes:
        """8 points, then the 3·N + 2 scalars a', b', m', r_a, r_b, r_m, ρ'."""
        points = (
            self.A, self.B, self.C_d, self.C_delta, self.C_Delta, self.C_beta, self.E_first, self.E_second
        )  # fmt: skip
        scalars = (*self.a, *self.b, *self.m, self.r_a, self.r_b, self.r_m, self.rho)
        return b"".join([*(point.to_bytes() for point in points), *map(scalar_to_bytes, scalars)])

    @staticmethod
    def from_bytes(data: object, size: int) -> ShuffleProof:
        """The proof for a deck of `size`.

        Raises `RefusalError`: `wrong_schema` (type, length), `invalid_point`, `neutral_element`,
        `invalid_scalar`.
        """
        encoded = require_bytes(data, shuffle_proof_bytes(size), "shuffle proof")
        head = _POINTS * POINT_BYTES
        A, B, C_d, C_delta, C_Delta, C_beta, E_first, E_second = points_from_bytes(
            encoded[:head], _POINTS, "shuffle proof"
        )
        scalars = tuple(
            scalar_from_bytes(encoded[start : start + SCALAR_BYTES], "shuffle proof")
            for start in range(head, len(encoded), SCALAR_BYTES)
        )
        r_a, r_b, r_m, rho = scalars[-4:]
        return ShuffleProof(
            A=A, B=B, C_d=C_d, C_delta=C_delta, C_Delta=C_Delta, C_beta=C_beta,
            E_first=E_first, E_second=E_second,
            a=scalars[:size], b=scalars[size : 2 * size - 2], m=scalars[2 * size - 2 : 3 * size - 2],
            r_a=r_a, r_b=r_b, r_m=r_m, rho=rho,
        )  # fmt: skip


def shuffle_proof_bytes(size: int) -> int:
    """How long a proof for a deck of `size` is: 10 504 bytes for 106 tiles."""
    return _POINTS * POINT_BYTES + (3 * size + 2) * SCALAR_BYTES


class ShuffleChallenges:
    """The challenges of one proof: X; then y and z; then x.

    Each is drawn when all that it must depend on has been absorbed.
    """

    __slots__ = ("_running",)

    def __init__(self, context: bytes, seat: int, joint_key: Point, before: Deck, after: Deck) -> None:
        self._running = RunningChallenge(Label.SHUFFLE_PROOF)
        self._running.absorb("context", context)
        self._running.absorb("seat", uint32(seat))
        self._running.absorb("Y", joint_key.to_bytes())
        self._running.absorb("deck", before.to_bytes())
        self._running.absorb("deck'", after.to_bytes())

    def permutation(self, A: Point) -> int:
        """The challenge X, after the commitment to the permutation."""
        self._running.absorb("A", A.to_bytes())
        return self._running.draw("X")

    def powers(self, B: Point) -> tuple[int, int]:
        """The challenges y and z, after the commitment to the permuted powers of X."""
        self._running.absorb("B", B.to_bytes())
        return self._running.draw("y"), self._running.draw("z")

    def answers(
        self, C_d: Point, C_delta: Point, C_Delta: Point, C_beta: Point, E_first: Point, E_second: Point
    ) -> int:
        """The challenge x, after everything else that the answers depend on."""
        self._running.absorb("Cd", C_d.to_bytes())
        self._running.absorb("Cdelta", C_delta.to_bytes())
        self._running.absorb("CDelta", C_Delta.to_bytes())
        self._running.absorb("Cbeta", C_beta.to_bytes())
        self._running.absorb("E0", E_first.to_bytes() + E_second.to_bytes())
        return self._running.draw("x")


def powers_of(X: int, size: int) -> list[int]:
    """X^1 .. X^size modulo q."""
    powers = [X]
    for _ in range(size - 1):
        powers.append(powers[-1] * X % ORDER)
    return powers


def product_target(X: int, y: int, z: int, size: int) -> int:
    """Π (y·i + X^i - z) for i from 1 to `size`, modulo q: what the committed factors must multiply to."""
    product = 1
    for i, power in enumerate(powers_of(X, size), start=1):
        product = product * (y * i + power - z) % ORDER
    return product
