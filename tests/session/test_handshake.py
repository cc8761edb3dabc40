"""The handshake's ways through and what it agrees on: the version, whom one meets, and the room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.crypto.labels import Label
from p2prummi.crypto.room_code import RoomCode
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.session.handshake import Errand, Probed, WrongPeer
from p2prummi.wire import limits
from p2prummi.wire.encoding import encode
from p2prummi.wire.hello import Hello, Refused, RoomAdvert, Welcome
from tests.session.handshakes import (
    CERTIFICATE,
    CODE,
    LARGE,
    ROOM,
    SMALL,
    THIRD,
    Peer,
    advert,
    drain,
    expect_refusal,
    feed,
    guest,
    host,
    linked,
    run,
    stopped,
    with_fields,
)

# Ways through.


@pytest.mark.parametrize("keys", [(SMALL, LARGE), (LARGE, SMALL)])
@pytest.mark.parametrize("code", [None, CODE])
def test_a_join_links_both(keys: tuple[SigningKey, SigningKey], code: RoomCode | None) -> None:
    alice, bob = guest(keys[0], code), host(keys[1], code)
    dialler, listener = alice.dial(bob.key), bob.listen()
    run(dialler, listener)
    here, there = linked(dialler.outcome), linked(listener.outcome)
    assert (here.peer, here.name, here.room_id, here.version) == (bob.key.public, "bob", ROOM, 1)
    assert (here.port, here.addresses) == (None, ())
    assert (there.peer, there.name, there.room_id, there.version) == (alice.key.public, "alice", ROOM, 1)
    assert (there.port, there.addresses) == (4711, ("10.77.0.1:4711",))
    assert here.program == there.program == "p2prummi 0.1"
    assert alice.pairing.holds(here.claim)
    assert bob.pairing.holds(there.claim)
    assert not alice.attempts.exhausted(0.0)


def test_a_probe_tells_both_what_the_other_sits_in() -> None:
    alice, bob = guest(), host(code=CODE)
    dialler, listener = alice.dial(LARGE, Errand(purpose="probe")), bob.listen()
    run(dialler, listener)
    assert dialler.outcome == Probed(
        peer=LARGE.public,
        name="bob",
        program="p2prummi 0.1",
        versions=(1,),
        advert=bob.room,
        port=None,
        addresses=(),
    )
    assert listener.outcome == Probed(
        peer=SMALL.public,
        name="alice",
        program="p2prummi 0.1",
        versions=(1,),
        advert=RoomAdvert(),
        port=4711,
        addresses=("10.77.0.1:4711",),
    )
    assert not alice.pairing.peers()
    assert not bob.pairing.peers()


def test_the_highest_common_version_is_kept_to() -> None:
    alice, bob = guest(), host()
    alice.versions, bob.versions = (1, 2, 4), (2, 3, 1)
    dialler, listener = alice.dial(LARGE), bob.listen()
    run(dialler, listener)
    assert linked(dialler.outcome).version == linked(listener.outcome).version == 2


def test_names_from_the_network_are_shown_safely() -> None:
    alice, bob = guest(), host()
    alice.name, bob.name = "a\x1b[2J\u202eb", "b\u2028b"
    dialler, listener = alice.dial(LARGE), bob.listen()
    run(dialler, listener)
    assert linked(listener.outcome).name == "a[2Jb"
    assert linked(dialler.outcome).name == "b b"


def test_nothing_is_taken_after_the_outcome() -> None:
    dialler, listener = guest().dial(LARGE), host().listen()
    run(dialler, listener)
    for side in (dialler, listener):
        outcome = side.outcome
        feed(side, Refused(versions=(1,), program="", code="x", text=""))
        side.connection_lost()
        side.handle_deadline(1e9)
        assert side.outcome is outcome
        assert side.frames_to_send() == []


# Versions.


def test_both_sides_learn_both_versions_where_none_fits() -> None:
    alice, bob = guest(), host()
    alice.versions, bob.versions = (1,), (2, 3)
    dialler, listener = alice.dial(LARGE), bob.listen()
    run(dialler, listener)
    expect_refusal(dialler, listener, FaultCode.VERSION_MISMATCH)
    assert stopped(dialler.outcome).peer_versions == (2, 3)
    assert stopped(listener.outcome).peer_versions == (1,)
    for outcome in (stopped(dialler.outcome), stopped(listener.outcome)):
        assert "1 (p2prummi 0.1)" in outcome.text
        assert "2, 3 (p2prummi 0.1)" in outcome.text
        assert outcome.peer_program == "p2prummi 0.1"


def test_a_welcome_of_another_version_needs_only_its_beginning() -> None:
    dialler = guest().dial(LARGE)
    dialler.receive(encode(("welcome", (2,), "next", {"new": True}, 5)), 0.0)
    assert stopped(dialler.outcome).code == FaultCode.VERSION_MISMATCH


def test_a_hello_of_another_version_needs_only_its_beginning() -> None:
    listener = host().listen()
    listener.receive(encode(("hello", (2,), "next")), 0.0)
    assert stopped(listener.outcome).code == FaultCode.VERSION_MISMATCH
    assert stopped(listener.outcome).peer_versions == (2,)


@pytest.mark.parametrize("version", [2, 3])
def test_a_chosen_version_must_be_offered_by_both(version: int) -> None:
    alice, bob = guest(), host()
    alice.versions, bob.versions = (1, 2), (1, 3)
    listener = bob.listen()
    dialler = alice.dial(LARGE)
    run(dialler, listener, change=with_fields(Hello, version=version))
    expect_refusal(listener, dialler, FaultCode.WRONG_SCHEMA)


# Whom one meets.


def test_a_dial_that_reaches_oneself_says_nothing() -> None:
    dialler = guest(SMALL).dial(SMALL, Errand(purpose="probe"))
    assert dialler.outcome == WrongPeer(peer=SMALL.public, is_self=True)
    assert dialler.frames_to_send() == []


def test_a_dial_that_reaches_another_peer_says_nothing() -> None:
    dialler = guest(SMALL).dial(THIRD, Errand(purpose="probe", sought=LARGE.public))
    assert dialler.outcome == WrongPeer(peer=THIRD.public, is_self=False)
    assert dialler.frames_to_send() == []


def test_a_hello_under_the_listeners_own_key_is_refused() -> None:
    twin, bob = guest(LARGE), host(LARGE)
    listener = bob.listen()
    dialler = twin.dial(SMALL, Errand(purpose="probe"))
    run(dialler, listener)
    expect_refusal(listener, dialler, FaultCode.HANDSHAKE_FAILED)


def resigned(frame: Hello, key: SigningKey, certificate: bytes, nonce: bytes) -> Hello:
    return replace(frame, signature=key.sign(Label.SIGN_HANDSHAKE, frame.signed_body(certificate, nonce)))


OTHER_ROOM = bytes([8]) * 32

CHANGED_FIELDS: dict[str, object] = {
    "versions": (1, 2),
    "program": "other",
    "key": THIRD.public,
    "nonce": bytes(32),
    "name": "mallory",
    "port": 1,
    "addresses": ("10.9.9.9:1",),
    "purpose": "probe",
    "room_id": OTHER_ROOM,
    "advert": advert(),
    "code_message": bytes(33),
    "signature": bytes(64),
}


@pytest.mark.parametrize("name", CHANGED_FIELDS)
def test_every_field_of_the_hello_is_signed(name: str) -> None:
    dialler, listener = guest().dial(LARGE), host().listen()
    run(dialler, listener, change=with_fields(Hello, **{name: CHANGED_FIELDS[name]}))
    expect_refusal(listener, dialler, FaultCode.BAD_SIGNATURE)


@pytest.mark.parametrize(("certificate", "own_nonce"), [(bytes(32), True), (CERTIFICATE, False)])
def test_a_hello_for_another_connection_is_refused(certificate: bytes, own_nonce: bool) -> None:
    """A man in the middle passes on what was signed for his own certificate, or for an earlier connection."""
    alice, bob = guest(), host()
    listener, dialler = bob.listen(), alice.dial(LARGE)
    (welcome,) = drain(listener)
    assert isinstance(welcome, Welcome)
    feed(dialler, welcome)
    (hello,) = drain(dialler)
    assert isinstance(hello, Hello)
    nonce = welcome.nonce if own_nonce else bytes(32)
    feed(listener, resigned(hello, SMALL, certificate, nonce))
    assert stopped(listener.outcome).code == FaultCode.BAD_SIGNATURE


# Rooms.


def test_a_dialler_leaves_a_peer_that_sits_elsewhere() -> None:
    dialler, listener = guest().dial(LARGE, Errand(purpose="join", room_id=OTHER_ROOM)), host().listen()
    run(dialler, listener)
    expect_refusal(dialler, listener, FaultCode.WRONG_ROOM)


@pytest.mark.parametrize("room_id", [OTHER_ROOM, b""])
@pytest.mark.parametrize("sitting", [True, False])
def test_a_listener_lets_nobody_into_another_room(room_id: bytes, sitting: bool) -> None:
    bob = host() if sitting else Peer(LARGE)
    errand = Errand(purpose="join", room_id=room_id)
    dialler, listener = guest().dial(LARGE, errand), bob.listen()
    run(dialler, listener, change=with_fields(Welcome, room_id=room_id))
    expect_refusal(listener, dialler, FaultCode.WRONG_ROOM)


def test_links_are_capped_but_a_known_peer_may_return() -> None:
    bob = host()
    for number in range(limits.LINKS_MAX - 1):
        bob.pairing.claim(bytes([number]) * 32, 0.0)
    first, listener = guest(), bob.listen()
    dialler = first.dial(LARGE)
    run(dialler, listener)
    linked(listener.outcome)
    again, listener = first.dial(LARGE, now=100.0), bob.listen()
    run(again, listener, 100.0)
    linked(listener.outcome)
    dialler, listener = guest(THIRD).dial(LARGE), bob.listen()
    run(dialler, listener)
    expect_refusal(listener, dialler, FaultCode.TOO_MANY_CONNECTIONS)
