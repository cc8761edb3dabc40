"""Scores: the worked examples, every field that has to do with them, and whole matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import LocalProtocolError
from p2prummi.rules import (
    Ruleset,
    StalemateScoring,
    StalemateWinner,
    match_over,
    parse_tiles,
    rack_value,
    ranking,
    score_round,
)
from tests.rules.positions import rules
from tests.strategies import rulesets

if TYPE_CHECKING:
    from p2prummi.rules import RoundScores

# 6, 12, 35 and 19 with a joker of 30.
RACKS = "O6 | K1 K2 B2 K7 | J K5 | K9 K10"


def scored(
    ruleset: Ruleset,
    racks: str,
    *,
    winner: int | None = None,
    opened: list[bool] | None = None,
    next_seat: int = 0,
    drawn: list[str | None] | None = None,
    left: tuple[int, ...] = (),
    teams: list[int] | None = None,
) -> RoundScores:
    """Score racks written with bars between."""
    read = [parse_tiles(rack) for rack in racks.split("|")]
    return score_round(
        ruleset,
        racks=read,
        opened=opened or [True] * len(read),
        winner=winner,
        next_seat=next_seat,
        drawn_last=None if drawn is None else [None if each is None else parse_tiles(each) for each in drawn],
        left=left,
        teams=teams,
    )


@pytest.mark.parametrize(
    ("settings", "points"),
    [
        ((), (48, -6, -29, -13)),
        (("stalemate_scoring=standard",), (66, -12, -35, -19)),
        (("stalemate_scoring=everyone_penalised",), (-6, -12, -35, -19)),
        (("joker_penalty=50",), (68, -6, -49, -13)),
    ],
)
def test_the_worked_stalemates(settings: tuple[str, ...], points: tuple[int, ...]) -> None:
    scores = scored(rules("da-online", *settings), RACKS)
    assert (scores.points, scores.winner) == (points, 0)


def test_the_worked_stalemate_with_an_unopened_player() -> None:
    scores = scored(rules("da-online"), RACKS, opened=[True, True, False, True])
    assert (scores.points, scores.values) == ((48, -6, -100, -13), (6, 12, 35, 19))


def test_the_worked_fewest_tiles() -> None:
    ruleset = rules("fi-klassinen", "stalemate_scoring=difference")
    scores = scored(ruleset, "R1 B2 K3 | O13 | J R5")
    assert (scores.points, scores.winner) == ((0, 22, -22), 1)


def test_nobody_wins() -> None:
    scores = scored(rules("nl-klassiek"), RACKS)
    assert (scores.points, scores.winner, scores.winners) == ((-6, -12, -35, -19), None, ())


@pytest.mark.parametrize("scoring", ["difference", "standard", "everyone_penalised"])
def test_going_out_is_scored_alike_everywhere(scoring: str) -> None:
    scores = scored(rules("official", f"stalemate_scoring={scoring}"), " | K1 K2 | J O5", winner=0)
    assert (scores.points, scores.winners) == ((38, -3, -35), (0,))


@pytest.mark.parametrize(
    ("preset", "racks", "next_seat", "winner"),
    [
        ("official", "K6 | K1 K5 | K7", 0, 0),
        ("official", "K1 K5 | K6 | K7", 0, 1),
        ("official", "K6 | B6 | K7", 1, 1),
        ("official", "K6 | B6 | K7", 2, 0),
        ("official", "K7 | B6 | R6", 0, 1),
        ("official", "K9 | K1 K2 | K8", 0, 1),
        ("fi-klassinen", "K9 | B8 | K1 K2", 0, 1),
        ("fi-klassinen", "K8 | B8 | K1 K2", 1, 1),
        ("fi-klassinen", "K8 | B8 | K1 K2", 2, 0),
    ],
)
def test_ties_of_a_stalemate(preset: str, racks: str, next_seat: int, winner: int) -> None:
    assert scored(rules(preset), racks, next_seat=next_seat).winner == winner


OPENING, NONE = "K10 K11 K12", "K2 K3 R9"
UNOPENED = [True, False, False]


@pytest.mark.parametrize(
    ("racks", "opened", "drawn", "points"),
    [
        (f"|{OPENING}|{NONE}", UNOPENED, None, (47, -200, -100)),
        (f"|{OPENING}|{NONE}", UNOPENED, ["", "K12", ""], (47, -100, -100)),
        (f"|{OPENING} B1|{NONE}", [True, False, True], ["", "B1", ""], (48, -200, -14)),
        (f"|{OPENING}|{NONE}", UNOPENED, ["", None, ""], (47, -100, -100)),
    ],
)
def test_unopened_when_someone_goes_out(
    racks: str, opened: list[bool], drawn: list[str | None] | None, points: tuple[int, ...]
) -> None:
    assert scored(rules("da-online"), racks, winner=0, opened=opened, drawn=drawn).points == points


def test_unopened_by_the_rules_of_the_opening() -> None:
    racks, opened = "|K10 B10 J", [True, False]
    assert scored(rules("da-online"), racks, winner=0, opened=opened).points[1] == -200
    without = rules("da-online", "opening_joker=forbidden")
    assert scored(without, racks, winner=0, opened=opened).points[1] == -100


def test_unopened_without_the_rule_is_scored_like_everyone() -> None:
    assert scored(rules(), f"|{NONE}", winner=0, opened=[True, False]).points == (14, -14)


def test_who_never_opened_cannot_win_a_stalemate() -> None:
    scores = scored(rules("da-online"), "K1 | K5 | K9", opened=[False, True, True])
    assert (scores.winner, scores.points) == (1, (-100, 4, -4))
    assert scored(rules(), "K1 | K5 | K9", opened=[False, True, True]).winner == 0


def test_nobody_opened_nobody_wins() -> None:
    scores = scored(rules("da-online"), f"K1 | {OPENING}", opened=[False, False])
    assert (scores.winner, scores.points) == (None, (-100, -200))


def test_who_left_loses_the_whole_rack_and_cannot_win() -> None:
    scores = scored(rules(), "K1 | K5 | K9", left=(0,))
    assert (scores.winner, scores.points) == (1, (-1, 5, -4))
    alone = scored(rules(), "K9 | K5 | K1", winner=1, left=(0, 2))
    assert (alone.winner, alone.points) == (1, (-9, 10, -1))
    penalised = scored(rules("nl-klassiek"), "K1 | K5 | K9", left=(0,))
    assert penalised.points == (-1, -5, -9)


def test_teams_are_added() -> None:
    scores = scored(rules("official"), RACKS, teams=[0, 1, 0, 1])
    assert (scores.points, scores.team_points, scores.winners) == ((48, -6, -29, -13), (19, -19), (0, 2))
    ruleset = rules("official", "teams=3", "players=6", "copies=3", "jokers=4")
    six = scored(ruleset, "|K1|K2|K3|K4|K5", winner=0)
    assert (six.team_points, six.winners) == ((12, -5, -7), (0, 3))


@pytest.mark.parametrize(
    ("winner", "opened", "drawn", "message"),
    [
        (0, [True] * 2, None, "can't have gone out"),
        (2, [True] * 2, None, "from 0 to 1"),
        (-1, [True] * 2, None, "from 0 to 1"),
        (None, [True], None, "entry for each seat"),
        (None, [True] * 2, [""], "entry for each seat"),
        (None, [True], [""], "entry for each seat"),
    ],
)
def test_rounds_that_cannot_have_ended_so(
    winner: int | None, opened: list[bool], drawn: list[str | None] | None, message: str
) -> None:
    with pytest.raises(LocalProtocolError, match=message):
        scored(rules(), "K1|K2", winner=winner, opened=opened, drawn=drawn)


def test_who_stayed_wins_with_tiles_only_where_all_others_have_left() -> None:
    with pytest.raises(LocalProtocolError, match="seat 1 can't have gone out"):
        scored(rules(), "K1|K2|K3", winner=1, left=(0,))
    assert scored(rules(), "K1|K2|K3", winner=1, left=(0, 2)).points == (-1, 4, -3)


def test_rack_values() -> None:
    assert rack_value(parse_tiles("K13 J R1"), 30) == 44
    assert rack_value(parse_tiles("K13 J R1"), 50) == 64


tiles = st.lists(st.sampled_from(parse_tiles("K1 B5 R9 O13 J J")), max_size=5)


@given(rulesets(), st.data())
def test_points_are_sound(ruleset: Ruleset, data: st.DataObject) -> None:
    racks = data.draw(st.lists(tiles, min_size=2, max_size=6))
    opened = data.draw(st.lists(st.booleans(), min_size=len(racks), max_size=len(racks)))
    scores = score_round(ruleset, racks=racks, opened=opened, winner=None, next_seat=0)
    if ruleset.stalemate_winner is StalemateWinner.NOBODY:
        assert scores.winner is None
    if scores.winner is not None and ruleset.unopened_score is None:
        total = sum(scores.points)
        if ruleset.stalemate_scoring is StalemateScoring.EVERYONE_PENALISED:
            assert total == -sum(scores.values)
        else:
            assert total == 0
    losers = [points for seat, points in enumerate(scores.points) if seat != scores.winner]
    assert all(points <= 0 for points in losers)


def test_when_a_match_is_over() -> None:
    ruleset = rules("official", "rounds=3", "target_score=100")
    assert not match_over(ruleset, [99, -99], 2)
    assert match_over(ruleset, [-99, 100], 1)
    assert match_over(ruleset, [5, -5], 3)
    assert match_over(rules(), [0, 0], 1)
    assert not match_over(rules("official", "rounds=2"), [10_000, 0], 1)


def test_ranking_shares_places() -> None:
    standings = ranking([5, 40, 40, -25])
    assert [(each.place, each.seats, each.total) for each in standings] == [
        (1, (1,), 40),
        (1, (2,), 40),
        (3, (0,), 5),
        (4, (3,), -25),
    ]


def test_who_left_ranks_below_all_who_stayed() -> None:
    standings = ranking([5, 40, -25], left=(1,))
    assert [(each.place, each.seats) for each in standings] == [(1, (0,)), (2, (2,)), (3, (1,))]


def test_teams_are_ranked_together() -> None:
    standings = ranking([5, 40, -25, 3], teams=[0, 1, 0, 1], left=(1,))
    assert [(each.place, each.seats, each.total) for each in standings] == [(1, (1, 3), 43), (2, (0, 2), -20)]
    left = ranking([5, 40, -25, 3], teams=[0, 1, 0, 1], left=(1, 3))
    assert [each.seats for each in left] == [(0, 2), (1, 3)]
