"""Situations of tests/data/cases.json in whole rounds: the start, passes and draws, the end, and scores."""

from __future__ import annotations

from random import Random

import pytest

from p2prummi.rules import (
    Draw,
    EndReason,
    Pass,
    Play,
    Starting,
    judge,
    new_game,
    parse_tiles,
    ranking,
    score_round,
    starter_from_coin,
    take_timeout,
    take_turn,
)
from tests.rules.positions import every_preset, rules, table_of
from tests.rules.whole_games import WholeRound


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
