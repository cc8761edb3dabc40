"""A session's double: it knows rooms, members and frames that it sends back, and nothing of the game.

It lets the network layer be tested by itself. Frames are JSON texts; members tell each other whom they are
linked to, so that all come to be linked with all.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from typing import Any

from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.session.commands import Command, JoinRoom, LeaveRoom, OpenRoom, SendChat
from p2prummi.session.notices import ChatReceived, FaultSeen, Notice, PeerJoined, PeerLeft, RoomClosed
from p2prummi.session.outbox import Closing, Work
from p2prummi.transcript.agreement import ruleset_hash
from p2prummi.wire.hello import RoomAdvert


class SessionDouble:
    """What the driver needs of a session, with the least behind it."""

    def __init__(self, key: bytes, name: str) -> None:
        self.key = key
        self.name = name
        self.room: RoomAdvert = RoomAdvert()
        self.links: dict[bytes, tuple[str, tuple[str, ...]]] = {}
        self.worked: list[object] = []
        self.deadlines: list[float] = []
        self._frames: list[tuple[bytes, bytes]] = []
        self._closings: list[Closing] = []
        self._dials: list[tuple[bytes, tuple[str, ...]]] = []
        self._notices: deque[Notice] = deque()
        self._works: deque[Work] = deque()

    def peer_connected(self, peer: bytes, name: str, addresses: tuple[str, ...], now: float) -> None:
        self.links[peer] = (name, addresses)
        self._notices.append(PeerJoined(peer, name))
        self._gossip()

    def peer_refused(self, peer: bytes, error: RemoteProtocolError, now: float) -> None:
        if peer in self.links:
            self._notices.append(FaultSeen(code=error.code, text=error.text, peer=peer, signed=False))
            self._closings.append(Closing(peer, error.code, error.text))
            self.peer_lost(peer, error.text, now)

    def peer_lost(self, peer: bytes, why: str, now: float) -> None:
        if peer in self.links:
            name, _ = self.links.pop(peer)
            self._notices.append(PeerLeft(peer, name, False, why))

    def command(self, command: Command, now: float) -> None:
        match command:
            case OpenRoom():
                self.room = RoomAdvert(
                    state="open",
                    room_id=hashlib.sha256(self.key + command.name.encode()).digest(),
                    name=command.name,
                    opener=self.key,
                    ruleset_name=command.ruleset.name,
                    ruleset_hash=ruleset_hash(command.ruleset),
                    seats_taken=1,
                    seats=command.seats,
                    code_required=command.code_required,
                )
            case JoinRoom():
                self.room = RoomAdvert()
            case LeaveRoom():
                self.room = RoomAdvert()
                self._closings.extend(Closing(peer, None, "left") for peer in self.links)
                self._notices.append(RoomClosed("left"))
            case SendChat(text=text):
                self._broadcast({"chat": text})
            case _:
                raise LocalProtocolError("the double knows no game")

    def receive(self, peer: bytes, data: bytes, now: float) -> None:
        try:
            frame: dict[str, Any] = json.loads(data)
        except (ValueError, RecursionError):
            self._closings.append(Closing(peer, FaultCode.MALFORMED_FRAME, "no frame"))
            return
        if "chat" in frame:
            self._notices.append(ChatReceived(peer, self.links[peer][0], frame["chat"]))
        for key, addresses in frame.get("linked", ()):
            if bytes.fromhex(key) not in (self.key, *self.links):
                self._dials.append((bytes.fromhex(key), tuple(addresses)))

    def frames_to_send(self) -> list[tuple[bytes, bytes]]:
        taken, self._frames = self._frames, []
        return taken

    def links_to_close(self) -> list[Closing]:
        taken, self._closings = self._closings, []
        return taken

    def dials_wanted(self) -> list[tuple[bytes, tuple[str, ...]]]:
        taken, self._dials = self._dials, []
        return taken

    def next_notice(self) -> Notice | None:
        return self._notices.popleft() if self._notices else None

    def next_work(self) -> Work | None:
        return self._works.popleft() if self._works else None

    def work_done(self, work_id: int, result: object, now: float) -> None:
        self.worked.append(result)

    def deadline(self) -> float | None:
        return self.deadlines[0] if self.deadlines else None

    def handle_deadline(self, now: float) -> None:
        assert now >= self.deadlines.pop(0)

    def advert(self) -> RoomAdvert:
        return self.room

    def schedule(self, work: Work) -> None:
        self._works.append(work)

    def _gossip(self) -> None:
        self._broadcast({"linked": [(peer.hex(), addresses) for peer, (_, addresses) in self.links.items()]})

    def _broadcast(self, frame: dict[str, Any]) -> None:
        data = json.dumps(frame).encode()
        self._frames.extend((peer, data) for peer in self.links)
