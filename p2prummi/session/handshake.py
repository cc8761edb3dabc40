"""The handshake of a connection: who the other side is, and whether a link comes of it.

Sans-IO: bytes in by `receive`, bytes out by `frames_to_send`, until `outcome` says how it ended. TLS has
already shown the dialler that the listener holds the key of its certificate; the dialler proves its own key
by a signature over that certificate's hash, both nonces and all it says, so that nobody in the middle can
pass it on.

| dialler | listener | |
|---|---|---|
| | welcome | versions, nonce, room, whether a code is needed |
| hello | | key, nonce, errand, where it can be dialled, signature |
| | room_info | to a probe: that is all |
| | code_reply | only in rooms with a code: the key exchange (`p2prummi.crypto.room_code`) |
| code_proof | | the dialler proves the code first, so that the listener counts every guess |
| | accepted | with the listener's own proof of the code |
| start | | the link is up |

Either side may say `refused` instead of any of these. The two sides are `dialler.py` and `listener.py`; which
of two connections of a pair lives is decided in `pairing.py`, the bytes of the frames in
`p2prummi.wire.hello`; `protocol/spec/transport.md` is the normative text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from p2prummi.crypto.entropy import Entropy, random_bytes
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.hello import (
    NO_ROOM,
    NONCE_BYTES,
    PROTOCOL_VERSIONS,
    HandshakeFrame,
    Purpose,
    Refused,
    RoomAdvert,
    decode_handshake,
    decode_offer,
    encode_handshake,
)
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from p2prummi.crypto.room_code import CodeProofs, RoomCode
    from p2prummi.crypto.signing import SigningKey
    from p2prummi.session.pairing import Claim, Pairing


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPeer:
    """What this peer says of itself.

    `room_id` is the room it sits in or is about to, `code` that room's code if it has one, `advert` what it
    tells anybody of it. `port` and `addresses` (`host:port`) are where it listens.
    """

    key: SigningKey
    name: str
    program: str
    port: int
    addresses: tuple[str, ...] = ()
    room_id: bytes = NO_ROOM
    code: RoomCode | None = None
    advert: RoomAdvert = field(default_factory=RoomAdvert)
    versions: tuple[int, ...] = PROTOCOL_VERSIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What a dialler wants: to look (`probe`), or to be linked as members of `room_id` (`join`).

    `sought` is the key of the peer it means to reach, None where any peer will do.
    """

    purpose: Purpose
    room_id: bytes = NO_ROOM
    code: RoomCode | None = None
    sought: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """The link is up. `port` and `addresses` say where the other side listens, as far as it has said so."""

    peer: bytes
    name: str
    program: str
    version: int
    room_id: bytes
    claim: Claim
    port: int | None
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """A probe is over.

    Who was looked at (by the dialler) or has looked (by the listener), and the room it sits in.
    """

    peer: bytes
    name: str
    program: str
    versions: tuple[int, ...]
    advert: RoomAdvert
    port: int | None
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPeer:
    """Another peer than the one sought answers at this address, perhaps this peer itself.

    No fault of anybody.
    """

    peer: bytes
    is_self: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """There will be no link.

    `by_peer` says which side ended it; `peer_versions` is empty where it was not told.
    """

    code: str
    text: str
    by_peer: bool
    peer_versions: tuple[int, ...]
    peer_program: str


Outcome: TypeAlias = Linked | Probed | WrongPeer | Stopped


class CodeAttempts:
    """The failed room codes of the last minute, on all connections of this peer together."""

    WINDOW_SECONDS: ClassVar[float] = 60.0

    def __init__(self) -> None:
        self._failures: deque[float] = deque()

    def exhausted(self, now: float) -> bool:
        """Whether no code may be looked at before some time has passed."""
        while self._failures and now - self._failures[0] >= self.WINDOW_SECONDS:
            self._failures.popleft()
        return len(self._failures) >= limits.CODE_FAILURES_PER_MINUTE_MAX

    def failed(self, now: float) -> None:
        """Counts a failure."""
        self._failures.append(now)

    def forgive(self) -> None:
        """Takes the latest failure back: it was counted before the answer came, and the answer was good."""
        self._failures.pop()


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What a handshake begins with on one side of a connection, whichever it is.

    `certificate_hash` is the hash of the listener's certificate on this connection; `pairing` and `attempts`
    are shared with all other handshakes of this peer.
    """

    local: LocalPeer
    certificate_hash: bytes
    pairing: Pairing
    attempts: CodeAttempts
    entropy: Entropy
    now: float


class State(Enum):
    """What a side waits for."""

    WELCOME = auto()
    HELLO = auto()
    ROOM_INFO = auto()
    CODE_REPLY = auto()
    CODE_PROOF = auto()
    ACCEPTED = auto()
    START = auto()


Transitions: TypeAlias = dict[State, tuple[type[HandshakeFrame], Callable[[Any, Any, float], None]]]


class Handshake:
    """What both sides share.

    Reading frames by the table of transitions, refusing, being refused, running out of time.
    """

    transitions: ClassVar[Transitions]

    def __init__(self, side: Side, state: State) -> None:
        self.outcome: Outcome | None = None
        self.deadline: Final = side.now + limits.HANDSHAKE_SECONDS_MAX
        self._local: Final = side.local
        self._certificate_hash: Final = side.certificate_hash
        self._pairing: Final = side.pairing
        self._attempts: Final = side.attempts
        self._entropy: Final = side.entropy
        self._nonce: Final = random_bytes(side.entropy, NONCE_BYTES)
        self._state = state
        self._sending: list[bytes] = []
        self._claim: Claim | None = None
        self._proofs: CodeProofs | None = None
        self._peer_versions: tuple[int, ...] = ()
        self._peer_program = ""

    def frames_to_send(self) -> list[bytes]:
        """Hands out the frames that are to go to the other side, each once."""
        sending, self._sending = self._sending, []
        return sending

    def receive(self, data: bytes, now: float) -> None:
        """Takes a frame's bytes. Any bytes lead on or to an outcome, never to an exception."""
        if self.outcome is not None:
            return
        try:
            self._take(data, now)
        except RemoteProtocolError as error:
            self._refuse(error.code, error.text)

    def handle_deadline(self, now: float) -> None:
        """Ends the handshake where its time is over."""
        if self.outcome is None and now >= self.deadline:
            self._refuse(FaultCode.HANDSHAKE_TIMEOUT, "the handshake took too long")

    def connection_lost(self, code: FaultCode = FaultCode.LINK_LOST, text: str = "closed") -> None:
        """Ends the handshake because its connection is gone or brings no frames."""
        if self.outcome is None:
            self._end(self._stopped(code, text, by_peer=False))

    def _take(self, data: bytes, now: float) -> None:
        expected, handler = self.transitions[self._state]
        if not self._peer_versions:
            self._check_versions(data, expected)
        frame = decode_handshake(data)
        if isinstance(frame, Refused):
            self._end(self._stopped(frame.code, shown(frame.text), by_peer=True))
        elif isinstance(frame, expected):
            handler(self, frame, now)
        else:
            raise RemoteProtocolError(
                FaultCode.UNEXPECTED_FRAME, f"{frame.frame} instead of {expected.frame}"
            )

    def _check_versions(self, data: bytes, expected: type[HandshakeFrame]) -> None:
        """Notes what the other side speaks; refuses where both have no version in common."""
        offer = decode_offer(data)
        self._peer_versions, self._peer_program = offer.versions, shown(offer.program)
        if offer.frame == expected.frame and not self._common_versions():
            own, other = _listed(self._local.versions), _listed(offer.versions)
            raise RemoteProtocolError(
                FaultCode.VERSION_MISMATCH,
                f"protocols {own} ({self._local.program}) and {other} ({self._peer_program}) do not fit",
            )

    def _common_versions(self) -> frozenset[int]:
        return frozenset(self._local.versions).intersection(self._peer_versions)

    def _send(self, frame: HandshakeFrame, state: State) -> None:
        self._sending.append(encode_handshake(frame))
        self._state = state

    def _refuse(self, code: FaultCode, text: str) -> None:
        refusal = Refused(versions=self._local.versions, program=self._local.program, code=code, text=text)
        self._sending.append(encode_handshake(refusal))
        self._end(self._stopped(code, text, by_peer=False))

    def _stopped(self, code: str, text: str, *, by_peer: bool) -> Stopped:
        return Stopped(
            code=code,
            text=text,
            by_peer=by_peer,
            peer_versions=self._peer_versions,
            peer_program=self._peer_program,
        )

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        if self._claim is not None and not isinstance(outcome, Linked):
            self._pairing.release(self._claim)

    def _claim_pair(self, peer: bytes, now: float) -> Claim:
        self._claim = self._pairing.claim(peer, now)
        if self._claim is None:
            raise RemoteProtocolError(FaultCode.DUPLICATE_LINK, "these two peers have a link already")
        return self._claim

    def _require_attempts_left(self, now: float) -> None:
        if self._attempts.exhausted(now):
            raise RemoteProtocolError(
                FaultCode.LIMIT_EXCEEDED, "too many wrong room codes within a minute; try again in a minute"
            )


def _listed(versions: tuple[int, ...]) -> str:
    return ", ".join(map(str, versions))
