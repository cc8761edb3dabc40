"""The solver's answer to a view, thought of for so long and no longer.

Thought is counted in looks at a clock that counts its looks, not in seconds: so a game that is played again
by its seed is the same on a slower machine, and no position takes forever. A usual turn takes few looks.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Final

from p2prummi.solver import Objective, OpeningChoice, solve

if TYPE_CHECKING:
    from collections.abc import Collection

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Tile
    from p2prummi.solver import Solution

LOOKS_MAX: Final = 470
"""By when a thought has been cut short, at some 400, and the best so far counts: few positions come to it."""


def best_for(
    view: PlayerView,
    rack: Collection[Tile] | None = None,
    *,
    objective: Objective = Objective.TILES,
    opening: OpeningChoice = OpeningChoice.MOST,
) -> Solution:
    """The best turn for the view; with `rack` as if that part of the rack were all of it.

    An opening of the fewest tiles is laid by itself, also where the turn may go on at the table.
    """
    ruleset = view.ruleset
    if opening is OpeningChoice.FEWEST:
        ruleset = replace(ruleset, opening_then_table=False)
    return solve(
        ruleset,
        view.table,
        view.rack if rack is None else rack,
        opened=view.has_opened,
        objective=objective,
        opening=opening,
        clock=count().__next__,
        deadline=LOOKS_MAX,
    )
