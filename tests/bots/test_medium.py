"""The level medium: always legal, lays all that single steps give, and what it does in plain cases."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.bots import Medium, PlayerView, decide
from p2prummi.bots.easy import melds_from, opening_from
from p2prummi.bots.steps import steps_from
from p2prummi.rules import PRESETS, Draw, Play, Turn, parse_meld, parse_tiles
from tests.bots.engine import play_round
from tests.bots.views import RULESETS, SEATS, view_of, views


def chosen(rack: str, table: str, *, opened: bool = True, preset: str = "official") -> Turn:
    melds = tuple(map(parse_meld, table.split(";"))) if table else ()
    taken = [tile for meld in melds for tile in meld.tiles]
    view = view_of(PRESETS[preset], parse_tiles(rack, taken), opened=opened, table=melds)
    decision = decide(Medium(), view, random.Random(1))
    assert decision.complaint == ""
    return decision.turn


def melds_of(turn: Turn) -> list[str]:
    assert isinstance(turn, Play)
    return list(map(str, turn.melds))


@given(view=views(), seed=st.integers(0, 2**32))
@settings(max_examples=150)
def test_every_answer_is_legal_leaves_no_step_and_repeats(view: PlayerView, seed: int) -> None:
    decision = decide(Medium(), view, random.Random(seed))
    assert decision.complaint == ""
    assert decide(Medium(), view, random.Random(seed)) == decision
    if not view.has_opened:
        assert isinstance(decision.turn, Play) == bool(opening_from(view, random.Random(seed)))
    elif isinstance(decision.turn, Play):
        laid = view.judge(decision.turn).laid
        rest = [tile for tile in view.rack if tile not in laid]
        assert list(steps_from(decision.turn.melds, rest)) == []
    else:
        assert list(steps_from(view.table, view.rack)) == []
        assert melds_from(view.rack, random.Random(seed)) == ()


def test_it_extends_and_splits_after_the_melds_of_its_rack() -> None:
    turn = chosen("K1 B1 O1 R8 R6 O13", "[R4 R5 R6 R7]")
    assert sorted(melds_of(turn)) == ["[K1 B1 O1]", "[R4 R5 R6]", "[R6 R7 R8]"]


def test_the_step_that_lays_two_comes_first() -> None:
    assert sorted(melds_of(chosen("R8 R9 K2", "[R4 R5 R6 R7]"))) == ["[R4 R5 R6]", "[R7 R8 R9]"]


def test_before_its_opening_it_touches_nothing() -> None:
    assert chosen("R8 K1", "[R5 R6 R7]", opened=False) == Draw()
    turn = chosen("R8 K10 K11 K12", "[R5 R6 R7]", opened=False)
    assert melds_of(turn) == ["[R5 R6 R7]", "[K10 K11 K12]"]


def test_where_the_rules_let_it_the_turn_goes_on_after_the_opening() -> None:
    turn = chosen("R8 K10 K11 K12", "[R5 R6 R7]", opened=False, preset="nl-digitaal")
    assert turn == Play(
        melds=(parse_meld("[R5 R6 R7 R8]"), parse_meld("[K10 K11 K12]")),
        opening=(parse_meld("[K10 K11 K12]"),),
    )


def test_with_nothing_to_lay_it_draws() -> None:
    assert chosen("R9 K1", "[R5 R6 R7]") == Draw()


@pytest.mark.parametrize("name", RULESETS)
def test_rounds_of_medium_bots_end(name: str) -> None:
    ruleset, seats = RULESETS[name], SEATS[name]
    for seed in range(2):
        played = play_round(ruleset, [Medium() for _ in range(seats)], seed)
        assert played.game.ended is not None
        assert [decision.complaint for decision in played.decisions if decision.complaint] == []
