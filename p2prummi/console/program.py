"""The console put together: a peer, a terminal, a director between them, and bots for company.

And all of it ended again. Which arguments lead here, and which exit code an outcome becomes, is the command
line's affair (`cli/play.py`).
"""

from __future__ import annotations

import asyncio
import random
import secrets
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from p2prummi.bots import Hard
from p2prummi.console.advising import HINT_SECONDS, Advisor
from p2prummi.console.app import Terminal
from p2prummi.console.director import Director
from p2prummi.console.entrance import Entrance
from p2prummi.console.keeping import Keeper
from p2prummi.console.logfile import logging_to
from p2prummi.console.marks import marks_for
from p2prummi.net.driver import Driver
from p2prummi.net.rendezvous import directory_for_one_run
from p2prummi.session import Session
from p2prummi.thinking import Thinker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from p2prummi.console.companions import Companions
    from p2prummi.console.port import Port
    from p2prummi.console.settings import Outcome, Settings
    from p2prummi.net.identity import Profile
    from p2prummi.net.jsonlog import JsonLog

LOG_FILE: Final = "play.log"
WATCH_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How it ended, and what there is to say about it once the terminal is as it was."""

    outcome: Outcome
    kept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the program runs in.

    Variables, the terminal's encoding, and what was asked for on the command line.
    """

    environment: Mapping[str, str]
    encoding: str
    ascii_asked: bool = False
    listening_port: int | None = None


def log_path(profile: Profile) -> Path:
    """Where the program's own words go while the screen is drawn."""
    return profile.directory / LOG_FILE


async def play(
    profile: Profile,
    name: str,
    settings: Settings,
    surroundings: Surroundings,
    *,
    companions: Companions | None = None,
    json_log: JsonLog | None = None,
) -> Ending:
    """Runs the console on the terminal until it is left. Raises PortError, OSError."""
    marks = marks_for(surroundings.environment, surroundings.encoding, ascii_asked=surroundings.ascii_asked)
    # The terminal takes hold of the real output before prints are sent to the log.
    terminal = Terminal(marks=marks, environment=surroundings.environment)
    with logging_to(log_path(profile)), _meeting_place(companions) as meeting_place:
        session = Session(profile.key, name, secrets.token_bytes)
        driver = await Driver.start(
            profile, name, session, port=surroundings.listening_port, meeting_place=meeting_place
        )
        port: Port = driver
        keeper = Keeper(profile.key.public, json_log)
        entrance = Entrance(port, settings)
        chances = random.Random()  # noqa: S311 - a strategy's, never for a key or a shuffle.
        advisor = Advisor(Thinker(Hard(), chances, HINT_SECONDS), terminal.show)
        director = Director(
            port,
            entrance,
            keeper,
            advisor,
            name=name,
            leave=terminal.leave,
            bell=terminal.bell,
            bots_directory="" if companions is None else str(profile.directory),
        )
        terminal.director = entrance.teller = director
        for words in driver.start_notices:
            director.tell(words)
        for words in keeper.trouble_ahead():
            director.tell(words, trouble=True)
        watching: asyncio.Task[None] | None = None
        try:
            if companions is not None:
                companions.start(meeting_place)
                watching = asyncio.ensure_future(_watch(companions, director))
            entrance.begin()
            outcome = await terminal.run(port)
        finally:
            if watching is not None:
                watching.cancel()
            await advisor.close()
            await entrance.close()
            await driver.close()
            if companions is not None:
                await asyncio.to_thread(companions.stop)
        # What the end of a match that was left has to say is kept too.
        async for notice in port.notices():
            director.hear(notice)
    return Ending(outcome=outcome, kept=director.model.result.kept)


def _meeting_place(companions: Companions | None) -> AbstractContextManager[Path | None]:
    """Where one's own bots are met, so that they need no network, not even this machine's own."""
    return nullcontext() if companions is None else directory_for_one_run()


async def _watch(companions: Companions, director: Director) -> None:
    """Tells of each bot that ends before the program does."""
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        for departure in companions.newly_ended():
            if departure.trouble:
                director.tell(departure.words, trouble=True)
            else:
                director.note(departure.words)
