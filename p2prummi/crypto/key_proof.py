"""The proof that a seat knows the secret of its round key (Schnorr), bound to context and seat.

Without it a peer could announce a key that cancels the others' (a rogue key), or repeat another's.
Letters as in `protocol/spec/crypto.md`, "Key proof": Y = x·G, K = k·G, s = k + c·x.
"""

from __future__ import annotations

from p2prummi.crypto.challenge import RunningChallenge
from p2prummi.crypto.entropy import Entropy, random_scalar
from p2prummi.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    combine_public,
    multiply_generator,
    scalar_from_bytes,
    scalar_to_bytes,
)
from p2prummi.crypto.labels import Label, uint32
from p2prummi.crypto.refusal import RefusalError, require_bytes
from p2prummi.errors import FaultCode

KEY_PROOF_BYTES = POINT_BYTES + SCALAR_BYTES


def prove_key(context: bytes, seat: int, x: int, entropy: Entropy) -> bytes:
    """A proof (65 bytes: K, s) of knowledge of x for the key x·G of `seat`."""
    k = random_scalar(entropy)
    K = multiply_generator(k).to_bytes()
    c = _challenge(context, seat, multiply_generator(x).to_bytes(), K)
    return K + scalar_to_bytes(k + c * x)


def verify_key(context: bytes, seat: int, public: bytes, proof: bytes) -> None:
    """Check the proof for the key `public` of `seat`; raises `RefusalError`.

    Conditions: `encoding`, `range` and the like for bytes; `knowledge` for the equation (`key_proof_failed`).
    """
    Y = Point.from_bytes(public, "key")
    proof = require_bytes(proof, KEY_PROOF_BYTES, "key proof")
    K = Point.from_bytes(proof[:POINT_BYTES], "K")
    s = scalar_from_bytes(proof[POINT_BYTES:], "s")
    c = _challenge(context, seat, public, proof[:POINT_BYTES])
    # Equation `knowledge` says that s·G = K + c·Y.
    if not combine_public((-1, -c), (K, Y), generator=s).is_neutral:
        raise RefusalError(
            FaultCode.KEY_PROOF_FAILED, "knowledge", "the proof for the round key is wrong", seat=seat
        )


def _challenge(context: bytes, seat: int, public: bytes, K: bytes) -> int:
    challenge = RunningChallenge(Label.KEY_PROOF)
    challenge.absorb("context", context)
    challenge.absorb("seat", uint32(seat))
    challenge.absorb("Y", public)
    challenge.absorb("K", K)
    return challenge.draw("c")
