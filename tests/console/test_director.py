"""The director: what typed lines lead to, what is asked first, what is refused, and how it all ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.console import director
from p2prummi.console.director import Director
from p2prummi.console.entrance import Entrance
from p2prummi.console.keeping import Keeper
from p2prummi.console.log.model import Kind
from p2prummi.console.model import Question, Screen
from p2prummi.console.settings import Outcome, Settings
from p2prummi.crypto.room_code import RoomCode
from p2prummi.rules import Draw, Pass, Play, Ruleset, format_tiles
from p2prummi.session import commands, notices
from tests.console.scripted_port import ScriptedPort
from tests.console.stage import (
    KEYS,
    NAMES,
    after_lay,
    dealt,
    game_of,
    match_ended,
    rack_of,
    room_of,
    round_ended,
    sighting_of,
    started,
    turn_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from p2prummi.net.driver import AnyNotice


class Stage:
    """A director on a scripted port; `left` holds how it ended, `bells` how often it rang."""

    def __init__(self, directory: Path, *told: AnyNotice, settings: Settings | None = None) -> None:
        self.port = ScriptedPort()
        self.left: list[Outcome] = []
        self.bells = 0
        self.entrance = Entrance(self.port, settings or Settings(ruleset=Ruleset()))
        self.director = Director(
            self.port,
            self.entrance,
            Keeper(KEYS[0], directory=directory),
            name=NAMES[0],
            leave=self.left.append,
            bell=self._ring,
        )
        self.entrance.teller = self.director
        for notice in told:
            self.director.hear(notice)

    def _ring(self) -> None:
        self.bells += 1

    def type(self, *lines: str) -> None:
        for line in lines:
            self.director.submit(line)

    @property
    def answer(self) -> str:
        return "\n".join(self.director.model.message.lines)

    @property
    def refused(self) -> bool:
        return self.director.model.message.trouble

    @property
    def screen(self) -> str:
        return self.director.model.screen

    def asks(self, question: Question | None) -> bool:
        return self.director.model.question is question

    @property
    def turns(self) -> list[object]:
        return [asked.turn for asked in self.port.asked if isinstance(asked, commands.TakeTurn)]


GAME = game_of("R1 R2 R3", "K7 B7 O7")
RACK = rack_of("R4 K9 B9 O9", GAME)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """One's own turn, with a rack that fits the table."""
    return Stage(tmp_path, *started(), *dealt(GAME, RACK))


def test_a_legal_turn_is_sent_once(stage: Stage) -> None:
    stage.type("add R4 to 1", "end", "end")
    assert [type(turn) for turn in stage.turns] == [Play]
    turn = stage.turns[0]
    assert isinstance(turn, Play)
    assert [format_tiles(meld.tiles) for meld in turn.melds] == ["R1 R2 R3 R4", "K7 B7 O7"]
    assert stage.answer == "It is not your turn."


def test_an_illegal_turn_is_never_sent_and_all_that_is_wrong_is_said(stage: Stage) -> None:
    stage.type("split 1 after R1", "take O7 from 3", "end")
    assert stage.turns == []
    assert stage.refused
    assert "Meld 1: [R1] is too short" in stage.answer
    assert "Meld 2: [R2 R3] is too short" in stage.answer
    assert "Meld 3: [K7 B7] is too short" in stage.answer
    assert "O7 lay on the table and is gone" in stage.answer
    assert "No tile was laid" in stage.answer


def test_a_refusal_is_an_answer_that_the_next_line_replaces(stage: Stage) -> None:
    before = stage.director.model.log
    stage.type("split 1 after R1", "take O7 from 3", "end", "end")
    assert stage.director.model.log == before
    stage.type("reset")
    assert stage.answer == ""


def test_more_reasons_than_there_is_room_for_are_counted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(director, "SHOWN_REASONS_MAX", 2)
    stage.type("split 1 after R1", "take O7 from 3", "end")
    assert stage.answer.splitlines()[2:] == ["And 3 more."]


def test_ending_with_nothing_laid_says_so(stage: Stage) -> None:
    stage.type("end")
    assert stage.turns == []
    assert stage.answer.startswith("No tile was laid")


def test_what_the_session_refuses_is_said_and_the_turn_stays_ones_own(stage: Stage) -> None:
    stage.port.refusal = "Not so fast."
    stage.type("add R4 to 1", "end")
    assert stage.answer == "Not so fast."
    assert stage.director.model.table.my_turn


def test_drawing_asks_only_where_a_legal_play_lies_on_the_table(stage: Stage) -> None:
    stage.type("add R4 to 1", "draw")
    assert stage.asks(Question.DRAW)
    stage.type("n")
    assert stage.turns == []
    assert stage.asks(None)
    stage.type("draw", "y")
    assert stage.turns == [Draw()]


def test_drawing_with_a_draft_that_came_to_nothing_is_an_ordinary_draw(stage: Stage) -> None:
    stage.type("lay K9 B9", "draw")
    assert stage.turns == [Draw()]


def test_a_yes_without_a_question_does_nothing(stage: Stage) -> None:
    stage.type("y")
    assert "There is no command 'y'" in stage.answer


def test_another_command_takes_the_question_back(stage: Stage) -> None:
    stage.type("add R4 to 1", "draw", "reset", "y")
    assert stage.turns == []


def test_d15_enter_alone_takes_the_question_back_too(stage: Stage) -> None:
    stage.type("add R4 to 1", "draw", "", "y")
    assert stage.turns == []


def test_with_an_empty_pool_a_draw_is_a_pass(tmp_path: Path) -> None:
    game = replace(GAME, pool_left=0)
    stage = Stage(tmp_path, *started(), *dealt(game, RACK))
    stage.type("draw")
    assert stage.turns == [Pass()]


def test_passing_needs_an_empty_pool(stage: Stage, tmp_path: Path) -> None:
    stage.type("pass")
    assert stage.turns == []
    assert "once the pool is empty" in stage.answer
    empty = Stage(tmp_path, *started(), *dealt(replace(GAME, pool_left=0), RACK))
    empty.type("pass")
    assert empty.turns == [Pass()]


@pytest.mark.parametrize("line", ["end", "draw", "pass"])
def test_turns_of_others_are_not_ones_own(tmp_path: Path, line: str) -> None:
    stage = Stage(tmp_path, *started(), *dealt(replace(GAME, to_move=1), RACK))
    stage.type("add R4 to 1", line)
    assert stage.turns == []
    assert stage.answer == "It is not your turn."


def test_tiles_can_be_moved_only_in_a_round(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.type("lay R1 R2 R3")
    assert stage.refused
    stage.type("reset", "sort")
    assert not stage.refused


def test_what_a_draft_refuses_is_said(stage: Stage) -> None:
    stage.type("lay R9 R10 R11")
    assert stage.answer == "Not on your rack: R9, R10, R11."


def test_the_bell_rings_when_ones_own_turn_begins_and_only_then(tmp_path: Path) -> None:
    stage = Stage(tmp_path, *started(), *dealt(replace(GAME, to_move=1), RACK))
    assert stage.bells == 0
    after, turn = after_lay(replace(GAME, to_move=1), "R1 R2 R3", "K7 B7 O7", "B1 B2 B3", to_move=0)
    stage.director.hear(turn)
    stage.director.hear(turn_of(after, RACK))
    assert stage.bells == 1


def test_chat_goes_out_and_into_the_own_log(stage: Stage) -> None:
    stage.type("say  good luck ")
    assert stage.port.asked == [commands.SendChat("good luck")]
    assert stage.director.model.log.entries[-1].text == "Ana: good luck"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ready", commands.SetReady(ready=True)),
        ("ready no", commands.SetReady(ready=False)),
        ("start", commands.StartMatch()),
        ("next", commands.NextRound()),
        ("leave", commands.LeaveRoom()),
    ],
)
def test_what_becomes_a_command(tmp_path: Path, line: str, command: object) -> None:
    stage = Stage(tmp_path, room_of(2))
    stage.type(line)
    assert stage.port.asked == [command]


def test_leaving_a_running_match_asks_first(stage: Stage) -> None:
    stage.type("leave")
    assert stage.asks(Question.LEAVE)
    assert stage.port.asked == []
    stage.type("yes")
    assert stage.port.asked == [commands.LeaveRoom()]
    assert stage.director.model.screen == Screen.LOBBY


def test_quitting_a_running_match_asks_first_and_ends_early(stage: Stage) -> None:
    stage.type("quit")
    assert stage.left == []
    stage.director.escape()
    stage.type("y")
    assert stage.left == []
    stage.type("quit", "y")
    assert stage.left == [Outcome.ENDED_EARLY]


def test_interrupting_twice_is_meant(stage: Stage) -> None:
    stage.director.interrupt()
    assert stage.left == []
    stage.director.interrupt()
    assert stage.left == [Outcome.INTERRUPTED]


def test_without_a_match_nothing_has_to_be_asked(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.type("quit")
    stage.director.interrupt()
    assert stage.left == [Outcome.DONE, Outcome.INTERRUPTED]


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        (notices.MatchEnd.FINISHED, Outcome.DONE),
        (notices.MatchEnd.FAULT, Outcome.PEER_FAULT),
        (notices.MatchEnd.LINK_LOST, Outcome.ENDED_EARLY),
        (notices.MatchEnd.LEFT, Outcome.ENDED_EARLY),
    ],
)
def test_how_the_match_ended_is_how_the_program_ends(
    stage: Stage, reason: notices.MatchEnd, outcome: Outcome
) -> None:
    stage.director.hear(match_ended(reason))
    stage.type("quit")
    assert stage.left == [outcome]


def test_d13_the_end_of_a_match_stays_to_be_read_and_its_file_is_kept(stage: Stage, tmp_path: Path) -> None:
    for notice in (round_ended("rummikub", winner=1), match_ended(), notices.RoomClosed("Björn is gone.")):
        stage.director.hear(notice)
    assert stage.screen == Screen.RESULT
    files = list(tmp_path.iterdir())
    assert [file.read_bytes() for file in files] == [b"transcript"]
    assert str(files[0]) in stage.director.model.result.kept
    stage.type("leave")
    assert stage.screen == Screen.LOBBY


def test_a_match_that_can_not_be_kept_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    stage = Stage(tmp_path / "file", *started(), match_ended())
    assert "could not be kept" in stage.director.model.result.kept
    assert "Errno" not in stage.director.model.result.kept


def test_that_no_match_can_be_kept_is_known_before_one_is_played(tmp_path: Path) -> None:
    assert Keeper(KEYS[0], directory=tmp_path).trouble_ahead() == ()
    (tmp_path / "file").write_text("in the way")
    (words,) = Keeper(KEYS[0], directory=tmp_path / "file").trouble_ahead()
    assert words.startswith("You can play, but finished matches can't be kept in")
    assert "set XDG_DATA_HOME" in words


def test_a_question_goes_with_what_it_was_about(stage: Stage) -> None:
    stage.type("quit")
    stage.director.hear(match_ended())
    assert stage.asks(None)
    stage.type("y")
    assert stage.left == []


def test_pages_open_scroll_and_close(stage: Stage) -> None:
    stage.type("help")
    stage.director.scroll(5)
    stage.director.scroll(-3)
    assert stage.director.model.help.top == 2
    stage.type("rules")
    assert (stage.director.model.help.page, stage.director.model.help.top) == ("rules", 0)
    stage.director.escape()
    assert stage.director.model.help.page is None


def test_a_room_is_opened_with_what_is_typed_behind_its_name(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.type("open The Attic with nl-digitaal rounds=3 players=3")
    [(_, name, ruleset, seats, with_code)] = stage.port.asked
    assert (name, ruleset.name, ruleset.rounds, seats, with_code) == ("The Attic", "nl-digitaal", 3, 3, False)


@pytest.mark.parametrize(
    ("line", "words"),
    [
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


def test_a_room_with_a_code_tells_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path, settings=Settings(ruleset=Ruleset(), with_code=True))
    stage.type("open Attic")
    stage.director.hear(room_of(1))
    assert "123-456-7890" in stage.director.model.log.entries[-1].text
    assert stage.answer == ""


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

    asyncio.run(play())


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
