"""Computer players: what they see (`PlayerView`), what they are (`Strategy`), and those there are (`LEVELS`).

A strategy is pure but for the `random.Random` that it is given. Who runs one as a peer is `headless`.
"""

from p2prummi.bots.advice import Advice, Reason, explain
from p2prummi.bots.deciding import Decision, decide
from p2prummi.bots.easy import Easy
from p2prummi.bots.greedy import Greedy
from p2prummi.bots.hard import Hard
from p2prummi.bots.medium import Medium
from p2prummi.bots.strategy import (
    INCLUDED,
    LEVELS,
    Strategy,
    StrategyError,
    find_strategy,
    load_strategy,
    strategy_of_level,
)
from p2prummi.bots.view import PlayerView, PublicTurn

__all__ = [
    "INCLUDED",
    "LEVELS",
    "Advice",
    "Decision",
    "Easy",
    "Greedy",
    "Hard",
    "Medium",
    "PlayerView",
    "PublicTurn",
    "Reason",
    "Strategy",
    "StrategyError",
    "decide",
    "explain",
    "find_strategy",
    "load_strategy",
    "strategy_of_level",
]
