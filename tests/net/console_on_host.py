"""The console on a host of the laboratory: `play` in a terminal, typed to as a person does, and its log."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.console.tmux import Tmux
from tests.net.lab import Host
from tests.net.processes import REPOSITORY, wait_for

COLUMNS, ROWS = 200, 50
PATIENCE_SECONDS = 120.0
RACK = re.compile(r"^Rack +(\d+) ([^│\n]*)", re.MULTILINE)

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here")


class Console:
    """A running console. The screen is wide enough for every rack to be on one line."""

    def __init__(self, host: Host, terminal: Tmux, name: str, *arguments: str) -> None:
        self._terminal = terminal
        self._log = host.home / "log.jsonl"
        command, _ = host.command(
            "-m", "p2prummi", "play", "--name", name, "--json-log", str(self._log), *arguments
        )
        terminal.run(*command)

    @property
    def screen(self) -> str:
        """What is on the screen, each line as it is."""
        return self._terminal.text

    @property
    def words(self) -> str:
        """What is on the screen, as one line."""
        return " ".join(self.screen.split())

    def until_said(self, *texts: str) -> None:
        """Waits until all these texts are on the screen at once, wherever their lines are broken."""
        try:
            wait_for(
                lambda: all(text in self.words for text in texts), f"{texts} on the screen", PATIENCE_SECONDS
            )
        except AssertionError as error:
            logged = self._log.read_text(encoding="utf-8") if self._log.exists() else "nothing"
            error.add_note(f"on the screen:\n{self.screen}\nin its log:\n{logged}")
            raise

    def type(self, line: str) -> None:
        """Types a line."""
        self._terminal.type(line)

    def events(self, name: str) -> list[dict[str, Any]]:
        """What its log says of this name so far."""
        if not self._log.exists():
            return []
        # The last line may be under way.
        *lines, _ = self._log.read_text(encoding="utf-8").split("\n")
        return [line for line in map(json.loads, lines) if line["event"] == name]

    def until_logged(self, name: str, count: int = 1) -> None:
        """Waits until its log says so much of this name."""
        wait_for(lambda: len(self.events(name)) >= count, f"{count} of {name!r} in the log", PATIENCE_SECONDS)

    @property
    def fingerprint(self) -> str:
        """Who it is, once it sits in a room."""
        return str(self.events("room")[0]["self"])

    @property
    def seat(self) -> int:
        """Its seat, once a match has begun."""
        roster = self.events("match_start")[-1]["roster"]
        return int(next(player["seat"] for player in roster if player["peer"] == self.fingerprint))

    @property
    def is_to_move(self) -> bool:
        """Whether it is this player's turn and its rack is on the screen as the last turns have left it."""
        turns = self.events("turn")
        if turns and (turns[-1]["seat"] + 1) % len(turns[-1]["racks"]) != self.seat:
            return False
        count = turns[-1]["racks"][self.seat] if turns else 14
        return "YOUR TURN" in self.words and f"Rack {count:>2} " in self.screen

    def rack(self) -> list[str]:
        """The tiles of the rack on the screen, each as it is written."""
        found = RACK.search(self.screen)
        assert found is not None, self.screen
        tiles = found[2].replace("*", " ").split()
        assert len(tiles) == int(found[1]), self.screen
        return tiles


@contextlib.contextmanager
def console(host: Host, name: str, *arguments: str) -> Iterator[Console]:
    """A console that is ended with the block."""
    host.home.mkdir()
    _, environment = host.command()
    with Tmux(REPOSITORY, {**environment, **host.places(), "LC_ALL": "C.UTF-8"}, COLUMNS, ROWS) as terminal:
        yield Console(host, terminal, name, *arguments)
