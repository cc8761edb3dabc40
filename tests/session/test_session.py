"""The facade by itself: names, a session without links, and what comes of its work and its faults."""

from __future__ import annotations

import pytest

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.session import Session
from p2prummi.session.outbox import Outbox
from p2prummi.transcript.blame import signed_fault
from p2prummi.wire import limits
from p2prummi.wire.frames import Ping, encode_frame
from tests.session.rooms import refusals, room
from tests.session.scenes import round_of, scene_of


@pytest.mark.parametrize("name", ["", "x" * (limits.NAME_BYTES_MAX + 1), "\ud800"])
def test_a_name_that_cannot_travel_is_refused(name: str) -> None:
    with pytest.raises(LocalProtocolError, match="A player's name"):
        Session(SigningKey(bytes(32)), name, SeededEntropy(b""))


@pytest.mark.parametrize("name", ["x", "x" * limits.NAME_BYTES_MAX])
def test_the_shortest_and_the_longest_name_are_taken(name: str) -> None:
    assert Session(SigningKey(bytes(32)), name, SeededEntropy(b"")).name == name


def test_nothing_waits_for_time_without_a_link() -> None:
    session = Session(SigningKey(bytes(32)), "anna", SeededEntropy(b""))
    assert session.deadline() is None
    session.handle_deadline(10.0)
    session.receive(b"\1" * 32, encode_frame(Ping()), 10.0)
    session.peer_lost(b"\1" * 32, "was never there", 10.0)
    assert session.next_notice() is None
    assert session.next_work() is None
    assert session.public == SigningKey(bytes(32)).public


def test_what_cannot_even_be_read_as_a_frame_costs_the_link_once() -> None:
    network, (anna, bob, cy) = room(3)
    for _ in range(2):
        error = RemoteProtocolError(FaultCode.OVERSIZED_FRAME, "a frame of 4000000000 bytes")
        anna.session.peer_refused(bob.public, error, network.now)
        network.run()
    assert refusals(anna) == [(FaultCode.OVERSIZED_FRAME, bob.public, False)]
    assert anna.closed == [(bob.public, FaultCode.OVERSIZED_FRAME)]
    assert network.is_linked(anna, cy)


def test_an_exception_of_the_program_itself_is_not_swallowed() -> None:
    outbox = Outbox()
    outbox.schedule(lambda _result, _now: None, len, "x")
    work = outbox.works.popleft()
    assert work.run() == 1
    outbox.work_done(work.id, 1, 0.0)
    scene = scene_of("draw").branch()
    peer = scene.honest[0]
    round_ = round_of(peer)
    round_._work("test", lambda _result, _now: None, len, "x")
    given = peer.session.next_work()
    assert given is not None
    with pytest.raises(ZeroDivisionError):
        peer.session.work_done(given.id, ZeroDivisionError(), 0.0)
    # Once the match is over, whatever its work brings is of no interest.
    round_._work("test", lambda _result, _now: pytest.fail("stopped"), len, "x")
    given = peer.session.next_work()
    assert given is not None
    round_.stop()
    peer.session.work_done(given.id, ZeroDivisionError(), 0.0)


def test_a_fault_of_nobody_is_left_as_it_is() -> None:
    fault = RemoteProtocolError(FaultCode.NEUTRAL_ELEMENT, "the keys cancel each other")
    assert signed_fault(fault, (), ()) is fault
