"""A room's code in the handshake: who must know it, who is found out, and how often it may be guessed."""

from __future__ import annotations

import pytest

from p2prummi.crypto.room_code import RoomCode
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.session.handshake import Errand, Linked
from p2prummi.session.listener import Listener
from p2prummi.wire.hello import Accepted, CodeProof, CodeReply, HandshakeFrame, Welcome
from tests.session.handshakes import (
    CODE,
    LARGE,
    ROOM,
    SMALL,
    THIRD,
    WRONG_CODE,
    Peer,
    carry,
    drain,
    expect_refusal,
    feed,
    guest,
    host,
    run,
    stopped,
    with_fields,
)

# Who knows it.


def test_a_wrong_code_is_refused_and_both_are_told() -> None:
    alice, bob = guest(code=WRONG_CODE), host(code=CODE)
    dialler, listener = alice.dial(LARGE), bob.listen()
    run(dialler, listener)
    expect_refusal(listener, dialler, FaultCode.WRONG_CODE)
    assert not alice.pairing.peers()
    assert not bob.pairing.peers()


def test_who_has_no_code_is_told_that_one_is_needed() -> None:
    dialler, listener = guest().dial(LARGE), host(code=CODE).listen()
    run(dialler, listener)
    expect_refusal(dialler, listener, FaultCode.WRONG_CODE)
    assert "asks for its code" in stopped(dialler.outcome).text


def test_a_listener_that_does_not_ask_for_the_code_is_no_member() -> None:
    dialler, listener = guest(code=CODE).dial(LARGE), host().listen()
    run(dialler, listener)
    expect_refusal(dialler, listener, FaultCode.WRONG_CODE)


@pytest.mark.parametrize("code", [None, CODE])
def test_a_listener_wants_a_code_message_exactly_where_it_asks_for_a_code(code: RoomCode | None) -> None:
    alice, bob = guest(code=CODE if code is None else None), host(code=code)
    dialler, listener = alice.dial(LARGE), bob.listen()
    run(dialler, listener, change=with_fields(Welcome, code_needed=code is None))
    expect_refusal(listener, dialler, FaultCode.WRONG_CODE)


def test_a_listener_that_does_not_know_the_code_is_found_out() -> None:
    alice, bob = guest(code=CODE), host(code=CODE)
    dialler, listener = alice.dial(LARGE), bob.listen()
    run(dialler, listener, change=with_fields(Accepted, proof=bytes(32)))
    expect_refusal(dialler, listener, FaultCode.WRONG_CODE)
    assert not bob.pairing.peers()


def test_a_listeners_proof_may_not_be_left_out() -> None:
    dialler, listener = guest(code=CODE).dial(LARGE), host(code=CODE).listen()
    run(dialler, listener, change=with_fields(Accepted, proof=b""))
    expect_refusal(dialler, listener, FaultCode.WRONG_CODE)


def test_a_proof_that_nobody_asked_for_is_refused() -> None:
    dialler, listener = guest().dial(LARGE), host().listen()
    run(dialler, listener, change=with_fields(Accepted, proof=bytes(32)))
    expect_refusal(dialler, listener, FaultCode.WRONG_SCHEMA)


def test_a_broken_exchange_message_is_refused() -> None:
    dialler, listener = guest(code=CODE).dial(LARGE), host(code=CODE).listen()
    run(dialler, listener, change=with_fields(CodeReply, message=bytes(33)))
    expect_refusal(dialler, listener, FaultCode.HANDSHAKE_FAILED)


def test_secrets_do_not_show() -> None:
    local = host(code=CODE).local()
    assert "1234567890" not in repr(local)
    assert "1234567890" not in repr(Errand(purpose="join", room_id=ROOM, code=CODE))


# How often it is guessed.


def guess(bob: Peer, now: float, code: RoomCode = WRONG_CODE, key: SigningKey = SMALL) -> str:
    """The fault code that a guess ends with at the listener, or `linked`."""
    listener = bob.listen(now)
    dialler = guest(key, code).dial(bob.key, now=now)
    run(dialler, listener, now)
    return "linked" if isinstance(listener.outcome, Linked) else stopped(listener.outcome).code


def test_ten_wrong_codes_a_minute_and_then_not_even_the_right_one() -> None:
    bob = host(code=CODE)
    failures = [guess(bob, float(second), key=(SMALL, THIRD)[second % 2]) for second in range(12)]
    assert failures == [FaultCode.WRONG_CODE] * 10 + [FaultCode.LIMIT_EXCEEDED] * 2
    assert guess(bob, 59.9, CODE) == FaultCode.LIMIT_EXCEEDED
    assert guess(bob, 60.0, CODE) == "linked"
    # The nine others of that minute still count.
    assert [guess(bob, 60.0), guess(bob, 60.5)] == [FaultCode.WRONG_CODE, FaultCode.LIMIT_EXCEEDED]


def test_exchanges_begun_side_by_side_give_no_more_guesses() -> None:
    bob = host(code=CODE)
    pairs = [(guest(code=WRONG_CODE).dial(LARGE), bob.listen()) for _ in range(12)]
    proofs: list[tuple[Listener, HandshakeFrame]] = []
    for dialler, listener in pairs:
        carry(listener, dialler)
        carry(dialler, listener)
        carry(listener, dialler)
        proofs.extend((listener, frame) for frame in drain(dialler))
    assert all(isinstance(frame, CodeProof) for _, frame in proofs)
    for listener, frame in proofs:
        feed(listener, frame)
    codes = [stopped(listener.outcome).code for _, listener in pairs]
    assert codes == [FaultCode.WRONG_CODE] * 10 + [FaultCode.LIMIT_EXCEEDED] * 2


def test_a_dialler_gives_false_members_no_more_than_ten_proofs_a_minute() -> None:
    alice = guest(code=CODE)
    sent = 0
    for _ in range(12):
        dialler, listener = alice.dial(LARGE), host(code=WRONG_CODE).listen()
        run(dialler, listener)
        sent += stopped(dialler.outcome).code == FaultCode.WRONG_CODE
    assert sent == 10
    assert stopped(dialler.outcome).code == FaultCode.LIMIT_EXCEEDED


def test_diallings_begun_side_by_side_give_no_more_proofs() -> None:
    alice = guest(code=CODE)
    pairs = [(alice.dial(LARGE), host(code=WRONG_CODE).listen()) for _ in range(11)]
    for dialler, listener in pairs:
        carry(listener, dialler)
        carry(dialler, listener)
    for dialler, listener in pairs:
        carry(listener, dialler)
    proofs = [frame for dialler, _ in pairs for frame in drain(dialler) if isinstance(frame, CodeProof)]
    assert len(proofs) == 10
    assert stopped(pairs[-1][0].outcome).code == FaultCode.LIMIT_EXCEEDED
