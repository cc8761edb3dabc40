"""Strategies for tests of the arena; workers in other processes find them by `tests.arena.players:Name`."""

from __future__ import annotations

import os
import re
import sys
import threading
from typing import TYPE_CHECKING, NoReturn, cast

from p2prummi.bots import Easy
from p2prummi.rules import Play

if TYPE_CHECKING:
    import random

    from p2prummi.bots import PlayerView
    from p2prummi.rules import Turn

HERE = __name__


class Drawing:
    """Never lays anything."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        return view.idle_turn


class Moody:
    """Lays as easy does, when its own source of chance says so."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        return Easy().choose(view, rng) if rng.random() < 0.7 else view.idle_turn


class Remembering:
    """Lays as easy does in its first turns and never again: one that lives longer than a game would show."""

    def __init__(self) -> None:
        self.turns = 0

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        self.turns += 1
        return Easy().choose(view, rng) if self.turns < 12 else view.idle_turn


class Raising:
    """Fails in every turn."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        raise ValueError("no idea")


class Leaving:
    """Asks the interpreter to end."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        sys.exit("enough")


class Holding:
    """Holds the interpreter for hours: an expression that goes back again and again."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        re.match(r"(a+)+$", "a" * 45 + "b")
        return view.idle_turn


class Leaves:
    """Can't be made: its process is gone before."""

    def __init__(self) -> None:
        os._exit(3)


class Ending:
    """Ends its process, but not in its first turn."""

    turns = 0

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        self.turns += 1
        if self.turns > 1:
            os._exit(3)
        return view.idle_turn


class Unsendable:
    """Lays melds that can't be sent to another process."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        play = Easy().choose(view, rng)
        assert isinstance(play, Play)
        object.__setattr__(play, "melds", Hooked(play.melds))
        return play


class Hooked(tuple[object, ...]):
    """A tuple that can't be sent."""

    __slots__ = ()

    def __reduce__(self) -> NoReturn:
        raise TypeError("not this")


class Interrupting:
    """Raises what only an interrupt from outside should."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        raise KeyboardInterrupt("my own")


class Killing:
    """Ends its process at once."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        os._exit(7)


class Hanging:
    """Thinks until it is let go."""

    let_go = threading.Event()

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        self.let_go.wait()
        return view.idle_turn


class Nonsense:
    """Answers with what is no turn."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        return cast("Turn", "lay everything")
