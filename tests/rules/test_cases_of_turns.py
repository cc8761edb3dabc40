"""Situations of tests/data/cases.json in turns: openings, jokers, tiles, and the slips of the rule texts."""

from __future__ import annotations

import pytest

from p2prummi.rules import IllegalTurn, Play, new_game, parse_tiles, take_turn
from tests.rules.positions import codes, every_preset, judged, rules, shown, table_of


@every_preset
def test_b01_joker_counts_in_the_opening(preset: str) -> None:
    judgement = judged("[K10 B10 J]", rack="K10 B10 J", opened=False, ruleset=rules(preset))
    if preset.startswith("nl-"):
        assert "opening_joker" in codes(judgement) or "opening_missing" in codes(judgement)
    else:
        assert (judgement.legal, judgement.points) == (True, 30)


def test_b02_table_tiles_do_not_count() -> None:
    judgement = judged("[B4 B5 B6 B7] [R9 K9 O9]", table="[B4 B5 B6]", rack="B7 R9 K9 O9", opened=False)
    assert codes(judgement) == ["not_opened_manipulation", "opening_too_low"]
    assert judgement.points == 27


@every_preset
def test_b03_rearranging_before_opening(preset: str) -> None:
    judgement = judged(
        "[R13 K13 B13] [O3 O4 O5] [R5 B5 K5]",
        table="[R5 B5 K5 O5]",
        rack="O3 O4 R13 K13 B13",
        opened=False,
        ruleset=rules(preset),
    )
    assert codes(judgement) == ([] if preset == "nl-digitaal" else ["not_opened_manipulation"])
    assert judgement.points == 39


@every_preset
def test_b04_adding_to_the_table_before_opening(preset: str) -> None:
    judgement = judged("[R5 R6 R7 R8]", table="[R5 R6 R7]", rack="R8 K1", opened=False, ruleset=rules(preset))
    assert codes(judgement) == ["not_opened_manipulation", "opening_missing"]


@every_preset
def test_b05_second_stage_after_opening(preset: str) -> None:
    judgement = judged(
        "[R10 R11 R12] [B4 B5 B6 B7]",
        table="[B4 B5 B6]",
        rack="R10 R11 R12 B7",
        opened=False,
        ruleset=rules(preset),
    )
    assert judgement.legal == (preset == "nl-digitaal")
    assert (len(judgement.laid), judgement.points) == (4, 33)


def test_b06_joker_in_a_longer_meld() -> None:
    judgement = judged("[K9 B9 R9 J]", rack="K9 B9 R9 J", opened=False)
    assert (judgement.legal, judgement.points) == (True, 36)
    without = judged("[K9 B9 R9]", rack="K9 B9 R9 J", opened=False)
    assert (codes(without), without.points) == (["opening_too_low"], 27)


def test_b07_the_opening_at_the_limit() -> None:
    rack = "O9 O10 O11 R4 R5 R6 R7"
    ruleset = rules("sv-klassisk")
    assert judged("[O9 O10 O11]", rack=rack, opened=False, ruleset=ruleset).legal
    low = judged("[R4 R5 R6 R7]", rack=rack, opened=False, ruleset=ruleset)
    assert (codes(low), low.points) == (["opening_too_low"], 22)


def test_c01_joker_in_a_group_of_three() -> None:
    judgement = judged("[R7 B7 K7] [K3 K4 J]", table="[R7 B7 J]", rack="K7 K3 K4")
    assert judgement.legal
    assert judgement.play is not None
    assert shown(judgement.play.melds) == ["[K7 B7 R7]", "[K3 K4 J]"]


@pytest.mark.parametrize("swap", ["rack", "rack_or_table", "free"])
def test_c02_joker_in_a_group_of_four(swap: str) -> None:
    ruleset = rules("official", f"joker_swap_from={swap}")
    judgement = judged("[R7 B7 K7] [K3 K4 J]", table="[R7 B7 K7 J]", rack="K3 K4 K9", ruleset=ruleset)
    assert judgement.legal == (swap == "free")
    if swap != "free":
        assert "O7" in judgement.faults[0].text


@every_preset
def test_c03_replacement_from_the_table(preset: str) -> None:
    judgement = judged(
        "[O5 O6 O7] [K7 B7 R7] [K2 J K4]",
        table="[O5 O6 J] [K7 B7 R7 O7]",
        rack="K2 K4",
        ruleset=rules(preset),
    )
    refused = preset in ("official", "nl-digitaal")
    assert codes(judgement) == (["joker_not_replaced"] if refused else [])


@every_preset
def test_c05_freed_joker_kept_on_the_rack(preset: str) -> None:
    judgement = judged("[R4 R5 R6]", table="[R4 R5 J]", rack="R6 K1", ruleset=rules(preset))
    assert codes(judgement) == ["joker_not_used"]


def test_c06_freed_joker_placed_at_once() -> None:
    assert judged("[R4 R5 R6] [K3 K4 J]", table="[R4 R5 J]", rack="R6 K3 K4").legal


@every_preset
def test_c07_joker_freed_before_opening(preset: str) -> None:
    judgement = judged(
        "[R10 R11 R12] [K10 B10 J]",
        table="[R10 R11 J]",
        rack="R12 K10 B10",
        opened=False,
        ruleset=rules(preset),
    )
    assert "not_opened_manipulation" in codes(judgement)


@every_preset
def test_c08_tile_taken_out_of_a_joker_meld(preset: str) -> None:
    assert judged("[B5 R5 J] [K5 K6 K7]", table="[K5 B5 R5 J]", rack="K6 K7", ruleset=rules(preset)).legal


@every_preset
def test_c09_swap_by_meaning_not_by_place(preset: str) -> None:
    judgement = judged("[B3 R4 B5] [J B9 B10]", table="[B3 J B5]", rack="R4 B9 B10", ruleset=rules(preset))
    assert codes(judgement) == ["not_a_meld"]


def test_d02_tile_not_owned() -> None:
    assert codes(judged("[R7 B7 K7 O7]", table="[R7 B7 K7]", rack="R1")) == ["tile_not_on_rack"]


def test_d03_third_copy() -> None:
    judgement = judged("[R5 R6 R7] [R5 B5 K5] [R3 R4 R5]", table="[R5 R6 R7] [R5 B5 K5]", rack="R5 R3 R4")
    assert codes(judgement) == ["no_such_tile"]
    assert judgement.faults[0].text == "There is one R5 too many: the set holds 2 of it."
    three = rules("official", "copies=3", "jokers=4")
    table = "[R5 R6 R7] [R5 B5 K5]"
    assert judged(f"{table} [R3 R4 R5]", table=table, rack="R5 R3 R4", ruleset=three).legal


def test_d04_short_meld() -> None:
    assert codes(judged("[J R5]", rack="J R5 R9")) == ["meld_too_short"]


def test_d05_nothing_laid() -> None:
    judgement = judged("[R1 R2 R3] [R4 B4 K4 O4]", table="[R1 R2 R3 R4] [B4 K4 O4]")
    assert codes(judgement) == ["nothing_laid"]


def test_d06_only_one_of_two_equal_tiles_is_laid() -> None:
    judgement = judged("[R7 B7 K7]", rack="R7 R7 B7 K7")
    rack = set(parse_tiles("R7 R7 B7 K7"))
    assert sorted(map(str, rack - set(judgement.laid))) == ["R7"]


def test_d07_copies_make_another_state() -> None:
    def state(table: str, exchanged: bool) -> object:
        first, second = table_of(table)
        if exchanged:
            second, first = table_of("[R6 R7 R8] [R7 B7 K7]")
        game = new_game(rules(), 2, 0)
        return take_turn(game, Play((first, second), (first, second))).to_value()

    table = "[R7 B7 K7] [R6 R7 R8]"
    assert state(table, exchanged=False) == state(table, exchanged=False)
    assert state(table, exchanged=False) != state(table, exchanged=True)


def test_d13_a_refused_turn_changes_nothing() -> None:
    game = new_game(rules(), 2, 0)
    with pytest.raises(IllegalTurn) as refused:
        take_turn(game, Play(table_of("[R7 B7 K7]"), table_of("[R7 B7 K7]")))
    assert [fault.code for fault in refused.value.faults] == ["opening_too_low"]
    assert "21 of 30" in str(refused.value)
    assert game == new_game(rules(), 2, 0)


def test_i01_split_with_a_lone_tile() -> None:
    ruleset, table = rules("nl-klassiek"), "[B5 B6 B7]"
    assert codes(judged("[B4 B5 B6] [B7]", table=table, rack="B4", ruleset=ruleset)) == ["meld_too_short"]
    assert judged("[B4 B5 B6 B7]", table=table, rack="B4", ruleset=ruleset).legal


def test_i02_split_with_a_short_part() -> None:
    ruleset, table = rules("sv-klassisk"), "[R4 R5 R6 R7 R8]"
    assert codes(judged("[R4 R5] [R6 R7 R8]", table=table, rack="R6", ruleset=ruleset)) != []
    assert judged("[R4 R5 R6] [R6 R7 R8]", table=table, rack="R6", ruleset=ruleset).legal
