"""Scores: what a round is worth to each seat, when a match is over, and who ranks where.

- Someone went out: each other seat loses its rack's value, and the winner receives the sum.
- Nobody did (a stalemate): winner and points by the ruleset's two stalemate fields.
- A seat that left loses its rack's whole value, can't win, and ranks below all that stayed.
- `unopened_score` takes the place of what a seat that never opened would lose; the winner still receives the
  values. Teams are worked out seat by seat, then added.
When a round ends: `p2prummi.rules.game`. Source: protocol/spec/rules.md, "Scores".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.errors import LocalProtocolError
from p2prummi.rules.fields import StalemateScoring, StalemateWinner
from p2prummi.rules.opening import holds_opening

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScores:
    """What a round brought: by seat its points and its rack's value; the winning seat, or None.

    `teams` holds each seat's team, which is the seat itself where nobody plays in teams.
    """

    points: tuple[int, ...]
    values: tuple[int, ...]
    winner: int | None
    teams: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of the winner's team: one seat without teams, none without a winner."""
        if self.winner is None:
            return ()
        return tuple(seat for seat, team in enumerate(self.teams) if team == self.teams[self.winner])

    @property
    def team_points(self) -> tuple[int, ...]:
        """The points of each team, its seats' points added, by team."""
        return added_by_team(self.points, self.teams)


def added_by_team(points: Sequence[int], teams: Sequence[int]) -> tuple[int, ...]:
    """The sums of the seats' points, by team."""
    sums = Counter[int]()
    for score, team in zip(points, teams, strict=True):
        sums[team] += score
    return tuple(sums[team] for team in range(max(teams) + 1))


def rack_value(tiles: Iterable[Tile], joker_penalty: int) -> int:
    """The sum of the numbers, each joker counting `joker_penalty`."""
    return sum(joker_penalty if tile.is_joker else tile.number for tile in tiles)


def score_round(
    ruleset: Ruleset,
    *,
    racks: Sequence[Sequence[Tile]],
    opened: Sequence[bool],
    winner: int | None,
    next_seat: int,
    drawn_last: Sequence[Sequence[Tile] | None] | None = None,
    teams: Sequence[int] | None = None,
    left: Collection[int] = (),
) -> RoundScores:
    """Score a round from all racks at its end, by seat.

    `winner` went out, or stayed when all others had left; None for a stalemate. `next_seat` is the seat whose
    turn would have come, which decides the last tie. `drawn_last` holds the tiles that each seat drew in its
    last turn, None for a seat without a turn; None in all: nobody drew in a last turn. `teams` holds each
    seat's team; None: as the ruleset says. Seats in `left` have left the round.
    """
    values = tuple(rack_value(rack, ruleset.joker_penalty) for rack in racks)
    drawn = drawn_last if drawn_last is not None else [()] * len(racks)
    _check_round(racks, opened, drawn, winner, left)
    # Going out is scored as a stalemate is by `standard`.
    scoring = StalemateScoring.STANDARD
    if winner is None:
        winner = _stalemate_winner(ruleset, values, racks, opened, next_seat, left)
        scoring = ruleset.stalemate_scoring
    losses = list(values)
    if winner is not None and scoring is StalemateScoring.DIFFERENCE:
        losses = [
            value if seat in left else max(0, value - values[winner]) for seat, value in enumerate(values)
        ]
    points = [-loss for loss in losses]
    if ruleset.unopened_score is not None:
        for seat in (seat for seat, has_opened in enumerate(opened) if not has_opened):
            points[seat] = _unopened_points(ruleset, ruleset.unopened_score, racks[seat], drawn[seat])
    if winner is not None and scoring is not StalemateScoring.EVERYONE_PENALISED:
        points[winner] = sum(losses) - losses[winner]
    return RoundScores(
        points=tuple(points),
        values=values,
        winner=winner,
        teams=tuple(teams if teams is not None else map(ruleset.team_of, range(len(racks)))),
    )


def _check_round(
    racks: Sequence[Sequence[Tile]],
    opened: Sequence[bool],
    drawn: Sequence[Sequence[Tile] | None],
    winner: int | None,
    left: Collection[int],
) -> None:
    """Raise LocalProtocolError for a round that can't have ended so."""
    if not len(racks) == len(opened) == len(drawn):
        raise LocalProtocolError("racks, opened and drawn_last need an entry for each seat")
    if winner is None:
        return
    if not 0 <= winner < len(racks):
        raise LocalProtocolError(f"the winner is a seat from 0 to {len(racks) - 1}, or none")
    others_left = all(seat in left for seat in range(len(racks)) if seat != winner)
    if racks[winner] and not others_left:
        raise LocalProtocolError(f"seat {winner} can't have gone out: there are tiles on its rack")


def _stalemate_winner(
    ruleset: Ruleset,
    values: Sequence[int],
    racks: Sequence[Sequence[Tile]],
    opened: Sequence[bool],
    next_seat: int,
    left: Collection[int],
) -> int | None:
    """Who wins a round that nobody finished: the least by the ruleset's measure, then by the other one."""
    if ruleset.stalemate_winner is StalemateWinner.NOBODY:
        return None
    by_value = ruleset.stalemate_winner is StalemateWinner.LOWEST_VALUE

    def rank(seat: int) -> tuple[int, int, int]:
        value, count = values[seat], len(racks[seat])
        measures = (value, count) if by_value else (count, value)
        return (*measures, (seat - next_seat) % len(racks))

    able = [
        seat
        for seat in range(len(racks))
        if seat not in left and (opened[seat] or ruleset.unopened_score is None)
    ]
    return min(able, key=rank, default=None)


def _unopened_points(
    ruleset: Ruleset, scores: tuple[int, int], rack: Sequence[Tile], drawn: Sequence[Tile] | None
) -> int:
    """The points of a seat that never opened: could it have done so in its last turn?"""
    unable, able = scores
    if drawn is None:
        return unable
    before = Counter(tile.face for tile in rack)
    before.subtract(tile.face for tile in drawn)
    return able if holds_opening(ruleset, before.elements()) else unable


def match_over(ruleset: Ruleset, totals: Sequence[int], rounds_played: int) -> bool:
    """Whether a match is over: all rounds are played, or a total (a team's, in teams) reaches the target."""
    reached = ruleset.target_score is not None and max(totals) >= ruleset.target_score
    return reached or rounds_played >= ruleset.rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A place in the ranking, counted from 1: one seat, or the seats of a team, and its total."""

    place: int
    seats: tuple[int, ...]
    total: int


def ranking(
    totals: Sequence[int], *, left: Collection[int] = (), teams: Sequence[int] | None = None
) -> tuple[Standing, ...]:
    """The ranking by total, best first; equal totals share a place, and the first place is the win.

    `totals` is by seat, also in teams, whose seats' totals are added. Who left ranks below all who stayed; a
    team left when all its seats did.
    """
    sides = list(teams) if teams is not None else list(range(len(totals)))
    members = [
        tuple(seat for seat, side in enumerate(sides) if side == each) for each in range(max(sides) + 1)
    ]
    order = [
        (all(seat in left for seat in seats), -total, seats)
        for seats, total in zip(members, added_by_team(totals, sides), strict=True)
    ]
    order.sort()
    return tuple(
        Standing(place=1 + sum(other[:2] < each[:2] for other in order), seats=each[2], total=-each[1])
        for each in order
    )
