"""Faults that are blamed on a signer, with what was signed as the evidence.

Here is judged what no state is needed for, and what seats acknowledge: two different words of one seat for
one slot (`check_same`), and another state after the same head (`check_state`). What an event claims is judged
by `replay.py`. The file that keeps evidence, and how anyone else judges it, are in `evidence.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from p2prummi.crypto.labels import Label
from p2prummi.crypto.signing import verify
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.transcript.state import RoundTerms
from p2prummi.wire.events import Event, Reveal
from p2prummi.wire.frames import Ack, EventFrame

Signed: TypeAlias = Event | Ack
"""What a seat signs in a round; each names its context, slot and seat."""


class SignedFaultError(RemoteProtocolError):
    """A peer broke the protocol in what it signed.

    All blame it, and `evidence` holds what was signed that shows it.
    """

    culprit: bytes

    def __init__(self, code: FaultCode, text: str, culprit: bytes, evidence: Sequence[Signed]) -> None:
        super().__init__(code, text, culprit)
        self.evidence = tuple(evidence)


def signed_fault(error: RemoteProtocolError, step: Sequence[Event], keys: Sequence[bytes]) -> Exception:
    """The fault of one of a step's events, with what shows it as evidence; `keys` are the round's.

    That is the culprit's event alone, but a key that an earlier seat has shown takes both. The error itself
    where nobody is to blame.
    """
    if error.culprit is None:
        return error
    seat = keys.index(error.culprit)
    evidence = [event for event in step if event.seat == seat]
    if error.code is FaultCode.KEY_REUSED:
        reused = [event.payload.public for event in evidence if isinstance(event.payload, Reveal)]
        evidence = [
            event
            for event in step
            if event.seat <= seat and isinstance(event.payload, Reveal) and event.payload.public in reused
        ]
    return SignedFaultError(error.code, error.text, error.culprit, evidence)


def frame_of(signed: Signed) -> EventFrame | Ack:
    """The frame in which it travels."""
    return signed if isinstance(signed, Ack) else EventFrame(signed.body, signed.signature)


def check_ack_origin(terms: RoundTerms, ack: Ack) -> None:
    """Checks that an acknowledgement of this round is signed by its seat.

    Only then may its seat be blamed for it. Raises RemoteProtocolError without a culprit.
    """
    if ack.seat >= terms.players:
        raise RemoteProtocolError(FaultCode.WRONG_SEAT, f"there is no seat {ack.seat}")
    if not verify(terms.keys[ack.seat], Label.SIGN_ACK, ack.signed_part(), ack.signature):
        raise RemoteProtocolError(
            FaultCode.BAD_SIGNATURE, f"seat {ack.seat} did not sign this acknowledgement"
        )


def check_same(known: Signed, other: Signed, key: bytes) -> None:
    """Checks that two events, or two acknowledgements, of one slot by the seat of `key` say the same.

    Signatures may differ. Raises SignedFaultError (equivocation) with both as the evidence.
    """
    if _words(known) != _words(other):
        what = "acknowledged two states after" if isinstance(known, Ack) else "signed two events for"
        text = f"seat {known.seat} {what} slot {known.sequence}"
        raise SignedFaultError(FaultCode.EQUIVOCATION, text, key, (known, other))


def _words(signed: Signed) -> bytes:
    return signed.signed_part() if isinstance(signed, Ack) else signed.body


def check_state(ack: Ack, head: bytes, state: bytes, key: bytes) -> None:
    """Checks an acknowledgement of `head` by the seat of `key` against the hash of the state after it.

    One of another head is not judged: its signer may have been shown something else. Raises SignedFaultError
    (state_differs).
    """
    if ack.head == head and ack.state != state:
        raise SignedFaultError(
            FaultCode.STATE_DIFFERS,
            f"seat {ack.seat} has the same events but another state after slot {ack.sequence}",
            key,
            (ack,),
        )
