"""The strategy greedy: always legal, always the largest lay, and it thinks no longer than it may."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from p2prummi.bots import Greedy, PlayerView, decide, load_strategy, solving
from p2prummi.rules import PRESETS, Play, parse_meld, parse_tiles
from p2prummi.solver import OpeningChoice, solve
from tests.bots.engine import play_round
from tests.bots.views import view_of, views


@given(view=views(racks_max=14))
@settings(max_examples=60)
def test_it_lays_as_many_tiles_as_the_solver_finds_and_is_always_legal(view: PlayerView) -> None:
    decision = decide(Greedy(), view, random.Random(0))
    assert decision.complaint == ""
    best = solve(view.ruleset, view.table, view.rack, opened=view.has_opened, opening=OpeningChoice.MOST)
    laid = view.judge(decision.turn).laid if isinstance(decision.turn, Play) else ()
    # Few positions take a longer thought than a game allows.
    is_whole_thought = solving.best_for(view).is_optimal
    assert len(laid) == best.tiles if is_whole_thought else len(laid) <= best.tiles


def test_it_is_found_by_its_name() -> None:
    assert isinstance(load_strategy("greedy"), Greedy)


def test_a_thought_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tuple(
        parse_meld(f"[{colour}{start} {colour}{start + 1} {colour}{start + 2} {colour}{start + 3}]")
        for colour in "KBRO"
        for start in (1, 5, 9)
    )
    rack = parse_tiles("K1 K5 B5 R5 O5 K9 B9 R13 O13 J J", [tile for meld in table for tile in meld.tiles])
    view = view_of(PRESETS["da-online"], rack, opened=True, table=table)
    assert solving.best_for(view).is_optimal
    monkeypatch.setattr(solving, "LOOKS_MAX", 0)
    assert not solving.best_for(view).is_optimal


def test_rounds_end_and_repeat_for_a_seed() -> None:
    games = [play_round(PRESETS["official"], [Greedy() for _ in range(4)], seed) for seed in (1, 1, 2)]
    assert games[0].game == games[1].game != games[2].game
    assert not [decision for game in games for decision in game.decisions if decision.complaint]
