"""How a handshake stops: time, a lost connection, a refusal, frames out of turn, and any bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode
from p2prummi.session.handshake import Errand, Handshake, State, Stopped
from p2prummi.wire import limits
from p2prummi.wire.hello import (
    Accepted,
    CodeProof,
    CodeReply,
    HandshakeFrame,
    Refused,
    RoomAdvert,
    RoomInfo,
    Start,
)
from tests.session.handshakes import CODE, LARGE, carry, drain, feed, guest, host, stopped

# Time and loss.


def test_time_runs_out_on_either_side() -> None:
    for side in (guest().dial(LARGE, now=50.0), host().listen(now=50.0)):
        assert side.deadline == 50.0 + limits.HANDSHAKE_SECONDS_MAX
        side.handle_deadline(side.deadline - 0.001)
        assert side.outcome is None
        side.handle_deadline(side.deadline)
        assert stopped(side.outcome).code == FaultCode.HANDSHAKE_TIMEOUT
        assert isinstance(drain(side)[-1], Refused)


def test_a_lost_connection_ends_it_with_the_reason() -> None:
    dialler = guest().dial(LARGE)
    dialler.connection_lost()
    assert stopped(dialler.outcome).code == FaultCode.LINK_LOST
    assert not stopped(dialler.outcome).by_peer
    listener = host().listen()
    listener.connection_lost(FaultCode.OVERSIZED_FRAME, "a frame of 4000000000 bytes")
    assert stopped(listener.outcome).text == "a frame of 4000000000 bytes"


def test_what_a_refusal_says_is_shown_safely() -> None:
    dialler = guest().dial(LARGE)
    feed(dialler, Refused(versions=(1,), program="p\x1b", code="later_code", text="no\x1b[2J\nway"))
    assert stopped(dialler.outcome) == Stopped(
        code="later_code", text="no[2J way", by_peer=True, peer_versions=(1,), peer_program="p"
    )


# What does not belong there.

FRAMES: tuple[HandshakeFrame, ...] = (
    CodeReply(message=bytes(33)),
    CodeProof(proof=bytes(32)),
    Accepted(proof=b""),
    RoomInfo(advert=RoomAdvert()),
    Start(),
)


def reach(state: State) -> Handshake:
    """A side that waits for what `state` names."""
    code = CODE if state in {State.CODE_REPLY, State.CODE_PROOF} else None
    errand = Errand(purpose="probe") if state is State.ROOM_INFO else None
    dialler, listener = guest(code=code).dial(LARGE, errand), host(code=code).listen()
    order: list[Handshake] = [dialler, listener, dialler, listener]
    while order[0]._state is not state:
        carry(order[1], order[0])
        order = order[1:] + order[:1]
    return order[0]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.frame)
@pytest.mark.parametrize("state", [state for state in State if state not in {State.WELCOME, State.HELLO}])
def test_a_frame_out_of_turn_is_refused(state: State, frame: HandshakeFrame) -> None:
    side = reach(state)
    if frame.frame == state.name.lower():
        return
    feed(side, frame)
    assert stopped(side.outcome).code == FaultCode.UNEXPECTED_FRAME


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.frame)
def test_a_first_frame_that_is_none_is_refused(frame: HandshakeFrame) -> None:
    for side in (guest().dial(LARGE), host().listen()):
        feed(side, frame)
        assert stopped(side.outcome).code == FaultCode.WRONG_SCHEMA


def test_a_first_frame_of_the_own_kind_is_refused() -> None:
    dialler, listener = guest().dial(LARGE), host().listen()
    (welcome,) = drain(listener)
    feed(host().listen(), welcome)
    other = host().listen()
    feed(other, welcome)
    assert stopped(other.outcome).code == FaultCode.UNEXPECTED_FRAME
    feed(dialler, welcome)
    (hello,) = drain(dialler)
    third = guest().dial(LARGE)
    feed(third, hello)
    assert stopped(third.outcome).code == FaultCode.UNEXPECTED_FRAME


@given(st.binary(max_size=200), st.sampled_from(list(State)))
def test_any_bytes_lead_to_an_outcome_and_never_to_an_exception(data: bytes, state: State) -> None:
    side = reach(state)
    side.receive(data, 0.0)
    assert isinstance(side.outcome, Stopped)
    assert not side._pairing.peers()
