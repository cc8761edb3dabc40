"""The level *easy*: lays what its rack alone gives, never touches the table, and otherwise draws.

It opens as soon as its rack holds an opening (exactly: `rules.opening`), and lays further melds of the rack
in the same turn. Melds are taken greedily, the longest first and jokers only where no meld is left without;
among equally good ones chance decides. So it misses all that takes a rearrangement, and some that takes
thought.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from p2prummi.rules import Colour, Group, OpeningJoker, Play, Run, find_opening, meld_from
from p2prummi.rules.meld_faults import LEAST_TILES
from p2prummi.rules.tiles import HIGHEST_NUMBER

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterator

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Meld, Tile, Turn


Piles: TypeAlias = dict[tuple[Colour, int], "Tile"]
"""One tile of each face that there is on the rack."""


class Easy:
    """Plays as the module says."""

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        """The turn to take: all melds that the rack gives, or else nothing."""
        if view.has_opened:
            melds = melds_from(view.rack, rng)
            return Play(melds=(*view.table, *melds)) if melds else view.idle_turn
        melds = opening_from(view, rng)
        return Play(melds=(*view.table, *melds), opening=melds) if melds else view.idle_turn

    def __repr__(self) -> str:
        return "Easy()"


def opening_from(view: PlayerView, rng: random.Random) -> tuple[Meld, ...]:
    """An opening that the rack holds, with all further melds that it gives; empty where it holds none."""
    opening = find_opening(view.ruleset, view.rack)
    if opening is None:
        return ()
    used = {tile for meld in opening for tile in meld.tiles}
    may_use_jokers = view.ruleset.opening_joker is OpeningJoker.AS_REPLACED
    rest = [tile for tile in view.rack if tile not in used and (may_use_jokers or not tile.is_joker)]
    return (*opening, *melds_from(rest, rng))


def melds_from(tiles: Collection[Tile], rng: random.Random) -> tuple[Meld, ...]:
    """Melds made of these tiles alone, until no further one is to be had."""
    left = sorted(tiles, key=lambda tile: tile.canonical_key)
    melds: list[Meld] = []
    while meld := _best_meld(left, rng):
        melds.append(meld)
        left = [tile for tile in left if tile not in meld.tiles]
    if left and all(tile.is_joker for tile in left):
        return _with_jokers(melds, left)
    return tuple(melds)


def _best_meld(tiles: list[Tile], rng: random.Random) -> Meld | None:
    """The longest meld with as few jokers as possible, then the one of the highest worth."""
    piles: Piles = {}
    jokers = []
    for tile in reversed(tiles):
        if tile.colour is None:
            jokers.append(tile)
        else:
            piles[tile.colour, tile.number] = tile
    jokers.reverse()
    for count in range(len(jokers) + 1):
        shapes = [*_runs(piles, count), *_groups(piles, count)]
        if shapes:
            highest = max(shape.rank for shape in shapes)
            chosen = rng.choice([shape for shape in shapes if shape.rank == highest])
            return _laid_out(chosen, piles, jokers)
    return None


class _Shape(NamedTuple):
    """A meld that could be laid, before any tile is taken in hand: melds are dear to build, and one is laid.

    `rank` is its length, then its worth. A place without a tile of that face is a joker's.
    """

    rank: tuple[int, int]
    kind: type[Group | Run]
    faces: tuple[tuple[Colour, int], ...]
    jokers_last: int = 0


def _runs(piles: Piles, jokers: int) -> Iterator[_Shape]:
    """Every run of these faces whose gaps take just so many jokers."""
    for colour in Colour:
        numbers = [number for number in range(1, HIGHEST_NUMBER + 1) if (colour, number) in piles]
        if not numbers:
            continue
        for start in range(1, HIGHEST_NUMBER - 1):
            gaps = 0
            for end in range(start, HIGHEST_NUMBER + 1):
                gaps += end not in numbers
                length = end + 1 - start
                if gaps > jokers:
                    break
                if gaps == jokers < length >= LEAST_TILES:
                    worth = length * (start + end) // 2
                    faces = tuple((colour, number) for number in range(start, end + 1))
                    yield _Shape((length, worth), Run, faces)


def _groups(piles: Piles, jokers: int) -> Iterator[_Shape]:
    """Every group of these faces with just so many jokers."""
    for number in range(1, HIGHEST_NUMBER + 1):
        there = [(colour, number) for colour in Colour if (colour, number) in piles]
        for size in (3, 4):
            if jokers < size <= len(there) + jokers:
                for faces in combinations(there, size - jokers):
                    yield _Shape((size, number * size), Group, faces, jokers)


def _laid_out(shape: _Shape, piles: Piles, jokers: list[Tile]) -> Meld:
    """The meld of a shape, made of tiles."""
    filling = iter(jokers)
    tiles = [piles.get(face) or next(filling) for face in shape.faces]
    tiles += [next(filling) for _ in range(shape.jokers_last)]
    return shape.kind(tuple(tiles))


def _with_jokers(melds: list[Meld], jokers: list[Tile]) -> tuple[Meld, ...]:
    """The melds with the last jokers put to them, to go out; as they are where not all find room."""
    waiting = list(jokers)
    extended: list[Meld] = []
    for meld in melds:
        room = (4 if isinstance(meld, Group) else HIGHEST_NUMBER) - len(meld.tiles)
        added, waiting = waiting[:room], waiting[room:]
        extended.append(meld_from((*meld.tiles, *added), meld.kind))
    return tuple(melds if waiting else extended)
