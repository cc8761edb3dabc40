"""The round: whose turn, what an empty pool does, timeouts, leaving, teams, and the state that is hashed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2prummi.errors import LocalProtocolError
from p2prummi.rules import (
    Draw,
    EndReason,
    Game,
    IllegalTurn,
    Pass,
    Play,
    Ruleset,
    TurnFaultCode,
    leave,
    new_game,
    parse_tiles,
    take_timeout,
    take_turn,
)
from tests.rules.positions import rules, table_of


def game_of(ruleset: Ruleset, players: int = 3, *, pool: int = 1, starter: int = 0) -> Game:
    """A round whose seats have all opened, with few tiles in the pool."""
    game = new_game(ruleset, players, starter)
    return replace(game, opened=(True,) * players, pool_left=pool)


def lay(game: Game, text: str) -> Game:
    taken = [tile for meld in game.table for tile in meld.tiles]
    return take_turn(game, Play((*game.table, *table_of(text, taken))))


def test_a_new_round() -> None:
    game = new_game(rules(), 3, 2)
    assert game.rack_sizes == (14, 14, 14)
    assert (game.pool_left, game.to_move, game.turn_number, game.passes) == (64, 2, 0, 0)
    assert (game.opened, game.drawn_last, game.ended) == ((False,) * 3, (None,) * 3, None)


def test_a_new_round_without_those_who_left() -> None:
    game = new_game(rules(), 4, 1, left=(2, 0))
    assert (game.rack_sizes, game.pool_left, game.left, game.seats) == ((0, 14, 0, 14), 78, (0, 2), (1, 3))
    assert take_turn(game, Draw()).to_move == 3


@pytest.mark.parametrize(
    ("players", "starter", "left"), [(5, 0, ()), (1, 0, ()), (3, 3, ()), (3, -1, ()), (3, 1, (1,))]
)
def test_rounds_that_cannot_be(players: int, starter: int, left: tuple[int, ...]) -> None:
    with pytest.raises(LocalProtocolError):
        new_game(rules(), players, starter, left)


def test_turns_go_round() -> None:
    game = new_game(rules(), 3, 1)
    movers = []
    for _ in range(5):
        movers.append(game.to_move)
        game = take_turn(game, Draw())
    assert movers == [1, 2, 0, 1, 2]
    assert (game.turn_number, game.rack_sizes, game.pool_left) == (5, (15, 16, 16), 59)
    assert game.drawn_last == (1, 1, 1)


def test_a_lay_opens_and_shrinks_the_rack() -> None:
    melds = table_of("[R10 R11 R12]")
    game = take_turn(new_game(rules(), 2, 0), Play(melds, melds))
    assert (game.opened, game.rack_sizes, game.table, game.to_move) == ((True, False), (11, 14), melds, 1)
    assert game.drawn_last == (0, None)


def test_who_has_opened_stays_so() -> None:
    game = new_game(rules(), 2, 0)
    for opening in ("[R10 R11 R12]", "[K10 K11 K12]"):
        melds = table_of(opening)
        game = take_turn(game, Play((*game.table, *melds), melds))
    assert game.opened == (True, True)


def test_a_refused_turn_says_why() -> None:
    with pytest.raises(IllegalTurn, match="draw") as refused:
        take_turn(new_game(rules(), 2, 0), Pass())
    assert [fault.code for fault in refused.value.faults] == [TurnFaultCode.POOL_NOT_EMPTY]


def test_no_more_is_laid_than_the_rack_holds() -> None:
    game = replace(game_of(rules(), 2), rack_sizes=(2, 14))
    with pytest.raises(IllegalTurn, match="3 tiles were laid from a rack that holds 2") as refused:
        lay(game, "[R1 R2 R3]")
    assert [fault.code for fault in refused.value.faults] == [TurnFaultCode.MORE_THAN_RACK]


def test_more_than_the_rack_holds_is_named_beside_all_else() -> None:
    game = replace(new_game(rules(), 2, 0), rack_sizes=(2, 14))
    melds = table_of("[R1 R2 R3]")
    with pytest.raises(IllegalTurn) as refused:
        take_turn(game, Play(melds, melds))
    codes = [fault.code for fault in refused.value.faults]
    assert codes == [TurnFaultCode.OPENING_TOO_LOW, TurnFaultCode.MORE_THAN_RACK]


def test_a_known_rack_is_looked_at() -> None:
    game = game_of(rules(), 2)
    melds = table_of("[R1 R2 R3]")
    with pytest.raises(IllegalTurn, match="R3 was neither"):
        take_turn(game, Play(melds), rack=parse_tiles("R1 R2"))
    assert take_turn(game, Play(melds), rack=parse_tiles("R1 R2 R3")).table == melds


def test_an_empty_rack_ends_the_round_at_once() -> None:
    game = lay(replace(game_of(rules(), 3), rack_sizes=(3, 14, 14)), "[R1 R2 R3]")
    assert game.ended is not None
    assert (game.ended.reason, game.ended.winner, game.ended.next) == (EndReason.RUMMIKUB, 0, 1)
    with pytest.raises(LocalProtocolError, match="over"):
        take_turn(game, Draw())
    with pytest.raises(LocalProtocolError, match="over"):
        take_timeout(game)
    with pytest.raises(LocalProtocolError, match="over"):
        leave(game, 1)


def test_round_ends_with_the_last_tile() -> None:
    game = game_of(rules("sv-klassisk"), pool=2)
    game = take_turn(game, Draw())
    assert game.ended is None
    game = take_turn(game, Draw())
    assert game.ended is not None
    assert (game.ended.reason, game.ended.winner, game.ended.next) == (EndReason.POOL_EMPTY, None, 2)


def test_one_more_turn_each() -> None:
    game = take_turn(game_of(rules("da-online"), starter=1), Draw())
    assert (game.last_turns, game.to_move) == ((2, 0, 1), 2)
    game = lay(game, "[R1 R2 R3]")
    game = take_turn(game, Pass())
    assert (game.last_turns, game.ended) == ((1,), None)
    game = take_turn(game, Pass())
    assert game.ended is not None
    assert (game.ended.reason, game.ended.winner, game.ended.next) == (EndReason.LAST_TURNS_TAKEN, None, 2)


def test_one_more_turn_each_can_be_the_winning_one() -> None:
    game = take_turn(game_of(rules("da-online"), 2), Draw())
    game = lay(replace(game, rack_sizes=(15, 3)), "[R1 R2 R3]")
    assert game.ended is not None
    assert game.ended.reason is EndReason.RUMMIKUB


def test_until_all_pass() -> None:
    game = take_turn(game_of(rules()), Draw())
    game = take_turn(take_turn(game, Pass()), Pass())
    assert (game.passes, game.passed, game.ended) == (2, (1, 2), None)
    game = lay(game, "[R1 R2 R3]")
    assert game.passes == 0
    for _ in range(3):
        assert game.ended is None
        game = take_turn(game, Pass())
    assert game.ended is not None
    assert (game.ended.reason, game.ended.winner, game.ended.next) == (EndReason.ALL_PASSED, None, 1)


@pytest.mark.parametrize(("draw", "pool", "drawn"), [(0, 5, 0), (1, 5, 1), (3, 5, 3), (3, 2, 2)])
def test_a_timeout_draws(draw: int, pool: int, drawn: int) -> None:
    game = game_of(rules("official", f"timeout_draw={draw}"), pool=pool)
    table = game.table
    game = take_timeout(game)
    assert (game.rack_sizes, game.pool_left, game.to_move) == ((14 + drawn, 14, 14), pool - drawn, 1)
    assert (game.table, game.passes, game.drawn_last, game.turn_number) == (table, 0, (drawn, None, None), 1)


def test_a_timeout_can_take_the_last_tile() -> None:
    game = take_timeout(game_of(rules("sv-klassisk", "timeout_draw=3"), pool=2))
    assert game.ended is not None
    assert game.ended.reason is EndReason.POOL_EMPTY


def test_a_timeout_with_an_empty_pool_is_a_pass() -> None:
    game = game_of(rules(), 2, pool=0)
    game = take_timeout(game)
    assert (game.passes, game.rack_sizes, game.drawn_last) == (1, (14, 14), (0, None))
    game = take_turn(game, Pass())
    assert game.ended is not None
    assert game.ended.reason is EndReason.ALL_PASSED


def test_two_timeouts_do_not_stop_a_round() -> None:
    game = take_timeout(take_timeout(game_of(rules(), pool=9)))
    assert (game.to_move, game.ended) == (2, None)


def test_who_leaves_is_skipped() -> None:
    game = leave(game_of(rules(), 4, pool=9), 1)
    assert (game.to_move, game.left, game.seats) == (0, (1,), (0, 2, 3))
    assert take_turn(game, Draw()).to_move == 2
    on_turn = leave(game, 0)
    assert (on_turn.to_move, on_turn.left, on_turn.rack_sizes) == (2, (0, 1), (14,) * 4)


def test_only_who_plays_can_leave() -> None:
    game = leave(game_of(rules(), 4, pool=9), 1)
    for seat in (1, 4, -1):
        with pytest.raises(LocalProtocolError, match="doesn't play"):
            leave(game, seat)


def test_the_last_to_stay_wins() -> None:
    game = leave(leave(game_of(rules(), 3, pool=9), 0), 2)
    assert game.ended is not None
    assert (game.ended.reason, game.ended.winner, game.ended.next) == (EndReason.OTHERS_LEFT, 1, 1)


def test_a_leavers_pass_counts_no_longer() -> None:
    game = take_turn(game_of(rules(), 3, pool=0), Pass())
    game = leave(game, 0)
    assert (game.passed, game.ended) == ((), None)
    game = take_turn(take_turn(game, Pass()), Pass())
    assert game.ended is not None


def test_the_round_ends_if_only_the_leaver_had_not_passed() -> None:
    game = take_turn(take_turn(game_of(rules(), 3, pool=0), Pass()), Pass())
    game = leave(game, 2)
    assert game.ended is not None
    assert (game.ended.reason, game.ended.next) == (EndReason.ALL_PASSED, 0)


def test_a_leaver_has_no_last_turn() -> None:
    game = take_turn(game_of(rules("da-online"), 3), Draw())
    game = leave(game, 0)
    assert game.last_turns == (1, 2)
    game = take_turn(take_turn(game, Pass()), Pass())
    assert game.ended is not None
    game = take_turn(game_of(rules("da-online"), 3), Draw())
    game = take_turn(take_turn(game, Pass()), Pass())
    game = leave(game, 0)
    assert game.ended is not None
    assert game.ended.reason is EndReason.LAST_TURNS_TAKEN


@pytest.mark.parametrize(
    ("team_opening", "opened"),
    [("each", (True, False, False, False)), ("shared", (True, False, True, False))],
)
def test_teams_open(team_opening: str, opened: tuple[bool, ...]) -> None:
    ruleset = rules("official", "teams=2", "players=4", f"team_opening={team_opening}")
    melds = table_of("[R10 R11 R12]")
    assert take_turn(new_game(ruleset, 4, 0), Play(melds, melds)).opened == opened


def test_shared_opening_without_teams_is_each_ones_own() -> None:
    melds = table_of("[R10 R11 R12]")
    game = take_turn(new_game(rules("official", "team_opening=shared"), 3, 0), Play(melds, melds))
    assert game.opened == (True, False, False)


def test_the_state_as_plain_values() -> None:
    game = new_game(rules(), 3, 0, left=(2,))
    melds = table_of("[R10 R11 J] [K13 B13 O13]")
    game = take_turn(game, Play(melds, melds))
    assert game.to_value() == {
        "drawn_last": [0, -1, -1],
        "ended": [],
        "last_turns": [],
        "left": [2],
        "opened": [1, 0, 0],
        "passed": [],
        "pool_left": 78,
        "rack_sizes": [8, 14, 0],
        "table": [["run", [35, 36, 104]], ["group", [12, 25, 51]]],
        "to_move": 1,
        "turn_number": 1,
    }


def test_the_end_as_plain_values() -> None:
    stalemate = take_turn(game_of(rules("sv-klassisk")), Draw())
    assert stalemate.to_value()["ended"] == ["pool_empty", -1, 1]
    won = lay(replace(game_of(rules(), 3), rack_sizes=(3, 14, 14)), "[R1 R2 R3]")
    assert won.to_value()["ended"] == ["rummikub", 0, 1]
    last = take_turn(game_of(rules("da-online")), Draw())
    assert last.to_value()["last_turns"] == [1, 2, 0]
    passed = take_turn(game_of(rules(), pool=0), Pass())
    assert passed.to_value()["passed"] == [0]


def test_every_part_of_the_state_is_in_its_values() -> None:
    game = game_of(rules(), 3, pool=5)
    changes: dict[str, Any] = {
        "table": table_of("[R1 R2 R3]"),
        "opened": (True, True, False),
        "rack_sizes": (14, 14, 13),
        "pool_left": 4,
        "to_move": 1,
        "turn_number": 1,
        "passed": (2,),
        "last_turns": (1, 2),
        "drawn_last": (None, None, 1),
        "left": (2,),
    }
    values = {str(replace(game, **{name: value}).to_value()) for name, value in changes.items()}
    assert len(values | {str(game.to_value())}) == len(changes) + 1
