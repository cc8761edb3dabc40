"""Tiles: colours, faces, copies, the two tile sets, and how tiles are written.

A tile is a face (colour and number, or the joker) and a copy that tells equal tiles apart. On the wire a tile
is its number in the tile set: `copy * 52 + colour * 13 + (number - 1)`, jokers after all number tiles.
People write `K7 B7 R7 O7 J`; copies are never written. What tiles may form together: `p2prummi.rules.melds`.
Source: protocol/spec/rules.md, "Tiles".
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.errors import P2PRummiError

if TYPE_CHECKING:
    from collections.abc import Iterable

HIGHEST_NUMBER = 13
FACE_COUNT = 52
"""The faces that carry a number; the joker's face index comes right after them."""
JOKER_FACE = FACE_COUNT


class TileError(P2PRummiError, ValueError):
    """There is no such tile."""


class TileSyntaxError(TileError):
    """A text that names no tile."""


class Colour(IntEnum):
    """The four colours, in the canonical order of every group."""

    BLACK = 0
    BLUE = 1
    RED = 2
    ORANGE = 3

    @property
    def letter(self) -> str:
        """The letter that stands for the colour in every language."""
        return _LETTERS[self]


_LETTERS = "KBRO"


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: `colour` and `number` (1-13), or the joker (`None` and 0); `copy` tells equal tiles apart.

    Which copies exist is the tile set's say. Raises TileError for anything that is on no tile.
    """

    colour: Colour | None
    number: int
    copy: int = 0

    def __post_init__(self) -> None:
        lowest, highest = (0, 0) if self.colour is None else (1, HIGHEST_NUMBER)
        if not lowest <= self.number <= highest:
            raise TileError(f"no tile carries the number {self.number}")
        if self.copy < 0:
            raise TileError(f"the copy of a tile can't be {self.copy}")

    @property
    def is_joker(self) -> bool:
        """Whether this is a joker."""
        return self.colour is None

    @property
    def face(self) -> Face:
        """The tile without its copy: equal for equal tiles."""
        return FACES[self.face_index]

    @property
    def face_index(self) -> int:
        """0-51 for number tiles (by colour, then number), 52 for the joker."""
        return JOKER_FACE if self.colour is None else self.colour * HIGHEST_NUMBER + self.number - 1

    @property
    def canonical_key(self) -> tuple[int, int]:
        """Sorts by colour, number and copy, jokers last."""
        return (self.face_index, self.copy)

    def __str__(self) -> str:
        """The tile as people write it: `R7`, `J`."""
        return "J" if self.colour is None else f"{self.colour.letter}{self.number}"


Face: TypeAlias = Tile
"""A tile of copy 0, where only colour and number matter."""

FACES: tuple[Face, ...] = (
    *(Tile(colour, number) for colour in Colour for number in range(1, HIGHEST_NUMBER + 1)),
    Tile(None, 0),
)
"""Every face by its face index."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """All tiles of a game: each number tile `copies` times, and `jokers` jokers.

    `tiles` holds them by tile number. Raises TileError for a set that doesn't exist.
    """

    copies: int
    jokers: int
    tiles: tuple[Tile, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.copies, self.jokers) not in TILE_SETS:
            raise TileError(
                f"there is no set with {self.copies} copies and {self.jokers} jokers: "
                "take copies=2 with jokers=2, or copies=3 with jokers=4"
            )
        faces = FACES[:JOKER_FACE]
        numbered = (Tile(face.colour, face.number, copy) for copy in range(self.copies) for face in faces)
        jokers = (Tile(None, 0, copy) for copy in range(self.jokers))
        object.__setattr__(self, "tiles", (*numbered, *jokers))

    @property
    def size(self) -> int:
        """106 or 160."""
        return len(self.tiles)

    def __contains__(self, tile: Tile) -> bool:
        return tile.copy < (self.jokers if tile.is_joker else self.copies)

    def number(self, tile: Tile) -> int:
        """The number of a tile of this set; TileError where the set has no such copy."""
        if tile not in self:
            raise TileError(f"the set has no copy {tile.copy} of {tile}")
        if tile.is_joker:
            return self.copies * FACE_COUNT + tile.copy
        return tile.copy * FACE_COUNT + tile.face_index

    def tile(self, number: int) -> Tile:
        """The tile of a number; TileError outside 0..size-1."""
        if not 0 <= number < self.size:
            raise TileError(f"no tile has the number {number}: the set holds 0 to {self.size - 1}")
        return self.tiles[number]


TILE_SETS = frozenset({(2, 2), (3, 4)})
"""The pairs (copies, jokers) that exist."""

_TILE_TEXT = re.compile(r"([KBRO])(1[0-3]|[1-9])|J", re.ASCII)


def parse_tile(text: str, copy: int = 0) -> Tile:
    """Read one tile, such as `R7` or `j`; TileSyntaxError says what is wrong."""
    match = _TILE_TEXT.fullmatch(text.strip().upper())
    if match is None:
        raise TileSyntaxError(f"{text!r} is no tile: write K, B, R or O and a number from 1 to 13, or J")
    if match[1] is None:
        return Tile(None, 0, copy)
    return Tile(Colour(_LETTERS.index(match[1])), int(match[2]), copy)


def parse_tiles(texts: str | Iterable[str], taken: Iterable[Tile] = ()) -> tuple[Tile, ...]:
    """Read tiles, given as texts or as one text with spaces between; equal ones become copies 0, 1 and so on.

    Copies go on after those of `taken`, so that tiles of two places can be read one after the other.
    """
    if isinstance(texts, str):
        texts = texts.split()
    used = Counter(tile.face for tile in taken)
    tiles = []
    for text in texts:
        face = parse_tile(text)
        tiles.append(Tile(face.colour, face.number, used[face]))
        used[face] += 1
    return tuple(tiles)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles as people write them, with spaces between."""
    return " ".join(map(str, tiles))
