"""Decryption shares and their proof.

S_i = x·A_i for many ciphertexts of one key, with one proof for all (Chaum and Pedersen, batched).

The proof says that log_G(Y) = log_A*(S*) for the weighted sums A* = Σ w_i·A_i and S* = Σ w_i·S_i. The weights
are hashed from the context, the key, the indices, all points and all shares: a prover who could foresee them
could let the errors of two shares cancel. Letters as in `protocol/spec/crypto.md`, "Shares". Sources: Chaum
and Pedersen 1992; Bellare, Garay and Rabin 1998 (small exponents).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from p2prummi.crypto.challenge import RunningChallenge
from p2prummi.crypto.entropy import Entropy, random_scalar
from p2prummi.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    combine_public,
    multiply_generator,
    multiply_secret,
    scalar_from_bytes,
    scalar_to_bytes,
)
from p2prummi.crypto.labels import Label, framed, uint32
from p2prummi.crypto.refusal import RefusalError, require_bytes
from p2prummi.errors import FaultCode

SHARE_PROOF_BYTES = 2 * POINT_BYTES + SCALAR_BYTES

_WEIGHT_BYTES = 16


def prove_shares(
    context: bytes,
    x: int,
    Y: Point,
    indices: Sequence[int],
    points: Sequence[Point],
    shares: Sequence[Point],
    entropy: Entropy,
) -> bytes:
    """A proof (98 bytes: K, L, s) that every shares[i] is x·points[i], where Y = x·G."""
    challenge = _statement(context, Y, indices, points, shares)
    weights = _weights(challenge, len(points))
    k = random_scalar(entropy)
    K = multiply_generator(k).to_bytes()
    L = multiply_secret(k, combine_public(weights, points)).to_bytes()
    c = _challenge(challenge, K, L)
    return K + L + scalar_to_bytes(k + c * x)


def verify_shares(
    context: bytes,
    Y: Point,
    indices: Sequence[int],
    points: Sequence[Point],
    shares: Sequence[Point],
    proof: bytes,
) -> None:
    """Check the proof; raises `RefusalError`.

    Conditions: `encoding`, `range` and the like for bytes; `key` and `shares` for the equations
    (`share_proof_failed`).
    """
    proof = require_bytes(proof, SHARE_PROOF_BYTES, "share proof")
    K = Point.from_bytes(proof[:POINT_BYTES], "K")
    L = Point.from_bytes(proof[POINT_BYTES : 2 * POINT_BYTES], "L")
    s = scalar_from_bytes(proof[2 * POINT_BYTES :], "s")
    challenge = _statement(context, Y, indices, points, shares)
    weights = _weights(challenge, len(points))
    c = _challenge(challenge, K.to_bytes(), L.to_bytes())
    # Equation `key` says that s·G = K + c·Y.
    if not combine_public((-1, -c), (K, Y), generator=s).is_neutral:
        raise RefusalError(FaultCode.SHARE_PROOF_FAILED, "key", "the shares' proof is not of this key")
    # Equation `shares` says that s·A* = L + c·S*.
    base, share = combine_public(weights, points), combine_public(weights, shares)
    if not combine_public((s, -1, -c), (base, L, share)).is_neutral:
        raise RefusalError(FaultCode.SHARE_PROOF_FAILED, "shares", "a share is not the key's")


def _statement(
    context: bytes, Y: Point, indices: Sequence[int], points: Sequence[Point], shares: Sequence[Point]
) -> RunningChallenge:
    challenge = RunningChallenge(Label.SHARE_PROOF)
    challenge.absorb("context", context)
    challenge.absorb("Y", Y.to_bytes())
    challenge.absorb("indices", b"".join(map(uint32, indices)))
    challenge.absorb("points", b"".join([point.to_bytes() for point in points]))
    challenge.absorb("shares", b"".join([share.to_bytes() for share in shares]))
    return challenge


def _weights(challenge: RunningChallenge, size: int) -> list[int]:
    seed = scalar_to_bytes(challenge.draw("w"))
    return [
        int.from_bytes(
            sha256(framed(Label.SHARE_WEIGHT, seed, uint32(position))).digest()[:_WEIGHT_BYTES], "big"
        )
        for position in range(size)
    ]


def _challenge(challenge: RunningChallenge, K: bytes, L: bytes) -> int:
    challenge.absorb("K", K)
    challenge.absorb("L", L)
    return challenge.draw("c")
