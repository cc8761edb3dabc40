"""The shuffle argument: its five equations one by one, as crypto.md, "Shuffle argument", states them."""

# The letters are those of the specification.
# ruff: noqa: N803, N806

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from verifier.deck import Deck
from verifier.group import POINT_BYTES, SCALAR_BYTES, G, Point, Q, combine, read_points, read_scalars
from verifier.hashing import RunningChallenge, generators, u32
from verifier.refusal import require

POINTS = 8


@dataclass(frozen=True)
class Proof:
    """A proof as it was read: the points A to E0, then all scalars that are sent."""

    points: list[Point]
    scalars: list[int]


def read_proof(data: bytes, N: int) -> Proof:
    """Read the proof of a shuffle of N tiles: its length, its points, its scalars."""
    points_end = POINTS * POINT_BYTES
    scalars = 3 * N + 2
    require(len(data) == points_end + SCALAR_BYTES * scalars, "wrong_schema", "length")
    return Proof(read_points(data[:points_end], POINTS), read_scalars(data[points_end:], scalars))


def check_shuffle(context: bytes, seat: int, Y: Point, before: Deck, after: Deck, proof: Proof) -> None:
    """Check the five equations of a proof that `after` is a shuffle of `before`, under the joint key Y."""
    N = len(before.firsts)
    h = generators(N)

    def com(v: Sequence[int], r: int) -> Point:
        return combine([r, *v], [G, *h[: len(v)]])

    A, B, Cd, C_delta, C_Delta, C_beta, E0_first, E0_second = proof.points
    scalars = proof.scalars
    a, b_inner, m = scalars[:N], scalars[N : 2 * N - 2], scalars[2 * N - 2 : 3 * N - 2]
    r_a, r_b, r_m, rho = scalars[3 * N - 2 :]

    challenge = RunningChallenge("shuffle proof")
    challenge.absorb("context", context)
    challenge.absorb("seat", u32(seat))
    challenge.absorb("Y", Y.encode())
    challenge.absorb("deck", before.data)
    challenge.absorb("deck'", after.data)
    challenge.absorb("A", A.encode())
    X = challenge.draw("X")
    challenge.absorb("B", B.encode())
    y = challenge.draw("y")
    z = challenge.draw("z")
    challenge.absorb("Cd", Cd.encode())
    challenge.absorb("Cdelta", C_delta.encode())
    challenge.absorb("CDelta", C_Delta.encode())
    challenge.absorb("Cbeta", C_beta.encode())
    challenge.absorb("E0", E0_first.encode() + E0_second.encode())
    x = challenge.draw("x")

    # The outer ones of b' are not sent. Index i of the formulas is i - 1 in every list.
    powers = [pow(X, i, Q) for i in range(1, N + 1)]
    product = prod((y * i + X_i - z) % Q for i, X_i in enumerate(powers, start=1))
    b = [a[0], *b_inner, x * product % Q]

    require(
        x * (y * A + B - com([z] * N, 0)) + Cd == com(a, r_a),
        "shuffle_proof_failed",
        "factors",
    )
    require(
        x * C_Delta + C_delta == com([x * b[i] - b[i - 1] * a[i] for i in range(1, N)], r_b),
        "shuffle_proof_failed",
        "product",
    )
    require(
        x * B + C_beta == com(m, r_m),
        "shuffle_proof_failed",
        "powers",
    )
    require(
        x * combine(powers, before.firsts) + E0_first == rho * G + combine(m, after.firsts),
        "shuffle_proof_failed",
        "first parts",
    )
    require(
        x * combine(powers, before.seconds) + E0_second == rho * Y + combine(m, after.seconds),
        "shuffle_proof_failed",
        "second parts",
    )
