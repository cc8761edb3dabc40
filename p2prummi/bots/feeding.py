"""Not feeding who may go out next: what a play keeps off the own rack against what it lets the others do.

When somebody goes out, what is left on the own rack is lost, by the preset's scoring: the numbers, and the
penalty for jokers. So a play is worth what it lays; but each place that it makes on the table may be just the
one that another waits for. How likely that is, the tiles tell that nobody has shown yet (`counting.py`).
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from p2prummi.bots.counting import let_in, unseen_tiles
from p2prummi.rules import rack_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Play

NEARLY_OUT_TILES: Final = 2
"""A rack of so few tiles may be gone by its next turn."""
LOST_LATER: Final = 0.7
"""What part of the rack's value is lost in the end where nobody goes out next."""


def threats(view: PlayerView) -> list[int]:
    """The sizes of the racks that may be empty before the next own turn; a teammate's is no threat."""
    team_of = view.ruleset.team_of
    others = [seat for seat in view.game.seats if team_of(seat) != team_of(view.seat)]
    return [size for seat in others if (size := view.game.rack_sizes[seat]) <= NEARLY_OUT_TILES]


def least_costly(view: PlayerView, plays: Iterable[Play]) -> Play:
    """The play after which the fewest points are to be lost; the first of equal ones."""
    unseen = unseen_tiles(view)
    sizes = threats(view)
    penalty = view.ruleset.joker_penalty
    before = rack_value(view.rack, penalty)

    def cost(play: Play) -> float:
        left = before - rack_value(view.judge(play).laid, penalty)
        fitting = let_in(play.melds, unseen) / len(unseen)
        nobody_goes_out = prod([1 - fitting**size for size in sizes])
        return left * (1 - nobody_goes_out * (1 - LOST_LATER))

    return min(plays, key=cost)
