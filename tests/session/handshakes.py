"""Handshakes between two peers in memory: who they are, and what carries their frames to and fro."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from p2prummi.crypto.entropy import SeededEntropy
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
    Side,
    Stopped,
)
from p2prummi.session.listener import Listener
from p2prummi.session.pairing import Pairing
from p2prummi.wire.hello import HandshakeFrame, RoomAdvert, decode_handshake, encode_handshake

ROOM = bytes([7]) * 32
CERTIFICATE = bytes([9]) * 32
CODE = RoomCode("1234567890")
WRONG_CODE = RoomCode("1234567891")
_keys = sorted((SigningKey(bytes([number]) * 32) for number in range(1, 4)), key=lambda key: key.public)
SMALL, LARGE, THIRD = _keys


def advert(*, code_needed: bool = False) -> RoomAdvert:
    """What is told of the room that the tests are about."""
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
    """Who sits in the room, with its code if there is one."""
    return Peer(key, "bob", code, advert(code_needed=code is not None))


def guest(key: SigningKey = SMALL, code: RoomCode | None = None) -> Peer:
    """Who sits in no room, and may know a code."""
    return Peer(key, "alice", code)


Change = Callable[[HandshakeFrame], HandshakeFrame]


def unchanged(frame: HandshakeFrame) -> HandshakeFrame:
    return frame


def with_fields(kind: type[HandshakeFrame], **changes: object) -> Change:
    """Changes these fields of every frame of this kind on its way."""

    def change(frame: HandshakeFrame) -> HandshakeFrame:
        return replace(frame, **changes) if isinstance(frame, kind) else frame  # type: ignore[arg-type] # the fields' own types

    return change


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
    """The outcome of a handshake that has stopped."""
    assert isinstance(outcome, Stopped)
    return outcome


def linked(outcome: Outcome | None) -> Linked:
    """The outcome of a handshake that has linked both."""
    assert isinstance(outcome, Linked)
    return outcome


def expect_refusal(by: Handshake, other: Handshake, code: FaultCode) -> None:
    """One side refused and the other side was told the same."""
    refusing, told = stopped(by.outcome), stopped(other.outcome)
    assert (refusing.code, refusing.by_peer) == (code, False)
    assert (told.code, told.text, told.by_peer) == (code, refusing.text, True)


def drain(handshake: Handshake) -> list[HandshakeFrame]:
    """What one side has to say."""
    return [decode_handshake(data) for data in handshake.frames_to_send()]


def feed(handshake: Handshake, frame: HandshakeFrame, now: float = 0.0) -> None:
    """Lets one side receive a frame."""
    handshake.receive(encode_handshake(frame), now)


def carry(sender: Handshake, receiver: Handshake) -> None:
    """Carries over what one side has to say by now, without the answer."""
    for frame in drain(sender):
        feed(receiver, frame)
