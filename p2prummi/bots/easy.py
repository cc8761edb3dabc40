"""The level *easy*: lays what its rack alone gives, never touches the table, and otherwise draws.

It opens as soon as its rack holds an opening (exactly: `rules.opening`), and lays further melds of the rack
in the same turn. Melds are taken greedily, the longest first and jokers only where no meld is left without;
among equally good ones chance decides. So it misses all that takes a rearrangement, and some that takes
thought.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.rules import Colour, Group, OpeningJoker, Play, Run, find_opening, meld_from

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterator

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Meld, Tile, Turn

HIGHEST_NUMBER = 13

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
        ranked: defaultdict[tuple[int, int], list[Meld]] = defaultdict(list)
        melds: tuple[Meld, ...] = (*_runs(piles, jokers[:count]), *_groups(piles, jokers[:count]))
        for meld in melds:
            ranked[len(meld.tiles), meld.value].append(meld)
        if ranked:
            return rng.choice(ranked[max(ranked)])
    return None


def _runs(piles: Piles, jokers: list[Tile]) -> Iterator[Run]:
    """Every run of these faces whose gaps take just these jokers."""
    for colour in Colour:
        for start in range(1, HIGHEST_NUMBER - 1):
            for end in range(start + 2, HIGHEST_NUMBER + 1):
                places = [piles.get((colour, number)) for number in range(start, end + 1)]
                if places.count(None) == len(jokers) < len(places):
                    filling = iter(jokers)
                    yield Run(tuple(tile or next(filling) for tile in places))


def _groups(piles: Piles, jokers: list[Tile]) -> Iterator[Group]:
    """Every group of these faces with just these jokers."""
    for number in range(1, HIGHEST_NUMBER + 1):
        there = [piles[colour, number] for colour in Colour if (colour, number) in piles]
        for size in (3, 4):
            if len(jokers) < size <= len(there) + len(jokers):
                for chosen in combinations(there, size - len(jokers)):
                    yield Group((*chosen, *jokers))


def _with_jokers(melds: list[Meld], jokers: list[Tile]) -> tuple[Meld, ...]:
    """The melds with the last jokers put to them, to go out; as they are where not all find room."""
    waiting = list(jokers)
    extended: list[Meld] = []
    for meld in melds:
        room = (4 if isinstance(meld, Group) else HIGHEST_NUMBER) - len(meld.tiles)
        added, waiting = waiting[:room], waiting[room:]
        extended.append(meld_from((*meld.tiles, *added), meld.kind))
    return tuple(melds if waiting else extended)
