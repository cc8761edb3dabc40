"""The signed events of a round: their bodies to the byte, and reading one that came from anywhere.

An event's body is the canonical encoding of `[kind, context, sequence, prev, seat, fields..]`; an Ed25519
signature over it travels beside it. The signed bytes are kept and hashed as they came. This module knows what
an event looks like; who may send it, when, and whether it is true is decided by `transcript/replay.py` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from p2prummi.crypto.labels import Label, digest
from p2prummi.crypto.signing import SigningKey, verify
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.encoding import Encodable, decode, encode
from p2prummi.wire.schema import Check, array, blob, integer, record, text

POINT_BYTES = 33
SCALAR_BYTES = 32
HASH_BYTES = 32
SIGNATURE_BYTES = 64
CIPHERTEXT_BYTES = 2 * POINT_BYTES

WireMeld: TypeAlias = tuple[int, tuple[int, ...]]
"""A meld as it travels: 0 for a group or 1 for a run, and the numbers of its tiles in canonical order."""

_TILE = integer(0, limits.TILES_MAX - 1)
_MELD = record(integer(0, 1), array(_TILE, 13, items_min=3))
_MELDS = array(_MELD, limits.MELDS_MAX)
_SHARES = blob(POINT_BYTES, limits.TILES_MAX * POINT_BYTES)
_PROOF = blob(SCALAR_BYTES, limits.BLOB_BYTES_MAX)


@dataclass(frozen=True, slots=True)
class Commit:
    """The hash that binds a seat to what it reveals next."""

    kind: ClassVar = "commit"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(HASH_BYTES),)
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Reveal:
    """The seat's share of the joint key, its proof of knowledge, and its 32 bytes of the joint coin."""

    kind: ClassVar = "reveal"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(POINT_BYTES), _PROOF, blob(HASH_BYTES))
    public: bytes
    proof: bytes
    coin: bytes


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The deck, re-encrypted and permuted: for each index both parts of its ciphertext."""

    kind: ClassVar = "shuffle"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(CIPHERTEXT_BYTES, limits.TILES_MAX * CIPHERTEXT_BYTES),)
    deck: bytes


@dataclass(frozen=True, slots=True)
class Prove:
    """The proof that this seat's shuffle holds the same tiles as the deck before it."""

    kind: ClassVar = "prove"
    checks: ClassVar[tuple[Check[Any], ...]] = (_PROOF,)
    proof: bytes


@dataclass(frozen=True, slots=True)
class Deal:
    """Decryption shares for every tile that is dealt to another seat, by ascending index, with one proof."""

    kind: ClassVar = "deal"
    checks: ClassVar[tuple[Check[Any], ...]] = (_SHARES, _PROOF)
    shares: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Play:
    """A lay: the whole table after it, the opening melds (indices into the table), and each laid tile proved.

    `laid` pairs the tile's number with the deck index that it came from, by ascending index; `shares` holds
    the mover's own decryption shares for these indices in the same order.
    """

    kind: ClassVar = "play"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        _MELDS,
        array(integer(0, limits.MELDS_MAX - 1), limits.MELDS_MAX),
        array(record(_TILE, _TILE), limits.TILES_MAX, items_min=1),
        _SHARES,
        _PROOF,
    )
    melds: tuple[WireMeld, ...]
    opening: tuple[int, ...]
    laid: tuple[tuple[int, int], ...]
    shares: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Draw:
    """The mover draws the next tile of the pool."""

    kind: ClassVar = "draw"
    checks: ClassVar[tuple[Check[Any], ...]] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """The mover passes, as the pool is empty."""

    kind: ClassVar = "pass"
    checks: ClassVar[tuple[Check[Any], ...]] = ()


@dataclass(frozen=True, slots=True)
class DrawShare:
    """Another seat's decryption shares for exactly the indices that the mover draws."""

    kind: ClassVar = "draw_share"
    checks: ClassVar[tuple[Check[Any], ...]] = (_SHARES, _PROOF)
    shares: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Settle:
    """The seat's secret of this round's key: with all of them everyone opens all racks and the pool."""

    kind: ClassVar = "settle"
    checks: ClassVar[tuple[Check[Any], ...]] = (blob(SCALAR_BYTES),)
    secret: bytes


@dataclass(frozen=True, slots=True)
class Result:
    """The round's points by seat, as this seat worked them out; `prev` is the head that they rest on."""

    kind: ClassVar = "result"
    checks: ClassVar[tuple[Check[Any], ...]] = (
        array(integer(-100_000, 100_000), limits.SEATS_MAX, items_min=limits.SEATS_MIN),
    )
    points: tuple[int, ...]


Payload: TypeAlias = (
    Commit | Reveal | Shuffle | Prove | Deal | Play | Draw | Pass | DrawShare | Settle | Result
)
PAYLOADS: dict[str, type[Payload]] = {
    payload.kind: payload
    for payload in (Commit, Reveal, Shuffle, Prove, Deal, Play, Draw, Pass, DrawShare, Settle, Result)
}

_KIND = text(16, bytes_min=1)
_HEADER = (
    blob(HASH_BYTES),
    integer(0, limits.SEQUENCE_MAX),
    blob(HASH_BYTES),
    integer(0, limits.SEATS_MAX - 1),
)
_HEADER_FIELDS = 1 + len(_HEADER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A signed event as it travels and is kept: `body` and `signature` are bytes, the rest what they say."""

    body: bytes
    signature: bytes
    context: bytes
    sequence: int
    prev: bytes
    seat: int
    payload: Payload

    @property
    def kind(self) -> str:
        """The event's name on the wire."""
        return self.payload.kind

    @property
    def hash(self) -> bytes:
        """The 32 bytes that heads are made of: a labelled hash of the body, signature left out."""
        return digest(Label.EVENT_BODY, self.body)

    def signed_by(self, public: bytes) -> bool:
        """Says whether the Ed25519 key `public` signed this body."""
        return verify(public, Label.SIGN_EVENT, self.body, self.signature)


def sign_event(
    key: SigningKey, *, context: bytes, sequence: int, prev: bytes, seat: int, payload: Payload
) -> Event:
    """Returns the event that `key` signs for this slot."""
    values: list[Encodable] = [getattr(payload, field.name) for field in fields(payload)]
    body = encode([payload.kind, context, sequence, prev, seat, *values])
    signature = key.sign(Label.SIGN_EVENT, body)
    return Event(
        body=body,
        signature=signature,
        context=context,
        sequence=sequence,
        prev=prev,
        seat=seat,
        payload=payload,
    )


def parse_event(body: bytes, signature: bytes) -> Event:
    """Reads an event's bytes; its signature is not looked at.

    Raises RemoteProtocolError for any bytes that are no event.
    """
    value = decode(body)
    if not isinstance(value, tuple) or not value:
        raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "an event is an array of its header and its fields")
    payload_type = PAYLOADS.get(_KIND(value[0]))
    if payload_type is None:
        raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "no event has this name")
    context, sequence, prev, seat = record(*_HEADER)(value[1:_HEADER_FIELDS])
    payload = payload_type(*record(*payload_type.checks)(value[_HEADER_FIELDS:]))
    return Event(
        body=body,
        signature=signature,
        context=context,
        sequence=sequence,
        prev=prev,
        seat=seat,
        payload=payload,
    )
