"""The command `play`: what its arguments become, and what its exit code says."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.bots.strategy import StrategyError
from p2prummi.cli import play
from p2prummi.cli.main import build_parser, main
from p2prummi.console import program
from p2prummi.console.program import Ending
from p2prummi.console.settings import Outcome
from p2prummi.net.listening import PortError

if TYPE_CHECKING:
    from pathlib import Path


def parsed(*arguments: str) -> argparse.Namespace:
    return build_parser().parse_args(["play", *arguments])


def test_bots_bring_a_room_of_their_own_with_a_seat_for_each() -> None:
    arguments = parsed("--bots", "3:easy", "--name", "Ana", "--rounds", "2", "--set", "opening_points=25")
    wish = play._wish(arguments)
    assert wish.name.startswith("Ana-")
    assert wish.seats == 4
    terms = play._bot_terms(arguments, wish, "1234567890")
    assert (terms.room, terms.count, terms.level, terms.players) == (wish.name, 3, "easy", 4)
    assert set(terms.settings) == {"opening_points=25", "rounds=2"}
    assert terms.code_digits == "1234567890"
    assert terms.ends_well == {0, 5}


def test_more_seats_than_bots_leave_room_for_people() -> None:
    assert play._wish(parsed("--bots", "1", "--players", "3")).seats == 3


def test_two_games_at_once_have_rooms_of_different_names() -> None:
    names = {play._wish(parsed("--bots", "1", "--name", "Ana")).name for _ in range(20)}
    assert len(names) > 1


def test_a_level_that_does_not_exist_is_refused_before_anything_starts() -> None:
    with pytest.raises(StrategyError):
        play._wish(parsed("--bots", "1:genius"))


def test_ones_own_name_is_cut_to_what_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play._own_name(parsed("--name", "Ana")) == "Ana"
    monkeypatch.setattr(getpass, "getuser", lambda: "é" * 40)
    assert play._own_name(parsed()) == "é" * 16

    def nobody() -> str:
        raise OSError

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert play._own_name(parsed()) == "player"


@pytest.mark.parametrize(("terminal", "has"), [("xterm", True), ("dumb", False), ("", False)])
def test_what_counts_as_a_terminal(monkeypatch: pytest.MonkeyPatch, terminal: str, has: bool) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", terminal)
    assert play._has_terminal() is has
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert not play._has_terminal()


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """What the console is started with; `ending` is how it ends, and may be an exception."""
    seen: dict[str, Any] = {"ending": Ending(outcome=Outcome.DONE, kept="The match is kept in FILE")}

    async def run(
        profile: object, name: str, settings: object, surroundings: object, **more: object
    ) -> Ending:
        seen.update(name=name, settings=settings, surroundings=surroundings, **more)
        ending = seen["ending"]
        if isinstance(ending, Exception):
            raise ending
        assert isinstance(ending, Ending)
        return ending

    monkeypatch.setattr(play, "_has_terminal", lambda: True)
    monkeypatch.setattr(program, "play", run)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return seen


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.DONE, 0),
        (Outcome.PEER_FAULT, 4),
        (Outcome.ENDED_EARLY, 5),
        (Outcome.INTERRUPTED, 130),
    ],
)
def test_exit_codes(
    console: dict[str, Any], capsys: pytest.CaptureFixture[str], outcome: Outcome, code: int
) -> None:
    console["ending"] = Ending(outcome=outcome, kept="The match is kept in FILE")
    assert main(["play"]) == code
    assert capsys.readouterr().out == "The match is kept in FILE\n"


def test_a_port_that_is_taken_is_a_line_and_its_own_exit_code(
    console: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    console["ending"] = PortError("port 7 is taken")
    assert main(["play", "--port", "7"]) == 3
    assert capsys.readouterr().err == "p2prummi: port 7 is taken\n"


def test_what_the_console_is_told(console: dict[str, Any], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    more = ["--tiles", "ascii", "--port", "4000", "--json-log", str(log)]
    assert main(["play", "--room", "Attic", "--players", "3", "--name", "Ana", *more]) == 0
    settings = console["settings"]
    assert (settings.room, settings.seats, settings.ready, settings.code) == ("Attic", 3, False, None)
    assert (console["surroundings"].ascii_asked, console["surroundings"].listening_port) == (True, 4000)
    assert console["companions"] is None
    assert console["json_log"] is not None
    assert log.exists()


def test_a_log_that_cannot_be_written_is_wrong_usage_in_words(
    console: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nothing" / "log.jsonl"
    assert main(["play", "--json-log", str(path)]) == 2
    words = f"the file {path} of --json-log can't be written: there is no such directory"
    assert capsys.readouterr().err == f"p2prummi: {words}\n"
    assert main(["play", "--json-log", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("of --json-log can't be written: ") == 1
    assert "settings" not in console


def test_without_a_room_the_console_only_looks_around(console: dict[str, Any]) -> None:
    assert main(["play"]) == 0
    assert console["settings"].room is None
    assert console["json_log"] is None


def test_with_bots_one_is_ready_and_a_code_is_made_for_them(
    console: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2PRUMMI_CODE", "")
    assert main(["play", "--bots", "1", "--code"]) == 0
    assert console["settings"].ready
    assert console["settings"].code is not None
    assert console["companions"] is not None
