"""From a strategy's answer to a turn that is sure to be legal, whatever the strategy does.

A strategy that raises, or answers what the rules refuse, gets the turn that lays nothing, and the decision
says why. How long a strategy may think is for whoever runs it to watch: here there is no clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from p2prummi.errors import P2PRummiError
from p2prummi.rules import Draw, Pass, Play

if TYPE_CHECKING:
    import random

    from p2prummi.bots.strategy import Strategy
    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Turn


WORDS_MOST: Final = 500
"""How much of what an error says is repeated."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A legal turn; `complaint` says in words why it is not the strategy's own, and is empty where it is."""

    turn: Turn
    complaint: str = ""


class Replaced(P2PRummiError):  # noqa: N818 - it names what has become of the turn
    """Raised by a strategy that asks another one: that has no turn that will do; says why."""


def decide(strategy: Strategy, view: PlayerView, rng: random.Random) -> Decision:
    """The strategy's turn, or the one that lays nothing in place of an answer that won't do."""
    try:
        turn = strategy.choose(view, rng)
        complaint = _complaint(view, turn)
    except Replaced as error:
        return Decision(view.idle_turn, str(error))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code runs here, and may raise anything.
        return failed(view, error)
    return Decision(view.idle_turn, complaint) if complaint else Decision(turn)


def failed(view: PlayerView, error: BaseException) -> Decision:
    """What takes the place of a strategy's turn that ended in an error."""
    name = type(error).__name__
    try:
        words = str(error)
    except (Exception, SystemExit):  # noqa: BLE001 - what an error says is somebody else's code too.
        words = ""
    if len(words) > WORDS_MOST:
        words = f"{words[:WORDS_MOST]} ..."
    return Decision(view.idle_turn, f"the strategy failed: {name}{f': {words}' if words else ''}")


def _complaint(view: PlayerView, turn: object) -> str:
    # No class of its own, whose melds could be others each time that they are looked at.
    if type(turn) not in (Play, Draw, Pass):
        return f"the strategy answered with {type(turn).__name__}, which is no turn"
    assert isinstance(turn, Play | Draw | Pass), "its type is one of these"
    faults = view.judge(turn).faults
    return "the strategy's turn is illegal: " + " ".join(fault.text for fault in faults) if faults else ""
