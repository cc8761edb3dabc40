"""Who meets whom, on which deals and in which seats: a plan, cut into pieces of work that stand alone.

- Every two strategies of a plan are a pairing and share a table, nobody else at it. All pairings play the
  same deals.
- Each deal is played once with every seating of the pairing, so that both strategies hold every rack in
  every place equally often: luck of the deal and of the seat cancels within a deal.
- Chance comes from the plan's seed alone, and separately for each deal, game and seat
  (`p2prummi.arena.dealing`); so who plays a piece of work, and when, changes nothing.
How a piece is played: `p2prummi.arena.playing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.arena.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from p2prummi.rules import Ruleset

GAMES_MAX = 10_000_000
Seating: TypeAlias = tuple[int, ...]
"""By seat, the side that plays it: 0 or 1."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two strategies that meet, by name; side 0 is `first`, side 1 is `second`."""

    first: str
    second: str

    @property
    def names(self) -> tuple[str, str]:
        """The names by side."""
        return (self.first, self.second)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One deal of one pairing in all its seatings: the piece of work that a worker is handed."""

    pairing: Pairing
    ruleset: Ruleset
    players: int
    seed: int
    deal: int
    think_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be played: at least `games` games for each pairing of `strategies`.

    `think_seconds` is how long a strategy may think about one turn. Raises ArenaError for what can't be
    played.
    """

    strategies: tuple[str, ...]
    ruleset: Ruleset
    players: int
    games: int = 400
    seed: int = 0
    think_seconds: float = 30.0

    def __post_init__(self) -> None:
        if len(self.strategies) < 2:
            raise ArenaError("the arena needs two strategies or more; the same one twice plays itself")
        if not self.ruleset.allows_players(self.players):
            least, most = self.ruleset.players
            raise ArenaError(f"these rules are for {least} to {most} players, not {self.players}")
        if not 1 <= self.games <= GAMES_MAX:
            raise ArenaError(f"the games of a pairing are 1 to {GAMES_MAX}, not {self.games}")
        if not 0 < self.think_seconds <= 86_400:
            raise ArenaError(f"a strategy thinks for up to a day, not {self.think_seconds:g} seconds")

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Every two of the strategies, in the order in which they are named."""
        return tuple(Pairing(first, second) for first, second in combinations(self.strategies, 2))

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """How each deal is seated, one game each."""
        return seatings_for(self.ruleset, self.players)

    @property
    def deals(self) -> int:
        """How many deals each pairing plays: as few as hold all the games."""
        return -(-self.games // len(self.seatings))

    @property
    def games_in_all(self) -> int:
        """The games of all pairings, the last deal of each being played whole."""
        return len(self.pairings) * self.deals * len(self.seatings)

    def assignments(self) -> Iterator[tuple[int, Assignment]]:
        """All pieces of work, pairing by pairing, each with the index of its pairing."""
        for index, pairing in enumerate(self.pairings):
            for deal in range(self.deals):
                yield (
                    index,
                    Assignment(
                        pairing=pairing,
                        ruleset=self.ruleset,
                        players=self.players,
                        seed=self.seed,
                        deal=deal,
                        think_seconds=self.think_seconds,
                    ),
                )


def seatings_for(ruleset: Ruleset, players: int) -> tuple[Seating, ...]:
    """The seatings of two sides: seats by turns and in two blocks, both turned all the way round.

    With an odd number of seats the sides also change roles. So each side plays each seat in half of the
    seatings. For 2 to 5 players (2, 6, 6 and 20 seatings) these are all in which no side has two seats more
    than the other; for 6 players 8 of the 20. Members of a team are on one side: then it is the teams that
    are seated so.
    """
    units = players if ruleset.teams is None else ruleset.teams
    by_turns = tuple(unit % 2 for unit in range(units))
    in_blocks = tuple(int(unit >= (units + 1) // 2) for unit in range(units))
    found: dict[Seating, None] = {}
    for pattern in (by_turns, in_blocks):
        for roles in (pattern, tuple(1 - side for side in pattern)):
            for turn in range(units):
                turned = roles[turn:] + roles[:turn]
                found[tuple(turned[ruleset.team_of(seat)] for seat in range(players))] = None
    return tuple(found)
