"""Melds: what is one, its canonical form and value, what jokers stand for, what is wrong with the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.rules import (
    Colour,
    Group,
    Meld,
    MeldError,
    Run,
    Tile,
    TileSyntaxError,
    TurnFaultCode,
    format_meld,
    meld_from,
    parse_meld,
    parse_tiles,
)
from p2prummi.rules.faults import WORDS
from p2prummi.rules.melds import stands_as_run
from tests.strategies import melds

if TYPE_CHECKING:
    from random import Random

FULL_RUN = " ".join(f"K{number}" for number in range(1, 14))


def fault_codes(text: str) -> list[str]:
    with pytest.raises(MeldError) as refused:
        parse_meld(text)
    assert refused.value.faults
    assert all(fault.text in str(refused.value) for fault in refused.value.faults)
    return [fault.code.value for fault in refused.value.faults]


@pytest.mark.parametrize(
    ("typed", "canonical", "value"),
    [
        ("[R6 R8 R7]", "[R6 R7 R8]", 21),
        ("[R1 R2 R4 R5 J]", "[R1 R2 J R4 R5]", 15),
        ("[R12 R13 J]", "[J R12 R13]", 36),
        ("[R13 J R12 J]", "[J J R12 R13]", 46),
        ("[J R1 R2]", "[R1 R2 J]", 6),
        ("[J R5 R6]", "[J R5 R6]", 15),
        ("[R5 R6 J]", "[R5 R6 J]", 18),
        ("[R6 R5 J]", "[R5 R6 J]", 18),
        ("[R8 J R5 J]", "[R5 J J R8]", 26),
        ("[J R8 R5 J J]", "[R5 J J R8 J]", 35),
        ("run[J J R10]", "run[J J R10]", 27),
        ("RUN [r10 j j]", "run[R10 J J]", 33),
        ("run[J R13 J]", "run[J J R13]", 36),
        ("group[J J R10]", "group[R10 J J]", 30),
        ("group[R10 J J J]", "group[R10 J J J]", 40),
        ("[O7 J K7]", "[K7 O7 J]", 21),
        ("[O7 R7 B7 K7]", "[K7 B7 R7 O7]", 28),
        (f"[{FULL_RUN}]", f"[{FULL_RUN}]", 91),
        ("[K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 J]", "[J K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13]", 91),
    ],
)
def test_melds_as_people_list_them(typed: str, canonical: str, value: int) -> None:
    meld = parse_meld(typed)
    assert (str(meld), meld.value) == (canonical, value)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("[]", ["meld_too_short", "no_number_tile"]),
        ("[J J]", ["meld_too_short", "no_number_tile"]),
        ("[J J J]", ["no_number_tile"]),
        ("group[J J J]", ["no_number_tile"]),
        ("run[J J J]", ["no_number_tile"]),
        ("[R5 J]", ["meld_too_short"]),
        ("[R5 R6]", ["meld_too_short"]),
        ("run[R5 R6]", ["meld_too_short"]),
        ("group[R5]", ["meld_too_short"]),
        ("[R5 J J]", ["ambiguous_meld"]),
        ("[R5 J J J]", ["ambiguous_meld"]),
        ("[R5 K6 R7]", ["not_a_meld"]),
        ("[R5 K6]", ["meld_too_short", "not_a_meld"]),
        ("[R5 R5 J]", ["duplicate_colour"]),
        ("[K5 B5 R5 O5 K5]", ["group_too_large", "duplicate_colour"]),
        ("group[R5 J J J J]", ["group_too_large"]),
        ("group[R5 B6 O5]", ["group_numbers_differ"]),
        ("group[R5 B6 R5]", ["group_numbers_differ", "duplicate_colour"]),
        ("run[R5 B6 R7]", ["run_colours_differ"]),
        ("[R5 R5 R6]", ["run_repeats_number"]),
        ("[R5 R6 R8]", ["run_has_gap"]),
        ("[R5 R6 R9 J]", ["run_has_gap"]),
        ("[R1 R3 R12]", ["run_has_gap"]),
        ("[R9 R5 R6]", ["run_has_gap"]),
        ("[R12 R13 R2]", ["run_has_gap"]),
        ("[R12 R13 R2 J]", ["run_wraps"]),
        ("[R12 R13 R1]", ["run_wraps"]),
        ("[R12 J R1 R2]", ["run_wraps"]),
        (f"[{FULL_RUN} J]", ["run_too_long"]),
        (f"[{FULL_RUN} K1]", ["run_too_long", "run_repeats_number"]),
    ],
)
def test_all_that_is_wrong_at_once(typed: str, expected: list[str]) -> None:
    assert fault_codes(typed) == expected


def test_a_gap_names_the_tiles_that_would_fill_it() -> None:
    with pytest.raises(MeldError, match="R6 R7 would fill them"):
        parse_meld("[R5 R8 R9]")


@pytest.mark.parametrize("text", ["R5 R6 R7", "[R5 R6 R7", "pair[R5 R6 R7]", "[R5 R6 R7]]", "[R5 R6 X7]"])
def test_texts_that_are_no_meld(text: str) -> None:
    with pytest.raises(TileSyntaxError):
        parse_meld(text)


@given(melds(), st.randoms(use_true_random=False))
def test_a_meld_is_read_from_any_order(meld: Meld, random: Random) -> None:
    tiles = [tile for tile in meld.tiles if not tile.is_joker]
    random.shuffle(tiles)
    if len(tiles) == len(meld.tiles):
        assert meld_from(tiles) == meld
    assert meld_from(meld.tiles, meld.kind) == meld


@given(melds())
def test_a_meld_reads_as_it_is_written(meld: Meld) -> None:
    read = parse_meld(format_meld(meld))
    assert (format_meld(read), read.value, read.kind) == (str(meld), meld.value, meld.kind)


@given(melds(), st.randoms(use_true_random=False))
def test_only_the_canonical_form_is_built(meld: Meld, random: Random) -> None:
    tiles = list(meld.tiles)
    random.shuffle(tiles)
    if tuple(tiles) == meld.tiles:
        return
    if isinstance(meld, Run) and stands_as_run(tiles):
        # The same tiles may be another run, or the jokers of the same run in exchanged places.
        assert Run(tuple(tiles)) != meld
        return
    with pytest.raises(MeldError) as refused:
        type(meld)(tuple(tiles))
    assert [fault.code for fault in refused.value.faults] == [TurnFaultCode.NOT_CANONICAL]


@pytest.mark.parametrize(
    ("kind", "tiles", "right"),
    [(Run, "R8 R7 R6", "[R6 R7 R8]"), (Group, "J K7 O7", "[K7 O7 J]"), (Run, "R12 R13 J", "[J R12 R13]")],
)
def test_another_order_names_the_right_one(kind: type[Run | Group], tiles: str, right: str) -> None:
    with pytest.raises(MeldError) as refused:
        kind(parse_tiles(tiles))
    (fault,) = refused.value.faults
    assert fault.code is TurnFaultCode.NOT_CANONICAL
    assert right in fault.text


@pytest.mark.parametrize(
    ("kind", "tiles", "expected"),
    [
        (Run, "R6 R7", ["meld_too_short"]),
        (Run, "J J J", ["no_number_tile"]),
        (Run, "R8 R6 R9", ["run_has_gap"]),
        (Run, "R5 B6 R7", ["run_colours_differ"]),
        (Group, "R6 R7 R8", ["group_numbers_differ"]),
        (Group, "J J J", ["no_number_tile"]),
        (Group, "R6 K6", ["meld_too_short"]),
    ],
)
def test_what_is_no_meld_is_not_built(kind: type[Run | Group], tiles: str, expected: list[str]) -> None:
    """Its order is no fault beside the others: there is no right one."""
    with pytest.raises(MeldError) as refused:
        kind(parse_tiles(tiles))
    assert [fault.code for fault in refused.value.faults] == expected


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("[R7 B7 J]", ["K7", "O7"]),
        ("[R7 B7 K7 J]", ["O7"]),
        ("group[R7 J J]", ["K7", "B7", "O7"]),
        ("[R4 R5 J]", ["R6"]),
        ("[J R4 R5]", ["R3"]),
        ("run[J J R10]", ["R8"]),
    ],
)
def test_what_a_joker_may_stand_for(text: str, faces: list[str]) -> None:
    meld = parse_meld(text)
    joker = next(tile for tile in meld.tiles if tile.is_joker)
    assert sorted(map(str, meld.faces_of(joker))) == sorted(faces)


@pytest.mark.parametrize("tile", [Tile(Colour.RED, 4), Tile(None, 0, 1)])
@pytest.mark.parametrize("text", ["[R4 R5 J]", "[R4 K4 J]"])
def test_only_a_joker_of_the_meld_stands_for_something(text: str, tile: Tile) -> None:
    with pytest.raises(ValueError, match=r"joker|not in tuple"):
        parse_meld(text).faces_of(tile)


def test_run_properties() -> None:
    run = parse_meld("[J J R6]".replace("[", "run["))
    assert isinstance(run, Run)
    assert (run.start, run.colour) == (4, Colour.RED)


def test_every_fault_has_words() -> None:
    assert set(WORDS) == set(TurnFaultCode)
    assert len(set(WORDS.values())) == len(WORDS)
    assert all(words.endswith(".") for words in WORDS.values())


def test_words_can_be_translated() -> None:
    with pytest.raises(MeldError) as refused:
        parse_meld("[R5 R6]")
    (fault,) = refused.value.faults
    assert fault.words({WORDS[fault.code]: "{meld} är för kort."}.__getitem__) == "[R5 R6] är för kort."
