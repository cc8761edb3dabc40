"""Drafts: every operation keeps all tiles, is whole or not done at all, and never loses the turn's start."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.console import draft as drafts
from p2prummi.console.draft import Draft, DraftError
from p2prummi.rules import Tile, format_tiles, parse_tile
from p2prummi.rules.judging import DraftMeld
from tests.console.stage import game_of, rack_of, table_of, table_tiles, tiles


def draft_of(rack: str, *melds: str) -> Draft:
    game = game_of(*melds)
    return drafts.start(game.table, rack_of(rack, game))


def faces(text: str) -> list[Tile]:
    return [parse_tile(word) for word in text.split()]


def melds_of(draft: Draft) -> list[str]:
    return [format_tiles(meld.tiles) for meld in draft.melds]


def held(draft: Draft) -> str:
    return format_tiles(sorted(draft.hand, key=lambda tile: tile.canonical_key))


def test_laying_takes_tiles_from_the_rack_and_sorts_them() -> None:
    draft = drafts.lay(draft_of("R12 R10 K1 R11"), faces("R11 R10 R12"))
    assert melds_of(draft) == ["R10 R11 R12"]
    assert held(draft) == "K1"


def test_only_one_of_two_equal_tiles_is_laid() -> None:
    draft = drafts.lay(draft_of("R7 R7 B7 K7"), faces("R7 B7 K7"))
    assert melds_of(draft) == ["K7 B7 R7"]
    assert held(draft) == "R7"


def test_d08_an_operation_is_whole_or_not_done() -> None:
    before = draft_of("R4 R9", "R1 R2 R3")
    with pytest.raises(DraftError, match=r"Not on your rack: R5\."):
        drafts.add(before, faces("R4 R5"), 1)
    assert held(before) == "R4 R9"
    assert melds_of(before) == ["R1 R2 R3"]


def test_what_is_missing_is_named_with_its_number() -> None:
    with pytest.raises(DraftError, match=r"Not on your rack: R4, R9 \(2 of them\)\."):
        drafts.lay(draft_of("R9 K1"), faces("R4 R9 R9 R9"))


def test_d09_taking_back_returns_the_tile_once() -> None:
    before = draft_of("K7 B3", "R1 R2 R3")
    laid = drafts.lay(before, faces("K7"))
    assert melds_of(laid) == ["R1 R2 R3", "K7"]
    back = drafts.take(laid, faces("K7"), 2)
    assert melds_of(back) == ["R1 R2 R3"]
    assert held(back) == "K7 B3"
    assert not back.changed
    assert drafts.reset(laid) == before


def test_d10_d12_the_start_is_as_it_was_whatever_was_done() -> None:
    before = draft_of("R4 K9", "R1 R2 R3", "K7 B7 O7")
    copy = draft_of("R4 K9", "R1 R2 R3", "K7 B7 O7")
    after = drafts.split(drafts.add(before, faces("R4"), 1), 1, parse_tile("R2"))
    after = drafts.move(after, faces("K7"), 3, 2)
    assert before == copy
    assert after != before
    assert drafts.reset(after) == before


def test_splitting_by_a_tile() -> None:
    draft = drafts.split(draft_of("R6", "R4 R5 R6 R7 R8", "K1 B1 O1"), 1, parse_tile("R6"))
    assert melds_of(draft) == ["R4 R5 R6", "R7 R8", "K1 B1 O1"]


@pytest.mark.parametrize(
    ("after", "words"), [("R9", "There is no R9 in meld 1"), ("R6", "last tile of meld 1")]
)
def test_a_split_needs_a_tile_with_others_behind_it(after: str, words: str) -> None:
    with pytest.raises(DraftError, match=words):
        drafts.split(draft_of("K1", "R4 R5 R6"), 1, parse_tile(after))


def test_moving_between_melds_and_to_a_new_one() -> None:
    draft = drafts.move(draft_of("K1", "K4 B4 R4 O4", "K5 K6 K7"), faces("K4"), 1, 2)
    assert melds_of(draft) == ["B4 R4 O4", "K4 K5 K6 K7"]
    draft = drafts.move(draft, faces("O4"), 1, None)
    assert melds_of(draft) == ["B4 R4", "K4 K5 K6 K7", "O4"]


def test_a_meld_that_loses_its_last_tile_is_gone() -> None:
    draft = drafts.move(draft_of("K1", "R1 R2 R3", "R4 R5 R6"), faces("R4 R5 R6"), 2, 1)
    assert melds_of(draft) == ["R1 R2 R3 R4 R5 R6"]


def test_moving_to_where_a_tile_is_is_refused() -> None:
    with pytest.raises(DraftError, match="lies in meld 1 already"):
        drafts.move(draft_of("K1", "R1 R2 R3"), faces("R1"), 1, 1)


def test_swapping_a_joker_puts_it_into_the_hand() -> None:
    draft = drafts.swap(draft_of("R6 K3 K4", "R4 R5 J"), 1, parse_tile("R6"))
    assert melds_of(draft) == ["R4 R5 R6"]
    assert format_tiles(draft.taken_up) == "J"
    draft = drafts.lay(draft, faces("K3 K4 J"))
    assert melds_of(draft) == ["R4 R5 R6", "K3 K4 J"]
    assert draft.taken_up == ()


def test_of_two_jokers_any_is_swapped_and_the_run_puts_itself_in_order() -> None:
    draft = drafts.swap(draft_of("R7 K1", "R4 J R6 J"), 1, parse_tile("R7"))
    assert melds_of(draft) == ["R4 J R6 R7"]


@pytest.mark.parametrize(("tile", "words"), [("R6", "no joker in meld 1"), ("J", "Name the number tile")])
def test_swaps_that_are_none(tile: str, words: str) -> None:
    with pytest.raises(DraftError, match=words):
        drafts.swap(draft_of("R6 J", "R3 R4 R5"), 1, parse_tile(tile))


def test_a_taken_up_joker_is_laid_before_ones_own() -> None:
    draft = drafts.swap(draft_of("J R6 K3 K4", "R4 R5 J"), 1, parse_tile("R6"))
    draft = drafts.lay(draft, faces("K3 K4 J"))
    assert draft.taken_up == ()
    assert held(draft) == "J"


def test_ones_own_tile_is_taken_back_before_an_equal_one_of_the_table() -> None:
    draft = drafts.add(draft_of("R3 K9", "R3 R4 R5"), faces("R3"), 1)
    assert drafts.take(draft, faces("R3"), 1).taken_up == ()


def test_a_joker_keeps_its_place_while_the_run_stands() -> None:
    assert melds_of(drafts.add(draft_of("R3", "J R5 R6"), faces("R3"), 1)) == ["R3 J R5 R6"]
    assert melds_of(drafts.add(draft_of("R6", "R4 R5 J"), faces("R6"), 1)) == ["R4 R5 R6 J"]


def test_the_kind_that_was_said_counts_while_it_must() -> None:
    draft = drafts.lay(draft_of("R4 J J R5"), faces("R4 J J"), "run")
    assert draft.melds == (DraftMeld(tiles("R4 J J"), "run"),)
    assert drafts.stands(draft.melds[0].tiles, draft.melds[0].kind)
    assert not drafts.stands(draft.melds[0].tiles, None)
    draft = drafts.add(draft, faces("R5"), 1)
    assert drafts.stands(draft.melds[0].tiles, draft.melds[0].kind)


@pytest.mark.parametrize("number", [0, 3])
def test_melds_that_are_not_there(number: int) -> None:
    with pytest.raises(DraftError, match=f"There is no meld {number}: the melds are numbered 1 to 2"):
        drafts.add(draft_of("R4", "R1 R2 R3", "K1 B1 O1"), faces("R4"), number)
    with pytest.raises(DraftError, match="no meld on the table"):
        drafts.add(draft_of("R4"), faces("R4"), 1)


def test_a_draft_fits_a_table_that_changed_elsewhere() -> None:
    draft = drafts.add(draft_of("R4 K9", "R1 R2 R3", "K7 B7 O7"), faces("R4"), 1)
    table = (*draft.table_before, *table_of("B1 B2 B3"))
    moved = drafts.rebased(draft, table, draft.rack_before)
    assert moved is not None
    assert melds_of(moved) == ["K7 B7 O7", "B1 B2 B3", "R1 R2 R3 R4"]
    assert held(moved) == "K9"
    assert drafts.reset(moved).hand == draft.rack_before


def test_a_draft_does_not_fit_where_a_meld_that_it_touched_has_changed() -> None:
    draft = drafts.add(draft_of("R4 K9", "R1 R2 R3", "K7 B7 O7"), faces("R4"), 1)
    table = (*table_of("R1 R2 R3 R4"), draft.table_before[1])
    assert drafts.rebased(draft, table, draft.rack_before) is None
    assert drafts.rebased(draft, draft.table_before, rack_of("K9", game_of())) is None


numbers = st.integers(0, 5)
faces_lists = st.lists(st.sampled_from(faces("R1 R4 R5 K7 B7 J K1 O7")), min_size=1, max_size=3)
operations = st.one_of(
    st.tuples(st.just(drafts.lay), faces_lists),
    st.tuples(st.just(drafts.add), faces_lists, numbers),
    st.tuples(st.just(drafts.take), faces_lists, numbers),
    st.tuples(st.just(drafts.move), faces_lists, numbers, st.none() | numbers),
    st.tuples(st.just(drafts.split), numbers, st.sampled_from(faces("R2 R4 K7 J"))),
    st.tuples(st.just(drafts.swap), numbers, st.sampled_from(faces("R4 R5 K7"))),
    st.tuples(st.just(drafts.reset)),
)


@given(st.lists(operations, max_size=12))
def test_no_operation_makes_or_loses_a_tile(steps: list[tuple[object, ...]]) -> None:
    draft = draft_of("R4 R5 J K7 B7 R1", "R1 R2 R3", "K7 B7 O7 J", "K1 K2 K3")
    everything = Counter([*draft.hand, *table_tiles(draft.table_before)])
    start = draft
    for operation, *arguments in steps:
        assert callable(operation)
        try:
            draft = operation(draft, *arguments)
        except DraftError:
            continue
        assert Counter([*draft.hand, *(tile for meld in draft.melds for tile in meld.tiles)]) == everything
        assert all(meld.tiles for meld in draft.melds)
        assert set(draft.laid) | set(draft.hand) - set(draft.taken_up) == set(draft.rack_before)
    assert drafts.reset(draft) == start
