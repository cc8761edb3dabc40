"""The way into the room that `play` was told: join it, open it, and make one room of two of its name."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from p2prummi.console.entrance import Entrance
from p2prummi.console.settings import Settings
from p2prummi.crypto.room_code import RoomCode
from p2prummi.errors import FaultCode
from p2prummi.net import meeting
from p2prummi.net.driver import AnyNotice
from p2prummi.net.joining import JoinError
from p2prummi.net.notices import LookoutChanged
from p2prummi.net.sightings import RoomSighting
from p2prummi.rules import Ruleset
from p2prummi.session import notices
from p2prummi.session.commands import SetReady
from p2prummi.transcript.agreement import ruleset_hash
from p2prummi.wire.hello import NO_ROOM
from tests.console.scripted_port import ScriptedPort
from tests.console.stage import match_ended, match_of, room_of, sighting_of


class Told:
    """Remembers what came of it."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, bool]] = []

    def tell(self, text: str, *, trouble: bool = False) -> None:
        self.lines.append((text, trouble))


def attic(room: bytes = b"a" * 32) -> RoomSighting:
    sighting = sighting_of("Attic", room=room)
    return replace(sighting, facts=replace(sighting.facts, ruleset_hash=ruleset_hash(Ruleset())))


def entrance_of(port: ScriptedPort, settings: Settings) -> tuple[Entrance, Told]:
    entrance, told = Entrance(port, settings), Told()
    entrance.teller = told
    return entrance, told


async def arrived(entrance: Entrance) -> None:
    entrance.begin()
    await asyncio.gather(*entrance._tasks)


async def until_idle(entrance: Entrance) -> None:
    """Until nothing is under way, and nothing has come of what was."""
    while entrance._tasks:
        await asyncio.gather(*entrance._tasks)
        await asyncio.sleep(0)


SETTINGS = Settings(ruleset=Ruleset(), room="Attic", players=3)


def test_the_room_of_the_name_is_joined() -> None:
    async def play() -> None:
        port = ScriptedPort(seen=(attic(),))
        await arrived(entrance_of(port, SETTINGS)[0])
        assert port.asked == [("join", "Attic", None)]

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
def test_where_there_is_none_it_is_opened_and_its_code_is_never_said() -> None:
    async def play() -> None:
        port = ScriptedPort()
        entrance, told = entrance_of(port, replace(SETTINGS, with_code=True))
        await arrived(entrance)
        assert port.asked == [("open", "Attic", Ruleset(), 3, True)]
        assert told.lines == []

    asyncio.run(play())


def test_an_address_is_looked_at_first_until_someone_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "ADDRESS_PAUSE_SECONDS", 0.0)

    async def play() -> None:
        port = ScriptedPort(seen=(attic(),))
        port.unreachable = 3
        await arrived(entrance_of(port, replace(SETTINGS, connect="10.0.0.7:4000"))[0])
        assert port.asked == [("look", "10.0.0.7:4000"), ("join", "Attic", None)]

    asyncio.run(play())


def test_an_address_where_nobody_is_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "ADDRESS_PAUSE_SECONDS", 0.0)

    async def play() -> None:
        port = ScriptedPort()
        port.unreachable = 99
        entrance, told = entrance_of(port, replace(SETTINGS, connect="10.0.0.7:4000"))
        await arrived(entrance)
        assert [trouble for _, trouble in told.lines] == [True]
        assert port.asked == []

    asyncio.run(play())


@pytest.fixture
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "SEARCH_SECONDS", 0.0)
    monkeypatch.setattr(meeting, "SEARCH_SPREAD_SECONDS", 0.0)


async def opened() -> tuple[ScriptedPort, Entrance]:
    """An own room, opened under the name, when another of that name is seen."""
    port = ScriptedPort()
    entrance, _ = entrance_of(port, SETTINGS)
    await arrived(entrance)
    port.asked.clear()
    port.seen = (attic(),)
    return port, entrance


SEEN = LookoutChanged(rooms=(), peers=())


@pytest.mark.usefixtures("_no_search")
def test_an_own_room_goes_into_another_of_its_name() -> None:
    async def play() -> None:
        port, entrance = await opened()
        entrance.hear(SEEN)
        entrance.hear(SEEN)
        await asyncio.gather(*entrance._tasks)
        assert port.asked == [("join", "Attic", None)]

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
def test_another_room_that_was_seen_just_before_the_own_one_was_opened_is_gone_into() -> None:
    async def play() -> None:
        port = ScriptedPort()
        entrance, _ = entrance_of(port, SETTINGS)
        entrance.begin()
        entrance.hear(SEEN)
        port.seen = (attic(),)
        await until_idle(entrance)
        assert [asked[0] for asked in port.asked] == ["open", "join"]

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
def test_another_room_that_is_seen_while_one_looks_is_gone_into_afterwards() -> None:
    class LatePort(ScriptedPort):
        """More is seen while a room refuses."""

        async def join_room(
            self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
        ) -> None:
            if room.facts.room_id == b"b" * 32:
                self.seen = (attic(),)
                entrance.hear(SEEN)
                await asyncio.sleep(0)
                assert self.asked == [], "one room at a time"
                raise JoinError(FaultCode.WRONG_ROOM, "this peer does not sit in that room")
            await super().join_room(room, code, leaving=leaving)

    port = LatePort()
    entrance, _ = entrance_of(port, SETTINGS)

    async def play() -> None:
        await arrived(entrance)
        port.asked.clear()
        port.seen = (attic(b"b" * 32),)
        entrance.hear(SEEN)
        await until_idle(entrance)
        assert port.room_id == b"a" * 32

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
def test_an_own_room_stays_while_a_match_is_played_in_it() -> None:
    async def play() -> None:
        port, entrance = await opened()
        entrance.hear(notices.MatchStarted(match=match_of(), seat=0))
        entrance.hear(SEEN)
        assert not entrance._tasks
        entrance.hear(match_ended())
        entrance.hear(SEEN)
        await asyncio.gather(*entrance._tasks)
        assert port.asked == [("join", "Attic", None)]

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
def test_a_room_that_was_left_is_not_entered_again() -> None:
    async def play() -> None:
        port, entrance = await opened()
        port.room_id = NO_ROOM
        entrance.hear(SEEN)
        await asyncio.gather(*entrance._tasks)
        assert port.asked == []

    asyncio.run(play())


CLOSED = notices.RoomClosed("Ben, who opened the room, is gone.")


@pytest.mark.usefixtures("_no_search")
def test_one_is_ready_in_the_room_that_the_own_one_went_into_too() -> None:
    async def play() -> None:
        port = ScriptedPort()
        entrance, _ = entrance_of(port, replace(SETTINGS, ready=True))
        await arrived(entrance)
        entrance.hear(room_of())
        port.seen = (attic(),)
        entrance.hear(SEEN)
        entrance.hear(CLOSED)
        entrance.hear(room_of())
        entrance.hear(room_of())
        assert port.asked.count(SetReady(ready=True)) == 2

    asyncio.run(play())


MINE, OTHERS = room_of(ready=[0]), replace(room_of(), room_id=b"a" * 32)
OTHER_RULES = replace(OTHERS, ruleset=replace(Ruleset(), rounds=2))


@pytest.mark.usefixtures("_no_search")
@pytest.mark.parametrize(
    ("heard", "is_ready"),
    [
        ([MINE, CLOSED, OTHERS], True),
        ([MINE, CLOSED, replace(OTHERS, ruleset=None), OTHERS], True),
        ([room_of(), CLOSED, OTHERS], False),
        ([MINE, room_of(), CLOSED, OTHERS], False),
        ([MINE, CLOSED, OTHER_RULES], False),
        ([MINE, room_of()], False),
    ],
    ids=["said", "before its terms", "never said", "taken back", "by other rules", "in the same room"],
)
def test_whoever_has_said_ready_is_so_too_where_their_room_went(
    heard: list[notices.Notice], is_ready: bool
) -> None:
    async def play() -> None:
        port, entrance = await opened()
        for notice in heard:
            entrance.hear(notice)
        assert port.asked.count(SetReady(ready=True)) == is_ready

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
@pytest.mark.parametrize("way", ["join", "connect", "open"])
def test_whoever_goes_to_another_room_by_itself_is_not_ready_there(way: str) -> None:
    async def play() -> None:
        port, entrance = await opened()
        entrance.hear(MINE)
        if way == "join":
            entrance.join("Attic", (attic(),))
        elif way == "connect":
            entrance.connect("10.77.0.1:4711")
        else:
            entrance.open("Cellar")
        entrance.hear(OTHERS)
        assert SetReady(ready=True) not in port.asked
        await entrance.close()

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
def test_whoever_has_left_a_room_or_found_none_by_itself_is_ready_in_no_other() -> None:
    async def play() -> None:
        port, entrance = await opened()
        entrance.hear(MINE)
        entrance.left()
        entrance.hear(OTHERS)
        assert port.asked == []
        typed, _ = entrance_of(port, Settings(ruleset=Ruleset()))
        for notice in (MINE, CLOSED, OTHERS):
            typed.hear(notice)
        assert port.asked == []

    asyncio.run(play())


async def joined() -> tuple[ScriptedPort, Entrance]:
    """In the room of another, which has just gone for one of its name."""
    port = ScriptedPort(seen=(attic(),))
    entrance, _ = entrance_of(port, SETTINGS)
    await arrived(entrance)
    port.asked.clear()
    return port, entrance


@pytest.mark.parametrize("heard", [[CLOSED, SEEN], [SEEN, CLOSED]], ids=["then seen", "while looking"])
def test_a_room_that_has_gone_is_looked_for_anew(heard: list[AnyNotice]) -> None:
    async def play() -> None:
        port, entrance = await joined()
        port.room_id = NO_ROOM
        for notice in heard:
            entrance.hear(notice)
        await until_idle(entrance)
        assert port.asked == [("join", "Attic", None)]

    asyncio.run(play())


@pytest.mark.usefixtures("_no_search")
def test_a_room_that_has_gone_for_another_is_not_looked_for_once_that_has_let_one_in() -> None:
    async def play() -> None:
        port, entrance = await opened()
        for notice in (SEEN, CLOSED):
            entrance.hear(notice)
        await until_idle(entrance)
        entrance.hear(replace(room_of(), room_id=b"a" * 32))
        entrance.hear(notices.MatchStarted(match=match_of(), seat=0))
        entrance.hear(match_ended())
        port.room_id = NO_ROOM
        for notice in (CLOSED, SEEN):
            entrance.hear(notice)
        await until_idle(entrance)
        assert port.asked == [("join", "Attic", None)]

    asyncio.run(play())


def test_a_room_that_was_left_or_has_gone_after_its_match_is_not_looked_for() -> None:
    async def play() -> None:
        _, entrance = await joined()
        entrance.left()
        entrance.hear(CLOSED)
        assert not entrance._tasks
        _, entrance = await joined()
        entrance.hear(notices.MatchStarted(match=match_of(), seat=0))
        entrance.hear(match_ended())
        entrance.hear(CLOSED)
        assert not entrance._tasks

    asyncio.run(play())


def test_what_is_under_way_ends_with_the_program() -> None:
    async def play() -> None:
        entrance, told = entrance_of(ScriptedPort(), SETTINGS)
        entrance.begin()
        await entrance.close()
        assert not entrance._tasks
        assert told.lines == []

    asyncio.run(play())
