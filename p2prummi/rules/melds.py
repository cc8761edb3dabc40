"""Melds: groups and runs, their one canonical form, their worth, and what their jokers stand for.

- A group is three or four tiles of one number in different colours; canonical in colour order, jokers last
  and by copy.
- A run is three to thirteen consecutive numbers of one colour, 1 lowest; canonical ascending, each joker at
  the place of the number that it stands for.
- Both hold at least one number tile. With just one, only the kind tells the two apart, so the kind is always
  said (here: by the class) and never guessed.
`Group` and `Run` take the canonical form alone, as it travels; `meld_from` takes tiles as people list them.
What is wrong with tiles that are no meld: `p2prummi.rules.meld_faults`.
Source: protocol/spec/rules.md, "Melds".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from p2prummi.rules.faults import TurnFaultCode, fault
from p2prummi.rules.meld_faults import (
    LEAST_TILES,
    MeldError,
    format_bare,
    group_faults,
    run_faults,
    unsaid_kind_faults,
)
from p2prummi.rules.tiles import FACES, HIGHEST_NUMBER, Colour, Face, Tile, TileSyntaxError, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2prummi.rules.faults import TurnFault

MeldKind: TypeAlias = Literal["group", "run"]


@dataclass(frozen=True, slots=True)
class Group:
    """Three or four tiles of one number in canonical order; anything else raises MeldError."""

    tiles: tuple[Tile, ...]
    kind: ClassVar[MeldKind] = "group"

    def __post_init__(self) -> None:
        faults = group_faults(self.tiles)
        if not faults and ordered_group(self.tiles) != self.tiles:
            faults.append(_not_canonical(self.tiles, ordered_group(self.tiles)))
        if faults:
            raise MeldError(faults)

    @property
    def number(self) -> int:
        """The number that all tiles of the group carry or stand for."""
        return self.tiles[0].number

    @property
    def value(self) -> int:
        """The worth of the group, jokers counting the tiles that they stand for."""
        return self.number * len(self.tiles)

    @property
    def missing(self) -> frozenset[Face]:
        """What the jokers of the group may stand for, each another one."""
        present = {tile.colour for tile in self.tiles}
        return frozenset(_face(colour, self.number) for colour in Colour if colour not in present)

    def faces_of(self, joker: Tile) -> frozenset[Face]:
        """What a joker of this group may stand for; ValueError where it isn't one of its jokers."""
        _place_of(joker, self.tiles)
        return self.missing

    def __str__(self) -> str:
        """The group in brackets, `[R7 B7 J]`; with one number tile also its kind, `group[R7 J J]`."""
        return format_meld(self)


@dataclass(frozen=True, slots=True)
class Run:
    """Three to thirteen tiles of one colour, ascending by one; anything else raises MeldError."""

    tiles: tuple[Tile, ...]
    kind: ClassVar[MeldKind] = "run"

    def __post_init__(self) -> None:
        if stands_as_run(self.tiles):
            return
        raise MeldError(run_faults(self.tiles) or [_not_canonical(self.tiles, ordered_run(self.tiles))])

    @property
    def start(self) -> int:
        """The number of the first place, whether a number tile or a joker lies there."""
        return _run_start(self.tiles)

    @property
    def colour(self) -> Colour:
        """The colour of the run."""
        return next(tile.colour for tile in self.tiles if tile.colour is not None)

    @property
    def value(self) -> int:
        """The worth of the run, jokers counting the tiles that they stand for."""
        return len(self.tiles) * (2 * self.start + len(self.tiles) - 1) // 2

    def faces_of(self, joker: Tile) -> frozenset[Face]:
        """What a joker of this run stands for, one face; ValueError where it isn't one of its jokers."""
        return frozenset({_face(self.colour, self.start + _place_of(joker, self.tiles))})

    def __str__(self) -> str:
        """The run in brackets, `[R4 R5 J]`; with one number tile also its kind, `run[R4 J J]`."""
        return format_meld(self)


Meld: TypeAlias = Group | Run


def meld_from(tiles: Iterable[Tile], kind: MeldKind | None = None) -> Meld:
    """The meld that people mean by tiles listed in any order; MeldError where there is none, or two.

    A run is kept if it stands as listed; otherwise its jokers fill the gaps, then the high end up to 13, then
    the low end. `kind` must be said where only one tile carries a number.
    """
    tiles = tuple(tiles)
    if kind is None:
        faults = unsaid_kind_faults(tiles)
        if faults:
            raise MeldError(faults)
        numbers = {tile.number for tile in tiles if not tile.is_joker}
        kind = "group" if len(numbers) == 1 else "run"
    faults = group_faults(tiles) if kind == "group" else run_faults(tiles)
    if faults:
        raise MeldError(faults)
    return Group(ordered_group(tiles)) if kind == "group" else Run(ordered_run(tiles))


def ordered_group(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles of a group in canonical order."""
    return tuple(sorted(tiles, key=lambda tile: tile.canonical_key))


def ordered_run(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """The tiles of a run in canonical order: as they are if they stand so, else with the jokers placed."""
    if stands_as_run(tiles):
        return tuple(tiles)
    jokers = [tile for tile in tiles if tile.is_joker]
    numbered = sorted((tile for tile in tiles if not tile.is_joker), key=lambda tile: tile.number)
    placed = [numbered[0]]
    for before, tile in pairwise(numbered):
        gap = tile.number - before.number - 1
        placed += [*jokers[:gap], tile]
        del jokers[:gap]
    above = HIGHEST_NUMBER - numbered[-1].number
    return (*jokers[above:], *placed, *jokers[:above])


def stands_as_run(tiles: Sequence[Tile]) -> bool:
    """Whether the tiles are a run in the order given."""
    if len(tiles) < LEAST_TILES or all(tile.is_joker for tile in tiles):
        return False
    start = _run_start(tiles)
    colours = {tile.colour for tile in tiles if not tile.is_joker}
    return (
        len(colours) == 1
        and 1 <= start <= HIGHEST_NUMBER + 1 - len(tiles)
        and all(tile.is_joker or tile.number == start + place for place, tile in enumerate(tiles))
    )


def _run_start(tiles: Sequence[Tile]) -> int:
    return next(tile.number - place for place, tile in enumerate(tiles) if not tile.is_joker)


def _face(colour: Colour, number: int) -> Face:
    return FACES[colour * HIGHEST_NUMBER + number - 1]


def _place_of(joker: Tile, tiles: tuple[Tile, ...]) -> int:
    if not joker.is_joker:
        raise ValueError(f"{joker} is no joker")
    return tiles.index(joker)


def _not_canonical(tiles: Iterable[Tile], right: Iterable[Tile]) -> TurnFault:
    return fault(TurnFaultCode.NOT_CANONICAL, meld=format_bare(tiles), right=format_bare(right))


def format_meld(meld: Meld) -> str:
    """A meld as people write it, so that `parse_meld` reads the same meld."""
    numbered = sum(not tile.is_joker for tile in meld.tiles)
    return (meld.kind if numbered == 1 else "") + format_bare(meld.tiles)


_MELD_TEXT = re.compile(r"\s*(group|run)?\s*\[([^\[\]]*)\]\s*", re.IGNORECASE)
_KINDS: dict[str, MeldKind] = {"group": "group", "run": "run"}


def parse_meld(text: str, taken: Iterable[Tile] = ()) -> Meld:
    """Read a meld such as `[R4 R6 R5]` or `run[R4 J J]`; MeldError or TileSyntaxError says what is wrong.

    Copies go on after those of `taken`.
    """
    match = _MELD_TEXT.fullmatch(text)
    if match is None:
        raise TileSyntaxError(f"{text!r} is no meld: write its tiles in brackets, such as [R4 R5 R6]")
    return meld_from(parse_tiles(match[2], taken), _KINDS.get((match[1] or "").lower()))
