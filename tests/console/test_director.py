"""The director besides turns and rooms: chat, leaving, how it all ends, pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from p2prummi.console.keeping import Keeper
from p2prummi.console.model import Question, Screen
from p2prummi.console.settings import Outcome, Settings
from p2prummi.rules import Ruleset
from p2prummi.session import commands, notices
from p2prummi.wire.hello import RoomAdvert
from tests.console.director_stage import GAME, RACK, Stage
from tests.console.stage import KEYS, dealt, match_ended, room_of, round_ended, sighting_of, started

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """One's own turn, with a rack that fits the table."""
    return Stage(tmp_path, *started(), *dealt(GAME, RACK))


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


def test_a_room_that_was_left_is_not_looked_for_any_more(tmp_path: Path) -> None:
    async def play() -> None:
        settings = Settings(ruleset=Ruleset(), room="Attic", players=3)
        stage = Stage(tmp_path, settings=settings)
        stage.port.seen = (sighting_of("Attic", room=b"a" * 32),)
        stage.port.room_id = b"a" * 32
        stage.port.advert = RoomAdvert(state="open", room_id=b"a" * 32)
        stage.entrance.begin()
        await asyncio.gather(*stage.entrance._tasks)
        stage.director.hear(room_of(2))
        stage.type("leave")
        stage.director.hear(notices.RoomClosed("You have left the room."))
        assert not stage.entrance._tasks
        await stage.entrance.close()

    asyncio.run(play())


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
