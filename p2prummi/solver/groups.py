"""Which tiles of one number form groups: how many jokers that takes, and the groups themselves.

Tiles of one number are counted by colour. Groups of them exist if some number of groups is neither smaller
than the largest count nor larger than the tiles, and three or four tiles, jokers included, come to each.
Which choices a number offers: `options`.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TypeAlias

Counts: TypeAlias = tuple[int, int, int, int]
"""Tiles of one number by colour."""
Option: TypeAlias = tuple[int, int, int, int, int]
"""Tiles of one number by colour that lie in groups, and the jokers with them."""


@cache
def group_count(counts: Counts, jokers: int) -> int:
    """The smallest number of groups that take just these tiles and jokers, or -1 where none does."""
    tiles = sum(counts)
    together = tiles + jokers
    least = max(*counts, -(-together // 4))
    return least if least <= min(tiles, together // 3) else -1


@cache
def jokers_needed(counts: Counts) -> int:
    """The fewest jokers with which these tiles form groups."""
    return next(jokers for jokers in range(2 * max(counts) + 1) if group_count(counts, jokers) >= 0)


@cache
def options(there: Counts, jokers: int) -> tuple[Option, ...]:
    """All choices of tiles for groups, each with the fewest jokers; the choice of none comes first."""
    ranges = [range(count + 1) for count in there]
    return tuple(
        (black, blue, red, orange, needed)
        for black, blue, red, orange in product(*ranges)
        if (needed := jokers_needed((black, blue, red, orange))) <= jokers
    )


@cache
def group_room(there: Counts, jokers: int) -> Counts:
    """The most tiles of each colour that any option takes."""
    black, blue, red, orange, _ = map(max, zip(*options(there, jokers), strict=True))
    return black, blue, red, orange


def options_towards(there: Counts, jokers: int, grouped: Counts) -> tuple[Option, ...]:
    """The options, the one last that takes as many tiles of each colour as lie in groups."""
    found = options(there, jokers)
    if len(found) == 1:
        return found
    place = _places(there, jokers).get(grouped)
    return found if place is None else (*found[:place], *found[place + 1 :], found[place])


@cache
def _places(there: Counts, jokers: int) -> dict[Counts, int]:
    return {option[:4]: place for place, option in enumerate(options(there, jokers))}


def deal_groups(counts: Counts, jokers: int) -> list[tuple[list[int], int]]:
    """Groups of just these tiles and jokers: the colours of each one's tiles, and its jokers."""
    groups = group_count(counts, jokers)
    colours: list[list[int]] = [[] for _ in range(groups)]
    place = 0
    for colour, count in enumerate(counts):
        for _ in range(count):
            colours[place % groups].append(colour)
            place += 1
    dealt = [(each, 0) for each in colours]
    for _ in range(jokers):
        shortest = min(range(groups), key=lambda index: len(dealt[index][0]) + dealt[index][1])
        dealt[shortest] = (dealt[shortest][0], dealt[shortest][1] + 1)
    return dealt
