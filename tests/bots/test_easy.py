"""The level easy: always legal, opens as soon as it can, lays what its rack gives, and lets a round end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.bots import Decision, Easy, PlayerView, decide
from p2prummi.bots.easy import melds_from
from p2prummi.errors import LocalProtocolError
from p2prummi.rules import (
    PRESETS,
    Draw,
    Pass,
    Play,
    Tile,
    find_opening,
    parse_meld,
    parse_tiles,
)
from tests.bots.engine import play_round
from tests.bots.views import RULESETS, SEATS, view_of, views


def chosen(
    rack: str, *, opened: bool, preset: str = "official", table: str = "", pool_left: int = 10
) -> Play | Draw | Pass:
    melds = (parse_meld(table),) if table else ()
    taken = [tile for meld in melds for tile in meld.tiles]
    view = view_of(PRESETS[preset], parse_tiles(rack, taken), opened=opened, table=melds, pool_left=pool_left)
    decision = decide(Easy(), view, random.Random(1))
    assert decision.complaint == ""
    return decision.turn


@given(view=views(), seed=st.integers(0, 2**32))
@settings(max_examples=150)
def test_every_answer_is_legal_and_the_same_for_the_same_seed(view: PlayerView, seed: int) -> None:
    decision = decide(Easy(), view, random.Random(seed))
    assert decision.complaint == ""
    assert decide(Easy(), view, random.Random(seed)) == decision


@given(view=views())
@settings(max_examples=100)
def test_it_lays_something_whenever_its_rack_gives_something(view: PlayerView) -> None:
    turn = decide(Easy(), view, random.Random(0)).turn
    if view.has_opened:
        gives = bool(melds_from(view.rack, random.Random(0)))
    else:
        gives = find_opening(view.ruleset, view.rack) is not None
    assert isinstance(turn, Play) == gives
    if isinstance(turn, Play):
        assert turn.melds[: len(view.table)] == view.table
    else:
        assert isinstance(turn, Draw) == (view.game.pool_left > 0)


@given(tiles=st.permutations(PRESETS["official"].tile_set.tiles), count=st.integers(0, 40))
@settings(max_examples=100)
def test_melds_from_use_each_tile_once_and_leave_no_meld_behind(tiles: list[Tile], count: int) -> None:
    rack = tiles[:count]
    melds = melds_from(rack, random.Random(0))
    laid = [tile for meld in melds for tile in meld.tiles]
    assert len(laid) == len(set(laid))
    assert set(laid) <= set(rack)
    assert melds_from([tile for tile in rack if tile not in laid], random.Random(0)) == ()


@pytest.mark.parametrize("name", RULESETS)
def test_rounds_of_easy_bots_end(name: str) -> None:
    ruleset, seats = RULESETS[name], SEATS[name]
    for seed in range(3):
        played = play_round(ruleset, [Easy() for _ in range(seats)], seed)
        assert played.game.ended is not None
        assert [decision.complaint for decision in played.decisions if decision.complaint] == []
        on_table = sum(len(meld.tiles) for meld in played.game.table)
        assert on_table + sum(map(len, played.racks)) + played.game.pool_left == ruleset.tile_set.size
        assert on_table > 0, f"seed {seed}: nobody laid anything"


def test_rounds_repeat_for_a_seed_and_differ_between_seeds() -> None:
    games = [play_round(PRESETS["official"], [Easy(), Easy()], seed).game for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_it_opens_with_all_that_the_rack_gives() -> None:
    assert chosen("R10 R11 R12 K1 B1 O1 K9", opened=False) == Play(
        melds=(parse_meld("[R10 R11 R12]"), parse_meld("[K1 B1 O1]")),
        opening=(parse_meld("[R10 R11 R12]"), parse_meld("[K1 B1 O1]")),
    )


def test_below_the_opening_points_it_draws() -> None:
    assert chosen("R1 R2 R3 K9", opened=False) == Draw()
    assert chosen("R1 R2 R3 K9", opened=True) == Play(melds=(parse_meld("[R1 R2 R3]"),))


def test_a_forbidden_joker_stays_on_the_rack_in_the_opening_only() -> None:
    turn = chosen("R10 R11 R12 K4 K5 J", opened=False, preset="nl-klassiek")
    assert turn == Play(melds=(parse_meld("[R10 R11 R12]"),), opening=(parse_meld("[R10 R11 R12]"),))
    assert chosen("K4 K5 J", opened=True, preset="nl-klassiek") == Play(melds=(parse_meld("[K4 K5 J]"),))


def test_what_is_laid_beside_the_opening_may_hold_jokers_unless_they_are_forbidden() -> None:
    turn = chosen("R11 R12 R13 K4 K5 J", opened=False)
    assert isinstance(turn, Play)
    assert list(map(str, turn.melds)) == ["[R11 R12 R13]", "[K4 K5 J]"]
    turn = chosen("R10 R11 R12 K4 K5 K6 J", opened=False, preset="nl-klassiek")
    assert isinstance(turn, Play)
    assert list(map(str, turn.melds)) == ["[R10 R11 R12]", "[K4 K5 K6]"]


def test_it_never_touches_the_table() -> None:
    assert chosen("R8 K1", opened=True, table="[R5 R6 R7]") == Draw()


def test_an_empty_pool_makes_it_pass() -> None:
    assert chosen("R8 K1", opened=True, pool_left=0) == Pass()


def test_jokers_are_spared_until_they_are_needed() -> None:
    turn = chosen("R5 R6 R7 J K1", opened=True)
    assert turn == Play(melds=(parse_meld("[R5 R6 R7]"),))


@pytest.mark.parametrize(
    ("rack", "melds"),
    [
        ("R5 R6 R7 J", ["[R5 R6 R7 J]"]),
        ("R5 R6 R7 J J", ["[R5 R6 R7 J J]"]),
        ("R11 R12 R13 J", ["[J R11 R12 R13]"]),
        ("K9 B9 R9 O9 J", None),
        ("K9 B9 R9 J", ["[K9 B9 R9 J]"]),
        ("K9 B9 R9 J J", ["[K9 B9 R9]"]),
        ("R1 J J", ["run[R1 J J]", "group[R1 J J]"]),
    ],
)
def test_the_last_jokers_go_out_with_the_rest(rack: str, melds: list[str] | None) -> None:
    turn = chosen(rack, opened=True)
    assert isinstance(turn, Play)
    if melds is None:
        assert [str(meld) for meld in turn.melds] == ["[K9 B9 R9 O9]"]
    else:
        assert len(turn.melds) == 1
        assert str(turn.melds[0]) in melds


def test_jokers_alone_are_no_meld() -> None:
    view = view_of(RULESETS["160 tiles"], parse_tiles("J J J J"), opened=True)
    assert decide(Easy(), view, random.Random(1)) == Decision(Draw())


def test_a_view_of_another_rack_is_refused() -> None:
    view = view_of(PRESETS["official"], parse_tiles("R1 R2"), opened=True)
    with pytest.raises(LocalProtocolError, match="holds 2 tiles, not 1"):
        replace(view, rack=parse_tiles("R1"))
    for seat in (2, -1):
        with pytest.raises(LocalProtocolError, match=f"no seat {seat}"):
            replace(view, seat=seat)
