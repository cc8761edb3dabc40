"""The witness of an opening that goes on: found where there is one, however the table looks after."""

from __future__ import annotations

import pytest
from hypothesis import given

from p2prummi.rules import Meld, Play, judge, parse_meld
from p2prummi.rules.witness import form_counts
from tests.rules.positions import codes, judged, rules, shown
from tests.strategies import melds

FREE = ("joker_swap_from=free", "joker_reuse=any_meld", "opening_joker=as_replaced")


def opening_of(after: str, *, table: str, rack: str, settings: tuple[str, ...] = ()) -> list[str] | None:
    """The witness that was found, or None where the turn is illegal; what is found is judged once more."""
    ruleset = rules("nl-digitaal", *settings)
    judgement = judged(after, table=table, rack=rack, ruleset=ruleset, opened=False)
    if judgement.play is None:
        assert judgement.faults
        return None
    assert judgement.play.opening
    return shown(judgement.play.opening)


def test_the_witness_need_not_lie_on_the_table_any_more() -> None:
    after = "[R10 K10 B10] [R11 K11 B11] [R12 K12 B12]"
    table = "[K10 K11 K12] [B10 B11 B12]"
    assert opening_of(after, table=table, rack="R10 R11 R12") == ["[R10 R11 R12]"]


def test_no_more_is_in_the_witness_than_must_be() -> None:
    """K6 must stay a laid tile to free the joker, so [K6 B6 O6] is not in the witness."""
    found = opening_of(
        "[R10 R11 R12] [K4 K5 K6] [B6 O6 R6] [O1 O2 J]",
        table="[K4 K5 J]",
        rack="R10 R11 R12 K6 B6 O6 R6 O1 O2",
    )
    assert found == ["[R10 R11 R12]"]


def test_another_choice_is_tried_where_the_first_frees_no_joker() -> None:
    """[K10 B10 R10] opens too, but the table's joker stands for R10, which must then still be laid."""
    found = opening_of(
        "[K10 B10 O10] [O11 O12 O13] [R8 R9 R10] [K1 K2 J]",
        table="[R8 R9 J]",
        rack="K10 B10 R10 O10 O11 O12 O13 K1 K2",
    )
    assert found is not None
    assert "R10" not in " ".join(found)


def test_no_choice_helps_where_the_jokers_are_wrong_anyway() -> None:
    after, table = "[R10 R11 R12] [R7 R8 R9] [K1 K2 J]", "[R7 R8 J]"
    assert opening_of(after, table=table, rack="R10 R11 R12 R9 K1 K2") is not None
    judgement = judged(
        "[R10 R11 R12] [R6 R7 R8] [K1 K2 J]",
        table=table,
        rack="R10 R11 R12 R6 K1 K2",
        opened=False,
        ruleset=rules("nl-digitaal"),
    )
    assert (codes(judgement), judgement.points) == (["joker_not_replaced"], 33)


def test_every_choice_fails() -> None:
    """R9 is needed for the opening and to free the joker."""
    judgement = judged(
        "[R7 R8 R9 R10 R11] [K1 K2 J]",
        table="[R7 R8 J]",
        rack="R9 R10 R11 K1 K2",
        opened=False,
        ruleset=rules("nl-digitaal"),
    )
    assert codes(judgement) == ["joker_not_replaced"]


def test_jokers_in_the_witness_count_as_table_jokers() -> None:
    after, rack = "[R10 R11 R12] [K1 K2 J]", "R10 R11 R12 J K1 K2"
    assert opening_of(after, table="", rack=rack, settings=("opening_joker=as_replaced",)) == [
        "[R10 R11 R12]"
    ]
    short = "opening_joker=as_replaced", "opening_points=40"
    assert opening_of(after, table="", rack=rack, settings=short) is None
    assert opening_of(after, table="", rack=rack, settings=(*FREE, "opening_points=40")) is not None


def test_a_joker_stands_anywhere_in_a_witness() -> None:
    found = opening_of(
        "[R9 R10 R11] [K10 B10 J]",
        table="",
        rack="R9 R10 R11 K10 B10 J",
        settings=(*FREE, "opening_points=60"),
    )
    assert found is not None


@pytest.mark.parametrize("after", ["[R10 R11 R12] [K1 K2]", "[R10 R11 R12] [B4 B5 B7]", "[R10 R11 R12]"])
def test_an_unfinished_draft_shows_what_opens(after: str) -> None:
    judgement = judged(
        after, table="[B4 B5 J]", rack="R10 R11 R12 K1 K2", opened=False, ruleset=rules("nl-digitaal")
    )
    assert judgement.points == 33
    assert not judgement.legal


def test_too_few_points_show_the_new_melds() -> None:
    judgement = judged(
        "[K9 B9 R9] [R1 R2]", rack="K9 B9 R9 R1 R2", opened=False, ruleset=rules("nl-digitaal")
    )
    assert judgement.points == 27


def test_what_a_draft_becomes_is_legal_on_the_wire() -> None:
    ruleset = rules("nl-digitaal")
    judgement = judged(
        "[R10 R11 R12] [B4 B5 B6 B7]",
        table="[B4 B5 B6]",
        rack="R10 R11 R12 B7",
        opened=False,
        ruleset=ruleset,
    )
    assert isinstance(judgement.play, Play)
    table = tuple(meld for meld in judgement.play.melds if str(meld) == "[B4 B5 B6 B7]")
    shorter = (type(table[0])(table[0].tiles[:3]),)
    assert judge(judgement.play, ruleset=ruleset, table=shorter, opened=False, pool_left=0).legal


@pytest.mark.parametrize("opening", ["[R9 R10 R11]", "[R10 R11 R12]"])
def test_a_meld_that_can_be_spared_is_not_in_the_witness(opening: str) -> None:
    """One meld is worth the 30 points, or more than them, by itself."""
    found = opening_of(f"[K1 K2 K3] {opening} [B1 B2 J]", table="[B1 B2 J]", rack=f"K1 K2 K3 {opening[1:-1]}")
    assert found == [opening]


@pytest.mark.parametrize("after", ["[J R10 R11]", "[R10 R11 J]"])
def test_all_tiles_laid_may_open_with_the_joker_where_it_lies(after: str) -> None:
    assert opening_of(after, table="", rack="R10 R11 J", settings=("opening_joker=as_replaced",)) == [after]


def test_a_meld_of_the_table_is_not_the_one_that_opens() -> None:
    """The laid tiles would make [R10 R11 R12] too, but that meld lay there before."""
    judgement = judged(
        "[R10 R11 R12] [R10 R11 R12 R13]", table="[R10 R11 R12]", rack="R10 R11 R12 R13", opened=False
    )
    assert judgement.play is not None
    assert shown(judgement.play.opening or ()) == ["[R10 R11 R12 R13]"]


@pytest.mark.parametrize("text", ["[J R5 R6]", "[J R5 J R7]", "run[J J R10]", "run[R10 J J]", "[K7 O7 J]"])
def test_a_form_with_jokers_is_worth_what_its_meld_is(text: str) -> None:
    meld = parse_meld(text)
    (form,) = form_counts([meld])
    assert form.value == meld.value


@given(melds())
def test_a_form_is_worth_what_its_meld_is(meld: Meld) -> None:
    (form,) = form_counts([meld])
    assert form.value == meld.value
