"""Bots for company: processes of their own, which find their room and play like anybody else.

They write to log files, never to the screen, and end with the program, however it ends: their standard input
closes, and they leave the room. Who doesn't is made to.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

STOP_SECONDS_MAX: Final = 5.0
MATCHES: Final = 1000
"""A bot stays for as many matches as anyone will play in one sitting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotTerms:
    """Which room the bots go to, what it is like, and how well they play.

    `settings` are rules such as `rounds=3`; `ends_well` the exit codes of a bot with which nothing is wrong.
    """

    room: str
    count: int
    level: str
    rules: str
    players: int
    settings: Sequence[str] = ()
    ends_well: frozenset[int] = frozenset({0})
    code_digits: str | None = None
    code_variable: str = ""


@dataclass(frozen=True, slots=True)
class Departure:
    """What there is to say of bots that have ended; `trouble`: not as they should."""

    words: str
    trouble: bool


def bot_command(terms: BotTerms, number: int, meeting_place: Path | None) -> list[str]:
    """The command line of one bot; the room's code is not in it, because others can see command lines."""
    return [
        *(sys.executable, "-m", "p2prummi", "bot"),
        *(f"--room={terms.room}", f"--name=Bot {number}", f"--level={terms.level}", f"--rules={terms.rules}"),
        *(f"--players={terms.players}", f"--matches={MATCHES}", "--attended"),
        *(f"--set={setting}" for setting in terms.settings),
        *([f"--rendezvous={meeting_place}"] if meeting_place is not None else []),
        *(["--code"] if terms.code_digits is not None else []),
    ]


class Companions:
    """The running bots."""

    def __init__(self, terms: BotTerms, directory: Path, environment: Mapping[str, str]) -> None:
        self._terms = terms
        self._directory = directory
        self._environment = dict(environment)
        if terms.code_digits is not None:
            self._environment[terms.code_variable] = terms.code_digits
        self._processes: list[subprocess.Popen[bytes]] = []
        self._told: set[int] = set()

    def start(self, meeting_place: Path | None) -> None:
        """Starts them; they look for the room in the directory too, if one is given. Raises OSError."""
        # A terminal's interrupt is for the console, which asks first; the bots hear of the end from it.
        for number in range(1, self._terms.count + 1):
            with self._log(number).open("wb") as log:
                self._processes.append(
                    subprocess.Popen(  # noqa: S603 - it is this program itself
                        bot_command(self._terms, number, meeting_place),
                        env=self._environment,
                        stdin=subprocess.PIPE,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        start_new_session=os.name == "posix",
                    )
                )

    def newly_ended(self) -> list[Departure]:
        """Who has ended since the last call: a sentence for each with trouble, and one for all the others."""
        codes = {
            number: process.poll()
            for number, process in enumerate(self._processes, start=1)
            if number not in self._told
        }
        ended = {number: code for number, code in codes.items() if code is not None}
        self._told |= ended.keys()
        gone = [f"Bot {number}" for number, code in ended.items() if code in self._terms.ends_well]
        words = f"{' and '.join(gone)} {'has' if len(gone) == 1 else 'have'} gone, as the match has ended."
        return [
            *(
                Departure(f"Bot {number} has failed; its words are in {self._log(number)}", trouble=True)
                for number, code in ended.items()
                if code not in self._terms.ends_well
            ),
            *([Departure(words, trouble=False)] if gone else []),
        ]

    def stop(self) -> None:
        """Asks them to end, waits for it, and ends who doesn't."""
        for process in self._processes:
            if process.stdin is not None:
                process.stdin.close()
        for process in self._processes:
            try:
                process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()

    def _log(self, number: int) -> Path:
        return self._directory / f"bot-{number}.log"
