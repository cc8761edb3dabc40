"""Situations in which real programs went wrong (tests/data/cases.json), each with its expected outcome."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from p2prummi.rules import (
    Draw,
    EndReason,
    IllegalTurn,
    Pass,
    Play,
    Starting,
    holds_opening,
    judge,
    new_game,
    parse_meld,
    parse_tiles,
    ranking,
    score_round,
    starter_from_coin,
    take_timeout,
    take_turn,
)
from tests.rules.positions import ALL_PRESETS, codes, judged, rules, shown, table_of
from tests.rules.whole_games import WholeRound

CASES = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text(encoding="utf-8"))
every_preset = pytest.mark.parametrize("preset", ALL_PRESETS)


@pytest.mark.parametrize("case", [case["id"] for case in CASES])
def test_every_case_has_its_test(case: str) -> None:
    assert any(name.startswith(f"test_{case.lower()}_") for name in globals())


@every_preset
def test_a01_joker_beyond_13(preset: str) -> None:
    meld = parse_meld("[R12 R13 J]")
    assert (str(meld), meld.value) == ("[J R12 R13]", 36)
    assert judged("[R12 R13 J]", rack="R12 R13 J", ruleset=rules(preset)).legal


def test_a02_joker_below_1() -> None:
    meld = parse_meld("[J R1 R2]")
    assert (str(meld), meld.value) == ("[R1 R2 J]", 6)
    assert {str(face) for face in meld.faces_of(meld.tiles[2])} == {"R3"}


def test_a04_jokers_at_both_ends() -> None:
    meld = parse_meld("[J B5 B6 J]")
    assert (str(meld), meld.value) == ("[J B5 B6 J]", 22)


@every_preset
@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        pytest.param("R13 O13 K13 K13", "duplicate_colour", id="A05"),
        pytest.param("R13 O13 R13 J", "duplicate_colour", id="A06"),
        pytest.param("K5 B5 O5 R5 J", "group_too_large", id="A07"),
        pytest.param("O11 K12 B13", "not_a_meld", id="A08"),
        pytest.param("R12 R13 R1", "run_wraps", id="A12"),
        pytest.param("R13 R1 R2", "run_wraps", id="A12"),
        pytest.param("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 J", "run_too_long", id="A15"),
    ],
)
def test_melds_that_are_none(preset: str, tiles: str, code: str) -> None:
    assert codes(judged(f"[{tiles}]", rack=tiles, ruleset=rules(preset))) == [code]


test_a05_duplicate_colour = test_a06_a_joker_does_not_cure_it = test_melds_that_are_none
test_a07_group_too_large = test_a08_mixed_tiles = test_a12_wrap = test_melds_that_are_none


def test_a09_one_number_and_two_jokers() -> None:
    rack = "R10 J J"
    assert "ambiguous_meld" in codes(judged("[R10 J J]", rack=rack, opened=False))
    for after, points in (("group[R10 J J]", 30), ("run[R10 J J]", 33)):
        judgement = judged(after, rack=rack, opened=False)
        assert (judgement.legal, judgement.points) == (True, points)
    lowest = judged("run[J J R10]", rack=rack, opened=False)
    assert (codes(lowest), lowest.points) == (["opening_too_low"], 27)


def test_a10_joker_shown_out_of_order() -> None:
    assert str(parse_meld("[R1 R2 R4 R5 J]")) == "[R1 R2 J R4 R5]"


def test_a11_run_given_in_another_order() -> None:
    assert str(parse_meld("[R6 R8 R7]")) == "[R6 R7 R8]"


def test_a13_no_number_tile() -> None:
    ruleset = rules("official", "copies=3", "jokers=4")
    for after in ("[J J J]", "run[J J J]", "group[J J J]"):
        assert codes(judged(after, rack="J J J R5", ruleset=ruleset)) == ["no_number_tile"]


def test_a14_one_joker_read_as_two() -> None:
    assert not judged("run[R5 J J]", rack="R5 J").legal
    assert not holds_opening(rules("official", "opening_points=0"), parse_tiles("R5 J"))


def test_a15_full_run() -> None:
    run = "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13"
    assert codes(judged(f"[{run} J]", table=f"[{run}]", rack="J")) == ["run_too_long"]


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


def test_f01_draws_are_no_passes() -> None:
    game = new_game(rules(), 4, 0)
    for _ in range(4):
        game = take_turn(game, Draw())
    assert (game.ended, game.passes, game.pool_left) == (None, 0, 46)


@every_preset
def test_f02_stalemate_winner(preset: str) -> None:
    racks = [parse_tiles("R1 B2 K3"), parse_tiles("O13"), parse_tiles("J R5")]
    scores = score_round(rules(preset), racks=racks, opened=[True] * 3, winner=None, next_seat=0)
    expected = {"fi-klassinen": 1, "nl-klassiek": None}.get(preset, 0)
    assert scores.winner == expected


@pytest.mark.parametrize("preset", ["da-online", "sv-klassisk", "official"])
def test_f04_difference(preset: str) -> None:
    racks = [parse_tiles(rack) for rack in ("K6", "K1 K2 B2 K7", "J K5", "K9 K10")]
    scores = score_round(rules(preset), racks=racks, opened=[True] * 4, winner=None, next_seat=0)
    assert scores.points == (48, -6, -29, -13)
    assert sum(scores.points) == 0


def test_f05_unopened_penalty() -> None:
    racks = [(), parse_tiles("K10 K11 K12 R1"), parse_tiles("K2 K3 R9")]
    for drawn, second in ((None, -200), ([(), parse_tiles("K12"), ()], -100), ([(), None, ()], -100)):
        scores = score_round(
            rules("da-online"),
            racks=racks,
            opened=[True, False, False],
            winner=0,
            next_seat=1,
            drawn_last=drawn,
        )
        assert scores.points == (34 + 14, second, -100)


def test_f06_the_last_tile_ends_the_round() -> None:
    game = new_game(rules(), 2, 0)
    for seat, opening in enumerate(["[R1 R2 R3] [K11 K12 K13]", "[B11 B12 B13]"]):
        assert game.to_move == seat
        melds = table_of(opening)
        game = take_turn(game, Play((*game.table, *melds), melds))
    table = table_of("[R1 R2 R3 R4 R5 R6 R7 R8 R9] [K11 K12 K13] [B11 B12 B13] [O1 O2]"[:-8])
    game = take_turn(game, Play(table))
    game = take_turn(game, Draw())
    last = table_of("[R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11] [K11 K12 K13] [B11 B12 B13]")
    game = take_turn(game, Play(last))
    assert (game.rack_sizes, game.ended) == ((0, 12), game.ended)
    assert game.ended is not None
    assert (game.ended.reason, game.ended.winner) == (EndReason.RUMMIKUB, 0)


def test_f07_draw_from_an_empty_pool() -> None:
    for turn, code in ((Draw(), ["pool_empty"]), (Pass(), [])):
        judgement = judge(turn, ruleset=rules(), table=(), opened=True, pool_left=0)
        assert [fault.code for fault in judgement.faults] == code
    for turn, code in ((Draw(), []), (Pass(), ["pool_not_empty"])):
        judgement = judge(turn, ruleset=rules(), table=(), opened=True, pool_left=1)
        assert [fault.code for fault in judgement.faults] == code


def test_f08_a_timeout_draws_for_the_mover() -> None:
    game = take_timeout(new_game(rules("official", "timeout_draw=3"), 2, 0))
    assert (game.rack_sizes, game.to_move, game.drawn_last) == ((17, 14), 1, (3, None))


@every_preset
def test_f09_tiles_are_conserved(preset: str) -> None:
    """`WholeRound` checks after every event, the deal first; longer rounds are in test_random_games.py."""
    round_ = WholeRound(rules(preset), 4, Random(preset))
    for _ in range(40):
        round_.move()
    assert round_.game.turn_number == 40


def test_f10_starter() -> None:
    tile_set = rules().tile_set

    def drawing(text: str) -> Starting:
        wanted = list(parse_tiles(text))
        left = list(tile_set.tiles)

        def draw(count: int) -> int:
            assert count == len(left)
            index = left.index(wanted.pop(0))
            del left[index]
            return index

        return starter_from_coin(rules(), 4, draw)

    joker = drawing("K13 B13 J K1")
    assert joker.seat == 2
    tied = drawing("K13 B13 K7 K1 K2 K3")
    assert tied.seat == 1
    assert [[seat for seat, _ in round_] for round_ in tied.draws] == [[0, 1, 2, 3], [0, 1]]


def test_f11_standings() -> None:
    standings = ranking([5, -20, 40, -25])
    assert [(each.seats, each.total) for each in standings] == [
        ((2,), 40),
        ((0,), 5),
        ((1,), -20),
        ((3,), -25),
    ]


def test_f12_joker_points() -> None:
    scores = score_round(rules(), racks=[(), parse_tiles("J R5")], opened=[True] * 2, winner=0, next_seat=1)
    assert scores.points == (35, -35)


@every_preset
def test_f13_exactly_one_tile_is_drawn(preset: str) -> None:
    game = take_turn(new_game(rules(preset), 2, 0), Draw())
    assert (game.rack_sizes, game.pool_left) == ((15, 14), 106 - 29)


def test_i01_split_with_a_lone_tile() -> None:
    ruleset, table = rules("nl-klassiek"), "[B5 B6 B7]"
    assert codes(judged("[B4 B5 B6] [B7]", table=table, rack="B4", ruleset=ruleset)) == ["meld_too_short"]
    assert judged("[B4 B5 B6 B7]", table=table, rack="B4", ruleset=ruleset).legal


def test_i02_split_with_a_short_part() -> None:
    ruleset, table = rules("sv-klassisk"), "[R4 R5 R6 R7 R8]"
    assert codes(judged("[R4 R5] [R6 R7 R8]", table=table, rack="R6", ruleset=ruleset)) != []
    assert judged("[R4 R5 R6] [R6 R7 R8]", table=table, rack="R6", ruleset=ruleset).legal
