"""The director and rooms: opening, joining, connecting, and what is said of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.console.log.model import Kind
from p2prummi.console.screen import Candidates
from p2prummi.console.settings import Settings
from p2prummi.crypto.room_code import RoomCode
from p2prummi.rules import Ruleset
from p2prummi.session import commands, notices
from tests.console.director_stage import Stage
from tests.console.screens import seen
from tests.console.stage import room_of, sighting_of, started

if TYPE_CHECKING:
    from pathlib import Path


def test_a_room_is_opened_with_what_is_typed_behind_its_name(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.type("open The Attic with nl-digitaal rounds=3 players=3")
    [(_, name, ruleset, seats, with_code)] = stage.port.asked
    assert (name, ruleset.name, ruleset.rounds, seats, with_code) == ("The Attic", "nl-digitaal", 3, 3, False)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("open Attic with", "Rules go behind `with`: open Attic with official rounds=3"),
        ("open Attic with cheese", "cheese is neither a preset"),
        ("open Attic with rounds=many", "rounds is a whole number"),
        ("open Attic with players=9", "players is within 2-4 with this set, not 9; for up to 6 take"),
        ("join Cellar", "No room is called 'Cellar'"),
    ],
)
def test_rooms_that_can_not_be(tmp_path: Path, line: str, words: str) -> None:
    stage = Stage(tmp_path)
    stage.type(line)
    assert words in stage.answer
    assert stage.refused
    assert stage.port.asked == []


def test_the_code_of_an_own_room_is_on_its_screen_and_nowhere_else(tmp_path: Path) -> None:
    stage = Stage(tmp_path, settings=Settings(ruleset=Ruleset(), with_code=True))
    stage.type("open Attic")
    stage.director.hear(room_of(1))
    assert "code: 123-456-7890 (who wants to join needs it; tell it by word of mouth)" in seen(
        stage.director.model
    )
    assert stage.director.model.log.entries == ()
    assert stage.answer == ""
    assert "1234567890" not in repr(stage.director.model)
    stage.director.hear(notices.RoomClosed("You have left the room."))
    stage.director.second_passed()
    assert "123-456-7890" not in seen(stage.director.model)


def test_the_code_is_for_the_opener_to_tell(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.port.room_code = RoomCode("1234567890")
    room = room_of(2)
    members = tuple(replace(member, is_opener=not member.is_opener) for member in room.members)
    stage.director.hear(replace(room, members=members))
    assert "123-456-7890" not in seen(stage.director.model)
    stage.director.hear(room)
    assert "123-456-7890" in seen(stage.director.model)


@pytest.mark.parametrize("code", ["111-111-1111", "111 111 1111", "1111111111"])
def test_a_room_that_a_code_is_for_is_waited_for_and_not_opened(tmp_path: Path, code: str) -> None:
    stage = Stage(tmp_path)
    stage.type(f"join the vault {code}")
    assert stage.answer == "No room is called 'the vault' yet: wait until it is in the list."


def test_that_a_room_is_being_entered_is_said_until_one_is_in_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.director.tell("Entering Attic ...")
    stage.director.hear(room_of(2))
    assert stage.answer == ""
    stage.director.tell("Something else.")
    stage.director.hear(room_of(3))
    assert stage.answer == "Something else."


def test_trouble_is_still_said_in_the_room_that_was_entered(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.director.tell("Nothing can be kept.", trouble=True)
    stage.director.hear(room_of(2))
    assert stage.answer == "Nothing can be kept."


async def settled(stage: Stage) -> None:
    """Waits until nothing that was begun is under way."""
    await asyncio.gather(*stage.entrance._tasks)


@pytest.mark.parametrize("line", ["join kitchen", "join 2"])
def test_joining_by_name_and_by_number(tmp_path: Path, line: str) -> None:
    async def play() -> None:
        stage = Stage(tmp_path)
        stage.port.seen = (sighting_of("Attic"), sighting_of("Kitchen", room=b"k" * 32))
        stage.director.second_passed()
        stage.type(line)
        assert stage.answer == "Entering Kitchen ..."
        await settled(stage)
        assert stage.port.asked == [("join", "Kitchen", None)]

    asyncio.run(play())


def test_a_room_that_does_not_let_one_in_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        stage = Stage(tmp_path)
        stage.port.seen = (sighting_of("Attic"),)
        stage.director.second_passed()
        stage.port.refusal = "The room is full."
        stage.type("join Attic")
        await settled(stage)
        assert stage.answer == "The room is full."
        assert stage.director.model.log.entries[-1].kind is Kind.TROUBLE
        # Once is enough: above the line for typing, and in the log when something else stands there.
        assert seen(stage.director.model).count("The room is full.") == 1
        assert "✗ The room is full." in seen(stage.director.model)
        assert (
            seen(stage.director.model, candidates=Candidates(texts=("join",))).count("The room is full.") == 1
        )
        stage.type("nonsense")
        assert seen(stage.director.model).count("The room is full.") == 1

    asyncio.run(play())


def test_what_went_wrong_is_in_the_log_while_a_question_stands_in_its_place(tmp_path: Path) -> None:
    stage = Stage(tmp_path, *started())
    stage.director.tell("A bot has failed.", trouble=True)
    assert seen(stage.director.model).count("A bot has failed.") == 1
    stage.director.interrupt()
    assert "(y/n)" in seen(stage.director.model)
    assert seen(stage.director.model).count("A bot has failed.") == 1


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"compatible": False}, "another version of the protocol"),
        ({"state": "playing"}, "A match is running"),
        ({"code_required": True}, "asks for its code: join Attic 123-456-7890"),
    ],
)
def test_rooms_that_can_not_be_joined(tmp_path: Path, facts: dict[str, Any], words: str) -> None:
    stage = Stage(tmp_path)
    stage.port.seen = (sighting_of("Attic", **facts),)
    stage.director.second_passed()
    stage.type("join Attic")
    assert words in stage.answer


def test_a_code_and_an_address_are_passed_on(tmp_path: Path) -> None:
    async def play() -> None:
        stage = Stage(tmp_path)
        stage.port.seen = (sighting_of("Attic", code_required=True),)
        stage.director.second_passed()
        stage.type("join attic 123 456 7890")
        await settled(stage)
        stage.type("connect 10.0.0.7:4000 1234567890")
        await settled(stage)
        code = RoomCode("1234567890")
        assert stage.port.asked == [
            ("join", "Attic", code),
            ("look", "10.0.0.7:4000"),
            ("connect", "10.0.0.7:4000", code),
        ]

    asyncio.run(play())


def test_two_rooms_of_one_name_are_told_apart_by_number(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.port.seen = (sighting_of("Attic"), sighting_of("attic", room=b"k" * 32))
    stage.director.second_passed()
    stage.type("join Attic")
    assert "There are 2 rooms of this name" in stage.answer


def test_play_was_told_to_be_ready_and_is_so_once(tmp_path: Path) -> None:
    stage = Stage(tmp_path, settings=Settings(ruleset=Ruleset(), ready=True))
    stage.director.hear(replace(room_of(2), ruleset=None))
    assert stage.port.asked == []
    stage.director.hear(room_of(2))
    stage.director.hear(room_of(2))
    assert stage.port.asked == [commands.SetReady(ready=True)]


def test_play_was_told_an_address(tmp_path: Path) -> None:
    async def play() -> None:
        stage = Stage(tmp_path, settings=Settings(ruleset=Ruleset(), connect="10.0.0.7:4000"))
        stage.entrance.begin()
        await settled(stage)
        assert stage.port.asked == [("look", "10.0.0.7:4000"), ("connect", "10.0.0.7:4000", None)]
        await stage.entrance.close()

    asyncio.run(play())
