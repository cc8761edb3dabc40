"""Whether tiles hold an opening (rules.md, "Scores", `unopened_score`): every choice of melds is tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from verifier.melds import COLOURS, LEAST_TILES, NUMBERS, colour, number

Tile = tuple[int, int]  # Number and colour.
Rules = dict[str, Any]


def holds_opening(rules: Rules, tiles: Sequence[int]) -> bool:
    """Whether some melds of these tiles alone, at least one, are worth `opening_points` or more."""
    first_joker = 52 * rules["copies"]
    plain = tuple(sorted((number(tile), colour(tile)) for tile in tiles if tile < first_joker))
    jokers = 0 if rules["opening_joker"] == "forbidden" else len(tiles) - len(plain)
    return _most(plain, jokers) >= max(1, int(rules["opening_points"]))


@cache
def _most(tiles: tuple[Tile, ...], jokers: int) -> int:
    """The greatest worth of melds of these tiles. Every meld is worth something."""
    if not tiles:
        return 0
    first, rest = tiles[0], tiles[1:]
    found = _most(rest, jokers)
    for meld in _melds_with(first):
        others = [tile for tile in meld if tile != first]
        worth = sum(tile[0] for tile in meld)
        for count in range(min(jokers, len(others)) + 1):
            for replaced in combinations(others, count):
                left = _without(rest, [tile for tile in others if tile not in replaced])
                if left is not None:
                    found = max(found, worth + _most(left, jokers - count))
    return found


def _without(tiles: tuple[Tile, ...], taken: Sequence[Tile]) -> tuple[Tile, ...] | None:
    """What is left without these tiles, or None where one is not there."""
    left = list(tiles)
    for tile in taken:
        if tile not in left:
            return None
        left.remove(tile)
    return tuple(left)


def _melds_with(tile: Tile) -> Iterator[list[Tile]]:
    """All groups and runs that hold a tile, jokers standing for any of the others."""
    own_number, own_colour = tile
    others = [(own_number, other) for other in range(COLOURS) if other != own_colour]
    for count in (2, 3):
        for chosen in combinations(others, count):
            yield [tile, *chosen]
    for start in range(1, own_number + 1):
        for end in range(max(own_number, start + LEAST_TILES - 1), NUMBERS + 1):
            yield [(at, own_colour) for at in range(start, end + 1)]
