"""Refusals say what failed and whose it was, and stay what they are when a seat is added."""

from __future__ import annotations

from p2prummi.crypto.refusal import RefusalError
from p2prummi.errors import FaultCode, RemoteProtocolError


def test_refusal_names_condition_and_seat() -> None:
    refusal = RefusalError(FaultCode.SHARE_PROOF_FAILED, "shares", "a share is wrong")
    assert isinstance(refusal, RemoteProtocolError)
    assert str(refusal) == "share_proof_failed: a share is wrong (shares)"
    assert (refusal.code, refusal.condition, refusal.seat, refusal.culprit) == (
        FaultCode.SHARE_PROOF_FAILED,
        "shares",
        None,
        None,
    )
    of_seat = refusal.of_seat(0)
    assert str(of_seat) == "share_proof_failed: a share is wrong (shares, seat 0)"
    assert (of_seat.code, of_seat.condition, of_seat.seat) == (refusal.code, "shares", 0)
