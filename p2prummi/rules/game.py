"""The public state of a round: whose turn it is, what lies on the table, and when the round ends.

- Seats play in ascending order, cyclically; a seat that left is skipped.
- A round ends with an empty rack, or once the pool is empty, by the ruleset's `pool_empty`.
- Racks are known by their sizes only: which tiles they hold is for their owners, and proved elsewhere.
Who may do what in a turn: `p2prummi.rules.judging`. How the round starts: `p2prummi.rules.start`. What it is
worth: `p2prummi.rules.scoring`. Source: protocol/spec/rules.md, "The round".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset

PlainValue: TypeAlias = "int | str | list[PlainValue]"


class EndReason(StrEnum):
    """Why a round is over."""

    RUMMIKUB = "rummikub"
    POOL_EMPTY = "pool_empty"
    LAST_TURNS_TAKEN = "last_turns_taken"
    ALL_PASSED = "all_passed"
    OTHERS_LEFT = "others_left"


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a round ended: why, who won it (None for a stalemate), and whose turn would have come."""

    reason: EndReason
    winner: int | None
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The public state of a round after `turn_number` turns; tuples are by seat.

    `passed` holds the seats that passed in a row up to now, while the pool is empty. `last_turns` holds the
    seats that still have a turn, in order, once the pool is empty under `one_more_turn_each`; None before.
    `drawn_last` counts the tiles drawn in each seat's last turn; None for a seat without a turn. `left` holds
    the seats that left. `to_move` is the seat whose turn it is, or would be, were the round not over.
    """

    ruleset: Ruleset
    players: int
    table: tuple[Meld, ...]
    opened: tuple[bool, ...]
    rack_sizes: tuple[int, ...]
    pool_left: int
    to_move: int
    turn_number: int = 0
    passed: tuple[int, ...] = ()
    last_turns: tuple[int, ...] | None = None
    drawn_last: tuple[int | None, ...]
    left: tuple[int, ...] = ()
    ended: End | None = None

    @property
    def passes(self) -> int:
        """How many passes in a row there were, up to now."""
        return len(self.passed)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that still play."""
        return tuple(seat for seat in range(self.players) if seat not in self.left)
