"""A network of sessions in memory: real frames and real proofs, no sockets, no threads, time that stands still.

`Network` links peers, delivers their frames in an order that its random source chooses (each link keeps its own
order, as TCP does), runs their work inline, and collects their notices. Whatever happens repeats from the seed. What
travels can be looked at or changed on its way (`Network.tap`), which is how tests play an attacker.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.session import Session
from p2prummi.session.commands import Command
from p2prummi.session.notices import Notice

if TYPE_CHECKING:
    from random import Random

Tap: TypeAlias = Callable[[bytes, bytes, bytes], Iterable[bytes]]
"""(sender, receiver, frame) to the frames that arrive instead: the same one, others, or none."""


class Peer:
    """One session with its notices so far; `on_notice` is asked for commands after each."""

    def __init__(self, name: str, seed: bytes) -> None:
        entropy = SeededEntropy(seed + name.encode())
        self.name = name
        self.key = SigningKey(entropy(32))
        self.session = Session(self.key, name, entropy)
        self.notices: list[Notice] = []
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
        self._wires: dict[tuple[bytes, bytes], deque[bytes]] = {}

    def __iter__(self) -> Iterable[Peer]:
        return iter(self.peers.values())

    def by_name(self, name: str) -> Peer:
        """The peer of this name."""
        return next(peer for peer in self.peers.values() if peer.name == name)

    def link(self, one: Peer, other: Peer) -> None:
        """Links two peers, as after a handshake."""
        for peer, far in ((one, other), (other, one)):
            self._wires[peer.public, far.public] = deque()
        for peer, far in ((one, other), (other, one)):
            peer.session.peer_connected(far.public, far.name, (f"{far.name}:1",), self.now)

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

    def send_raw(self, sender: Peer, receiver: Peer, frame: bytes) -> None:
        """Puts bytes on a link as if `sender` had sent them."""
        self._wires[sender.public, receiver.public].append(frame)

    def advance(self, seconds: float) -> None:
        """Lets time pass, deadline by deadline, delivering everything in between."""
        end = self.now + seconds
        self.run()
        while True:
            times = [peer.session.deadline() for peer in self.peers.values()]
            due = min((time for time in times if time is not None), default=end)
            if due >= end:
                break
            self.now = max(due, self.now)
            for peer in self.peers.values():
                peer.session.handle_deadline(self.now)
            self.run()
        self.now = end

    def run(self, steps_max: int = 1_000_000) -> None:
        """Delivers and works until nothing is left to do."""
        for _ in range(steps_max):
            for peer in self.peers.values():
                self._collect(peer)
            busy = [wire for wire, queue in self._wires.items() if queue]
            working = [peer for peer in self.peers.values() if peer.session.has_work()]
            choices = len(busy) + len(working)
            if not choices:
                return
            choice = self._rng.randrange(choices)
            if choice < len(busy):
                sender, receiver = busy[choice]
                frame = self._wires[sender, receiver].popleft()
                self.peers[receiver].session.receive(sender, frame, self.now)
            else:
                self._work(working[choice - len(busy)])
        raise AssertionError(f"the network is still busy after {steps_max} steps")

    def _work(self, peer: Peer) -> None:
        work = peer.session.next_work()
        assert work is not None, "a peer with work has one to give"
        result: object
        try:
            result = work.run()
        except Exception as error:  # noqa: BLE001 - like a driver's thread: whatever is raised goes back to the session
            result = error
        peer.session.work_done(work.id, result, self.now)

    def _collect(self, peer: Peer) -> None:
        session = peer.session
        for receiver, frame in session.frames_to_send():
            wire = self._wires.get((peer.public, receiver))
            if wire is not None:
                wire.extend(self.tap(peer.public, receiver, frame))
        for closing in session.links_to_close():
            wire = self._wires.pop((peer.public, closing.peer), None)
            self._wires.pop((closing.peer, peer.public), None)
            if wire is not None:
                # What was sent before the close still arrives.
                far = self.peers[closing.peer].session
                for frame in wire:
                    far.receive(peer.public, frame, self.now)
                far.peer_lost(peer.public, "closed by the peer", self.now)
        while (notice := session.next_notice()) is not None:
            peer.notices.append(notice)
            command = peer.on_notice(notice)
            if command is not None:
                session.command(command, self.now)
