"""A whole console on a real terminal, with a scripted network in which one's own turn has come.

`python -m tests.console.scripted_console DIRECTORY` ends with the outcome's name on the last line.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

from p2prummi.bots import Hard
from p2prummi.console.advising import HINT_SECONDS, Advisor
from p2prummi.console.app import Terminal
from p2prummi.console.director import Director
from p2prummi.console.entrance import Entrance
from p2prummi.console.keeping import Keeper
from p2prummi.console.logfile import logging_to
from p2prummi.console.marks import marks_for
from p2prummi.console.settings import Outcome, Settings
from p2prummi.rules import Ruleset
from p2prummi.thinking import Thinker
from tests.console.scripted_port import ScriptedPort
from tests.console.stage import KEYS, NAMES, dealt, game_of, rack_of, started


async def play(directory: Path) -> Outcome:
    game = game_of("R1 R2 R3", "K7 B7 O7")
    port = ScriptedPort(*started(), *dealt(game, rack_of("R4 K9 B9 O9", game)))
    marks = marks_for(os.environ, sys.stdout.encoding)
    terminal = Terminal(marks=marks, environment=os.environ)
    entrance = Entrance(port, Settings(ruleset=Ruleset()))
    keeper = Keeper(KEYS[0], directory=directory)
    advisor = Advisor(Thinker(Hard(), random.Random(0), HINT_SECONDS), terminal.show)
    terminal.director = Director(
        port, entrance, keeper, advisor, name=NAMES[0], leave=terminal.leave, bell=terminal.bell
    )
    with logging_to(directory / "play.log"):
        return await terminal.run(port)


if __name__ == "__main__":
    print("outcome:", asyncio.run(play(Path(sys.argv[1]))))  # noqa: T201 - what a test looks for
