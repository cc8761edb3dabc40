"""A second opinion on jokers: the rules read word by word, every matching tried one after the other.

Nothing here is shared with `p2prummi.rules.jokers` but the values: tiles are known by their places, each
matching of equal tiles, each meaning of each joker and each choice of replacing tiles is gone through.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import perm, prod
from random import Random
from typing import TYPE_CHECKING

import pytest

from p2prummi.rules import Colour, Group, JokerReuse, JokerSwapFrom, Run, Tile
from p2prummi.rules.jokers import joker_faults, jokers_agree
from tests.rules.positions import rules
from tests.rules.random_tables import random_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from p2prummi.rules import Face, Meld

Place = tuple[int, int]
Rules = tuple[JokerSwapFrom, JokerReuse]
TRIES_MOST = 300


def places(table: Sequence[Meld]) -> dict[Place, Face]:
    return {(m, t): tile.face for m, meld in enumerate(table) for t, tile in enumerate(meld.tiles)}


def meanings(table: Sequence[Meld]) -> Iterator[dict[Place, Face]]:
    """Every way in which the jokers of a table may stand for tiles."""
    by_meld: list[list[dict[Place, Face]]] = []
    for m, meld in enumerate(table):
        jokers = [t for t, tile in enumerate(meld.tiles) if tile.is_joker]
        if isinstance(meld, Run):
            first = next(t for t, tile in enumerate(meld.tiles) if not tile.is_joker)
            colour, start = meld.tiles[first].colour, meld.tiles[first].number - first
            by_meld.append([{(m, t): Tile(colour, start + t) for t in jokers}])
        else:
            assert isinstance(meld, Group)
            there = {tile.colour for tile in meld.tiles}
            free = [Tile(colour, meld.tiles[0].number) for colour in Colour if colour not in there]
            by_meld.append(
                [
                    {(m, t): face for t, face in zip(jokers, faces, strict=True)}
                    for faces in permutations(free, len(jokers))
                ]
            )
    for choice in product(*by_meld):
        yield {place: face for meld in choice for place, face in meld.items()}


def matchings(before: dict[Place, Face], after: dict[Place, Face]) -> Iterator[dict[Place, Place | None]]:
    """Every way in which the tiles after come from places before, or (None) from the rack."""
    options = []
    for face in set(after.values()):
        new = [place for place, each in after.items() if each == face]
        old: list[Place | None] = [place for place, each in before.items() if each == face]
        old += [None] * (len(new) - len(old))
        options.append([dict(zip(new, order, strict=True)) for order in set(permutations(old))])
    for choice in product(*options):
        yield {new: old for face in choice for new, old in face.items()}


def count_tries(before: Sequence[Meld], after: Sequence[Meld]) -> int:
    old, new = Counter(places(before).values()), Counter(places(after).values())
    matched = prod(perm(count, old[face]) for face, count in new.items())
    return matched * len([*meanings(before)]) * len([*meanings(after)])


def allowed_by(before: Sequence[Meld], after: Sequence[Meld]) -> set[Rules]:
    """The pairs of joker rules under which some matching satisfies all jokers."""
    old, new = places(before), places(after)
    wanted = set(product(JokerSwapFrom, JokerReuse))
    found: set[Rules] = set()
    for origin, stood, stands in product(matchings(old, new), [*meanings(before)], [*meanings(after)]):
        found |= {pair for pair in wanted - found if satisfied(*pair, new, origin, stood, stands)}
        if found == wanted:
            break
    return found


def satisfied(
    swap: JokerSwapFrom,
    reuse: JokerReuse,
    new: dict[Place, Face],
    origin: dict[Place, Place | None],
    stood: dict[Place, Face],
    stands: dict[Place, Face],
) -> bool:
    taken = [
        (place, source)
        for place, source in origin.items()
        if new[place].is_joker and source is not None and stood[source] != stands[place]
    ]
    candidates: list[list[Place | None]] = []
    for _, source in taken:
        fitting = [place for place, face in new.items() if face == stood[source]]
        if swap is JokerSwapFrom.RACK:
            candidates.append([place for place in fitting if origin[place] is None])
        else:
            candidates.append([None] if swap is JokerSwapFrom.FREE else list(fitting))
    for replacing in product(*candidates):
        if swap is JokerSwapFrom.RACK and len(set(replacing)) < len(replacing):
            continue
        if all(goes_well(reuse, place, source, origin, set(replacing)) for place, source in taken):
            return True
    return False


def goes_well(
    reuse: JokerReuse,
    place: Place,
    source: Place,
    origin: dict[Place, Place | None],
    replacing: set[Place | None],
) -> bool:
    meld = [each for each in origin if each[0] == place[0]]
    if reuse is JokerReuse.ANY_MELD:
        return True
    if reuse is JokerReuse.OTHER_MELD:
        others = {
            new for new, old in origin.items() if old is not None and old[0] == source[0] and old != source
        }
        return not others <= set(meld)
    from_melds = Counter(old[0] for each in meld if (old := origin[each]) is not None)
    if any(count >= 3 for count in from_melds.values()):
        return False
    if reuse is JokerReuse.NEW_MELD:
        return True
    return sum(origin[each] is None and each not in replacing for each in meld) >= 2


@pytest.mark.parametrize("copies", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_the_search_agrees_with_trying_everything(seed: int, copies: int) -> None:
    random = Random(f"{seed} {copies}")
    compared = Counter[bool]()
    for _ in range(70):
        before, after = random_turn(
            random,
            colours=random.choice([1, 2, 4]),
            numbers=random.choice([3, 4, 6]),
            copies=copies,
            jokers=copies,
            size=10,
        )
        if not any(face.is_joker for face in places(before).values()):
            continue
        if count_tries(before, after) > TRIES_MOST:
            continue
        expected = allowed_by(before, after)
        for swap, reuse in product(JokerSwapFrom, JokerReuse):
            ruleset = rules("official", f"joker_swap_from={swap}", f"joker_reuse={reuse}")
            found = jokers_agree(ruleset, before, after)
            case = (seed, swap, reuse, [*map(str, before)], [*map(str, after)])
            assert found == ((swap, reuse) in expected), case
            assert bool(joker_faults(ruleset, before, after)) != found, case
            compared[found] += 1
    # The generator must not have drifted into trivial cases.
    assert compared[True] > 20
    assert compared[False] > 20
