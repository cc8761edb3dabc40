"""Tiles: what exists, numbers, and how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.rules import (
    Colour,
    Tile,
    TileError,
    TileSet,
    TileSyntaxError,
    format_tiles,
    parse_tile,
    parse_tiles,
)
from tests.strategies import racks, tile_sets, tiles


@pytest.mark.parametrize(("copies", "jokers", "size"), [(2, 2, 106), (3, 4, 160)])
def test_the_two_sets(copies: int, jokers: int, size: int) -> None:
    tile_set = TileSet(copies, jokers)
    assert (tile_set.size, len(set(tile_set.tiles))) == (size, size)
    assert sum(tile.is_joker for tile in tile_set.tiles) == jokers


@pytest.mark.parametrize(("copies", "jokers"), [(2, 4), (3, 2), (1, 2), (2, 3), (4, 4)])
def test_there_is_no_other_set(copies: int, jokers: int) -> None:
    with pytest.raises(TileError, match="copies=2 with jokers=2, or copies=3 with jokers=4"):
        TileSet(copies, jokers)


def test_tile_numbers_follow_the_specification() -> None:
    large = TileSet(3, 4)
    assert large.number(Tile(Colour.RED, 7, 2)) == 2 * 52 + 2 * 13 + 6
    assert large.number(Tile(None, 0, 3)) == 3 * 52 + 3
    assert TileSet(2, 2).number(Tile(None, 0, 1)) == 105


@given(tile_sets, st.data())
def test_number_and_tile_are_inverse(tile_set: TileSet, data: st.DataObject) -> None:
    tile = data.draw(tiles(tile_set))
    assert tile_set.tile(tile_set.number(tile)) == tile
    assert tile in tile_set


@pytest.mark.parametrize(
    ("tile_set", "tile"),
    [
        (TileSet(2, 2), Tile(Colour.RED, 7, 2)),
        (TileSet(2, 2), Tile(None, 0, 2)),
        (TileSet(3, 4), Tile(Colour.RED, 7, 3)),
        (TileSet(3, 4), Tile(None, 0, 4)),
    ],
)
def test_a_set_refuses_a_copy_too_many(tile_set: TileSet, tile: Tile) -> None:
    assert tile not in tile_set
    with pytest.raises(TileError, match=f"no copy {tile.copy} of {tile}"):
        tile_set.number(tile)


@pytest.mark.parametrize("number", [-1, 106])
def test_a_set_refuses_a_number_outside(number: int) -> None:
    with pytest.raises(TileError, match="0 to 105"):
        TileSet(2, 2).tile(number)


@pytest.mark.parametrize(
    ("colour", "number", "copy"),
    [(Colour.RED, 0, 0), (Colour.RED, 14, 0), (None, 1, 0), (None, -1, 0), (Colour.RED, 5, -1)],
)
def test_what_is_on_no_tile(colour: Colour | None, number: int, copy: int) -> None:
    with pytest.raises(TileError):
        Tile(colour, number, copy)


@given(tiles())
def test_a_tile_reads_as_it_is_written(tile: Tile) -> None:
    assert parse_tile(str(tile), tile.copy) == tile
    assert parse_tile(f" {str(tile).lower()} ").face == tile.face


@given(racks(TileSet(3, 4)))
def test_tiles_read_as_they_are_written(rack: list[Tile]) -> None:
    read = parse_tiles(format_tiles(rack))
    assert [tile.face for tile in read] == [tile.face for tile in rack]
    assert len(set(read)) == len(read)
    assert parse_tiles([str(tile) for tile in rack]) == read


def test_copies_go_on_after_those_taken() -> None:
    taken = parse_tiles("R5 J")
    assert parse_tiles("R5 J R5", taken) == (Tile(Colour.RED, 5, 1), Tile(None, 0, 1), Tile(Colour.RED, 5, 2))


@pytest.mark.parametrize("text", ["", "R", "R0", "R14", "R01", "G5", "J1", "5R", "R 5", "R٣", "JJ", "R5 R6"])
def test_texts_that_name_no_tile(text: str) -> None:
    with pytest.raises(TileSyntaxError, match="is no tile"):
        parse_tile(text)


def test_faces_and_order() -> None:
    tile = Tile(Colour.BLUE, 3, 1)
    assert tile.face == Tile(Colour.BLUE, 3)
    assert [colour.letter for colour in Colour] == ["K", "B", "R", "O"]
    mixed = parse_tiles("J O1 K2 K1")
    assert format_tiles(sorted(mixed, key=lambda each: each.canonical_key)) == "K1 K2 O1 J"
