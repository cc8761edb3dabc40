"""Real bots in processes of their own, over TLS on this machine: seen alike and kept alike by all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import pytest

from p2prummi.cli.exit_codes import ExitCode

SECONDS_MAX = 120


class BotProcess:
    """A bot with directories of its own, whose JSON lines are read as they come."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        places = {f"XDG_{place}_HOME": str(directory / place) for place in ("STATE", "DATA", "CONFIG")}
        self.directory = directory / "DATA" / "p2prummi"
        command = [sys.executable, "-m", "p2prummi", "bot", "--json", *arguments]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **places},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.lines: list[dict[str, Any]] = []

    def wait_for(self, event: str) -> dict[str, Any]:
        """Reads lines up to the first of this event."""
        output: IO[str] | None = self.process.stdout
        assert output is not None
        for line in output:
            self.lines.append(json.loads(line))
            if self.lines[-1]["event"] == event:
                return self.lines[-1]
        raise AssertionError(f"no {event!r}: {self.process.communicate()[1]}")

    def end(self) -> int:
        """Waits for the bot's end, and returns its exit code."""
        output, _ = self.process.communicate(timeout=SECONDS_MAX)
        self.lines += map(json.loads, output.splitlines())
        return self.process.returncode

    def events(self, name: str) -> list[dict[str, Any]]:
        """The events of a name, without what differs from peer to peer."""
        return [{**line, "time": "", "self": "", "file": ""} for line in self.lines if line["event"] == name]


@pytest.fixture
def two_bots(tmp_path: Path) -> Iterator[tuple[BotProcess, BotProcess]]:
    """Two bots in one room, the second by the first's address, so that it works without multicast too."""
    room = ("--room", f"test-{os.getpid()}", "--players", "2", "--rules", "sv-klassisk")
    first = BotProcess(tmp_path / "first", *room)
    address = first.wait_for("room")["address"]
    second = BotProcess(tmp_path / "second", *room, "--connect", address)
    yield first, second
    for bot in (first, second):
        if bot.process.poll() is None:
            bot.process.kill()
        bot.process.communicate()


def test_a_match_of_two_processes(two_bots: tuple[BotProcess, BotProcess]) -> None:
    first, second = two_bots
    assert [bot.end() for bot in two_bots] == [ExitCode.DONE, ExitCode.DONE]
    for name in ("match_start", "turn", "round_end", "match_end"):
        assert first.events(name)
        assert first.events(name) == second.events(name)
    files = [path for bot in two_bots for path in bot.directory.iterdir()]
    assert [Path(bot.lines[-1]["file"]) for bot in two_bots] == files
    assert files[0].read_bytes() == files[1].read_bytes()
    command = [sys.executable, "-m", "p2prummi", "verify", "--json", *map(str, files)]
    verified = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    verdicts = [json.loads(line) for line in verified.stdout.splitlines()]
    assert [(verdict["verified"], verdict["complete"]) for verdict in verdicts] == [(True, True)] * 2
    assert verdicts[0]["head"] == first.lines[-1]["head"]


@pytest.mark.skipif(os.name != "posix", reason="signals to a process are these systems' way")
def test_a_bot_that_is_stopped_says_goodbye_and_the_other_ends_early(
    two_bots: tuple[BotProcess, BotProcess],
) -> None:
    first, second = two_bots
    second.wait_for("shuffled")
    second.process.terminate()
    assert second.end() == ExitCode.INTERRUPTED
    assert first.end() == ExitCode.ENDED_EARLY
    (left,) = first.events("left")
    assert left["why"] == "said goodbye"


def test_a_bot_that_is_killed_is_missed(two_bots: tuple[BotProcess, BotProcess]) -> None:
    first, second = two_bots
    first.wait_for("shuffled")
    second.process.kill()
    second.end()
    assert first.end() == ExitCode.ENDED_EARLY


def test_an_attended_bot_leaves_when_its_input_ends(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, "--room", f"test-{os.getpid()}", "--attended")
    bot.wait_for("room")
    # This is what ends its input.
    _, said = bot.process.communicate(timeout=SECONDS_MAX)
    assert bot.process.returncode == ExitCode.INTERRUPTED
    assert said.endswith("interrupted\n")


def test_bots_end_with_whoever_started_them_even_if_that_is_killed(tmp_path: Path) -> None:
    room = ("--room", f"test-{os.getpid()}", "--players", "3", "--rendezvous", str(tmp_path / "meet"))
    both = BotProcess(tmp_path, *room, "--count", "2")
    while len(both.events("joined")) < 2:
        both.wait_for("joined")
    both.process.kill()
    # Their output ends when the last of them has.
    assert both.end() == -signal.SIGKILL
    assert not list((tmp_path / "meet").iterdir()), "each has left as it should"


def test_nobody_at_the_address(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, "--room", "kitchen", "--connect", "127.0.0.1:1")
    assert bot.end() == ExitCode.NETWORK
    assert bot.lines == []


def test_a_strategy_that_raises_hangs_or_answers_nonsense_keeps_nobody_waiting(tmp_path: Path) -> None:
    room = ("--room", f"broken-{os.getpid()}", "--players", "4", "--rules", "sv-klassisk")
    bots = [BotProcess(tmp_path / "easy", *room)]
    address = bots[0].wait_for("room")["address"]
    said = {
        "Raising": "the strategy failed: ValueError: no idea",
        "Hanging": "the strategy took more than 0.3 seconds",
        "Nonsense": "the strategy answered with str, which is no turn",
    }
    try:
        for name in said:
            strategy = ("--strategy", f"tests.arena.players:{name}", "--think", "0.3")
            bots.append(BotProcess(tmp_path / name, *room, "--connect", address, *strategy))
        # At once, since a bot whose output nobody reads stands still.
        with ThreadPoolExecutor(len(bots)) as readers:
            ends = list(readers.map(lambda bot: bot.process.communicate(timeout=SECONDS_MAX), bots))
    finally:
        for bot in bots:
            bot.process.kill()
    assert [bot.process.returncode for bot in bots] == [ExitCode.DONE] * 4
    for words, (_, errors) in zip(said.values(), ends[1:], strict=True):
        assert words in errors
