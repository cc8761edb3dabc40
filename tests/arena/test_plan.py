"""Plans: every pairing, as many deals as the games need, seatings in which both sides have the same luck."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from p2prummi.arena import ArenaError, Pairing, Plan, seatings_for
from p2prummi.rules import PRESETS, Ruleset, with_settings

OFFICIAL = PRESETS["official"]
SIX = with_settings(OFFICIAL, ["copies=3", "jokers=4", "players=2-6"])
TWO_TEAMS = with_settings(OFFICIAL, ["players=4", "teams=2"])
THREE_TEAMS = with_settings(OFFICIAL, ["copies=3", "jokers=4", "players=6", "teams=3"])


def plan(**changes: object) -> Plan:
    values = {"strategies": ("easy", "medium"), "ruleset": OFFICIAL, "players": 4, **changes}
    return Plan(**values)  # type: ignore[arg-type]  # some of the tests give what won't do


@pytest.mark.parametrize(
    ("ruleset", "players", "count"),
    [
        (OFFICIAL, 2, 2),
        (OFFICIAL, 3, 6),
        (OFFICIAL, 4, 6),
        (SIX, 5, 20),
        (SIX, 6, 8),
        (TWO_TEAMS, 4, 2),
        (THREE_TEAMS, 6, 6),
    ],
)
def test_each_side_plays_each_seat_in_half_of_the_seatings(
    ruleset: Ruleset, players: int, count: int
) -> None:
    seatings = seatings_for(ruleset, players)
    assert len(seatings) == len(set(seatings)) == count
    for seat in range(players):
        assert Counter(seating[seat] for seating in seatings) == {0: count / 2, 1: count / 2}
    # And whoever has a neighbour of its own side has one as often as the other side has.
    alike = Counter(
        seating[seat]
        for seating in seatings
        for seat in range(players)
        if seating[seat] == seating[(seat + 1) % players]
    )
    assert alike[0] == alike[1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_up_to_five_seats_the_seatings_are_all_that_are_even(players: int) -> None:
    even = {sides for sides in product((0, 1), repeat=players) if abs(2 * sum(sides) - players) < 2}
    assert set(seatings_for(SIX, players)) == even


@pytest.mark.parametrize("ruleset", [TWO_TEAMS, THREE_TEAMS])
def test_a_team_plays_on_one_side(ruleset: Ruleset) -> None:
    for seating in seatings_for(ruleset, ruleset.players[1]):
        for one, other in combinations(range(len(seating)), 2):
            if ruleset.team_of(one) == ruleset.team_of(other):
                assert seating[one] == seating[other]


@pytest.mark.parametrize(("games", "deals"), [(1, 1), (6, 1), (7, 2), (400, 67)])
def test_there_are_as_few_deals_as_hold_the_games(games: int, deals: int) -> None:
    assert plan(games=games).deals == deals
    assert plan(games=games).games_in_all == deals * 6


def test_all_pairings_play_the_same_deals() -> None:
    made = plan(strategies=("a", "b", "c"), games=12, seed=5)
    assert made.pairings == (Pairing("a", "b"), Pairing("a", "c"), Pairing("b", "c"))
    pieces = [(index, each.pairing, each.deal, each.seed) for index, each in made.assignments()]
    assert pieces == [(i, pairing, deal, 5) for i, pairing in enumerate(made.pairings) for deal in (0, 1)]
    assert made.games_in_all == 36


def test_what_is_not_said_and_the_most_that_can_be() -> None:
    made = plan()
    assert (made.games, made.seed, made.think_seconds) == (400, 0, 30.0)
    most = plan(games=10_000_000, think_seconds=86_400.0)
    assert most.deals == 1_666_667
    assert plan(think_seconds=0.5).think_seconds == 0.5


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"strategies": ("easy",)}, "two strategies or more"),
        ({"players": 1}, "for 2 to 4 players, not 1"),
        ({"players": 5}, "for 2 to 4 players, not 5"),
        ({"games": 0}, "the games of a pairing"),
        ({"games": 10_000_001}, "the games of a pairing"),
        ({"think_seconds": 0.0}, "up to a day"),
        ({"think_seconds": 86_401.0}, "up to a day"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ArenaError, match=words):
        plan(**changes)
