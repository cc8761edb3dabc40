"""A strategy that goes out sooner or later: it always lays as many tiles as can be laid."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from p2prummi.solver import solve

if TYPE_CHECKING:
    import random

    from p2prummi.bots import PlayerView
    from p2prummi.rules import Turn


class GoingOut:
    """Plays as the module says."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        """The turn that lays the most tiles."""
        # Must not come among the lines of `--json`.
        sys.stdout.write("I go out\n")
        return solve(view.ruleset, view.table, view.rack, opened=view.has_opened).play or view.idle_turn
