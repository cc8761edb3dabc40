"""The level *hard*: goes out as soon as it can, and until then lays as little as keeps it from drawing.

- The solver finds whether the whole rack can go. Then it goes, jokers and all.
- Before that a large lay would bring nothing nearer: what lies on the table and what is on the rack goes out
  together or not at all. It would only feed the others. So the turn is the least one (`holding.py`), and the
  jokers, which fit everywhere, are kept for the end.
- It opens as soon as it can, with the fewest tiles and nothing besides: who has not opened can use nothing.
  With all that can go, where that is out, and where the next two lines say so.
- When another rack is nearly empty, what is left on the own one soon counts against it: then as much is laid
  as costs the fewest points, the places that it makes for the others counted in (`feeding.py`).
- When the pool is nearly empty the jokers go too: a round that nobody ends is won by the least value, or the
  fewest tiles, as the ruleset says.
How much each of these is worth: docs/adr/0013-hard.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.bots.feeding import least_costly, threats
from p2prummi.bots.holding import least_from_rack, least_of
from p2prummi.bots.solving import best_for
from p2prummi.rules import StalemateWinner
from p2prummi.solver import Objective, OpeningChoice

if TYPE_CHECKING:
    import random

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Turn


class Hard:
    """Plays as the module says."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        """The turn to take: out, or else as little as will do."""
        if not view.has_opened:
            return _opening(view)
        play = best_for(view).play
        if play is None:
            return view.idle_turn
        laid = view.judge(play).laid
        if len(laid) == len(view.rack):
            return play
        if _is_last(view):
            return best_for(view, objective=_last_objective(view)).play or play
        least = least_from_rack(view, rng)
        is_threatened = bool(threats(view))
        if least is not None and not is_threatened:
            return least
        if any(tile.is_joker for tile in laid):
            play = best_for(view, [tile for tile in view.rack if not tile.is_joker]).play
        if play is None:
            return view.idle_turn
        least = least or least_of(view, play)
        return least_costly(view, [play, least]) if is_threatened else least

    def __repr__(self) -> str:
        return "Hard()"


def _opening(view: PlayerView) -> Turn:
    """The opening, if there is one: all that can be laid where that ends the round or the round ends soon."""
    fewest = best_for(view, opening=OpeningChoice.FEWEST).play
    if fewest is None:
        return view.idle_turn
    objective = _last_objective(view) if _is_last(view) else Objective.TILES
    most = best_for(view, objective=objective).play or fewest
    if _is_last(view) or len(view.judge(most).laid) == len(view.rack):
        return most
    return least_costly(view, [most, fewest]) if threats(view) else fewest


def _is_last(view: PlayerView) -> bool:
    """Whether the pool may be empty before the next own turn."""
    return view.game.pool_left < view.game.players


def _last_objective(view: PlayerView) -> Objective:
    """What counts in a round that nobody ends."""
    by_tiles = view.ruleset.stalemate_winner is StalemateWinner.FEWEST_TILES
    return Objective.TILES if by_tiles else Objective.VALUE
