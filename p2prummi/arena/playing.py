"""A piece of work done: one deal of a pairing in all its seatings, each game with strategies of its own.

This is what a worker runs, in whatever process or on whatever machine; what it is handed and what it hands
back are plain values. A new strategy object for each seat and game carries nothing over, so that neither the
order of the games nor the number of workers can show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.arena.dealing import chances, deal_from_seed
from p2prummi.arena.game import running_game
from p2prummi.arena.plan import seatings_for
from p2prummi.arena.table import Seat, Table
from p2prummi.bots import find_strategy
from p2prummi.thinking import made_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2prummi.arena.dealing import Deal
    from p2prummi.arena.plan import Assignment, Seating
    from p2prummi.bots import Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One game: its seating, points by seat, winning seats, turns.

    By side: in how many turns the strategy was replaced, and why the first time (empty: never).
    """

    seating: Seating
    points: tuple[int, ...]
    winners: tuple[int, ...]
    turns: int
    replaced: tuple[int, int] = (0, 0)
    reasons: tuple[str, str] = ("", "")

    def won_by(self, side: int) -> bool:
        """Whether a seat of that side won."""
        return any(self.seating[seat] == side for seat in self.winners)

    def points_of(self, side: int) -> tuple[int, ...]:
        """The points of that side's seats."""
        return tuple(points for seat, points in zip(self.seating, self.points, strict=True) if seat == side)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """One deal in all its seatings; what it cost in seconds of processor time has no part in comparisons."""

    deal: int
    games: tuple[GameRecord, ...]
    cpu_seconds: float


def play_deal(assignment: Assignment) -> DealRecord:
    """Play a piece of work. Raises StrategyError where a strategy can't be loaded."""
    makers = made_apart(lambda: [find_strategy(name) for name in assignment.pairing.names])
    deal = deal_from_seed(assignment.ruleset, assignment.players, assignment.seed, assignment.deal)
    games, cpu_seconds = [], 0.0
    for number, seating in enumerate(seatings_for(assignment.ruleset, assignment.players)):
        record, seconds = _play_game(assignment, makers, deal, number, seating)
        games.append(record)
        cpu_seconds += seconds
    return DealRecord(deal=assignment.deal, games=tuple(games), cpu_seconds=cpu_seconds)


def _play_game(
    assignment: Assignment,
    makers: Sequence[Callable[[], Strategy]],
    deal: Deal,
    number: int,
    seating: Seating,
) -> tuple[GameRecord, float]:
    """The game of that number among those of a deal, and its processor time."""
    table = Table(
        running_game(assignment.ruleset, deal),
        [
            Seat(made_apart(makers[side]), chances(assignment.seed, "seat", assignment.deal, number, seat))
            for seat, side in enumerate(seating)
        ],
        assignment.think_seconds,
    )
    outcome = table.play()
    complaints = [[text for seat, text in table.complaints if seating[seat] == side] for side in (0, 1)]
    record = GameRecord(
        seating=seating,
        points=outcome.points,
        winners=outcome.winners,
        turns=outcome.turns,
        replaced=(len(complaints[0]), len(complaints[1])),
        reasons=(next(iter(complaints[0]), ""), next(iter(complaints[1]), "")),
    )
    return record, table.cpu_seconds
