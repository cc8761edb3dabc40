"""From round to round of a match: totals, who starts, and whether there is another one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2prummi.rules import added_by_team, match_over, next_starter, ranking
from p2prummi.transcript.agreement import Match
from p2prummi.transcript.state import RoundState, RoundTerms


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What the finished rounds of a match have led to.

    How many, the totals by seat, and who started the last.
    """

    rounds: int = 0
    totals: tuple[int, ...]
    starter: int | None = None

    @classmethod
    def of_new_match(cls, match: Match) -> Progress:
        """Before the first round."""
        return cls(totals=(0,) * match.players)

    def after(self, state: RoundState) -> Progress:
        """With one more finished round."""
        assert state.scores is not None, "a finished round has scores"
        assert state.starting is not None, "a finished round has a starter"
        totals = tuple(total + points for total, points in zip(self.totals, state.scores.points, strict=True))
        return replace(self, rounds=self.rounds + 1, totals=totals, starter=state.starting.seat)

    def is_over(self, match: Match) -> bool:
        """Whether the match ends here."""
        return match_over(match.ruleset, added_by_team(self.totals, match.teams), self.rounds)

    def next_terms(self, match: Match) -> RoundTerms:
        """The next round's terms.

        The joint coin chooses who starts the first, the next seat starts each later one.
        """
        starter = None if self.starter is None else next_starter(self.starter, match.players)
        return RoundTerms.of_match(match, self.rounds + 1, starter)

    def winners(self, match: Match) -> tuple[int, ...]:
        """The seats that the totals make winners; several in a team, and where totals are equal."""
        standings = ranking(self.totals, teams=match.teams)
        return tuple(sorted(seat for standing in standings if standing.place == 1 for seat in standing.seats))
