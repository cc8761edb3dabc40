"""Ed25519 signatures over (label, body): the identity of a peer, and the only user of `cryptography` here.

What is signed is the framed label and body (`labels.py`), so that a signature under one label is worth
nothing under another. Public keys of small order are refused: under them one signature fits many messages, so
that evidence would prove nothing. Where keys lie on disk is decided in `net/identity.py`.
"""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from p2prummi.crypto.labels import Label, framed
from p2prummi.errors import LocalProtocolError

PUBLIC_KEY_BYTES = 32
SECRET_KEY_BYTES = 32
SIGNATURE_BYTES = 64

# The y coordinates of the eight points of small order, with every encoding of each that is below 2**255.
_FIELD = 2**255 - 19
_ORDER_EIGHT_Y = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_SMALL_ORDER_Y = frozenset({0, 1, _FIELD - 1, _FIELD, _FIELD + 1, _ORDER_EIGHT_Y, _FIELD - _ORDER_EIGHT_Y})
_SIGN_BIT = 1 << 255


class SigningKey:
    """A peer's secret identity. `secret` is 32 bytes; `repr` shows the public key only."""

    __slots__ = ("_key", "public")

    public: bytes
    """The 32-byte public key."""

    def __init__(self, secret: bytes) -> None:
        if not isinstance(secret, bytes) or len(secret) != SECRET_KEY_BYTES:
            raise LocalProtocolError(f"a signing key is made from {SECRET_KEY_BYTES} bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, label: Label, body: bytes) -> bytes:
        """The 64-byte signature over (label, body)."""
        return self._key.sign(framed(label, body))

    def __repr__(self) -> str:
        return f"<SigningKey public={self.public.hex()}>"


def verify(public: bytes, label: Label, body: bytes, signature: bytes) -> bool:
    """Whether `signature` is that of `public` over (label, body).

    Any bytes give an answer, never an exception.
    """
    if not isinstance(signature, bytes) or len(signature) != SIGNATURE_BYTES or not isinstance(public, bytes):
        return False
    return _is_signed(public, framed(label, body), signature)


@lru_cache(maxsize=128)
def _is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    # The latest answers are kept: an event is judged when it comes and again with all others of its step.
    if not _is_acceptable_key(public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _is_acceptable_key(public: bytes) -> bool:
    if len(public) != PUBLIC_KEY_BYTES:
        return False
    return int.from_bytes(public, "little") & ~_SIGN_BIT not in _SMALL_ORDER_Y
