"""What a strategy is, which ones there are by name, and how one of somebody else's is loaded.

A strategy is any class without arguments whose objects have `choose`. One is named by its name here (a level
is one), by `module:Class`, or by its name in the entry-point group `p2prummi.bots` of an installed package.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from p2prummi.bots.easy import Easy
from p2prummi.bots.greedy import Greedy
from p2prummi.bots.hard import Hard
from p2prummi.bots.medium import Medium
from p2prummi.errors import P2PRummiError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Turn

ENTRY_POINT_GROUP = "p2prummi.bots"


class StrategyError(P2PRummiError):
    """There is no such strategy; says what is missing."""


@runtime_checkable
class Strategy(Protocol):
    """Chooses the turns of one seat, all rounds of a match long."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        """The turn to take. All chance comes from `rng`, so that a seed repeats a game."""
        ...


LEVELS: Mapping[str, Callable[[], Strategy]] = MappingProxyType(
    {"easy": Easy, "medium": Medium, "hard": Hard}
)
"""The levels of computer players, by their names."""
INCLUDED: Mapping[str, Callable[[], Strategy]] = MappingProxyType({**LEVELS, "greedy": Greedy})
"""All strategies that come with the program, by name: the levels, and those that are none."""


def strategy_of_level(level: str) -> Strategy:
    """A new strategy of this level. Raises StrategyError."""
    make = LEVELS.get(level)
    if make is None:
        raise StrategyError(f"there is no level {level!r}; the levels are: {', '.join(LEVELS)}")
    return make()


def load_strategy(name: str) -> Strategy:
    """A new strategy by name: an included one, `module:Class`, or an entry point. Raises StrategyError."""
    return find_strategy(name)()


def find_strategy(name: str) -> Callable[[], Strategy]:
    """What makes new strategies of that name, looked up once. Raises StrategyError, as what it finds may."""
    try:
        make = _find(name)
    except StrategyError:
        raise
    except (Exception, SystemExit) as error:  # Somebody else's code runs here, and may raise anything.
        raise _cannot_load(name, error) from error

    def made() -> Strategy:
        try:
            strategy = make()
        except (Exception, SystemExit) as error:  # The same.
            raise _cannot_load(name, error) from error
        if not isinstance(strategy, Strategy):
            raise StrategyError(f"the strategy {name!r} has no method `choose(view, rng)`")
        return strategy

    return made


def _cannot_load(name: str, error: BaseException) -> StrategyError:
    return StrategyError(f"the strategy {name!r} can't be loaded: {type(error).__name__}: {error}")


def _find(name: str) -> Callable[[], object]:
    if name in INCLUDED:
        return INCLUDED[name]
    module, colon, path = name.partition(":")
    if colon:
        if not all(map(str.isidentifier, module.split("."))):
            raise StrategyError(
                f"{name!r} names no module: a class Patient in the file my_bot.py is my_bot:Patient"
            )
        found: object = import_module(module)
        for attribute in path.split("."):
            found = getattr(found, attribute)
    else:
        points = entry_points(group=ENTRY_POINT_GROUP)
        if name not in points.names:
            known = ", ".join([*INCLUDED, *sorted(points.names - INCLUDED.keys())])
            raise StrategyError(
                f"there is no strategy {name!r}; write module:Class, or one of those there are: {known}"
            )
        found = points[name].load()
    if not callable(found):
        raise StrategyError(f"the strategy {name!r} is no class")
    return found
