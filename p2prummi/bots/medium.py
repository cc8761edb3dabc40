"""The level *medium*: lays what its rack gives, as *easy* does, and puts single tiles to the table.

After the melds of the rack it takes single steps (`steps.py`) as long as there is one: extends a meld,
splits a run, borrows a tile. It takes the step that lays most, then the highest tiles; among equally good
ones chance decides. So it misses what takes two steps at once, and never moves a joker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.bots.easy import melds_from, opening_from
from p2prummi.bots.steps import steps_from, table_after
from p2prummi.rules import Play

if TYPE_CHECKING:
    import random

    from p2prummi.bots.steps import Step
    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Meld, Tile, Turn


class Medium:
    """Plays as the module says."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        """The turn to take: all melds that the rack gives and all steps after them, or else nothing."""
        if view.has_opened:
            opening: tuple[Meld, ...] | None = None
            laid = melds_from(view.rack, rng)
        else:
            opening = laid = opening_from(view, rng)
            if not laid:
                return view.idle_turn
        table = (*view.table, *laid)
        if view.has_opened or view.ruleset.opening_then_table:
            used = {tile for meld in laid for tile in meld.tiles}
            table = all_steps(table, [tile for tile in view.rack if tile not in used], rng)
        if table == view.table:
            return view.idle_turn
        return Play(melds=table, opening=opening)

    def __repr__(self) -> str:
        return "Medium()"


def all_steps(table: tuple[Meld, ...], rack: list[Tile], rng: random.Random) -> tuple[Meld, ...]:
    """The table after as many steps as the rack gives, the best first."""
    while steps := list(steps_from(table, rack)):
        best = max(map(_rank, steps))
        step = rng.choice([step for step in steps if _rank(step) == best])
        table = table_after(table, step)
        rack = [tile for tile in rack if tile not in step.laid]
    return table


def _rank(step: Step) -> tuple[int, int]:
    return len(step.laid), sum(tile.number for tile in step.laid)
