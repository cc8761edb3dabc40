"""A network of sessions in memory: real frames and real proofs; no sockets, no threads, a clock of its own.

`Network` links peers, delivers their frames in an order that its random source chooses (each link keeps its
own order, as TCP does), runs their work inline, and collects their notices. Whatever happens repeats from the
seed. What travels can be changed on its way (`Network.tap`), which is how tests play an attacker
(`adversaries.py`), and looked at by watchers (`checkers.py`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.session import Session
from p2prummi.session.commands import Command
from p2prummi.session.notices import Notice

if TYPE_CHECKING:
    from random import Random

Tap: TypeAlias = Callable[[bytes, bytes, bytes], Iterable[bytes]]
"""(sender, receiver, frame) to the frames that arrive instead: the same one, others, or none."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A frame between two peers."""

    sender: Peer
    receiver: Peer
    frame: bytes


class Watcher:
    """Sees everything that happens in a network; what it does not care for does nothing."""

    def sent(self, passage: Passage) -> None:
        """A session has given out a frame, before any tap."""

    def came(self, passage: Passage) -> None:
        """A frame is about to be received."""

    def told(self, peer: Peer, notice: Notice) -> None:
        """A session has told its application something."""


class Peer:
    """One session with its notices so far; `on_notice` is asked for a command after each.

    `closed` holds the links that the session has closed: the other peer, and the fault if there was one.
    `refusals` holds the answers that came too late, as when the match has ended meanwhile.
    """

    def __init__(self, name: str, seed: bytes) -> None:
        entropy = SeededEntropy(seed + name.encode())
        self.name = name
        self.key = SigningKey(entropy(32))
        self.session = Session(self.key, name, entropy)
        self.notices: list[Notice] = []
        self.closed: list[tuple[bytes, FaultCode | None]] = []
        self.refusals: list[LocalProtocolError] = []
        self.on_notice: Callable[[Notice], Command | None] = lambda _notice: None

    @property
    def public(self) -> bytes:
        """The identity key."""
        return self.key.public


class Network:
    """Peers that are linked in one process. `now` moves by `advance` alone."""

    def __init__(self, names: Iterable[str], rng: Random) -> None:
        self._rng = rng
        self.now = 0.0
        seed = rng.randbytes(32)
        self.peers = {peer.public: peer for peer in (Peer(name, seed) for name in names)}
        self.tap: Tap = lambda _sender, _receiver, frame: (frame,)
        self.watchers: list[Watcher] = []
        self._wires: dict[tuple[bytes, bytes], deque[bytes]] = {}

    def __iter__(self) -> Iterator[Peer]:
        return iter(self.peers.values())

    def by_name(self, name: str) -> Peer:
        """The peer of this name."""
        return next(peer for peer in self.peers.values() if peer.name == name)

    def link(self, one: Peer, other: Peer) -> None:
        """Links two peers, as after a handshake."""
        for peer, far in ((one, other), (other, one)):
            self._wires[peer.public, far.public] = deque()
        for peer, far in ((one, other), (other, one)):
            peer.session.peer_connected(far.public, far.session.name, (f"{far.name}:1",), self.now)

    def link_all(self) -> None:
        """Links every pair."""
        peers = list(self.peers.values())
        for index, peer in enumerate(peers):
            for other in peers[:index]:
                self.link(peer, other)

    def cut(self, one: Peer, other: Peer, why: str = "cut") -> None:
        """Closes the link between two peers; what is under way on it is lost."""
        for peer, far in ((one, other), (other, one)):
            if self._wires.pop((peer.public, far.public), None) is not None:
                peer.session.peer_lost(far.public, why, self.now)

    def command(self, peer: Peer, command: Command) -> None:
        """Gives a peer a command; its refusal is raised."""
        peer.session.command(command, self.now)

    def is_linked(self, one: Peer, other: Peer) -> bool:
        """Whether the link between two peers is up."""
        return (one.public, other.public) in self._wires

    def send_raw(self, sender: Peer, receiver: Peer, frame: bytes) -> None:
        """Puts bytes on a link as if `sender` had sent them."""
        self._wires[sender.public, receiver.public].append(frame)

    def advance(self, seconds: float) -> None:
        """Lets time pass, deadline by deadline, delivering everything in between."""
        end = self.now + seconds
        self.run()
        while True:
            times = [peer.session.deadline() for peer in self]
            due = min((time for time in times if time is not None), default=end)
            if due >= end:
                break
            self.now = max(due, self.now)
            for peer in self:
                peer.session.handle_deadline(self.now)
            self.run()
        self.now = end

    def run(self, steps_max: int = 1_000_000, until: Callable[[], bool] = lambda: False) -> None:
        """Delivers and works until nothing is left to do, or until `until` holds between two steps."""
        for _ in range(steps_max):
            self._collect()
            if until() or not self._step():
                return
        raise AssertionError(f"the network is still busy after {steps_max} steps")

    def finish_work(self) -> None:
        """Does all work that waits, and delivers nothing."""
        self._collect()
        while busy := [peer for peer in self if peer.session.has_work()]:
            for peer in busy:
                self._work(peer)
            self._collect()

    def _step(self) -> bool:
        """Delivers one frame or does one piece of work, as chance has it; False when there is neither."""
        busy = [wire for wire, queue in self._wires.items() if queue]
        working = [peer for peer in self if peer.session.has_work()]
        choices = len(busy) + len(working)
        if not choices:
            return False
        choice = self._rng.randrange(choices)
        if choice < len(busy):
            sender, receiver = (self.peers[key] for key in busy[choice])
            self._deliver(sender, receiver, self._wires[busy[choice]].popleft())
        else:
            self._work(working[choice - len(busy)])
        return True

    def _deliver(self, sender: Peer, receiver: Peer, frame: bytes) -> None:
        for watcher in self.watchers:
            watcher.came(Passage(sender, receiver, frame))
        receiver.session.receive(sender.public, frame, self.now)

    def _work(self, peer: Peer) -> None:
        work = peer.session.next_work()
        assert work is not None, "a peer with work has one to give"
        result: object
        try:
            result = work.run()
        except Exception as error:  # noqa: BLE001 - as in a driver's thread, whatever is raised goes back
            result = error
        peer.session.work_done(work.id, result, self.now)

    def _collect(self) -> None:
        has_closed = True
        while has_closed:  # The last words over a link may make its other end close it as well.
            has_closed = False
            for peer in self:
                self._take_frames(peer)
                has_closed |= self._take_closings(peer)
                self._take_notices(peer)

    def _take_frames(self, peer: Peer) -> None:
        for key, frame in peer.session.frames_to_send():
            assert key != peer.public, f"{peer.name} sends to itself"
            wire = self._wires.get((peer.public, key))
            if wire is not None:
                for watcher in self.watchers:
                    watcher.sent(Passage(peer, self.peers[key], frame))
                wire.extend(self.tap(peer.public, key, frame))

    def _take_closings(self, peer: Peer) -> bool:
        closings = peer.session.links_to_close()
        for closing in closings:
            peer.closed.append((closing.peer, closing.code))
            wire = self._wires.pop((peer.public, closing.peer), None)
            self._wires.pop((closing.peer, peer.public), None)
            if wire is not None:
                # What was sent before the close still arrives.
                far = self.peers[closing.peer]
                for frame in wire:
                    self._deliver(peer, far, frame)
                far.session.peer_lost(peer.public, "closed by the peer", self.now)
        return bool(closings)

    def _take_notices(self, peer: Peer) -> None:
        while (notice := peer.session.next_notice()) is not None:
            peer.notices.append(notice)
            for watcher in self.watchers:
                watcher.told(peer, notice)
            command = peer.on_notice(notice)
            if command is None:
                continue
            try:
                peer.session.command(command, self.now)
            except LocalProtocolError as refusal:
                peer.refusals.append(refusal)
