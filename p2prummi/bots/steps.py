"""Single steps: the small ways in which a rack's tiles go to a table that all players can follow.

- *extend*: one tile is put to a meld, at an end of a run or as the colour that a group lacks.
- *split*: one tile goes into a run of five or more that holds its equal, and makes two runs of it.
- *borrow*: a meld that can spare a tile gives it to a new meld with two tiles of the rack.
Any number of steps, one after another, leave every joker on the table standing for what it stood for, and
lay number tiles only: so they are legal under every ruleset once their player may touch the table. What takes
more than that is for the solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeAlias

from p2prummi.rules import Colour, Group, Run, meld_from
from p2prummi.rules.meld_faults import LEAST_TILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from p2prummi.rules import Meld, Tile

GROUP_TILES_MAX: Final = 4

Piles: TypeAlias = "dict[tuple[Colour, int], Tile]"
"""One tile of each face that there is on the rack."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step: the meld at place `meld` of the table gives way to `after`, in which are the tiles `laid`."""

    meld: int
    after: tuple[Meld, ...]
    laid: tuple[Tile, ...]


def piles_of(rack: Iterable[Tile]) -> Piles:
    """One tile of each face on the rack, the lowest copy; jokers are left out."""
    piles: Piles = {}
    for tile in sorted(rack, key=lambda tile: tile.canonical_key, reverse=True):
        if tile.colour is not None:
            piles[tile.colour, tile.number] = tile
    return piles


def steps_from(table: tuple[Meld, ...], rack: Iterable[Tile]) -> Iterator[Step]:
    """Every single step that the rack allows on this table."""
    piles = piles_of(rack)
    for place, meld in enumerate(table):
        if isinstance(meld, Run):
            yield from _extended_runs(place, meld, piles)
            yield from _split_runs(place, meld, piles)
        else:
            yield from _extended_groups(place, meld, piles)
        for rest, spared in spares(meld):
            for made in _with_two_of(piles, spared):
                laid = tuple(tile for tile in made.tiles if tile != spared)
                yield Step(place, (*rest, made), laid)


def table_after(table: tuple[Meld, ...], step: Step) -> tuple[Meld, ...]:
    """The table once the step is taken."""
    return (*table[: step.meld], *step.after, *table[step.meld + 1 :])


def spares(meld: Meld) -> Iterator[tuple[tuple[Meld, ...], Tile]]:
    """Each number tile that a meld can give away, with the melds that are left of it."""
    tiles = meld.tiles
    if isinstance(meld, Group):
        # A group with a joker keeps its tiles: what came to it later would change what the joker stands for.
        if len(tiles) == GROUP_TILES_MAX == _numbered(tiles):
            for spared in tiles:
                yield (Group(tuple(tile for tile in tiles if tile != spared)),), spared
        return
    for place, spared in enumerate(tiles):
        parts = [part for part in (tiles[:place], tiles[place + 1 :]) if part]
        if not spared.is_joker and all(len(part) >= LEAST_TILES and _numbered(part) for part in parts):
            yield tuple(map(Run, parts)), spared


def _extended_runs(place: int, run: Run, piles: Piles) -> Iterator[Step]:
    below = piles.get((run.colour, run.start - 1))
    above = piles.get((run.colour, run.start + len(run.tiles)))
    if below is not None:
        yield Step(place, (Run((below, *run.tiles)),), (below,))
    if above is not None:
        yield Step(place, (Run((*run.tiles, above)),), (above,))


def _split_runs(place: int, run: Run, piles: Piles) -> Iterator[Step]:
    tiles = run.tiles
    for at in range(LEAST_TILES - 1, len(tiles) - LEAST_TILES + 1):
        tile = piles.get((run.colour, run.start + at))
        if tile is not None and _numbered(tiles[at:]):
            yield Step(place, (Run((*tiles[:at], tile)), Run(tiles[at:])), (tile,))


def _extended_groups(place: int, group: Group, piles: Piles) -> Iterator[Step]:
    if len(group.tiles) == GROUP_TILES_MAX:
        return
    present = {tile.colour for tile in group.tiles}
    for colour in Colour:
        tile = piles.get((colour, group.number))
        if tile is not None and colour not in present:
            yield Step(place, (meld_from((*group.tiles, tile), "group"),), (tile,))


def _with_two_of(piles: Piles, tile: Tile) -> Iterator[Meld]:
    """Every meld of this tile and two of the rack's."""
    colour, number = tile.colour, tile.number
    assert colour is not None, "no meld gives a joker away"
    for start in range(number - 2, number + 1):
        places = [(colour, at) for at in range(start, start + 3) if at != number]
        if all(place in piles for place in places):
            yield meld_from((tile, *[piles[place] for place in places]))
    there = [piles[other, number] for other in Colour if other != colour and (other, number) in piles]
    for pair in combinations(there, 2):
        yield meld_from((tile, *pair))


def _numbered(tiles: tuple[Tile, ...]) -> int:
    return sum(not tile.is_joker for tile in tiles)
