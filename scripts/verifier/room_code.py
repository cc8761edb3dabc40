"""The exchange over a room code: SPAKE2 and the proofs that both sides have the same key (transport.md)."""

# The letters are those of the specification.
# ruff: noqa: N806

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from verifier.ed25519 import NEUTRAL, ORDER, Extended, add, base, decode, encode, multiply
from verifier.hashing import framed
from verifier.refusal import Refused, require

MESSAGE_BYTES = 33
LETTERS = {True: b"A", False: b"B"}
M_BYTES = bytes.fromhex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312")
N_BYTES = bytes.fromhex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3")


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _point(data: bytes) -> Extended:
    """A point of the group of order L other than the neutral one."""
    point = decode(data)
    good = point is not None and data != encode(NEUTRAL) and encode(multiply(ORDER, point)) == encode(NEUTRAL)
    if point is None or not good:
        raise Refused("handshake_failed", layer="link")
    return point


def _password_scalar(pw: bytes) -> int:
    """HKDF-SHA-256 (RFC 5869) without salt, 48 bytes, modulo L."""
    key, block, output = hmac.digest(bytes(32), pw, "sha256"), b"", b""
    for number in (1, 2):
        block = hmac.digest(key, block + b"SPAKE2 pw" + bytes([number]), "sha256")
        output += block
    return int.from_bytes(output[:48], "big") % ORDER


@dataclass(frozen=True)
class Side:
    """One side of an exchange: which, the code, what both are bound to, and its own scalar."""

    is_dialler: bool
    code: str
    id_a: bytes
    id_b: bytes
    secret: int

    @property
    def pw(self) -> bytes:
        """The password."""
        return framed("room code", self.code.encode("ascii"))

    @property
    def message(self) -> bytes:
        """What it sends: its letter, then x·B + w·M or y·B + w·N."""
        blinding = _point(M_BYTES if self.is_dialler else N_BYTES)
        own = add(multiply(self.secret, base()), multiply(_password_scalar(self.pw), blinding))
        return LETTERS[self.is_dialler] + encode(own)

    def key(self, message: bytes) -> bytes:
        """K, from the other side's message."""
        good = len(message) == MESSAGE_BYTES and message[:1] == LETTERS[not self.is_dialler]
        require(good and message[1:] != self.message[1:], "handshake_failed", layer="link")
        its = _point(message[1:])
        blinding = _point(N_BYTES if self.is_dialler else M_BYTES)
        unblinded = add(its, multiply(ORDER - _password_scalar(self.pw), blinding))
        S = encode(multiply(self.secret, unblinded))
        A, B = (self.message, message) if self.is_dialler else (message, self.message)
        return _sha256(_sha256(self.pw) + _sha256(self.id_a) + _sha256(self.id_b) + A[1:] + B[1:] + S)


def check_exchange(side: Side, message: bytes, proof: bytes) -> bytes:
    """Hold the other side's message and proof against the code; give this side's own proof."""
    key = side.key(message)
    labels = {True: "room code confirm dialler", False: "room code confirm listener"}
    proofs = {is_dialler: hmac.digest(key, framed(label), "sha256") for is_dialler, label in labels.items()}
    require(proof == proofs[not side.is_dialler], "wrong_code", layer="link")
    return proofs[side.is_dialler]
