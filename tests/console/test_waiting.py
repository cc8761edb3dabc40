"""Who is found at an address but sits in no room yet is waited for, which is said and can be stopped."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2prummi.console.settings import Settings
from p2prummi.crypto.room_code import RoomCode
from p2prummi.net import meeting
from p2prummi.net.notices import LookoutChanged
from p2prummi.rules import Ruleset
from p2prummi.session import commands
from tests.console.director_stage import Stage
from tests.console.screens import seen
from tests.console.stage import room_of, sighting_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

ADDRESS = "10.0.0.7:4000"
WAITING = f"Björn at {ADDRESS} is in no room yet; you join as soon as there is one. `leave` stops waiting."
IN_A_ROOM = sighting_of("Attic").members[0]
IN_NONE = replace(IN_A_ROOM, room=None)


async def settled(stage: Stage) -> None:
    """Waits until nothing that was begun is under way."""
    await asyncio.gather(*stage.entrance._tasks)


def waits(directory: Path, then: Callable[[Stage], Awaitable[None]]) -> None:
    """Plays on from where someone in no room is waited for."""

    async def play() -> None:
        stage = Stage(directory)
        stage.port.there = IN_NONE
        stage.type(f"connect {ADDRESS}")
        await settled(stage)
        stage.port.asked.clear()
        await then(stage)
        await settled(stage)

    asyncio.run(play())


def words_of(stage: Stage) -> str:
    return " ".join(seen(stage.director.model).split())


def look(stage: Stage, *peers: object) -> None:
    stage.director.hear(LookoutChanged(rooms=(), peers=peers))  # type: ignore[arg-type]  # sightings


def test_that_someone_is_waited_for_is_said_and_stays_on_the_screen(tmp_path: Path) -> None:
    async def then(stage: Stage) -> None:
        assert stage.answer == f"Looking who is at {ADDRESS} ..."
        stage.director.second_passed()
        assert stage.answer == ""
        stage.type("nonsense")
        stage.director.second_passed()
        assert stage.refused
        assert WAITING in words_of(stage)

    waits(tmp_path, then)


def test_what_was_refused_meanwhile_is_still_said(tmp_path: Path) -> None:
    async def then(stage: Stage) -> None:
        stage.type("nonsense")
        stage.director.second_passed()
        assert stage.refused
        assert WAITING in words_of(stage)

    waits(tmp_path, then)


def test_the_room_is_joined_once_it_is_there(tmp_path: Path) -> None:
    async def then(stage: Stage) -> None:
        look(stage, IN_NONE)
        look(stage, replace(IN_A_ROOM, key=b"another" + bytes(25)))
        await settled(stage)
        assert stage.port.asked == []
        look(stage, IN_A_ROOM)
        look(stage, IN_A_ROOM)
        await settled(stage)
        assert stage.port.asked == [("connect", ADDRESS, None)]
        assert WAITING not in words_of(stage)

    waits(tmp_path, then)


def test_leaving_stops_the_waiting(tmp_path: Path) -> None:
    async def then(stage: Stage) -> None:
        stage.director.second_passed()
        stage.type("leave")
        assert stage.answer == "That room is waited for no more."
        assert WAITING not in words_of(stage)
        look(stage, IN_A_ROOM)
        await settled(stage)
        assert stage.port.asked == []
        stage.type("leave")
        assert stage.answer == "You are in no room that could be left; `quit` ends the program."

    waits(tmp_path, then)


def test_another_room_ends_the_waiting(tmp_path: Path) -> None:
    async def then(stage: Stage) -> None:
        stage.director.hear(room_of(1))
        look(stage, IN_A_ROOM)
        await settled(stage)
        assert stage.port.asked == []

    waits(tmp_path, then)


def test_joining_another_room_ends_the_waiting_at_once(tmp_path: Path) -> None:
    async def then(stage: Stage) -> None:
        stage.port.seen = (sighting_of("Kitchen", room=b"k" * 32),)
        stage.director.second_passed()
        stage.type("join Kitchen")
        look(stage, IN_A_ROOM)
        await settled(stage)
        assert stage.port.asked == [("join", "Kitchen", None)]

    waits(tmp_path, then)


def test_another_address_ends_the_waiting_at_once(tmp_path: Path) -> None:
    async def then(stage: Stage) -> None:
        stage.type("connect 10.0.0.8:4000")
        look(stage, IN_A_ROOM)
        await settled(stage)
        assert stage.port.asked == [("look", "10.0.0.8:4000")]

    waits(tmp_path, then)


def test_who_sits_in_a_room_by_then_waits_for_nobody(tmp_path: Path) -> None:
    async def play() -> None:
        stage = Stage(tmp_path)
        stage.port.there = IN_NONE
        stage.type(f"connect {ADDRESS}")
        stage.port.room_id = b"r" * 32
        await settled(stage)
        assert stage.answer == f"Looking who is at {ADDRESS} ..."
        assert stage.entrance.waiting == ""

    asyncio.run(play())


@pytest.mark.parametrize(
    ("facts", "code", "words"),
    [
        ({"state": "playing"}, "", "A match is running in this room."),
        ({"code_required": True}, "", f"This room asks for its code: connect {ADDRESS} 123-456-7890"),
        ({"code_required": True}, " 1234567890", None),
    ],
)
def test_a_room_that_lets_nobody_in_says_why(
    tmp_path: Path, facts: dict[str, object], code: str, words: str | None
) -> None:
    async def play() -> None:
        stage = Stage(tmp_path)
        stage.port.there = IN_NONE
        stage.type(f"connect {ADDRESS}{code}")
        await settled(stage)
        look(stage, sighting_of("Attic", **facts).members[0])  # type: ignore[arg-type]  # facts of a room
        await settled(stage)
        if words is None:
            assert stage.port.asked[-1] == ("connect", ADDRESS, RoomCode("1234567890"))
        else:
            assert stage.port.asked == [("look", ADDRESS)]
            assert stage.answer == words

    asyncio.run(play())


def test_play_looks_patiently_at_the_address_that_it_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, "ADDRESS_PAUSE_SECONDS", 0.0)

    async def play() -> None:
        stage = Stage(tmp_path, settings=Settings(ruleset=Ruleset(), connect=ADDRESS))
        stage.port.there, stage.port.unreachable = IN_NONE, meeting.ADDRESS_LOOKS_MAX - 1
        stage.entrance.begin()
        await settled(stage)
        assert stage.entrance.waiting == WAITING

    asyncio.run(play())


def test_an_address_that_is_typed_is_looked_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        stage = Stage(tmp_path)
        stage.port.unreachable = 1
        stage.type(f"connect {ADDRESS}")
        await settled(stage)
        assert stage.refused
        assert stage.port.asked == []

    asyncio.run(play())


def test_leaving_a_room_is_asked_of_the_session(tmp_path: Path) -> None:
    stage = Stage(tmp_path, room_of(1))
    stage.type("leave")
    assert stage.port.asked == [commands.LeaveRoom()]
