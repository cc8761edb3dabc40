"""The level *hard*: goes out as soon as it can, and until then lays as little as keeps it from drawing.

- The solver finds whether the whole rack can go. Then it goes, jokers and all.
- Before that a large lay would bring nothing nearer: what lies on the table and what is on the rack goes out
  together or not at all. It would only feed the others. So the turn is the least one (`holding.py`), and the
  jokers, which fit everywhere, are kept for the end.
- It opens as soon as it can, with the fewest tiles: who has not opened can use nothing.
- When another rack is nearly empty, all but the jokers is laid, since what is left counts against it.
- When the pool is nearly empty the jokers go too: a round that nobody ends is won by the least value.
How much each of these is worth: docs/adr/0013-hard.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2prummi.bots.holding import least_from_rack, least_of
from p2prummi.bots.solving import best_for
from p2prummi.solver import Objective, OpeningChoice

if TYPE_CHECKING:
    import random

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Turn

NEARLY_OUT_TILES: Final = 2
"""A rack of so few tiles may be gone by its next turn."""


class Hard:
    """Plays as the module says."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        """The turn to take: out, or else as little as will do."""
        play = best_for(view, opening=OpeningChoice.FEWEST).play
        if play is None:
            return view.idle_turn
        laid = view.judge(play).laid
        if not view.has_opened or len(laid) == len(view.rack):
            return play
        if view.game.pool_left < view.game.players:
            return best_for(view, objective=Objective.VALUE).play or view.idle_turn
        is_threatened = _is_threatened(view)
        least = None if is_threatened else least_from_rack(view, rng)
        if least is not None:
            return least
        if any(tile.is_joker for tile in laid):
            play = best_for(view, [tile for tile in view.rack if not tile.is_joker]).play
        if play is None:
            return view.idle_turn
        return play if is_threatened else least_of(view, play)

    def __repr__(self) -> str:
        return "Hard()"


def _is_threatened(view: PlayerView) -> bool:
    """Whether somebody else may go out before the next own turn."""
    sizes = view.game.rack_sizes
    return any(sizes[seat] <= NEARLY_OUT_TILES for seat in view.game.seats if seat != view.seat)
