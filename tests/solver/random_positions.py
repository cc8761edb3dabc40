"""Positions drawn from a seed: ordinary ones, and those that solvers have stumbled over.

Each kind is a function from a random number generator to a table and a rack.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from p2prummi.rules import Colour, Group, Meld, Run, Tile, TileSet, tiles_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

SMALL, LARGE = TileSet(2, 2), TileSet(3, 4)
JOKER = Tile(None, 0)


class Bag:
    """The tiles of a set that are not used yet."""

    def __init__(self, tile_set: TileSet) -> None:
        self.left = list(tile_set.tiles)

    def take(self, faces: Sequence[Tile]) -> list[Tile] | None:
        """Tiles of these faces, or None where one is used up."""
        taken: list[Tile] = []
        for face in faces:
            tile = next((tile for tile in self.left if tile.face == face), None)
            if tile is None:
                self.left += taken
                return None
            self.left.remove(tile)
            taken.append(tile)
        return taken

    def meld(self, faces: Sequence[Tile], *, is_run: bool = False) -> Meld | None:
        """A meld of these faces in order, if the tiles are there; a group where it may be one."""
        tiles = self.take(faces)
        if tiles is None:
            return None
        numbers = {tile.number for tile in faces if not tile.is_joker}
        if len(numbers) == 1 and len(faces) <= 4 and not is_run:
            return Group(tuple(sorted(tiles, key=lambda tile: tile.canonical_key)))
        return Run(tuple(tiles))


def run_faces(colour: Colour, start: int, length: int) -> list[Tile]:
    return [Tile(colour, number) for number in range(start, start + length)]


def group_faces(number: int, colours: Sequence[Colour]) -> list[Tile]:
    return [Tile(colour, number) for colour in colours]


def random_faces(rng: random.Random, lengths: Sequence[int], joker_chance: float) -> list[Tile]:
    """A meld, in which each tile is a joker by chance as long as two number tiles are left."""
    if rng.random() < 0.45:
        faces = group_faces(rng.randint(1, 13), rng.sample(list(Colour), rng.choice((3, 4))))
    else:
        length = rng.choice(lengths)
        faces = run_faces(rng.choice(list(Colour)), rng.randint(1, 14 - length), length)
    for place in range(len(faces)):
        if rng.random() < joker_chance and sum(not face.is_joker for face in faces) > 2:
            faces[place] = JOKER
    return faces


def table_of(
    bag: Bag, rng: random.Random, melds: int, lengths: Sequence[int], joker_chance: float
) -> list[Meld]:
    table: list[Meld] = []
    for _ in range(melds * 3):
        if len(table) == melds:
            break
        meld = bag.meld(random_faces(rng, lengths, joker_chance))
        if meld is not None:
            table.append(meld)
    return table


Position = tuple[tuple[Meld, ...], tuple[Tile, ...]]
ORDINARY_LENGTHS = (3, 3, 3, 4, 4, 5, 6, 8)


def position(
    bag: Bag, rng: random.Random, table: Sequence[Meld], rack_most: int, *, jokers: bool = True
) -> Position:
    """A table with a rack from what is left; half of the racks are of tiles near those of the table."""
    left = [tile for tile in bag.left if jokers or not tile.is_joker]
    rng.shuffle(left)
    size = rng.randint(0, min(rack_most, len(left)))
    if rng.random() < 0.5:
        near = Counter(tile.number for tile in tiles_of(table))
        left.sort(key=lambda tile: -near[tile.number] - near[tile.number - 1] - near[tile.number + 1])
        left = left[: 2 * size]
        rng.shuffle(left)
    return tuple(table), tuple(left[:size])


def ordinary(rng: random.Random, tile_set: TileSet) -> Position:
    bag = Bag(tile_set)
    table = table_of(bag, rng, rng.randint(0, 10), ORDINARY_LENGTHS, rng.choice((0, 0.1)))
    return position(bag, rng, table, 16)


def dense(rng: random.Random, tile_set: TileSet) -> Position:
    """Nearly everything lies on the table."""
    bag = Bag(tile_set)
    table = table_of(bag, rng, 40, (3, 3, 4, 5), 0.05)
    return position(bag, rng, table, 30)


def stuck_jokers(rng: random.Random, tile_set: TileSet) -> Position:
    """Groups of four and runs of thirteen only, some with jokers: a free joker finds no room."""
    bag = Bag(tile_set)
    table = []
    for _ in range(rng.randint(1, 5)):
        faces = group_faces(rng.randint(1, 13), list(Colour))
        for place in rng.sample(range(4), rng.choice((0, 1, 1, 2))):
            faces[place] = JOKER
        meld = bag.meld(faces)
        if meld is not None:
            table.append(meld)
    if rng.random() < 0.3:
        faces = run_faces(rng.choice(list(Colour)), 1, 13)
        for place in rng.sample(range(13), rng.choice((0, 1, 2))):
            faces[place] = JOKER
        meld = bag.meld(faces)
        if meld is not None:
            table.append(meld)
    few = 6 if rng.random() < 0.7 else 14
    numbers = [tile for tile in bag.left if rng.random() < 0.5 or tile.is_joker]
    rng.shuffle(numbers)
    return tuple(table), tuple(numbers[: rng.randint(0, few)])


def parallel_runs(rng: random.Random, tile_set: TileSet) -> Position:
    """Long runs beside each other in one colour, and a second."""
    bag = Bag(tile_set)
    table = []
    colours = rng.sample(list(Colour), 2)
    for _ in range(rng.randint(2, 7)):
        length = rng.choice((3, 4, 7, 9, 13, 13))
        faces = run_faces(rng.choice(colours), rng.randint(1, 14 - length), length)
        if rng.random() < 0.4:
            faces[rng.randrange(length)] = JOKER
        meld = bag.meld(faces)
        if meld is not None:
            table.append(meld)
    return position(bag, rng, table, 14)


def joker_racks(rng: random.Random, tile_set: TileSet) -> Position:
    """All jokers on the rack."""
    bag = Bag(tile_set)
    table = table_of(bag, rng, rng.randint(0, 4), ORDINARY_LENGTHS, 0)
    jokers = bag.take([JOKER] * tile_set.jokers) or []
    others = rng.sample(bag.left, rng.randint(0, 8))
    return tuple(table), (*jokers, *others)


def crowded(rng: random.Random, tile_set: TileSet) -> Position:
    """A rack far larger than any game's, up to all tiles."""
    bag = Bag(tile_set)
    table = table_of(bag, rng, rng.choice((0, 3, 8, 20)), ORDINARY_LENGTHS, rng.choice((0, 0.1, 0.3)))
    rng.shuffle(bag.left)
    return tuple(table), tuple(bag.left[: rng.choice((30, 43, 60, 80, 110, 160))])


def jokers_in_runs(rng: random.Random, tile_set: TileSet) -> Position:
    """A few runs with jokers, and a rack that could replace those in many ways."""
    bag = Bag(tile_set)
    table = []
    for _ in range(rng.randint(1, 3)):
        length = rng.choice((4, 5, 7, 10))
        faces = run_faces(rng.choice(list(Colour)), rng.randint(1, 14 - length), length)
        for place in rng.sample(range(length), rng.choice((1, 1, 2))):
            faces[place] = JOKER
        meld = bag.meld(faces)
        if meld is not None:
            table.append(meld)
    rng.shuffle(bag.left)
    return tuple(table), tuple(bag.left[: rng.choice((14, 20, 30))])


def small_with_jokers(rng: random.Random, tile_set: TileSet) -> Position:
    """One to three melds, jokers in them, and a few tiles that could free or use those."""
    bag = Bag(tile_set)
    table = []
    jokers, in_one = rng.choice(
        ((2, (0, 1, 1, 2)), (tile_set.jokers, (0, 1, 1, 2)), (tile_set.jokers, (0, 1, 2, 3)))
    )
    for _ in range(rng.randint(1, 3)):
        faces = random_faces(rng, (3, 3, 4, 5), 0)
        is_run = faces[0].colour is faces[1].colour
        for place in rng.sample(range(len(faces)), min(jokers, rng.choice(in_one), len(faces) - 1)):
            faces[place] = JOKER
            jokers -= 1
        meld = bag.meld(faces, is_run=is_run)
        if meld is not None:
            table.append(meld)
    wanted = []
    for meld in table:
        for tile in meld.tiles:
            if tile.is_joker:
                wanted += sorted(meld.faces_of(tile), key=lambda face: face.face_index)
            else:
                wanted += [
                    Tile(tile.colour, number)
                    for number in (tile.number - 1, tile.number + 1)
                    if 1 <= number <= 13
                ]
                wanted += [Tile(colour, tile.number) for colour in Colour]
    rng.shuffle(wanted)
    rack: list[Tile] = []
    for face in wanted[: rng.randint(2, 5)]:
        rack += bag.take([face]) or []
    return tuple(table), tuple(rack)


KINDS: dict[str, Callable[[random.Random, TileSet], Position]] = {
    "ordinary": ordinary,
    "dense": dense,
    "stuck_jokers": stuck_jokers,
    "parallel_runs": parallel_runs,
    "joker_racks": joker_racks,
}
