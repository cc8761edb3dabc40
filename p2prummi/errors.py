"""The errors of the program, and the names of every fault that a peer can commit.

Three kinds must not blur: what a remote peer did wrong (`RemoteProtocolError`, always with a
`FaultCode`), what the local caller did wrong (`LocalProtocolError`), and what a person got wrong, which is
no exception at all but a list of faults with words (`p2prummi.rules.turns`).
`protocol/spec/faults.md` explains each code; a test holds the two lists against each other.
"""

from __future__ import annotations

from enum import StrEnum


class FaultCode(StrEnum):
    """What a peer did wrong, by the name that every implementation uses for it."""

    # The bytes themselves.
    MALFORMED_FRAME = "malformed_frame"
    OVERSIZED_FRAME = "oversized_frame"
    NOT_CANONICAL = "not_canonical"
    WRONG_SCHEMA = "wrong_schema"
    LIMIT_EXCEEDED = "limit_exceeded"
    UNEXPECTED_FRAME = "unexpected_frame"
    # The link.
    VERSION_MISMATCH = "version_mismatch"
    HANDSHAKE_FAILED = "handshake_failed"
    HANDSHAKE_TIMEOUT = "handshake_timeout"
    WRONG_CODE = "wrong_code"
    WRONG_ROOM = "wrong_room"
    TOO_MANY_CONNECTIONS = "too_many_connections"
    DUPLICATE_LINK = "duplicate_link"
    LINK_LOST = "link_lost"
    # Cryptography.
    INVALID_POINT = "invalid_point"
    INVALID_SCALAR = "invalid_scalar"
    NEUTRAL_ELEMENT = "neutral_element"
    KEY_PROOF_FAILED = "key_proof_failed"
    KEY_REUSED = "key_reused"
    COMMITMENT_MISMATCH = "commitment_mismatch"
    SHUFFLE_PROOF_FAILED = "shuffle_proof_failed"
    SHARE_PROOF_FAILED = "share_proof_failed"
    NO_SUCH_TILE = "no_such_tile"
    # Events and the chain.
    BAD_SIGNATURE = "bad_signature"
    WRONG_CONTEXT = "wrong_context"
    WRONG_SEQUENCE = "wrong_sequence"
    WRONG_HEAD = "wrong_head"
    WRONG_SEAT = "wrong_seat"
    OUT_OF_TURN = "out_of_turn"
    WRONG_PHASE = "wrong_phase"
    EQUIVOCATION = "equivocation"
    STATE_DIFFERS = "state_differs"
    # The game.
    ILLEGAL_TURN = "illegal_turn"
    TILE_NOT_HELD = "tile_not_held"
    WRONG_INDEX = "wrong_index"
    WRONG_RESULT = "wrong_result"
    # The match.
    WRONG_PROPOSAL = "wrong_proposal"
    WRONG_TRANSCRIPT = "wrong_transcript"


class P2PRummiError(Exception):
    """The base of every error that this package raises on purpose."""


class LocalProtocolError(P2PRummiError):
    """The local caller asked for what the protocol or the state does not allow; says what would do."""


class RemoteProtocolError(P2PRummiError):
    """A peer broke the protocol: `code` names the fault, `culprit` the key to blame where one is known."""

    def __init__(self, code: FaultCode, text: str, culprit: bytes | None = None) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.culprit = culprit
