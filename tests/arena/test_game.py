"""Deals and games on the rules alone: the same from the same seed, whole, and scored as the rules say."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from p2prummi.arena.dealing import chances, deal_from_seed
from p2prummi.arena.game import running_game
from p2prummi.bots import Easy, decide
from p2prummi.rules import (
    PRESETS,
    Draw,
    IllegalTurn,
    Pass,
    Play,
    holds_opening,
    rack_value,
    with_settings,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2prummi.arena.dealing import Deal
    from p2prummi.arena.game import Outcome
    from p2prummi.bots import PlayerView
    from p2prummi.rules import Ruleset, Turn

SIX = with_settings(PRESETS["official"], ["copies=3", "jokers=4", "players=2-6"])


def course(
    ruleset: Ruleset, deal: Deal, choose: Callable[[PlayerView], Turn]
) -> tuple[list[tuple[PlayerView, Turn]], Outcome]:
    """Everything that was seen and done in a game, and its outcome."""
    game = running_game(ruleset, deal)
    steps = []
    view = next(game)
    while True:
        turn = choose(view)
        steps.append((view, turn))
        try:
            view = game.send(turn)
        except StopIteration as end:
            outcome: Outcome = end.value
            return steps, outcome


def easily(view: PlayerView) -> Turn:
    return decide(Easy(), view, random.Random(view.game.turn_number)).turn


@pytest.mark.parametrize(("ruleset", "players"), [(PRESETS["sv-klassisk"], 4), (SIX, 6), (SIX, 2)])
def test_a_deal_holds_every_tile_once(ruleset: Ruleset, players: int) -> None:
    deal = deal_from_seed(ruleset, players, 1, 0)
    assert [len(rack) for rack in deal.racks] == [14] * players
    tiles = [*deal.pool, *(tile for rack in deal.racks for tile in rack)]
    assert len(tiles) == len(set(tiles))
    assert set(tiles) == set(ruleset.tile_set.tiles)


def test_deals_repeat_and_differ_by_seed_and_number() -> None:
    ruleset = PRESETS["official"]
    assert deal_from_seed(ruleset, 4, 1, 2) == deal_from_seed(ruleset, 4, 1, 2)
    deals = {deal_from_seed(ruleset, 4, seed, number) for seed in range(-2, 3) for number in range(20)}
    assert len(deals) == 100
    assert {deal.starter for deal in deals} == {0, 1, 2, 3}


def test_each_place_has_a_chance_of_its_own() -> None:
    drawn = {
        chances(seed, "seat", deal, game).random() for seed in (0, 1) for deal in (0, 1) for game in (0, 1)
    }
    assert len(drawn) == 8
    assert chances(3, "seat", 1, 1).random() == chances(3, "seat", 1, 1).random()
    # Numbers that run together would be taken for one another.
    assert chances(1, 11, 1).random() != chances(1, 1, 11).random()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", range(3))
def test_a_game_goes_by_the_rules_to_its_end(preset: str, number: int) -> None:
    ruleset = PRESETS[preset]
    deal = deal_from_seed(ruleset, 3, 7, number)
    steps, outcome = course(ruleset, deal, easily)
    racks = [set(rack) for rack in deal.racks]
    pool = list(deal.pool)
    seen: list[tuple[int, Turn]] = []
    for view, turn in steps:
        assert set(view.rack) == racks[view.seat]
        assert [(each.seat, each.turn) for each in view.history] == seen
        seen.append((view.seat, turn))
        if isinstance(turn, Play):
            laid = {tile for meld in turn.melds for tile in meld.tiles} & racks[view.seat]
            racks[view.seat] -= laid
        elif isinstance(turn, Draw):
            racks[view.seat].add(pool.pop(0))
    for each in steps[-1][0].history:
        laid = (
            {tile for meld in each.turn.melds for tile in meld.tiles}
            if isinstance(each.turn, Play)
            else set()
        )
        assert set(each.laid) <= laid
        assert bool(each.laid) == isinstance(each.turn, Play)
    assert steps[0][0].seat == deal.starter
    assert outcome.turns == len(steps)
    out = [seat for seat, rack in enumerate(racks) if not rack]
    if out:
        values = [rack_value(rack, ruleset.joker_penalty) for rack in racks]
        assert outcome.winners == tuple(out)
        assert outcome.points[out[0]] == sum(values) or ruleset.unopened_score is not None
    else:
        assert outcome.winners == () or len(outcome.winners) == 1
    if ruleset.unopened_score is None and outcome.winners:
        assert sum(outcome.points) == 0


@pytest.mark.parametrize("pool_empty", ["round_ends", "one_more_turn_each"])
def test_who_could_have_opened_at_the_start_of_the_last_turn_loses_more(pool_empty: str) -> None:
    ruleset = with_settings(PRESETS["da-online"], [f"pool_empty={pool_empty}", "opening_points=100"])
    brought_by_the_last_draw = 0
    for number in range(12):
        deal = deal_from_seed(ruleset, 4, 3, number)
        steps, outcome = course(ruleset, deal, lambda view: view.idle_turn)
        before = {view.seat: view.rack for view, _ in steps}
        could = [holds_opening(ruleset, before[seat]) for seat in range(4)]
        assert outcome.points == tuple(-200 if each else -100 for each in could)
        draws = [view for view, turn in steps if isinstance(turn, Draw)]
        for view, tile in zip(draws[-4:], deal.pool[-4:], strict=True):
            could_without = holds_opening(ruleset, view.rack)
            brought_by_the_last_draw += holds_opening(ruleset, (*view.rack, tile)) and not could_without
    # Otherwise these deals would not tell whether the tiles drawn last were counted.
    assert brought_by_the_last_draw > 0


def test_a_turn_that_the_rules_refuse_is_refused() -> None:
    game = running_game(PRESETS["official"], deal_from_seed(PRESETS["official"], 2, 1, 0))
    next(game)
    with pytest.raises(IllegalTurn, match="The pool isn't empty"):
        game.send(Pass())
