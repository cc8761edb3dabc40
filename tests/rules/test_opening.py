"""Openings in a rack: known racks, and a brute force over all choices of melds as a second opinion."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.rules import (
    Colour,
    OpeningJoker,
    Ruleset,
    Tile,
    find_opening,
    holds_opening,
    parse_tiles,
    tiles_of,
)
from tests.rules.positions import rules, shown
from tests.strategies import racks, rulesets


@pytest.mark.parametrize(
    ("rack", "settings_", "expected"),
    [
        ("R10 R11 R12", [], True),
        ("R9 K9 B9", [], False),
        ("R9 K9 B9 R1 R2 R3", [], True),
        ("K10 B10 J", [], True),
        ("K10 B10 J", ["opening_joker=forbidden"], False),
        ("K10 B10 R10 J", ["opening_joker=forbidden"], True),
        ("R10 R11 R12 J", ["opening_joker=forbidden"], True),
        ("K9 B9 R9 J", [], True),
        ("R10 J J", [], True),
        ("R9 J J", [], True),
        ("R8 J J", [], False),
        ("R12 R13 J", [], True),
        ("R1 J J", ["opening_points=0"], True),
        ("R1 R2 R4", ["opening_points=0"], False),
        ("R1 R2 R13", ["opening_points=0"], False),
        ("", ["opening_points=0"], False),
        ("J J", ["opening_points=0"], False),
        ("J J J J", ["opening_points=0", "copies=3", "jokers=4"], False),
        ("R3 J J J J", ["opening_points=25", "copies=3", "jokers=4"], True),
        ("R3 J J J J", ["opening_points=26", "copies=3", "jokers=4"], False),
        ("R13 J J J", ["opening_points=52", "copies=3", "jokers=4"], True),
        ("R4 R5 R6 R7 O9 O10 O11", [], True),
        ("R4 R5 R6 R7", [], False),
        ("R11 R12 R13 R11 R12 R13", ["opening_points=72"], True),
        ("R11 R12 R13 R11 R12 R13", ["opening_points=73"], False),
        # The run must give its 9 to the group, or the group to the run: not both.
        ("R7 R8 R9 K9 B9", ["opening_points=28"], False),
        # Jokers complete both a run to 13 and a group of 13, whose only number tile is R13.
        ("R11 R13 J J J J", ["opening_points=75", "copies=3", "jokers=4"], True),
        ("R11 R13 J J J J", ["opening_points=76", "copies=3", "jokers=4"], False),
        ("R6 R7 R8 R9 K9 B9", ["opening_points=48"], True),
        # A group has at most four tiles, so the fifth stays on the rack.
        ("R13 K13 J J J", ["opening_points=52", "copies=3", "jokers=4"], True),
        ("R13 K13 J J J", ["opening_points=53", "copies=3", "jokers=4"], False),
        # Two groups of three use more tiles than one of four.
        ("K5 B5 R5 O5 K5 B5", [], True),
        # Two runs of one colour, one of which begins where the other goes on, or after it has ended.
        ("R10 R11 R12 R13 R8 R9 R10", ["opening_points=73"], True),
        ("R10 R11 R12 R13 R8 R9 R10 R11", ["opening_points=84"], True),
        ("R11 R12 R13 R6 R7 R8", ["opening_points=57"], True),
    ],
)
def test_known_racks(rack: str, settings_: list[str], expected: bool) -> None:
    ruleset, tiles = rules("official", *settings_), parse_tiles(rack)
    assert holds_opening(ruleset, tiles) == expected
    found = find_opening(ruleset, tiles) or ()
    assert bool(found) == expected
    assert Counter(tiles_of(found)) <= Counter(tiles)
    assert not found or sum(meld.value for meld in found) >= ruleset.opening_points


def test_what_is_found_is_made_of_the_rack() -> None:
    rack = parse_tiles("R6 R7 R8 R9 K9 B9 J O1")
    found = find_opening(rules("official", "opening_points=48"), rack)
    assert found is not None
    assert set(tiles_of(found)) <= set(rack)
    assert shown(find_opening(rules(), parse_tiles("R10 J J")) or ()) in (
        ["run[R10 J J]"],
        ["group[R10 J J]"],
    )


@cache
def best_worth(faces: tuple[tuple[Tile, int], ...]) -> int:
    """The greatest worth of melds from these faces: every meld is tried, then all that is left."""
    there = Counter(dict(faces))
    best = 0
    for wanted in every_meld():
        missing = [face for face in wanted if not there[face]]
        numbered = [face for face in wanted if there[face]]
        jokers = there[Tile(None, 0)]
        for extra in range(jokers - len(missing) + 1):
            for swapped in combinations(numbered, extra):
                used = Counter(face for face in numbered if face not in swapped)
                if not used:
                    continue
                used[Tile(None, 0)] = len(missing) + extra
                left = tuple(sorted((there - used).items(), key=lambda item: item[0].face_index))
                best = max(best, sum(face.number for face in wanted) + best_worth(left))
    return best


@cache
def every_meld() -> list[tuple[Tile, ...]]:
    """Every group, and every run of three to six: a longer run is two shorter ones."""
    groups = [
        tuple(Tile(colour, number) for colour in colours)
        for number in range(1, 14)
        for size in (3, 4)
        for colours in combinations(Colour, size)
    ]
    runs = [
        tuple(Tile(colour, number) for number in range(start, start + length))
        for colour in Colour
        for length in (3, 4, 5, 6)
        for start in range(1, 15 - length)
    ]
    return groups + runs


@pytest.mark.parametrize("copies", [2, 3])
@pytest.mark.parametrize("jokers", [0, 1, 2, 4])
def test_the_search_agrees_with_trying_everything(copies: int, jokers: int) -> None:
    random = Random(f"{copies} {jokers}")
    for _ in range(40 if jokers < 2 else 12):
        numbers = random.sample(range(1, 14), 5)
        tile_set = rules("official", *(["copies=3", "jokers=4"] if copies == 3 else [])).tile_set
        some = [tile for tile in tile_set.tiles if tile.number in numbers or random.random() < 0.1]
        plain = [tile for tile in some if not tile.is_joker]
        rack = random.sample(plain, random.randint(1, 3) if jokers == 4 else random.randint(4, 9))
        rack += [Tile(None, 0, joker) for joker in range(jokers)]
        counts = Counter(tile.face for tile in rack)
        best = best_worth(tuple(sorted(counts.items(), key=lambda item: item[0].face_index)))
        for points, expected in ((min(best, 100), best > 0), (best + 1, False)):
            if points <= 100:
                ruleset = rules("official", f"opening_points={points}")
                assert holds_opening(ruleset, rack) == expected, (points, sorted(map(str, rack)))


@settings(max_examples=60)
@given(rulesets(), st.data())
def test_what_is_found_is_an_opening(ruleset: Ruleset, data: st.DataObject) -> None:
    rack = data.draw(racks(ruleset.tile_set, most=70))
    found = find_opening(ruleset, rack)
    if found is None:
        return
    tiles = tiles_of(found)
    assert found
    assert len(set(tiles)) == len(tiles)
    assert set(tiles) <= set(rack)
    assert sum(meld.value for meld in found) >= ruleset.opening_points
    if ruleset.opening_joker is OpeningJoker.FORBIDDEN:
        assert not any(tile.is_joker for tile in tiles)


@settings(max_examples=40)
@given(racks(most=30), st.integers(0, 29))
def test_more_tiles_and_fewer_points_never_lose_an_opening(rack: list[Tile], place: int) -> None:
    ruleset = rules()
    if holds_opening(ruleset, rack[:place]):
        assert holds_opening(ruleset, rack)
        assert holds_opening(rules("official", "opening_points=20"), rack[:place])


@pytest.mark.parametrize("points", [30, 100])
def test_racks_of_any_size(points: int) -> None:
    """54 tiles without a meld, and all 160."""
    ruleset = rules("official", "copies=3", "jokers=4", f"opening_points={points}")
    lean = [
        tile
        for tile in ruleset.tile_set.tiles
        if tile.number in (1, 2, 4, 5, 7, 8, 10, 11, 13) and tile.colour in (0, 1)
    ]
    assert len(lean) == 54
    assert not holds_opening(ruleset, lean)
    assert holds_opening(ruleset, ruleset.tile_set.tiles)
    assert holds_opening(ruleset, [*lean, *ruleset.tile_set.tiles[-4:]])
