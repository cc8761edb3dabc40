"""A fault that a signature proves, with the evidence by which anyone else can judge it."""

from __future__ import annotations

from collections.abc import Sequence

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire.events import Event


class SignedFaultError(RemoteProtocolError):
    """A peer broke the protocol in what it signed.

    All blame it, and `evidence` holds the events that show it.
    """

    culprit: bytes

    def __init__(self, code: FaultCode, text: str, culprit: bytes, evidence: Sequence[Event] = ()) -> None:
        super().__init__(code, text, culprit)
        self.evidence = tuple(evidence)


def signed_fault(error: RemoteProtocolError, evidence: Sequence[Event]) -> RemoteProtocolError:
    """The same fault with those of the events that its culprit could be judged by.

    Unchanged where nobody is to blame.
    """
    if error.culprit is None:
        return error
    return SignedFaultError(error.code, error.text, error.culprit, evidence)
