"""Random tables before and after a turn, small and full of equal tiles, from a seeded generator."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from p2prummi.rules import Colour, Tile, meld_from

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from p2prummi.rules import Face, Meld, MeldKind

JOKER = Tile(None, 0)


def copied(faces: Iterable[Face], used: Counter[Face]) -> list[Tile]:
    """Tiles of these faces, in copies that `used` hasn't counted yet; it counts them."""
    tiles = []
    for face in faces:
        tiles.append(Tile(face.colour, face.number, used[face]))
        used[face] += 1
    return tiles


def random_table(
    random: Random, faces: Counter[Face], *, colours: int, numbers: int, tries: int = 30
) -> tuple[Meld, ...]:
    """A table of random melds from some of the faces, which it takes away; the melds' jokers lie anywhere."""
    used: Counter[Face] = Counter()
    melds: list[Meld] = []
    for _ in range(tries):
        kind: MeldKind = random.choice(["group", "run"])
        if kind == "run":
            colour, start = Colour(random.randrange(colours)), random.randint(1, numbers - 2)
            end = min(numbers, start + random.choice([2, 2, 3, 4]))
            wanted = [Tile(colour, number) for number in range(start, end + 1)]
        else:
            number = random.randint(1, numbers)
            wanted = [
                Tile(Colour(colour), number)
                for colour in sorted(random.sample(range(4), random.choice([3, 4])))
            ]
        chosen = [JOKER if not faces[face] or random.random() < 0.15 else face for face in wanted]
        if all(face.is_joker for face in chosen) or Counter(chosen)[JOKER] > faces[JOKER]:
            continue
        faces.subtract(chosen)
        melds.append(meld_from(copied(chosen, used), kind))
    return tuple(melds)


def random_turn(
    random: Random, *, colours: int, numbers: int, copies: int, jokers: int, size: int
) -> tuple[tuple[Meld, ...], tuple[Meld, ...]]:
    """Two tables such that the second holds all tiles of the first, by number, and perhaps more."""
    every = Counter(
        {Tile(Colour(colour), number): copies for colour in range(4) for number in range(1, numbers + 1)}
    )
    every[JOKER] = jokers
    after = random_table(random, every, colours=colours, numbers=numbers, tries=size)
    there = Counter(tile.face for meld in after for tile in meld.tiles)
    some = Counter({face: count - (random.random() < 0.3) for face, count in there.items()})
    some[JOKER] = there[JOKER] - (random.random() < 0.2)
    before = random_table(random, some, colours=colours, numbers=numbers)
    return before, after
