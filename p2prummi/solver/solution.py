"""What the solver is asked for and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from p2prummi.errors import P2PRummiError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.rules.faults import TurnFault
    from p2prummi.rules.tiles import Tile
    from p2prummi.rules.turns import Play


class Objective(StrEnum):
    """What a play should have the most of."""

    TILES = "tiles"
    VALUE = "value"


class OpeningChoice(StrEnum):
    """Which of several openings: the one that lays the fewest tiles, or the most by the objective."""

    FEWEST = "fewest"
    MOST = "most"


class ImpossiblePosition(P2PRummiError, ValueError):  # noqa: N818 - it names the position
    """A table or rack that no game can come to; `faults` says why."""

    def __init__(self, faults: Sequence[TurnFault]) -> None:
        # Three equal tiles too many are one thing to say.
        super().__init__(" ".join(dict.fromkeys(each.text for each in faults)))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The best turn that was found; `play` is None where it lays nothing.

    `laid` is in canonical order, `tiles` how many those are, `value` their numbers and `joker_value` for each
    joker. `points` is the worth of the opening, 0 where the player had opened. `changed` counts the melds of
    the table that are not there any more as they were. `is_optimal`: no legal play has more of what was
    asked.
    """

    play: Play | None
    laid: tuple[Tile, ...]
    tiles: int
    value: int
    points: int
    changed: int
    is_optimal: bool
