"""The handshake: every way through it, every way out of it, and what an attacker may put in its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.labels import Label
from p2prummi.crypto.room_code import RoomCode
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.session.dialler import Dialler
from p2prummi.session.handshake import (
    CodeAttempts,
    Errand,
    Handshake,
    Linked,
    LocalPeer,
    Outcome,
    Probed,
    Side,
    State,
    Stopped,
    WrongPeer,
)
from p2prummi.session.listener import Listener
from p2prummi.session.pairing import Pairing
from p2prummi.wire import limits
from p2prummi.wire.encoding import encode
from p2prummi.wire.hello import (
    Accepted,
    CodeProof,
    CodeReply,
    HandshakeFrame,
    Hello,
    Refused,
    RoomAdvert,
    RoomInfo,
    Start,
    Welcome,
    decode_handshake,
    encode_handshake,
)

ROOM = bytes([7]) * 32
OTHER_ROOM = bytes([8]) * 32
CERTIFICATE = bytes([9]) * 32
CODE = RoomCode("1234567890")
WRONG_CODE = RoomCode("1234567891")

_keys = sorted((SigningKey(bytes([number]) * 32) for number in range(1, 4)), key=lambda key: key.public)
SMALL, LARGE, THIRD = _keys


def advert(*, code_needed: bool = False) -> RoomAdvert:
    return RoomAdvert(
        room_id=ROOM,
        name="kitchen",
        opener=SMALL.public,
        ruleset_name="official",
        ruleset_hash=bytes([5]) * 32,
        seats_taken=1,
        seats=4,
        state="open",
        code_required=code_needed,
    )


@dataclass
class Peer:
    """One peer with what its handshakes share."""

    key: SigningKey
    name: str = "alice"
    code: RoomCode | None = None
    room: RoomAdvert = field(default_factory=RoomAdvert)
    versions: tuple[int, ...] = (1,)
    attempts: CodeAttempts = field(default_factory=CodeAttempts)
    handshakes: int = 0

    def __post_init__(self) -> None:
        self.pairing = Pairing(self.key.public)

    def local(self) -> LocalPeer:
        return LocalPeer(
            key=self.key,
            name=self.name,
            program="p2prummi 0.1",
            port=4711,
            addresses=("10.77.0.1:4711",),
            room_id=self.room.room_id,
            code=self.code,
            advert=self.room,
            versions=self.versions,
        )

    def _entropy(self) -> SeededEntropy:
        self.handshakes += 1
        return SeededEntropy(f"{self.key.public.hex()} {self.handshakes}".encode())

    def dial(self, to: SigningKey, errand: Errand | None = None, now: float = 0.0) -> Dialler:
        join = Errand(purpose="join", room_id=ROOM, code=self.code, sought=to.public)
        return Dialler(self._side(now), errand or join, peer_key=to.public)

    def listen(self, now: float = 0.0) -> Listener:
        return Listener(self._side(now))

    def _side(self, now: float) -> Side:
        return Side(
            local=self.local(),
            certificate_hash=CERTIFICATE,
            pairing=self.pairing,
            attempts=self.attempts,
            entropy=self._entropy(),
            now=now,
        )


def host(key: SigningKey = LARGE, code: RoomCode | None = None) -> Peer:
    return Peer(key, "bob", code, advert(code_needed=code is not None))


def guest(key: SigningKey = SMALL, code: RoomCode | None = None) -> Peer:
    return Peer(key, "alice", code)


Change = Callable[[HandshakeFrame], HandshakeFrame]


def unchanged(frame: HandshakeFrame) -> HandshakeFrame:
    return frame


def run(dialler: Handshake, listener: Handshake, now: float = 0.0, change: Change = unchanged) -> None:
    """Carries frames to and fro until both are silent; `change` is the man in the middle."""
    while True:
        moved = False
        for sender, receiver in ((listener, dialler), (dialler, listener)):
            for data in sender.frames_to_send():
                receiver.receive(encode_handshake(change(decode_handshake(data))), now)
                moved = True
        if not moved:
            return


def stopped(outcome: Outcome | None) -> Stopped:
    assert isinstance(outcome, Stopped)
    return outcome


def linked(outcome: Outcome | None) -> Linked:
    assert isinstance(outcome, Linked)
    return outcome


def expect_refusal(by: Handshake, other: Handshake, code: FaultCode) -> None:
    """One side refused and the other side was told the same."""
    refusing, told = stopped(by.outcome), stopped(other.outcome)
    assert (refusing.code, refusing.by_peer) == (code, False)
    assert (told.code, told.text, told.by_peer) == (code, refusing.text, True)


def drain(handshake: Handshake) -> list[HandshakeFrame]:
    return [decode_handshake(data) for data in handshake.frames_to_send()]


def feed(handshake: Handshake, frame: HandshakeFrame, now: float = 0.0) -> None:
    handshake.receive(encode_handshake(frame), now)


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
    run(
        dialler,
        listener,
        change=lambda frame: replace(frame, version=version) if isinstance(frame, Hello) else frame,
    )
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
    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, **{name: CHANGED_FIELDS[name]}) if isinstance(frame, Hello) else frame  # type: ignore[arg-type]  # one field of a known name

    dialler, listener = guest().dial(LARGE), host().listen()
    run(dialler, listener, change=change)
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

    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, room_id=room_id) if isinstance(frame, Welcome) else frame

    run(dialler, listener, change=change)
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


# Room codes.


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
    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, code_needed=code is None) if isinstance(frame, Welcome) else frame

    alice, bob = guest(code=CODE if code is None else None), host(code=code)
    dialler, listener = alice.dial(LARGE), bob.listen()
    run(dialler, listener, change=change)
    expect_refusal(listener, dialler, FaultCode.WRONG_CODE)


def test_a_listener_that_does_not_know_the_code_is_found_out() -> None:
    alice, bob = guest(code=CODE), host(code=CODE)
    dialler, listener = alice.dial(LARGE), bob.listen()

    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, proof=bytes(32)) if isinstance(frame, Accepted) else frame

    run(dialler, listener, change=change)
    expect_refusal(dialler, listener, FaultCode.WRONG_CODE)
    assert not bob.pairing.peers()


def test_a_listeners_proof_may_not_be_left_out() -> None:
    dialler, listener = guest(code=CODE).dial(LARGE), host(code=CODE).listen()

    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, proof=b"") if isinstance(frame, Accepted) else frame

    run(dialler, listener, change=change)
    expect_refusal(dialler, listener, FaultCode.WRONG_CODE)


def test_a_proof_that_nobody_asked_for_is_refused() -> None:
    dialler, listener = guest().dial(LARGE), host().listen()

    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, proof=bytes(32)) if isinstance(frame, Accepted) else frame

    run(dialler, listener, change=change)
    expect_refusal(dialler, listener, FaultCode.WRONG_SCHEMA)


def test_a_broken_exchange_message_is_refused() -> None:
    dialler, listener = guest(code=CODE).dial(LARGE), host(code=CODE).listen()

    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, message=bytes(33)) if isinstance(frame, CodeReply) else frame

    run(dialler, listener, change=change)
    expect_refusal(dialler, listener, FaultCode.HANDSHAKE_FAILED)


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


def test_exchanges_begun_side_by_side_give_no_more_guesses() -> None:
    bob = host(code=CODE)
    pairs = [(guest(code=WRONG_CODE).dial(LARGE), bob.listen()) for _ in range(12)]
    proofs: list[tuple[Listener, HandshakeFrame]] = []
    for dialler, listener in pairs:
        for sender, receiver in ((listener, dialler), (dialler, listener), (listener, dialler)):
            for frame in drain(sender):
                feed(receiver, frame)
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
        run(dialler, listener, change=lambda frame: frame)
        sent += stopped(dialler.outcome).code == FaultCode.WRONG_CODE
    assert sent == 10
    assert stopped(dialler.outcome).code == FaultCode.LIMIT_EXCEEDED


def test_diallings_begun_side_by_side_give_no_more_proofs() -> None:
    alice = guest(code=CODE)
    pairs = [(alice.dial(LARGE), host(code=WRONG_CODE).listen()) for _ in range(11)]
    for dialler, listener in pairs:
        for sender, receiver in ((listener, dialler), (dialler, listener)):
            for frame in drain(sender):
                feed(receiver, frame)
    for dialler, listener in pairs:
        for frame in drain(listener):
            feed(dialler, frame)
    proofs = [frame for dialler, _ in pairs for frame in drain(dialler) if isinstance(frame, CodeProof)]
    assert len(proofs) == 10
    assert stopped(pairs[-1][0].outcome).code == FaultCode.LIMIT_EXCEEDED


# One link a pair.


def test_when_both_dial_at_once_exactly_one_link_lives() -> None:
    small, large = host(SMALL), host(LARGE)
    for first_is_small in (True, False):
        small.pairing, large.pairing = Pairing(SMALL.public), Pairing(LARGE.public)
        from_small = (small.dial(LARGE), large.listen())
        from_large = (large.dial(SMALL), small.listen())
        first, second = (from_small, from_large) if first_is_small else (from_large, from_small)
        run(*first)
        run(*second)
        linked(first[0].outcome)
        linked(first[1].outcome)
        dialler, listener = second
        if first_is_small:
            expect_refusal(listener, dialler, FaultCode.DUPLICATE_LINK)
        else:
            expect_refusal(dialler, listener, FaultCode.DUPLICATE_LINK)


@given(st.data())
def test_in_any_order_of_frames_exactly_one_link_lives(data: st.DataObject) -> None:
    small, large = host(SMALL), host(LARGE)
    pairs = [(small.dial(LARGE), large.listen()), (large.dial(SMALL), small.listen())]
    wires: list[tuple[Handshake, Handshake, list[bytes]]] = []
    for one, other in pairs:
        wires.extend([(one, other, []), (other, one, [])])

    def ready() -> Iterator[int]:
        for number, (sender, _, queue) in enumerate(wires):
            queue.extend(sender.frames_to_send())
            if queue:
                yield number

    while waiting := list(ready()):
        _, receiver, queue = wires[data.draw(st.sampled_from(waiting))]
        receiver.receive(queue.pop(0), 0.0)
    both = [all(isinstance(side.outcome, Linked) for side in pair) for pair in pairs]
    assert sorted(both) == [False, True]
    for pair, lives in zip(pairs, both, strict=True):
        if not lives:
            assert FaultCode.DUPLICATE_LINK in {stopped(side.outcome).code for side in pair}
    for peer in (small, large):
        assert len(peer.pairing.peers()) == 1


def test_a_young_link_stands_and_an_old_one_yields() -> None:
    small, large = host(SMALL), host(LARGE)
    first, listener = large.dial(SMALL), small.listen()
    run(first, listener)
    old = linked(listener.outcome)
    again, listener = large.dial(SMALL), small.listen()
    run(again, listener, limits.CLAIM_SECONDS_MIN - 0.1)
    expect_refusal(listener, again, FaultCode.DUPLICATE_LINK)
    assert small.pairing.holds(old.claim)
    again, listener = large.dial(SMALL), small.listen()
    run(again, listener, limits.CLAIM_SECONDS_MIN)
    assert not small.pairing.holds(old.claim)
    assert small.pairing.holds(linked(listener.outcome).claim)


def test_a_claim_is_given_back_when_the_handshake_stops_after_it() -> None:
    small, large = host(SMALL), host(LARGE)
    dialler, listener = large.dial(SMALL), small.listen()
    for sender, receiver in ((listener, dialler), (dialler, listener)):
        for frame in drain(sender):
            feed(receiver, frame)
    assert small.pairing.peers() == {LARGE.public}
    listener.connection_lost()
    assert not small.pairing.peers()


def test_a_released_claim_does_not_take_the_next_one_with_it() -> None:
    pairing = Pairing(LARGE.public)
    first = pairing.claim(SMALL.public, 0.0)
    second = pairing.claim(SMALL.public, 0.0)
    assert first is not None
    assert second is not None
    pairing.release(first)
    assert pairing.holds(second)
    pairing.release(second)
    assert not pairing.holds(second)


def test_a_start_that_comes_after_another_connection_took_its_place_is_refused() -> None:
    small, large = host(SMALL), host(LARGE)
    slow, listener = large.dial(SMALL), small.listen()
    for sender, receiver in ((listener, slow), (slow, listener), (listener, slow)):
        for frame in drain(sender):
            feed(receiver, frame)
    small.pairing.claim(LARGE.public, limits.CLAIM_SECONDS_MIN)
    run(slow, listener, limits.CLAIM_SECONDS_MIN)
    assert stopped(listener.outcome).code == FaultCode.DUPLICATE_LINK


# Time, loss and garbage.


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
    listener = host().listen()
    listener.connection_lost(FaultCode.OVERSIZED_FRAME, "a frame of 4000000000 bytes")
    assert stopped(listener.outcome).text == "a frame of 4000000000 bytes"


def test_what_a_refusal_says_is_shown_safely() -> None:
    dialler = guest().dial(LARGE)
    feed(dialler, Refused(versions=(1,), program="p\x1b", code="later_code", text="no\x1b[2J\nway"))
    assert stopped(dialler.outcome) == Stopped(
        code="later_code", text="no[2J way", by_peer=True, peer_versions=(1,), peer_program="p"
    )


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
        receiver, sender = order[0], order[1]
        for frame in drain(sender):
            feed(receiver, frame)
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


def test_secrets_do_not_show() -> None:
    local = host(code=CODE).local()
    assert "1234567890" not in repr(local)
    assert "1234567890" not in repr(Errand(purpose="join", room_id=ROOM, code=CODE))
