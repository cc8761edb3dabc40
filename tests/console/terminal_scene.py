"""A running console on a pyte screen, with a person in front of it and a scripted port behind it."""

from __future__ import annotations

import asyncio
import io
import random
from typing import TYPE_CHECKING

import pyte
import pytest
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.output.vt100 import Vt100_Output

from p2prummi.bots import Hard
from p2prummi.console.advising import Advisor
from p2prummi.console.app import Terminal
from p2prummi.console.director import Director
from p2prummi.console.entrance import Entrance
from p2prummi.console.keeping import Keeper
from p2prummi.console.marks import UNICODE
from p2prummi.console.settings import Settings
from p2prummi.rules import Ruleset
from p2prummi.thinking import Thinker
from tests.console.scripted_port import ScriptedPort
from tests.console.stage import KEYS, NAMES, dealt, game_of, rack_of, started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from prompt_toolkit.input.base import PipeInput

    from p2prummi.net.driver import AnyNotice

PATIENCE_SECONDS = 30
GAME = game_of("R1 R2 R3", "K7 B7 O7")
RACK = rack_of("R4 K9 B9 O9", GAME)


class Screen(io.StringIO):
    """What is written goes to a pyte screen, which can be looked at and resized."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        super().__init__()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        self.stream.feed(text)
        return len(text)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)


class Scene:
    """A running console in front of which a person sits."""

    def __init__(
        self, keys: PipeInput, directory: Path, told: tuple[AnyNotice, ...], environment: dict[str, str]
    ) -> None:
        self.keys = keys
        self.screen = Screen()
        self.size = TerminalSize(rows=24, columns=80)
        self.port = ScriptedPort(*told)
        output = Vt100_Output(self.screen, lambda: self.size, term="xterm-256color")
        self.terminal = Terminal(marks=UNICODE, environment=environment, input=keys, output=output)
        entrance = Entrance(self.port, Settings(ruleset=Ruleset()))
        self.director = Director(
            self.port,
            entrance,
            Keeper(KEYS[0], directory=directory),
            Advisor(Thinker(Hard(), random.Random(0), PATIENCE_SECONDS), self.terminal.show),
            name=NAMES[0],
            leave=self.terminal.leave,
            bell=self.terminal.bell,
        )
        self.terminal.director = entrance.teller = self.director

    def type(self, line: str) -> None:
        self.keys.send_text(line + "\r")

    def resize(self, columns: int, rows: int) -> None:
        self.size = TerminalSize(rows=rows, columns=columns)
        self.screen.screen.resize(rows, columns)
        self.terminal._app._on_resize()

    async def until(self, seen: Callable[[], object]) -> None:
        """Waits until something is so; the screen is shown if it never is."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not seen():  # noqa: ASYNC110 - a screen has no event to wait for
                    await asyncio.sleep(0.01)
        except TimeoutError:
            pytest.fail(f"never seen; the screen:\n{self.screen.text}")

    async def until_shown(self, *texts: str) -> None:
        await self.until(lambda: all(text in self.screen.text for text in texts))


IN_GAME = (*started(), *dealt(GAME, RACK))
