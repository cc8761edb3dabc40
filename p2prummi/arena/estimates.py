"""From the records of a pairing to means with 95 % intervals.

Games of one deal are alike: the same racks, turned round. So a deal, and not a game, is what is counted: each
quantity is averaged over the games of a deal, and these averages, one for each deal, are independent. The
interval is theirs: mean ± t · s / √n with Student's t for n - 1 degrees of freedom. Differences between the
two strategies are taken deal by deal, which is the paired t-test. Source: any textbook; Student, "The
Probable Error of a Mean" (1908).

With few deals, or hardly ever a loss, the interval is rough, as it takes the averages to be about normal.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.arena.student import quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.arena.plan import Pairing
    from p2prummi.arena.playing import DealRecord

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and how far its 95 % interval reaches to either side; one value alone tells nothing of that."""

    mean: float
    half_width: float | None

    @property
    def is_decided(self) -> bool:
        """Whether the interval keeps clear of zero."""
        return self.half_width is not None and abs(self.mean) > self.half_width


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values, at least one."""
    if len(values) < 2:
        return Estimate(statistics.fmean(values), None)
    spread = statistics.stdev(values) / math.sqrt(len(values))
    return Estimate(statistics.fmean(values), quantile(CONFIDENCE, len(values) - 1) * spread)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideFigures:
    """One strategy in a pairing: games won, their share, points a seat and game; turns replaced, and why."""

    name: str
    wins: int
    win_rate: Estimate
    points: Estimate
    replaced: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingFigures:
    """What the deals of a pairing say; differences are the first side's figure less the second's.

    `undecided` counts the games that nobody won.
    """

    deals: int
    games: int
    undecided: int
    turns_mean: float
    sides: tuple[SideFigures, SideFigures]
    win_rate_difference: Estimate
    points_difference: Estimate


def figures_of(pairing: Pairing, records: Sequence[DealRecord]) -> PairingFigures:
    """The figures of a pairing from its deals, at least one, in the order of their numbers."""
    games = [game for record in records for game in record.games]
    rates = [[_win_rate(record, side) for record in records] for side in (0, 1)]
    points = [[_points(record, side) for record in records] for side in (0, 1)]

    def figures_of_side(side: int) -> SideFigures:
        return SideFigures(
            name=pairing.names[side],
            wins=sum(game.won_by(side) for game in games),
            win_rate=estimate(rates[side]),
            points=estimate(points[side]),
            replaced=sum(game.replaced[side] for game in games),
            reason=next((game.reasons[side] for game in games if game.reasons[side]), ""),
        )

    return PairingFigures(
        deals=len(records),
        games=len(games),
        undecided=sum(not game.winners for game in games),
        turns_mean=statistics.fmean(game.turns for game in games),
        sides=(figures_of_side(0), figures_of_side(1)),
        win_rate_difference=estimate([first - second for first, second in zip(*rates, strict=True)]),
        points_difference=estimate([first - second for first, second in zip(*points, strict=True)]),
    )


def _win_rate(record: DealRecord, side: int) -> float:
    """The share of a deal's games that a side won."""
    return statistics.fmean(game.won_by(side) for game in record.games)


def _points(record: DealRecord, side: int) -> float:
    """The mean points of a side's seats in a deal's games."""
    return statistics.fmean(points for game in record.games for points in game.points_of(side))
