"""The command `bot`: its arguments, its exit codes, several bots at once."""

from __future__ import annotations

import argparse
import getpass
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2prummi import headless
from p2prummi.bots import Easy
from p2prummi.cli import bot as bot_command
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.cli.main import build_parser, main
from p2prummi.crypto.room_code import RoomCode
from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.headless import BotPlan, Outcome
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.identity import state_directory
from p2prummi.net.joining import JoinError
from p2prummi.net.listening import PortError
from p2prummi.thinking import StrategyProcess


def parsed(*arguments: str) -> argparse.Namespace:
    return build_parser().parse_args(["bot", "--room", "kitchen", *arguments])


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("STATE", "DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{place}_HOME", str(tmp_path / place))
    monkeypatch.delenv("P2PRUMMI_CODE", raising=False)


PlayBot = Callable[..., Outcome]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Has a bot's life replaced by `played["end"]`; afterwards it holds what the bot was started with."""
    seen: dict[str, Any] = {"end": Outcome.FINISHED}

    async def play_bot(profile: Any, name: str, plan: BotPlan, **rest: Any) -> Outcome:
        seen.update(rest, profile=profile, name=name, plan=plan)
        if "instead" in seen:
            return await seen["instead"](profile, name, plan)  # type: ignore[no-any-return]  # the test's own
        if isinstance(seen["end"], BaseException):
            raise seen["end"]
        outcome: Outcome = seen["end"]
        return outcome

    monkeypatch.setattr(headless, "play_bot", play_bot)
    return seen


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (Outcome.FINISHED, ExitCode.DONE),
        (Outcome.PEER_FAULT, ExitCode.PEER_FAULT),
        (Outcome.ENDED_EARLY, ExitCode.ENDED_EARLY),
        (JoinError(FaultCode.WRONG_CODE, "this is not the room's code"), ExitCode.NETWORK),
        (UnreachableError({}, only_self=False), ExitCode.NETWORK),
        (PortError("port 80 is taken"), ExitCode.NETWORK),
        (LocalProtocolError("no such room"), ExitCode.WRONG_USAGE),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
    ],
    ids=lambda value: type(value).__name__,
)
def test_how_a_bot_ends_is_its_exit_code(
    end: object, code: ExitCode, played: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    played["end"] = end
    assert main(["bot", "--room", "kitchen"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == (
        code not in {ExitCode.DONE, ExitCode.PEER_FAULT, ExitCode.ENDED_EARLY}
    )
    # The profile is free again for the next one.
    assert main(["bot", "--room", "kitchen"]) == code
    assert played["profile"].number == 1


def test_what_a_bot_is_started_with(played: dict[str, Any]) -> None:
    room = "--room kitchen --rules sv-klassisk --set opening_points=20 --players 3 --rounds 2"
    rest = "--name Ada --connect h:1 --rendezvous meet --port 4711 --matches 3 --seed 5 --think 0.5"
    main(["bot", *room.split(), *rest.split()])
    plan: BotPlan = played["plan"]
    assert (played["name"], played["port"], plan.connect) == ("Ada", 4711, "h:1")
    assert plan.meeting_place == Path("meet")
    assert (plan.matches, plan.think_seconds) == (3, 0.5)
    assert (plan.wish.name, plan.wish.seats, plan.wish.with_code, plan.wish.code) == (
        "kitchen",
        3,
        False,
        None,
    )
    ruleset = plan.wish.ruleset
    assert (ruleset.name, ruleset.changes()) == ("sv-klassisk", {"opening_points": 20, "rounds": 2})
    assert isinstance(plan.strategy, Easy)
    first = plan.rng.random()
    main(["bot", "--room", "kitchen", "--seed", "5"])
    assert played["plan"].rng.random() == first


def test_what_a_bot_is_like_when_nothing_is_said(played: dict[str, Any]) -> None:
    main(["bot", "--room", "kitchen"])
    plan: BotPlan = played["plan"]
    assert played["name"] == f"bot {played['profile'].fingerprint[:4]}"
    assert (plan.wish.ruleset.name, plan.wish.seats, plan.matches, plan.think_seconds) == (
        "official",
        4,
        1,
        5.0,
    )
    assert (played["port"], plan.connect, plan.meeting_place, played["log"]) == (None, None, None, None)


def test_log_records_go_to_the_profile_s_log_alone(
    played: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    async def play_bot(profile: Any, name: str, plan: BotPlan, **_: Any) -> Outcome:
        logging.getLogger("p2prummi.net").warning("10.0.0.9: wrong_room")
        return Outcome.FINISHED

    before = logging.getLogger().handlers[:]
    played["instead"] = play_bot
    assert main(["bot", "--room", "kitchen"]) == ExitCode.DONE
    (path,) = state_directory().glob("profile-1/bot.log")
    assert path.read_text(encoding="utf-8").endswith(" WARNING p2prummi.net: 10.0.0.9: wrong_room\n")
    assert capsys.readouterr() == ("", "")
    assert logging.getLogger().handlers == before
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


def test_json_goes_to_stdout_and_words_to_stderr(
    played: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["bot", "--room", "kitchen", "--name", "Ada", "--json"])
    played["log"]._write("{}\n")
    played["say"]("hello\x1b[2J")
    assert capsys.readouterr() == ("{}\n", "Ada: hello?[2J\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--level", "grim"], "there is no level 'grim'; the levels are: easy"),
        (["--strategy", "no_such_module_here:Bot"], "can't be loaded"),
        (["--rules", "house"], "there are no rules 'house'; take one of: official"),
        (["--set", "opening_points"], "write FIELD=VALUE"),
        (["--rounds", "9999999"], "rounds is a whole number"),
        (["--players", "6"], "--set copies=3 --set jokers=4 --set players=2-6"),
        (["--name", "x" * 33], "a player's name has 1 to 32 bytes"),
        (["--count", "7", "--players", "4"], "7 bots don't fit into a room of 4 seats"),
        (["--count", "2", "--port", "4711"], "--port is one bot's alone"),
        (["--code"], "the code in P2PRUMMI_CODE"),
    ],
)
def test_wrong_usage_is_found_before_anything_starts(
    arguments: list[str], words: str, played: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", "--room", "kitchen", *arguments]) == ExitCode.WRONG_USAGE
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert "plan" not in played


@pytest.mark.parametrize(
    "arguments",
    [
        ["--count", "0"],
        ["--count", "33"],
        ["--matches", "x"],
        ["--think", "0"],
        ["--think", "inf"],
        ["--think", "nan"],
        ["--think", "soon"],
        ["--port", "0"],
        ["--port", "65536"],
        ["--level", "easy", "--strategy", "a:B"],
    ],
)
def test_what_argparse_refuses(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bot", "--room", "kitchen", *arguments])
    assert ended.value.code == ExitCode.WRONG_USAGE
    capsys.readouterr()


def test_a_room_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bot"])
    assert "--room" in capsys.readouterr().err
    assert main(["bot", "--room", ""]) == ExitCode.WRONG_USAGE


def test_six_may_play_with_the_large_set(played: dict[str, Any]) -> None:
    large = ["--set", "copies=3", "--set", "jokers=4", "--set", "players=2-6"]
    assert main(["bot", "--room", "kitchen", "--players", "6", *large]) == ExitCode.DONE
    assert played["plan"].wish.seats == 6


# The room's code.


def test_the_code_comes_from_the_environment(played: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PRUMMI_CODE", "123 456 7890")
    main(["bot", "--room", "kitchen", "--code"])
    assert played["plan"].wish.code.written == "123-456-7890"
    assert played["plan"].wish.with_code
    main(["bot", "--room", "kitchen"])
    assert (played["plan"].wish.code, played["plan"].wish.with_code) == (None, False)


@pytest.mark.parametrize(("typed", "written"), [("1234567890", "123-456-7890"), ("", None)])
def test_the_code_is_asked_for_on_a_terminal(
    typed: str, written: str | None, played: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(getpass, "getpass", lambda prompt: typed)
    main(["bot", "--room", "kitchen", "--code"])
    code = played["plan"].wish.code
    assert (code.written if code else None) == written
    assert played["plan"].wish.with_code


def test_a_code_that_is_none_is_refused_and_not_repeated(
    played: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PRUMMI_CODE", "12345-secret")
    assert main(["bot", "--room", "kitchen", "--code"]) == ExitCode.WRONG_USAGE
    assert "12345" not in capsys.readouterr().err


# A strategy of one's own.


def test_a_strategy_is_found_in_the_current_directory(
    tmp_path: Path, played: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "class Lazy:\n    def choose(self, view, rng):\n        return view.idle_turn\n"
    (tmp_path / "lazy_bot_of_a_test.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    assert main(["bot", "--room", "kitchen", "--strategy", "lazy_bot_of_a_test:Lazy"]) == ExitCode.DONE
    strategy = played["plan"].strategy
    assert isinstance(strategy, StrategyProcess)
    assert strategy.name == "lazy_bot_of_a_test:Lazy"
    assert strategy._process.is_alive()
    strategy.close()


@pytest.mark.parametrize("choice", [[], ["--level", "hard"], ["--strategy", "greedy"]])
def test_a_strategy_that_comes_with_the_program_needs_no_process_of_its_own(
    choice: list[str], played: dict[str, Any]
) -> None:
    assert main(["bot", "--room", "kitchen", *choice]) == ExitCode.DONE
    assert type(played["plan"].strategy).__name__ == (choice[-1] if choice else "easy").title()


def test_what_a_strategy_prints_is_no_output_of_the_command(
    tmp_path: Path,
    played: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    source = "print('here I am')\nclass Loud:\n    def choose(self, view, rng):\n        return None\n"
    (tmp_path / "loud_bot_of_a_test.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "--room", "kitchen", "--json", "--strategy", "loud_bot_of_a_test:Loud"]) == 0
    played["plan"].strategy.close()
    captured = capfd.readouterr()
    assert "here I am" not in captured.out
    assert "here I am" in captured.err


# Several bots.


def test_each_of_several_bots_gets_its_own_name_and_seed_and_none_the_code() -> None:
    arguments = parsed(
        "--count", "2", "--name", "Ada", "--seed", "5", "--code", "--json", "--set", "rounds=2",
        "--rendezvous", "meet"
    )  # fmt: skip
    first, second = bot_command.child_commands(arguments)
    assert first[:4] == [sys.executable, "-m", "p2prummi", "bot"]
    assert {"--name=Ada 1", "--seed=5", "--code", "--json", "--set=rounds=2", "--rendezvous=meet"} <= set(
        first
    )
    assert {"--name=Ada 2", "--seed=6"} <= set(second)
    # What the children read is what was said.
    child = build_parser().parse_args(second[3:])
    expected = {**vars(arguments), "name": "Ada 2", "seed": 6, "count": 1, "attended": True}
    assert vars(child) == {**expected, "parser": child.parser}


def test_options_that_were_not_given_are_not_passed_on() -> None:
    (command,) = bot_command.child_commands(parsed())
    child = build_parser().parse_args(command[3:])
    assert {**vars(child), "parser": None} == {**vars(parsed()), "parser": None, "attended": True}


def scripts(monkeypatch: pytest.MonkeyPatch, *sources: str) -> None:
    """Has these Python programs run in place of the bots."""
    monkeypatch.setattr(
        bot_command, "child_commands", lambda _: [[sys.executable, "-c", source] for source in sources]
    )


@pytest.mark.parametrize(("codes", "code"), [((0, 0), 0), ((0, 5, 4), 5), ((4, 0), 4)])
def test_the_first_outcome_that_is_not_well_is_that_of_all(
    codes: tuple[int, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts(monkeypatch, *(f"raise SystemExit({each})" for each in codes))
    assert main(["bot", "--room", "kitchen", "--count", str(len(codes))]) == code


def test_bots_get_the_code_in_their_environment(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PRUMMI_CODE", "123-456-7890")
    scripts(monkeypatch, "import os; print(os.environ['P2PRUMMI_CODE'])")
    assert main(["bot", "--room", "kitchen", "--count", "2", "--code"]) == ExitCode.DONE
    assert capfd.readouterr().out == "1234567890\n"


def test_bots_that_are_to_have_a_new_code_have_one_together(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PRUMMI_CODE", "")
    # In one piece each: `print` may write a line and its end apart, and the two share the file.
    scripts(monkeypatch, *["import os; os.write(1, os.environ['P2PRUMMI_CODE'].encode() + b'\\n')"] * 2)
    assert main(["bot", "--room", "kitchen", "--count", "2", "--code"]) == ExitCode.DONE
    told = capfd.readouterr()
    one, other = told.out.split()
    assert one == other
    assert f"the room's code is {RoomCode(one).written}" in told.err


@pytest.mark.parametrize(("length", "code"), [(30, ExitCode.DONE), (31, ExitCode.WRONG_USAGE)])
def test_a_name_must_leave_room_for_the_number(
    length: int, code: ExitCode, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts(monkeypatch, "", "")
    assert main(["bot", "--room", "kitchen", "--count", "2", "--name", "x" * length]) == code
    assert ("--count puts a number behind the name" in capsys.readouterr().err) is (code != ExitCode.DONE)


def test_bots_end_with_the_process_that_started_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_command, "STOP_SECONDS_MAX", 0.01)
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        if started:
            raise KeyboardInterrupt
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    scripts(monkeypatch, "input = open(0).read; import threading; threading.Event().wait()", "")
    before = signal.getsignal(signal.SIGTERM)
    assert main(["bot", "--room", "kitchen", "--count", "2"]) == ExitCode.INTERRUPTED
    assert started[0].returncode is not None
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.skipif(os.name != "posix", reason="signals to a process are these systems' way")
def test_a_request_to_end_ends_all_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_command, "STOP_SECONDS_MAX", 1e9)
    ask = "import os, signal, threading; os.kill(os.getppid(), signal.SIGTERM); threading.Event().wait()"
    scripts(monkeypatch, ask)
    assert main(["bot", "--room", "kitchen", "--count", "2"]) == ExitCode.INTERRUPTED
