"""Who is at the ends of a connection: certificate, fingerprint and hello (transport.md, discovery.md)."""

from __future__ import annotations

import base64
from typing import NamedTuple

from verifier.ed25519 import check_signature
from verifier.hashing import digest
from verifier.messages import blob, read_with
from verifier.refusal import Refused, require
from verifier.schema import Json, array, integer
from verifier.values import encode, from_json

FINGERPRINT_BYTES = 10
SEATS_MAX = 6
SEQUENCE, BIT_STRING, EXPLICIT_0 = 0x30, 0x03, 0xA0
# The object identifier of Ed25519 keys, 1.3.101.112, as the only part of their algorithm.
ED25519_ALGORITHM = bytes.fromhex("06032b6570")


def _text(least: int, most: int) -> Json:
    return {"type": "string", "minBytes": least, "maxBytes": most}


def _blob(size: int) -> Json:
    digits = {"type": "string", "minLength": 2 * size, "maxLength": 2 * size}
    return {
        "type": "object",
        "required": ["blob"],
        "additionalProperties": False,
        "properties": {"blob": digits},
    }


def _blob_or_nothing(size: int) -> Json:
    return {"oneOf": [_blob(0), _blob(size)]}


_VERSIONS = {"type": "array", "items": integer(1, 65535), "minItems": 1, "maxItems": 16}
_ADVERT = array(
    {"enum": ["open", "playing", "idle"]},
    _blob_or_nothing(32),
    _text(0, 48),
    _blob_or_nothing(32),
    _text(0, 32),
    _blob_or_nothing(32),
    integer(0, SEATS_MAX),
    integer(0, SEATS_MAX),
    {"type": "boolean"},
)
WELCOME = array(
    {"const": "welcome"},
    _VERSIONS,
    _text(0, 32),
    _blob(32),
    _text(1, 32),
    _blob_or_nothing(32),
    {"type": "boolean"},
)
HELLO = array(
    {"const": "hello"},
    _VERSIONS,
    _text(0, 32),
    integer(1, 65535),
    _blob(32),
    _blob(32),
    _text(1, 32),
    integer(0, 65535),
    {"type": "array", "items": _text(3, 64), "maxItems": 16},
    {"enum": ["join", "probe"]},
    _blob_or_nothing(32),
    _ADVERT,
    _blob_or_nothing(33),
    _blob(64),
)
NOTHING = {"blob": ""}
IDLE = ["idle", NOTHING, "", NOTHING, "", NOTHING, 0, 0, False]


def fingerprint(key: bytes) -> str:
    """Ten bytes of the key's digest in base 32, in groups of four."""
    letters = base64.b32encode(digest("fingerprint", key)[:FINGERPRINT_BYTES]).decode("ascii").lower()
    return "-".join(letters[place : place + 4] for place in range(0, len(letters), 4))


def certificate_hash(certificate: bytes) -> bytes:
    """What stands for a certificate on its connections."""
    return digest("certificate", certificate)


class _Element(NamedTuple):
    """One element of DER: its tag, what it holds, and what comes after it."""

    tag: int
    content: bytes
    rest: bytes


def _element(data: bytes, tag: int | None = None) -> _Element:
    """Read one element with a tag of one byte; `handshake_failed` where there is none, or of another tag."""
    refused = Refused("handshake_failed", layer="link")
    if len(data) < 2 or (tag is not None and data[0] != tag):
        raise refused
    length, start = data[1], 2
    if length > 0x80:
        start += length - 0x80
        length = int.from_bytes(data[2:start], "big")
    if length == 0x80 or len(data) < start + length:
        raise refused
    return _Element(data[0], data[start : start + length], data[start + length :])


def key_of(certificate: bytes) -> bytes:
    """The Ed25519 key of a certificate (RFC 5280, 4.1; RFC 8410); its dates and names mean nothing."""
    whole = _element(certificate, SEQUENCE)
    require(whole.rest == b"", "handshake_failed", layer="link")
    rest = _element(whole.content, SEQUENCE).content
    if rest[:1] == bytes([EXPLICIT_0]):
        rest = _element(rest).rest
    # The serial number, the signature's algorithm, issuer, validity and subject.
    for _ in range(5):
        rest = _element(rest).rest
    public = _element(rest, SEQUENCE).content
    algorithm = _element(public, SEQUENCE)
    require(algorithm.content == ED25519_ALGORITHM, "handshake_failed", layer="link")
    bits = _element(algorithm.rest, BIT_STRING).content
    # No bits of the last byte are unused.
    require(len(bits) == 33 and bits[0] == 0, "handshake_failed", layer="link")
    return bits[1:]


def check_hello(listener: bytes, its_hash: bytes, welcome_frame: bytes, hello_frame: bytes) -> Json:
    """Whether a hello is an answer to this listener's welcome, by the key that it names; gives it."""
    welcome, hello = read_with(WELCOME, welcome_frame), read_with(HELLO, hello_frame)
    *fields, signature = hello
    _, versions, _, version, key, *_ = fields
    advert = fields[11]
    if advert[0] == "idle":
        sound = advert == IDLE
    else:
        sound = NOTHING not in (advert[1], advert[3], advert[5]) and advert[6] <= advert[7]
    require(sound, "wrong_schema", layer="schema")
    require(version in welcome[1] and version in versions, "wrong_schema", layer="link")
    require(blob(key) != listener, "handshake_failed", layer="link")
    body = encode([its_hash, blob(welcome[3]), from_json(fields)])
    check_signature(blob(key), "sign handshake", body, blob(signature), layer="link")
    return hello
