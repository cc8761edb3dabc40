"""The strategy *greedy*: always the solver's largest play, whatever comes after.

No level of its own, but the measure for those that think further: it opens as soon as it can, with as many
tiles as it can, and lays as many as it can in every turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.bots.solving import best_for

if TYPE_CHECKING:
    import random

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Turn


class Greedy:
    """Plays as the module says."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:  # noqa: ARG002 - it leaves nothing to chance
        """The play that lays the most tiles, or else nothing."""
        return best_for(view).play or view.idle_turn

    def __repr__(self) -> str:
        return "Greedy()"
