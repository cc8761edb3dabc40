"""The frames of a link once it is up: what travels between two peers and is no event.

A frame is the canonical encoding of `[name, fields..]`. Signed frames (`Proposal`, `Accept`, `Ack`) carry
their signature as their last field; an event travels inside `EventFrame`. The handshake's frames are in
`hello.py`, the length prefix on the stream in `net/transport.py`; what a frame leads to is the session's
affair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.encoding import Encodable, decode, encode
from p2prummi.wire.events import HASH_BYTES, SIGNATURE_BYTES
from p2prummi.wire.schema import Check, array, blob, boolean, integer, one_of, record, table, text

KEY_BYTES = 32

_KEY = blob(KEY_BYTES)
_HASH = blob(HASH_BYTES)
_SIGNATURE = blob(SIGNATURE_BYTES)
_ADDRESS = text(limits.ADDRESS_BYTES_MAX, bytes_min=3)
_NAME = text(limits.NAME_BYTES_MAX, bytes_min=1)
_SEATS = integer(limits.SEATS_MIN, limits.SEATS_MAX)


@dataclass(frozen=True, slots=True)
class Ping:
    """Says that its sender is alive; each peer sends one whenever a heartbeat has passed."""

    name: ClassVar = "ping"
    checks: ClassVar[tuple[Check[Any], ...]] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What the opener of a room offers; `nonce` and the opener's key hash to the room's id."""

    name: ClassVar = "terms"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        _HASH,
        text(limits.ROOM_NAME_BYTES_MAX, bytes_min=1),
        table(),
        _SEATS,
        boolean(),
    )
    nonce: bytes
    room_name: str
    ruleset: Mapping[str, Encodable]
    seats: int
    code_required: bool


@dataclass(frozen=True, slots=True)
class Presence:
    """Where its sender stands in a room: ready or not, and whom it is linked to (key, addresses to dial)."""

    name: ClassVar = "presence"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        _HASH,
        boolean(),
        array(record(_KEY, array(_ADDRESS, limits.ADDRESSES_MAX)), limits.LINKS_MAX),
    )
    room_id: bytes
    ready: bool
    linked: tuple[tuple[bytes, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A match that the opener proposes: the body that all sign (`transcript/agreement.py`), signed."""

    name: ClassVar = "proposal"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(1, 8 * 1024), _SIGNATURE)
    body: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Accept:
    """A member's signature under a proposal, with the nonce that it adds to the match."""

    name: ClassVar = "accept"
    checks: ClassVar[tuple[Check[Any], ...]] = (_HASH, _HASH, _SIGNATURE)
    proposal: bytes
    nonce: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class EventFrame:
    """An event on its way: the signed body and the signature."""

    name: ClassVar = "event"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(1, limits.BLOB_BYTES_MAX), _SIGNATURE)
    body: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Ack:
    """A seat's signed word that it has checked all up to slot `sequence`.

    `head` is the head after that slot, `state` the hash of the public state.
    """

    name: ClassVar = "ack"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        _HASH,
        integer(0, limits.SEQUENCE_MAX),
        integer(0, limits.SEATS_MAX - 1),
        _HASH,
        _HASH,
        _SIGNATURE,
    )
    context: bytes
    sequence: int
    seat: int
    head: bytes
    state: bytes
    signature: bytes

    def signed_part(self) -> bytes:
        """The bytes that `signature` signs: all fields before it."""
        return encode([self.context, self.sequence, self.seat, self.head, self.state])


@dataclass(frozen=True, slots=True)
class Want:
    """Asks for every event of one slot that the other side holds."""

    name: ClassVar = "want"
    checks: ClassVar[tuple[Check[Any], ...]] = (_HASH, integer(0, limits.SEQUENCE_MAX))
    context: bytes
    sequence: int


@dataclass(frozen=True, slots=True)
class Chat:
    """A line of talk; shown, never interpreted."""

    name: ClassVar = "chat"
    checks: ClassVar[tuple[Check[Any], ...]] = (text(limits.CHAT_BYTES_MAX, bytes_min=1),)
    text: str


@dataclass(frozen=True, slots=True)
class Bye:
    """The last frame of a link that is closed on purpose, and why."""

    name: ClassVar = "bye"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        one_of("left", "fault", "match_over"),
        text(32),
        text(200),
    )
    reason: str
    code: str
    text: str


Frame: TypeAlias = Ping | Terms | Presence | Proposal | Accept | EventFrame | Ack | Want | Chat | Bye
FRAMES: dict[str, type[Frame]] = {
    frame.name: frame for frame in (Ping, Terms, Presence, Proposal, Accept, EventFrame, Ack, Want, Chat, Bye)
}

_FRAME_NAME = text(16, bytes_min=1)


def encode_frame(frame: Frame) -> bytes:
    """Returns the frame's canonical bytes, without the stream's length prefix."""
    values: list[Encodable] = [getattr(frame, field.name) for field in fields(frame)]
    return encode([frame.name, *values])


def parse_frame(data: bytes) -> Frame:
    """Reads a frame's bytes. Raises RemoteProtocolError for any bytes that are no frame, and nothing else."""
    if len(data) > limits.FRAME_BYTES_MAX:
        raise RemoteProtocolError(FaultCode.OVERSIZED_FRAME, f"a frame of {len(data)} bytes")
    value = decode(data)
    if not isinstance(value, tuple) or not value:
        raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "a frame is an array of its name and its fields")
    frame_type = FRAMES.get(_FRAME_NAME(value[0]))
    if frame_type is None:
        raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "no frame has this name")
    return frame_type(*record(*frame_type.checks)(value[1:]))
