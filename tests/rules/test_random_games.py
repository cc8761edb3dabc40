"""Whole rounds from seeds: every tile is somewhere after every event, and every ruleset comes to its end."""

from __future__ import annotations

from random import Random

import pytest

from p2prummi.rules import EndReason, PoolEmpty
from tests.rules.positions import every_preset, rules
from tests.rules.whole_games import WholeRound

SIX = ("copies=3", "jokers=4", "players=6")
ENDS = {
    PoolEmpty.ROUND_ENDS: EndReason.POOL_EMPTY,
    PoolEmpty.ONE_MORE_TURN_EACH: EndReason.LAST_TURNS_TAKEN,
    PoolEmpty.UNTIL_ALL_PASS: EndReason.ALL_PASSED,
}


@every_preset
@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_round_plays_to_its_end(preset: str, players: int) -> None:
    ruleset = rules(preset, *(SIX if players == 6 else ()))
    round_ = WholeRound(ruleset, players, Random(f"{preset} {players}"))
    for _ in range(600):
        if round_.game.ended is not None:
            break
        round_.move()
    ended = round_.game.ended
    assert ended is not None
    assert ended.reason in (EndReason.RUMMIKUB, ENDS[ruleset.pool_empty])
    if ended.reason is EndReason.RUMMIKUB:
        assert ended.winner is not None
        assert not round_.racks[ended.winner]
    scores = round_.scores()
    if ruleset.unopened_score is None and (ended.winner is not None or preset != "nl-klassiek"):
        assert sum(scores.points) == 0


@pytest.mark.parametrize("teams", [2, 3])
@pytest.mark.parametrize("team_opening", ["each", "shared"])
def test_six_in_teams_with_timeouts_and_leavers(teams: int, team_opening: str) -> None:
    settings = (*SIX, f"teams={teams}", f"team_opening={team_opening}", "timeout_draw=3", "opening_points=20")
    random = Random(f"{teams} {team_opening}")
    round_ = WholeRound(rules("da-online", *settings), 6, random)
    for turn in range(600):
        if round_.game.ended is not None:
            break
        if turn in (40, 70):
            round_.leave(random.choice(round_.game.seats))
        elif random.random() < 0.2:
            round_.time_out()
        else:
            round_.move()
        assert round_.game.ended or round_.game.to_move in round_.game.seats
    assert round_.game.ended is not None
    scores = round_.scores()
    assert sum(scores.team_points) == sum(scores.points)
    assert len(scores.team_points) == teams


def play_turns(round_: WholeRound, turns: int) -> int:
    """Play so many turns, or to the end of the round; return the turns played."""
    for turn in range(turns):
        if round_.game.ended is not None:
            return turn
        round_.move()
    return turns


def test_two_hundred_turns_keep_all_tiles() -> None:
    played, seed = 0, 0
    while played < 200:
        played += play_turns(WholeRound(rules(), 4, Random(seed)), 200 - played)
        seed += 1
    assert played == 200
