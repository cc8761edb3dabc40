"""The least that can be laid in a turn, so that the rest stays on the rack for later.

Whoever lays nothing draws a tile; whoever lays one tile does not. What else could be laid can be laid later
as well, and until then nobody else can use it. So the least is, in this order: one tile put to a meld of the
table, the highest first, since it costs the most where it stays, and where it makes room for the fewest tiles
that others may hold; a meld of the rack, the smallest first; or a larger play without all that its melds can
do without. The rack's jokers stay on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.bots.counting import let_in, unseen_tiles
from p2prummi.bots.easy import melds_from
from p2prummi.bots.steps import steps_from, table_after
from p2prummi.rules import Group, Play, Run
from p2prummi.rules.meld_faults import LEAST_TILES

if TYPE_CHECKING:
    import random
    from collections.abc import Collection

    from p2prummi.bots.steps import Step
    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Meld, Tile


def least_from_rack(view: PlayerView, rng: random.Random) -> Play | None:
    """One tile or one meld of the rack, laid beside what lies there; None where the rack gives neither."""
    steps = [step for step in steps_from(view.table, view.rack) if len(step.laid) == 1]
    if steps:
        return _highest(view, steps)
    melds = melds_from([tile for tile in view.rack if not tile.is_joker], rng)
    if melds:
        meld = min(melds, key=lambda meld: (len(meld.tiles), -meld.value))
        return Play(melds=(*view.table, meld))
    return None


def _highest(view: PlayerView, steps: list[Step]) -> Play:
    """The step with the highest tile; of equal ones that after which the fewest unseen tiles fit."""
    highest = max(step.laid[0].number for step in steps)
    tables = [table_after(view.table, step) for step in steps if step.laid[0].number == highest]
    if len(tables) == 1:
        return Play(melds=tables[0])
    unseen = unseen_tiles(view)
    return Play(melds=min(tables, key=lambda table: let_in(table, unseen)))


def least_of(view: PlayerView, play: Play) -> Play:
    """The play without what its melds can do without of the rack; the play itself where that won't do."""
    on_table = {tile for meld in view.table for tile in meld.tiles}
    own = {tile for meld in play.melds for tile in meld.tiles} - on_table
    least = Play(melds=tuple([_without(meld, own) for meld in play.melds]))
    return play if view.judge(least).faults else least


def _without(meld: Meld, own: Collection[Tile]) -> Meld:
    """The meld without the own tiles that it can do without."""
    tiles = meld.tiles
    if isinstance(meld, Group):
        for tile in meld.tiles:
            rest = tuple([other for other in tiles if other != tile])
            if tile in own and _is_enough(rest):
                tiles = rest
        return Group(tiles)
    while tiles[-1] in own and _is_enough(tiles[:-1]):
        tiles = tiles[:-1]
    while tiles[0] in own and _is_enough(tiles[1:]):
        tiles = tiles[1:]
    return Run(tiles)


def _is_enough(tiles: tuple[Tile, ...]) -> bool:
    return len(tiles) >= LEAST_TILES and not all(tile.is_joker for tile in tiles)
