"""A second opinion on witnesses: every choice of melds from the tiles laid is judged, one after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, islice, product
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import pytest

from p2prummi.rules import (
    Colour,
    DraftMeld,
    JokerReuse,
    JokerSwapFrom,
    Play,
    Tile,
    judge,
    judge_draft,
    laid_tiles,
    meld_from,
    tiles_of,
)
from p2prummi.rules.witness import form_counts, possible_forms
from tests.rules.positions import rules
from tests.rules.random_tables import JOKER, copied, random_turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from p2prummi.rules import Face, Meld, MeldKind

    Shape: TypeAlias = tuple[tuple[Face, ...], MeldKind]

CHOICES_MOST = 100


def shapes(there: Counter[Face]) -> set[Shape]:
    """Every meld, by its faces, that so many tiles of each face make, equal ones told once."""
    numbers = {face.number for face in there if not face.is_joker}
    wanted: list[tuple[list[Face], MeldKind]] = [
        ([Tile(colour, number) for colour in colours], "group")
        for number in numbers
        for size in (3, 4)
        for colours in combinations(Colour, size)
    ]
    wanted += [
        ([Tile(colour, number) for number in range(start, end)], "run")
        for colour in Colour
        for start in range(1, 12)
        for end in range(start + 3, 15)
    ]
    found = set()
    for faces, kind in wanted:
        options = [[face, JOKER] if there[face] else [JOKER] for face in faces]
        if sum(not there[face] for face in faces) > there[JOKER]:
            continue
        for chosen in product(*options):
            if chosen.count(JOKER) <= there[JOKER] and chosen.count(JOKER) < len(chosen):
                in_order = sorted(chosen, key=lambda face: face.face_index) if kind == "group" else chosen
                found.add((tuple(in_order), kind))
    return found


def choices(there: Counter[Face], melds: list[Shape], first: int = 0) -> Iterator[list[Shape]]:
    """Every choice of at least one meld from so many tiles of each face."""
    for index in range(first, len(melds)):
        used = Counter(melds[index][0])
        if used <= there:
            yield [melds[index]]
            for more in choices(there - used, melds, index):
                yield [melds[index], *more]


@pytest.mark.parametrize("seed", range(40))
def test_every_meld_that_tiles_make_is_gone_through(seed: int) -> None:
    random = Random(seed)
    numbers = random.sample(range(1, 14), random.choice([2, 4, 13]))
    faces = [Tile(colour, number) for number in numbers for colour in Colour]
    if len(numbers) == 13:
        faces = [face for face in faces if face.colour == Colour.RED]
    there = Counter(random.sample(faces, random.randint(0, min(8, len(faces)))))
    there[JOKER] = random.choice([0, 1, 2, 4])
    found = list(possible_forms(Counter({face.face_index: count for face, count in there.items()})))
    melds = form_counts(meld_from(copied(faces, Counter()), kind) for faces, kind in shapes(there))
    assert Counter(found) == melds


def built(choice: list[Shape], laid: tuple[Tile, ...]) -> tuple[Meld, ...]:
    """The melds of a choice, made of the tiles laid."""
    piles = defaultdict(list)
    for tile in laid:
        piles[tile.face].append(tile)
    return tuple(meld_from([piles[face].pop(0) for face in faces], kind) for faces, kind in choice)


@pytest.mark.parametrize("seed", range(3))
def test_a_witness_is_found_where_there_is_one(seed: int) -> None:
    random = Random(seed)
    compared = Counter[bool]()
    for _ in range(130):
        colours, numbers = random.choice([1, 2, 4]), random.choice([4, 6])
        before, after = random_turn(random, colours=colours, numbers=numbers, copies=2, jokers=2, size=8)
        laid = laid_tiles(before, tiles_of(after))
        there = Counter(tile.face for tile in laid)
        every = list(islice(choices(there, sorted(shapes(there), key=str)), CHOICES_MOST + 1))
        if not every or len(every) > CHOICES_MOST:
            continue
        ruleset = rules(
            "nl-digitaal",
            f"joker_swap_from={random.choice([*JokerSwapFrom])}",
            f"joker_reuse={random.choice([*JokerReuse])}",
            f"opening_points={random.choice([0, 6, 12, 20])}",
            f"opening_joker={random.choice(['forbidden', 'as_replaced'])}",
        )
        expected = any(
            judge(
                Play(after, built(choice, laid)), ruleset=ruleset, table=before, opened=False, pool_left=1
            ).legal
            for choice in every
        )
        drafts = [DraftMeld(meld.tiles, meld.kind) for meld in after]
        found = judge_draft(drafts, ruleset=ruleset, table=before, opened=False, rack=laid)
        assert found.legal == expected, (seed, ruleset.changes(), [*map(str, before)], [*map(str, after)])
        compared[expected] += 1
    # The generator must not have drifted into trivial cases.
    assert compared[True] > 5
    assert compared[False] > 5
