"""A network of peers that sit in rooms, without sockets and with a clock of its own, for `meeting.py`."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
from dataclasses import dataclass, field, replace
from itertools import count

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.room_code import RoomCode, parse_room_code
from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.net.joining import JoinError
from p2prummi.net.meeting import Wish
from p2prummi.net.sightings import PeerSighting, RoomFacts, RoomSighting, Status
from p2prummi.rules import PRESETS, Ruleset
from p2prummi.session.commands import Command, LeaveRoom
from p2prummi.transcript.agreement import room_id, ruleset_hash
from p2prummi.wire.hello import NO_ROOM, RoomAdvert, RoomState

OFFICIAL = PRESETS["official"]
WISH = Wish(name="kitchen", ruleset=OFFICIAL, seats=4)
CODE = parse_room_code("123-456-7890")


def key_of(number: int) -> bytes:
    return hashlib.sha256(bytes([number])).digest()


def sighting(
    number: int,
    *,
    opener: int = 9,
    name: str = "kitchen",
    ruleset: Ruleset = OFFICIAL,
    code_required: bool = False,
    seats_taken: int = 1,
) -> RoomSighting:
    facts = RoomFacts(
        room_id=bytes([number]) * 32,
        name=name,
        opener=fingerprint(key_of(opener)),
        ruleset_name=ruleset.name,
        ruleset_hash=ruleset_hash(ruleset),
        seats_taken=seats_taken,
        seats=4,
        state="open",
        code_required=code_required,
    )
    member = PeerSighting(
        key=key_of(opener),
        name="Ada",
        program="p2prummi",
        versions=(1,),
        compatible=True,
        addresses=(),
        room=facts,
        status=Status.LIVE,
    )
    return RoomSighting(facts=facts, members=(member,))


class World:
    """Peers that see each other's rooms after a while, and a clock that moves when all of them wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self.places: list[FakePlace] = []
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = count()

    async def pause(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self.now + seconds, next(self._count), woken))
        await woken

    async def run(self, tasks: list[asyncio.Task[None]]) -> None:
        while not all(task.done() for task in tasks):
            for _ in range(10):
                await asyncio.sleep(0)
            if self._waiting:
                self.now, _, woken = heapq.heappop(self._waiting)
                woken.set_result(None)
        for task in tasks:
            task.result()


@dataclass
class FakePlace:
    """What a driver is to a meeting. Others see what this peer does `delay` seconds later."""

    world: World
    key: bytes
    delay: float = 0.5
    room_id: bytes = NO_ROOM
    ruleset: Ruleset = OFFICIAL
    seats: int = 4
    is_playing: bool = False
    state: RoomState = "open"
    opened: list[bytes] = field(default_factory=list)
    told: list[tuple[float, bytes]] = field(default_factory=list)
    refusal: Exception | None = None
    tried: int = 0
    code: RoomCode | None = None

    def _sit(self, room: bytes) -> None:
        self.room_id = room
        self.told.append((self.world.now, room))

    def opener_of(self, room: bytes) -> FakePlace | None:
        return next((place for place in self.world.places if room in place.opened), None)

    @property
    def advert(self) -> RoomAdvert:
        opener = self.opener_of(self.room_id)
        if opener is None or opener.room_id != self.room_id:
            return RoomAdvert()
        taken = sum(place.room_id == self.room_id for place in self.world.places)
        return RoomAdvert(
            state=self.state,
            room_id=self.room_id,
            opener=opener.key,
            ruleset_hash=bytes(32),
            seats_taken=taken,
            seats=opener.seats,
        )

    def rooms(self) -> tuple[RoomSighting, ...]:
        seen: dict[bytes, list[FakePlace]] = {}
        for place in self.world.places:
            shown = [room for at, room in place.told if at + place.delay <= self.world.now]
            if place is not self and shown and shown[-1] != NO_ROOM:
                seen.setdefault(shown[-1], []).append(place)
        found = []
        for room, members in seen.items():
            opener = self.opener_of(room)
            assert opener is not None
            facts = replace(sighting(0).facts, room_id=room, seats_taken=len(members), seats=opener.seats)
            (member,) = sighting(0).members
            found.append(
                RoomSighting(facts=facts, members=tuple(replace(member, key=each.key) for each in members))
            )
        return tuple(found)

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        assert self.room_id == NO_ROOM, "a peer sits in one room at a time"
        self.opened.append(room_id(self.key, bytes([len(self.opened)]) * 32))
        self.ruleset, self.seats = ruleset, seats
        self._sit(self.opened[-1])
        return code or (CODE if with_code else None)

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        self.tried += 1
        self.code = code
        await self.world.pause(0.05)
        if self.refusal is not None:
            raise self.refusal
        if leaving and self.is_playing:
            raise LocalProtocolError("The match has begun here.")
        if not any(place.room_id == room.facts.room_id for place in self.world.places):
            raise JoinError(FaultCode.WRONG_ROOM, "this peer does not sit in that room")
        if self.room_id != NO_ROOM:
            self.command(LeaveRoom())
        self._sit(room.facts.room_id)

    def command(self, command: Command) -> None:
        """Leaving one's own room closes it for everyone in it."""
        assert isinstance(command, LeaveRoom)
        left = self.room_id
        self._sit(NO_ROOM)
        if left in self.opened:
            for place in self.world.places:
                if place.room_id == left:
                    place._sit(NO_ROOM)
