"""The arena: strategies against each other on the rules alone, without a network, and how sure the outcome.

A `Plan` says which strategies meet, by which rules, how often and from which seed; `played` has it played by
any `concurrent.futures` executor; a `Tally` turns what comes back into rates and intervals. Nothing but time
depends on how many workers there are.
"""

from p2prummi.arena.errors import ArenaError
from p2prummi.arena.estimates import Estimate, PairingFigures, SideFigures
from p2prummi.arena.plan import Assignment, Pairing, Plan, seatings_for
from p2prummi.arena.playing import DealRecord, GameRecord, play_deal
from p2prummi.arena.running import Workers, played
from p2prummi.arena.tally import Tally

__all__ = [
    "ArenaError",
    "Assignment",
    "DealRecord",
    "Estimate",
    "GameRecord",
    "Pairing",
    "PairingFigures",
    "Plan",
    "SideFigures",
    "Tally",
    "Workers",
    "play_deal",
    "played",
    "seatings_for",
]
