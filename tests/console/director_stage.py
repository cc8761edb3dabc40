"""A director on a scripted port, for the tests of what typed lines lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.advising import Advisor
from p2prummi.console.director import Director
from p2prummi.console.entrance import Entrance
from p2prummi.console.keeping import Keeper
from p2prummi.console.model import Question
from p2prummi.console.settings import Outcome, Settings
from p2prummi.rules import Ruleset
from p2prummi.session import commands
from tests.console.scripted_port import ScriptedPort
from tests.console.stage import KEYS, NAMES, game_of, rack_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from p2prummi.bots import PlayerView
    from p2prummi.net.driver import AnyNotice


class ScriptedAdvisor(Advisor):
    """Keeps what it is asked; a test answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[PlayerView, Callable[[str], None]]] = []

    def ask(self, view: PlayerView, answer: Callable[[str], None]) -> None:
        self.asked.append((view, answer))


class Stage:
    """A director on a scripted port; `left` holds how it ended, `bells` how often it rang."""

    def __init__(self, directory: Path, *told: AnyNotice, settings: Settings | None = None) -> None:
        self.port = ScriptedPort()
        self.left: list[Outcome] = []
        self.bells = 0
        self.advisor = ScriptedAdvisor()
        self.entrance = Entrance(self.port, settings or Settings(ruleset=Ruleset()))
        self.director = Director(
            self.port,
            self.entrance,
            Keeper(KEYS[0], directory=directory),
            self.advisor,
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
