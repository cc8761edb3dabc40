"""The three turns that a seat may take, and what a judgement of one says.

A turn is judged on its two ends: a lay names the whole table after it, never the steps in between.
Who judges: `p2prummi.rules.judging`. Source: protocol/spec/rules.md, "Turns".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.errors import P2PRummiError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.rules.faults import TurnFault
    from p2prummi.rules.melds import Meld
    from p2prummi.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Play:
    """A lay: all melds on the table after the turn, and the melds that open where the player hadn't opened.

    `opening` is the witness: melds made of tiles laid in this turn alone. Without `opening_then_table` they
    are the turn's new melds; with it they need not lie on the table after the turn.
    """

    melds: tuple[Meld, ...]
    opening: tuple[Meld, ...] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Drawing one tile from the pool."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Doing nothing, once the pool is empty."""


Turn: TypeAlias = Play | Draw | Pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What is wrong with a turn (nothing: it is legal), the tiles it lays, and the worth of its opening.

    `laid` is in canonical order. `points` is 0 where the player had opened before.
    """

    faults: tuple[TurnFault, ...]
    laid: tuple[Tile, ...] = ()
    points: int = 0

    @property
    def legal(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


class IllegalTurn(P2PRummiError):  # noqa: N818 - it names the turn, as people speak of it
    """A turn that the rules refuse; `faults` says all that is wrong."""

    def __init__(self, faults: Sequence[TurnFault]) -> None:
        super().__init__(" ".join(each.text for each in faults))
        self.faults = tuple(faults)
