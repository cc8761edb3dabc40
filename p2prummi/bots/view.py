"""What a player may know at its turn, as one value: its own rack, what lies open to all, nothing more.

Other racks are known by their sizes, the pool by its size. A strategy sees nothing but this, whoever calls
it: the headless peer, the console for a hint, the arena.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.errors import LocalProtocolError
from p2prummi.rules import Draw, Pass, judge

if TYPE_CHECKING:
    from p2prummi.rules import Game, Judgement, Meld, Ruleset, Tile, Turn


@dataclass(frozen=True, slots=True)
class PublicTurn:
    """A turn of this round as everyone has seen it, with the tiles that it laid."""

    seat: int
    turn: Turn
    laid: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """The round as one seat sees it.

    `rack` is that seat's own, `history` holds the round's turns so far, `totals` the points by seat that
    earlier rounds have brought (empty: none yet). Raises LocalProtocolError for a rack that the game does not
    know.
    """

    seat: int
    rack: tuple[Tile, ...]
    game: Game
    history: tuple[PublicTurn, ...] = ()
    totals: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.seat < self.game.players:
            raise LocalProtocolError(f"the game has no seat {self.seat}")
        if len(self.rack) != self.game.rack_sizes[self.seat]:
            known = self.game.rack_sizes[self.seat]
            raise LocalProtocolError(
                f"the rack of seat {self.seat} holds {known} tiles, not {len(self.rack)}"
            )

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the match."""
        return self.game.ruleset

    @property
    def table(self) -> tuple[Meld, ...]:
        """The melds on the table."""
        return self.game.table

    @property
    def has_opened(self) -> bool:
        """Whether this seat has opened, by itself or by its team."""
        return self.game.opened[self.seat]

    @property
    def idle_turn(self) -> Turn:
        """The turn that lays nothing, which is always allowed: a draw, or a pass once the pool is empty."""
        return Draw() if self.game.pool_left else Pass()

    def judge(self, turn: Turn) -> Judgement:
        """What the rules say of a turn by this seat: every fault at once; none means that it is legal."""
        return judge(
            turn,
            ruleset=self.ruleset,
            table=self.table,
            opened=self.has_opened,
            pool_left=self.game.pool_left,
            rack=self.rack,
        )
