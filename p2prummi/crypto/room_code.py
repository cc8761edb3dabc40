"""Room codes: how they are made and written, and the key exchange that proves one without giving it away.

A code is ten decimal digits (33 bits), drawn by the program: digits are the same in every language. Two peers
run SPAKE2 over it (the dialler as side A, the listener as side B), then each proves by an HMAC under the
shared key that it holds the same code. Whoever listens in, or guesses, can test one code per exchange and
none offline; how many exchanges are allowed is decided in `p2prummi.session.handshake`. This is the only
module that uses the spake2 library.

Its arithmetic is not in constant time. Each exchange blinds it with a fresh scalar, and a code lives as long
as a room. Source: Abdalla and Pointcheval, "Simple Password-Based Encrypted Key Exchange Protocols" (CT-RSA
2005); `protocol/spec/transport.md`, "Room code".
"""

from __future__ import annotations

import hmac
import unicodedata
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import spake2
from spake2.ed25519_basic import NotOnCurve

from p2prummi.crypto.entropy import Entropy, random_below
from p2prummi.crypto.labels import Label, framed
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError

DIGITS: Final = 10
MESSAGE_BYTES: Final = 33
_IGNORED: Final = frozenset("-.\u2010\u2011\u2012\u2013\u2014\u2212")

Side: TypeAlias = Literal["dialler", "listener"]


@dataclass(frozen=True, slots=True)
class RoomCode:
    """A room's code: ten ASCII digits, which only `written` shows."""

    digits: str = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.digits) != DIGITS or not self.digits.isascii() or not self.digits.isdecimal():
            raise LocalProtocolError(f"a room code is {DIGITS} digits, such as 123-456-7890")

    @property
    def written(self) -> str:
        """The code as people see, say and type it."""
        return f"{self.digits[:3]}-{self.digits[3:6]}-{self.digits[6:]}"


def make_room_code(entropy: Entropy) -> RoomCode:
    """Draws a new code, every one equally likely."""
    return RoomCode(f"{random_below(entropy, 10**DIGITS):0{DIGITS}d}")


def parse_room_code(text: str) -> RoomCode:
    """Reads a code as people type it, with any blanks and dashes and any script's digits.

    Raises LocalProtocolError.
    """
    digits = (character for character in text if not character.isspace() and character not in _IGNORED)
    return RoomCode("".join(str(unicodedata.decimal(character, "?")) for character in digits))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeContext:
    """What one exchange is bound to, each of 32 bytes: it proves nothing on another connection."""

    dialler_key: bytes
    dialler_nonce: bytes
    certificate_hash: bytes
    listener_nonce: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProofs:
    """The two proofs, of 32 bytes each, that come out of a finished exchange.

    One's own and the other side's.
    """

    own: bytes = field(repr=False)
    expected: bytes = field(repr=False)

    def confirms(self, proof: bytes) -> bool:
        """Whether `proof` shows that the other side holds the same code.

        Takes the same time for any answer.
        """
        return hmac.compare_digest(self.expected, proof)


class CodeExchange:
    """One side of one exchange: send `message`, then give the other side's to `finish`, once."""

    def __init__(self, code: RoomCode, side: Side, context: ExchangeContext, entropy: Entropy) -> None:
        one_side = spake2.SPAKE2_A if side == "dialler" else spake2.SPAKE2_B
        self._side = side
        self._exchange = one_side(
            framed(Label.ROOM_CODE, code.digits.encode()),
            idA=context.dialler_key + context.dialler_nonce,
            idB=context.certificate_hash + context.listener_nonce,
            entropy_f=entropy,
        )
        self.message: Final[bytes] = self._exchange.start()

    def finish(self, message: bytes) -> CodeProofs:
        """Takes the other side's message; whether the codes agree shows only in the proofs.

        Raises RemoteProtocolError (handshake_failed) for bytes that are no message of the other side.
        """
        refusal = RemoteProtocolError(
            FaultCode.HANDSHAKE_FAILED, "no message of an exchange over a room code"
        )
        if len(message) != MESSAGE_BYTES:
            raise refusal
        try:
            key = self._exchange.finish(message)
        except (spake2.SPAKEError, NotOnCurve, ValueError) as error:
            raise refusal from error
        dialler = hmac.digest(key, framed(Label.ROOM_CODE_CONFIRM_DIALLER), "sha256")
        listener = hmac.digest(key, framed(Label.ROOM_CODE_CONFIRM_LISTENER), "sha256")
        if self._side == "dialler":
            return CodeProofs(own=dialler, expected=listener)
        return CodeProofs(own=listener, expected=dialler)
