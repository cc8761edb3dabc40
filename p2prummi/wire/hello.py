"""The frames of a handshake: their fields and their schemas, nothing of their order.

The dialler and the listener of a connection exchange these before a link is up; which one comes when, and
what the keys and the signature mean, is decided in `p2prummi.session.handshake`; the frames of a link that is
up are in `frames.py`. The first three values of `welcome` and `hello` (name, protocol versions, program
version) and the whole of `refused` keep their meaning in every version of the protocol, so that two peers of
different versions can tell each other so. `protocol/spec/transport.md` is the normative text.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal, TypeAlias, cast

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.encoding import Value, decode, encode
from p2prummi.wire.events import HASH_BYTES, SIGNATURE_BYTES
from p2prummi.wire.frames import KEY_BYTES
from p2prummi.wire.schema import Check, array, blob, boolean, integer, one_of, record, text

PROTOCOL_VERSIONS: Final = (1,)

NONCE_BYTES: Final = 32
CODE_MESSAGE_BYTES: Final = 33
CODE_PROOF_BYTES: Final = 32

NO_ROOM: Final = b""

RoomState: TypeAlias = Literal["open", "playing", "idle"]
Purpose: TypeAlias = Literal["join", "probe"]


def _blob_or_nothing(size: int) -> Check[bytes]:
    """A blob of exactly `size` bytes, or an empty one."""
    whole = blob(size)

    def check(value: Value) -> bytes:
        return b"" if value == b"" else whole(value)

    return check


_VERSIONS: Final = array(integer(1, 65535), limits.VERSIONS_MAX, items_min=1)
_PROGRAM: Final = text(limits.PROGRAM_BYTES_MAX)
_PLAYER_NAME: Final = text(limits.NAME_BYTES_MAX, bytes_min=1)
_ADVERT_FIELDS: Final = record(
    one_of("open", "playing", "idle"),
    _blob_or_nothing(HASH_BYTES),
    text(limits.ROOM_NAME_BYTES_MAX),
    _blob_or_nothing(KEY_BYTES),
    text(limits.NAME_BYTES_MAX),
    _blob_or_nothing(HASH_BYTES),
    integer(0, limits.SEATS_MAX),
    integer(0, limits.SEATS_MAX),
    boolean(),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomAdvert:
    """What a peer tells everybody about the room it sits in.

    A peer that sits in none is `idle`, and all else is empty. `opener` is the identity key of the peer that
    opened the room, `ruleset_hash` the hash of the whole ruleset.
    """

    state: RoomState = "idle"
    room_id: bytes = NO_ROOM
    name: str = ""
    opener: bytes = b""
    ruleset_name: str = ""
    ruleset_hash: bytes = b""
    seats_taken: int = 0
    seats: int = 0
    code_required: bool = False

    def to_value(self) -> Value:
        """The advert as an array of its fields, in their order."""
        return tuple(getattr(self, field.name) for field in fields(self))


def advert_from_value(value: Value) -> RoomAdvert:
    """Reads an advert. Raises RemoteProtocolError (wrong_schema), also for one that contradicts itself."""
    names = (field.name for field in fields(RoomAdvert))
    advert = RoomAdvert(**dict(zip(names, _ADVERT_FIELDS(value), strict=True)))
    if advert.state == "idle":
        sound = advert == RoomAdvert()
    else:
        sound = bool(
            advert.room_id and advert.opener and advert.ruleset_hash and advert.seats_taken <= advert.seats
        )
    if not sound:
        raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "the advert of a room contradicts itself")
    return advert


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """The listener's first frame; its identity key is not in here but in its certificate."""

    frame: ClassVar = "welcome"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        _VERSIONS,
        _PROGRAM,
        blob(NONCE_BYTES),
        _PLAYER_NAME,
        _blob_or_nothing(HASH_BYTES),
        boolean(),
    )
    versions: tuple[int, ...]
    program: str
    nonce: bytes
    name: str
    room_id: bytes
    code_needed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The dialler's first frame: who it is, what it wants and where it can itself be dialled.

    `version` is the one that both keep to from here on, `addresses` are texts of the form `host:port`, to be
    tried beside the address that the connection comes from with `port`, which is 0 where the dialler can't be
    dialled; `code_message` is empty where no code is needed.
    """

    frame: ClassVar = "hello"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        _VERSIONS,
        _PROGRAM,
        integer(1, 65535),
        blob(KEY_BYTES),
        blob(NONCE_BYTES),
        _PLAYER_NAME,
        integer(0, 65535),
        array(text(limits.ADDRESS_BYTES_MAX, bytes_min=3), limits.ADDRESSES_MAX),
        one_of("join", "probe"),
        _blob_or_nothing(HASH_BYTES),
        advert_from_value,
        _blob_or_nothing(CODE_MESSAGE_BYTES),
        blob(SIGNATURE_BYTES),
    )
    versions: tuple[int, ...]
    program: str
    version: int
    key: bytes
    nonce: bytes
    name: str
    port: int
    addresses: tuple[str, ...]
    purpose: Purpose
    room_id: bytes
    advert: RoomAdvert
    code_message: bytes
    signature: bytes = bytes(SIGNATURE_BYTES)

    def signed_body(self, certificate_hash: bytes, listener_nonce: bytes) -> bytes:
        """The bytes that `signature` signs.

        The listener's certificate and nonce, and every field before the signature.
        """
        return encode((certificate_hash, listener_nonce, _frame_value(self)[:-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeReply:
    """The listener's half of the key exchange over the room code."""

    frame: ClassVar = "code_reply"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(CODE_MESSAGE_BYTES),)
    message: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProof:
    """The dialler's proof that it knows the room code."""

    frame: ClassVar = "code_proof"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(CODE_PROOF_BYTES),)
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The listener lets the dialler in.

    `proof` shows that it knows the room code and is empty where there is none.
    """

    frame: ClassVar = "accepted"
    checks: ClassVar[tuple[Check[Any], ...]] = (_blob_or_nothing(CODE_PROOF_BYTES),)
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomInfo:
    """The listener's answer to a probe, after which the connection closes."""

    frame: ClassVar = "room_info"
    checks: ClassVar[tuple[Check[Any], ...]] = (advert_from_value,)
    advert: RoomAdvert


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The dialler's last word: from here on the connection is the one link between the two."""

    frame: ClassVar = "start"
    checks: ClassVar[tuple[Check[Any], ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Either side's last word: why there will be no link.

    `code` is a text, since a later version may know more codes.
    """

    frame: ClassVar = "refused"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        _VERSIONS,
        _PROGRAM,
        text(limits.REFUSAL_CODE_BYTES_MAX, bytes_min=1),
        text(limits.REFUSAL_TEXT_BYTES_MAX),
    )
    versions: tuple[int, ...]
    program: str
    code: str
    text: str


HandshakeFrame: TypeAlias = Welcome | Hello | CodeReply | CodeProof | Accepted | RoomInfo | Start | Refused
HANDSHAKE_FRAMES: Final[dict[str, type[HandshakeFrame]]] = {
    frame_type.frame: frame_type
    for frame_type in (Welcome, Hello, CodeReply, CodeProof, Accepted, RoomInfo, Start, Refused)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What `welcome`, `hello` and `refused` begin with in every version of the protocol."""

    frame: str
    versions: tuple[int, ...]
    program: str


def encode_handshake(frame: HandshakeFrame) -> bytes:
    """The canonical bytes of a frame, without the length that goes before them on the stream."""
    return encode(_frame_value(frame))


def decode_offer(data: bytes) -> Offer:
    """Reads what a first frame of any version begins with, whatever comes after it.

    Raises RemoteProtocolError: the codes of `decode`, oversized_frame, wrong_schema.
    """
    value = _named_array(data)
    if len(value) < 3:
        raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "expected a name, versions and a program version")
    return Offer(frame=cast("str", value[0]), versions=_VERSIONS(value[1]), program=_PROGRAM(value[2]))


def decode_handshake(data: bytes) -> HandshakeFrame:
    """Reads a frame of this version.

    Raises RemoteProtocolError: the codes of `decode`, oversized_frame, wrong_schema.
    """
    value = _named_array(data)
    frame_type = HANDSHAKE_FRAMES.get(cast("str", value[0]))
    if frame_type is None:
        raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "no frame of a handshake has this name")
    values = record(*frame_type.checks)(value[1:])
    names = (field.name for field in fields(frame_type))
    return frame_type(**dict(zip(names, values, strict=True)))


def _frame_value(frame: HandshakeFrame) -> tuple[Value, ...]:
    """The array that a frame is on the wire: its name, then its fields in their order."""
    values = (getattr(frame, field.name) for field in fields(frame))
    return (frame.frame, *(value.to_value() if isinstance(value, RoomAdvert) else value for value in values))


def _named_array(data: bytes) -> tuple[Value, ...]:
    """The array that `data` encodes, sure to begin with a text."""
    if len(data) > limits.HANDSHAKE_FRAME_BYTES_MAX:
        raise RemoteProtocolError(FaultCode.OVERSIZED_FRAME, "the frame is longer than a handshake's may be")
    value = decode(data)
    if not isinstance(value, tuple) or not value or not isinstance(value[0], str):
        raise RemoteProtocolError(
            FaultCode.WRONG_SCHEMA, "expected an array that begins with the frame's name"
        )
    return value
