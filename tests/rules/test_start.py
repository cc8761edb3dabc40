"""The start of a round: the deal, the draw for the start, and who starts later rounds."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import LocalProtocolError
from p2prummi.rules import Tile, deal_order, next_starter, starter_from_coin
from tests.rules.positions import rules


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("deal", ["14", "7,7"])
def test_everyone_is_dealt_fourteen(players: int, deal: str) -> None:
    order = deal_order(rules("official", f"deal_passes={deal}"), players, 1)
    assert Counter(order) == dict.fromkeys(range(players), 14)


def test_one_pass_deals_racks_in_a_row_from_the_starter_on() -> None:
    assert deal_order(rules(), 3, 1) == (1,) * 14 + (2,) * 14 + (0,) * 14


def test_two_passes_deal_seven_each_twice() -> None:
    pass_ = (2,) * 7 + (0,) * 7 + (1,) * 7
    assert deal_order(rules("sv-klassisk"), 3, 2) == pass_ * 2


def test_who_has_left_is_dealt_nothing() -> None:
    assert deal_order(rules(), 3, 1, left=(2,)) == (1,) * 14 + (0,) * 14


def test_random_starter_is_drawn_among_those_in() -> None:
    ruleset = rules("nl-digitaal")
    asked = []

    def draw(count: int) -> int:
        asked.append(count)
        return count - 1

    assert starter_from_coin(ruleset, 4, draw).seat == 3
    assert starter_from_coin(ruleset, 4, draw, left=(3,)).seat == 2
    assert asked == [4, 3]
    assert starter_from_coin(ruleset, 4, draw).draws == ()


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_the_highest_tile_starts(seed: int, players: int) -> None:
    starting = starter_from_coin(rules("official", "copies=3", "jokers=4"), players, Random(seed).randrange)
    drawn = [tile for round_ in starting.draws for _, tile in round_]
    assert len(set(drawn)) == len(drawn)
    tied = list(range(players))
    for round_ in starting.draws:
        assert [seat for seat, _ in round_] == tied
        height = {seat: 14 if tile.is_joker else tile.number for seat, tile in round_}
        tied = [seat for seat in tied if height[seat] == max(height.values())]
    assert tied == [starting.seat]


def test_one_seat_alone_starts_without_a_draw() -> None:
    starting = starter_from_coin(rules(), 2, lambda count: count, left=(0,))
    assert (starting.seat, starting.draws) == (1, ())


def test_should_the_tiles_run_out_they_are_drawn_anew() -> None:
    """Two seats that always draw equal numbers use up all 106 tiles, and go on."""
    left: list[Tile] = []
    rounds = 0

    def draw(count: int) -> int:
        nonlocal left, rounds
        if not left:
            left = list(rules().tile_set.tiles)
        assert count == len(left)
        if rounds < 53:
            wanted = min(left, key=lambda tile: (tile.number, tile.canonical_key))
        else:
            wanted = left[0] if count == 106 else left[-1]
        rounds += count % 2
        left.remove(wanted)
        return sorted([*left, wanted], key=rules().tile_set.number).index(wanted)

    starting = starter_from_coin(rules(), 2, draw)
    assert len(starting.draws) == 54
    assert starting.seat == 1


def test_the_next_seat_starts_the_next_round() -> None:
    assert [next_starter(seat, 3) for seat in range(3)] == [1, 2, 0]
    assert next_starter(0, 4, left=(1, 2)) == 3
    assert next_starter(0, 2, left=(1,)) == 0
    with pytest.raises(LocalProtocolError, match="no seat is left"):
        next_starter(0, 2, left=(0, 1))
