"""A fault that a signature proves, with the evidence by which anyone else can judge it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire.events import Event
from p2prummi.wire.frames import Ack, EventFrame

Signed: TypeAlias = Event | Ack
"""What a seat signs in a round; each names its context, slot and seat."""


class SignedFaultError(RemoteProtocolError):
    """A peer broke the protocol in what it signed.

    All blame it, and `evidence` holds what it signed that shows it.
    """

    culprit: bytes

    def __init__(self, code: FaultCode, text: str, culprit: bytes, evidence: Sequence[Signed]) -> None:
        super().__init__(code, text, culprit)
        self.evidence = tuple(evidence)


def signed_fault(error: RemoteProtocolError, step: Sequence[Event], keys: Sequence[bytes]) -> Exception:
    """The fault of one of a step's events, with that event as evidence; `keys` are the round's.

    Unchanged where nobody is to blame.
    """
    if error.culprit is None:
        return error
    evidence = [event for event in step if keys[event.seat] == error.culprit]
    return SignedFaultError(error.code, error.text, error.culprit, evidence)


def frame_of(signed: Signed) -> EventFrame | Ack:
    """The frame in which it travels."""
    return signed if isinstance(signed, Ack) else EventFrame(signed.body, signed.signature)
