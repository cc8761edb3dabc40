"""Domain separation: every label that is hashed or signed, and the one way in which they are framed.

A framed input is the label in ASCII, a zero byte, then each part as its length in four bytes (big endian)
followed by its bytes. No label holds a zero byte and every part says its length, so two different lists of
parts never give the same bytes, and nothing made under one label is ever valid under another.
Every label begins with the protocol's name (byte 0x70): never with 0x20 or 0x30, with which TLS begins what
it signs and certificates begin, so that no signature made here can be read as one of theirs.
The running hash for challenges is in `challenge.py`; specification: `protocol/spec/notation.md`.
"""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256


class Label(StrEnum):
    """What a hash or a signature is for. A new use gets a new label; none is ever used for two things."""

    # Points of the group whose discrete logarithm nobody knows.
    TILE = "p2prummi/1 tile"
    GENERATOR = "p2prummi/1 generator"
    # Challenges.
    KEY_PROOF = "p2prummi/1 key proof"
    SHUFFLE_PROOF = "p2prummi/1 shuffle proof"
    SHARE_PROOF = "p2prummi/1 share proof"
    SHARE_WEIGHT = "p2prummi/1 share weight"
    # The round's keys and coin.
    KEY_COMMITMENT = "p2prummi/1 key commitment"
    JOINT_COIN = "p2prummi/1 joint coin"
    COIN_DRAW = "p2prummi/1 coin draw"
    # Hashes of the match and the chain.
    ROOM_ID = "p2prummi/1 room id"
    RULESET = "p2prummi/1 ruleset"
    NONCE_COMMITMENT = "p2prummi/1 nonce commitment"
    PROPOSAL = "p2prummi/1 proposal"
    MATCH_ID = "p2prummi/1 match id"
    SEAT_RANK = "p2prummi/1 seat rank"
    ROUND_CONTEXT = "p2prummi/1 round context"
    CHAIN_START = "p2prummi/1 chain start"
    CHAIN_HEAD = "p2prummi/1 chain head"
    EVENT_BODY = "p2prummi/1 event body"
    GAME_STATE = "p2prummi/1 game state"
    FINGERPRINT = "p2prummi/1 fingerprint"
    CERTIFICATE = "p2prummi/1 certificate"
    # Signatures.
    SIGN_EVENT = "p2prummi/1 sign event"
    SIGN_ACK = "p2prummi/1 sign ack"
    SIGN_PROPOSAL = "p2prummi/1 sign proposal"
    SIGN_ACCEPT = "p2prummi/1 sign accept"
    SIGN_HANDSHAKE = "p2prummi/1 sign handshake"
    # The room code.
    ROOM_CODE = "p2prummi/1 room code"
    ROOM_CODE_CONFIRM_DIALLER = "p2prummi/1 room code confirm dialler"
    ROOM_CODE_CONFIRM_LISTENER = "p2prummi/1 room code confirm listener"
    # Streams that are reproducible on purpose: tests, simulations, vectors.
    SEEDED_ENTROPY = "p2prummi/1 seeded entropy"


def framed(label: Label, *parts: bytes) -> bytes:
    """The bytes that stand for `label` and `parts`, injectively (see the module's head)."""
    pieces = [label.value.encode("ascii"), b"\0"]
    for part in parts:
        pieces.append(len(part).to_bytes(4, "big"))
        pieces.append(part)
    return b"".join(pieces)


def digest(label: Label, *parts: bytes) -> bytes:
    """SHA-256 over the framed label and parts: 32 bytes."""
    return sha256(framed(label, *parts)).digest()


def uint32(value: int) -> bytes:
    """A small number (seat, index, counter) as four bytes, big endian.

    Every number that is hashed takes this form.
    """
    return value.to_bytes(4, "big")
