"""Bot peers without a network, for tests: drivers that hand frames to each other in memory."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from p2prummi import headless
from p2prummi.bots import Easy, Strategy
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.room_code import RoomCode, parse_room_code
from p2prummi.crypto.signing import SigningKey
from p2prummi.headless import Bot, BotPlan, Outcome
from p2prummi.net import meeting
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.jsonlog import JsonLog
from p2prummi.net.meeting import Wish
from p2prummi.net.notices import LookoutChanged
from p2prummi.net.sightings import PeerSighting, RoomSighting, Status, facts_of
from p2prummi.rules import Ruleset
from p2prummi.session import Session, commands, notices
from p2prummi.wire.hello import NO_ROOM, RoomAdvert
from tests.local_match import NAMES, left_match, match_ended, short_rules

CODE = parse_room_code("123-456-7890")
T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


async def until(holds: Callable[[], object]) -> None:
    """Lets everything else go on until this holds."""
    while not holds():  # noqa: ASYNC110 - any step of the bots may be the one that makes it hold
        await asyncio.sleep(0.001)


class Hub:
    """Drivers without sockets: whoever sits in a room is linked to all who do."""

    def __init__(self) -> None:
        self.drivers: dict[bytes, MemoryDriver] = {}

    def carry(self) -> None:
        """Carries everything between the sessions until they are quiet."""
        is_busy = True
        while is_busy:
            were_busy = [driver.empty() for driver in self.drivers.values()]
            is_busy = any(were_busy)

    def room_changed(self) -> None:
        for driver in self.drivers.values():
            driver.queue.put_nowait(LookoutChanged(rooms=(), peers=()))


@dataclass
class MemoryDriver:
    """A driver whose network is the hub's memory."""

    hub: Hub
    number: int
    room_id: bytes = NO_ROOM
    start_notices: tuple[str, ...] = ()
    unreachable: int = 0
    looked_at: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        entropy = SeededEntropy(bytes([self.number]))
        self.session = Session(SigningKey(entropy(32)), NAMES[self.number], entropy)
        self.key = self.session.public
        self.queue: asyncio.Queue[object] = asyncio.Queue()
        self.hub.drivers[self.key] = self

    @property
    def advert(self) -> RoomAdvert:
        return self.session.advert()

    def addresses(self) -> tuple[str, ...]:
        return (f"10.0.0.{self.number}:4711",)

    def rooms(self) -> tuple[RoomSighting, ...]:
        found = {}
        for driver in self.hub.drivers.values():
            facts = facts_of(driver.advert)
            if driver is not self and facts is not None:
                member = PeerSighting(
                    key=driver.key,
                    name=driver.session.name,
                    program="",
                    versions=(1,),
                    compatible=True,
                    addresses=(),
                    room=facts,
                    status=Status.LIVE,
                )
                found[facts.room_id] = RoomSighting(facts=facts, members=(member,))
        return tuple(found.values())

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        code = code or (CODE if with_code else None)
        self.session.command(
            commands.OpenRoom(name=name, ruleset=ruleset, seats=seats, code_required=code is not None), 0.0
        )
        self.room_id = self.advert.room_id
        self.hub.carry()
        self.hub.room_changed()
        return code

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        if leaving:
            self.command(commands.LeaveRoom())
        self.session.command(commands.JoinRoom(room_id=room.facts.room_id, name=room.facts.name), 0.0)
        self.room_id = room.facts.room_id
        for other in self.hub.drivers.values():
            if other is not self and other.room_id == self.room_id:
                other.session.peer_connected(self.key, self.session.name, (), 0.0)
                self.session.peer_connected(other.key, other.session.name, (), 0.0)
        self.hub.carry()

    async def look_at(self, text: str) -> None:
        self.looked_at.append(text)
        if self.unreachable:
            self.unreachable -= 1
            raise UnreachableError({}, only_self=False)

    def command(self, command: commands.Command) -> None:
        self.session.command(command, 0.0)
        self.hub.carry()

    async def notices(self) -> AsyncIterator[object]:
        while (notice := await self.queue.get()) is not None:
            yield notice

    def empty(self) -> bool:
        """Takes out all that the session has to say; whether there was anything."""
        was_busy = False
        for peer, data in self.session.frames_to_send():
            was_busy = True
            self.hub.drivers[peer].session.receive(self.key, data, 0.0)
        for closing in self.session.links_to_close():
            was_busy = True
            self.session.peer_lost(closing.peer, closing.text, 0.0)
            self.hub.drivers[closing.peer].session.peer_lost(self.key, closing.text, 0.0)
        while (work := self.session.next_work()) is not None:
            was_busy = True
            try:
                result: object = work.run()
            except Exception as error:  # noqa: BLE001 - the session judges what its work has raised
                result = error
            self.session.work_done(work.id, result, 0.0)
        while (notice := self.session.next_notice()) is not None:
            was_busy = True
            if isinstance(notice, notices.RoomClosed):
                self.room_id = NO_ROOM
            self.queue.put_nowait(notice)
        return was_busy


@dataclass
class BotRun:
    """One bot of a test: what it is to do, what it said and wrote, how it ended."""

    driver: MemoryDriver
    plan: BotPlan
    said: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    outcome: Outcome | None = None

    async def run(self) -> None:
        log = JsonLog(self.lines.append, self.driver.key)
        self.outcome = await Bot(self.driver, self.plan, say=self.said.append, log=log).run()

    def events(self, *names: str) -> list[dict[str, Any]]:
        read = [json.loads(line) for line in self.lines]
        return [{**line, "time": None, "self": None, "file": None} for line in read if line["event"] in names]

    def has_said(self, words: str) -> bool:
        return any(words in text for text in self.said)


def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the pauses out of what bots do."""
    monkeypatch.setattr(headless, "LINGER_SECONDS", dict.fromkeys(headless.Outcome, 0.0))
    monkeypatch.setattr(meeting, "ADDRESS_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(meeting, "SEARCH_SECONDS", 0.02)
    monkeypatch.setattr(meeting, "SEARCH_SPREAD_SECONDS", 0.02)
    monkeypatch.setattr(meeting, "LOOK_SECONDS", 0.005)


def wish(seats: int, *settings: str) -> Wish:
    return Wish(name="kitchen", ruleset=short_rules(*settings), seats=seats)


def bot(
    hub: Hub, number: int, room: Wish, directory: Path, strategy: Strategy | None = None, **changes: Any
) -> BotRun:
    plan = BotPlan(
        wish=room,
        strategy=strategy or Easy(),
        rng=random.Random(number),
        directory=directory / NAMES[number],
    )
    return BotRun(MemoryDriver(hub, number), replace(plan, **changes))


async def play(*bots: BotRun) -> None:
    await asyncio.gather(*(each.run() for each in bots))


def make_bots(count: int, directory: Path, *settings: str, **changes: Any) -> list[BotRun]:
    hub = Hub()
    room = wish(count, *settings)
    return [bot(hub, number, room, directory, **changes) for number in range(count)]


async def match_of_bot_and_driver(directory: Path) -> tuple[asyncio.Task[None], BotRun, MemoryDriver]:
    """A bot in a running match with a driver that nobody moves."""
    hub, room = Hub(), wish(2)
    each, other = bot(hub, 0, room, directory), MemoryDriver(hub, 1)
    task = asyncio.ensure_future(each.run())
    await until(other.rooms)
    await other.join_room(other.rooms()[0])
    other.command(commands.SetReady(ready=True))
    await until(lambda: each.events("shuffled"))
    return task, each, other


async def told(directory: Path, *happenings: object, strategy: Strategy | None = None) -> BotRun:
    """A bot alone in its room, to which these notices come; the last of them is to end it."""
    each = bot(Hub(), 0, wish(3), directory, strategy)
    for notice in happenings:
        each.driver.queue.put_nowait(notice)
    await each.run()
    return each


def early_end(reason: notices.MatchEnd, peer: bytes | None = None) -> tuple[notices.MatchStarted, object]:
    ended = match_ended(left_match()[1])
    culprit = ended.match.keys[1] if peer is None else peer
    ending = replace(ended, reason=reason, peer=culprit, text="two decks\x1b were shown")
    return notices.MatchStarted(match=ended.match, seat=0), ending
