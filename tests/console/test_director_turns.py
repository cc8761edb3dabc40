"""The director in one's turn: what is sent, what is asked first, what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2prummi.console import director
from p2prummi.console.model import Question
from p2prummi.rules import Draw, End, EndReason, Pass, Play, format_tiles
from tests.console.director_stage import GAME, RACK, Stage
from tests.console.stage import after_lay, dealt, started, turn_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """One's own turn, with a rack that fits the table."""
    return Stage(tmp_path, *started(), *dealt(GAME, RACK))


def test_a_legal_turn_is_sent_once(stage: Stage) -> None:
    stage.type("add R4 to 1", "end", "end")
    assert [type(turn) for turn in stage.turns] == [Play]
    turn = stage.turns[0]
    assert isinstance(turn, Play)
    assert [format_tiles(meld.tiles) for meld in turn.melds] == ["R1 R2 R3 R4", "K7 B7 O7"]
    assert stage.answer == "It is not your turn."


def test_an_illegal_turn_is_never_sent_and_all_that_is_wrong_is_said(stage: Stage) -> None:
    stage.type("split 1 after R1", "take O7 from 3", "end")
    assert stage.turns == []
    assert stage.refused
    assert "Meld 1: [R1] is too short" in stage.answer
    assert "Meld 2: [R2 R3] is too short" in stage.answer
    assert "Meld 3: [K7 B7] is too short" in stage.answer
    assert "O7 lay on the table and is gone" in stage.answer
    assert "No tile was laid" in stage.answer


def test_a_refusal_is_an_answer_that_the_next_line_replaces(stage: Stage) -> None:
    before = stage.director.model.log
    stage.type("split 1 after R1", "take O7 from 3", "end", "end")
    assert stage.director.model.log == before
    stage.type("reset")
    assert stage.answer == ""


def test_more_reasons_than_there_is_room_for_are_counted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(director, "SHOWN_REASONS_MAX", 2)
    stage.type("split 1 after R1", "take O7 from 3", "end")
    assert stage.answer.splitlines()[2:] == ["And 3 more."]


def test_ending_with_nothing_laid_says_so(stage: Stage) -> None:
    stage.type("end")
    assert stage.turns == []
    assert stage.answer.startswith("No tile was laid")


def test_what_the_session_refuses_is_said_and_the_turn_stays_ones_own(stage: Stage) -> None:
    stage.port.refusal = "Not so fast."
    stage.type("add R4 to 1", "end")
    assert stage.answer == "Not so fast."
    assert stage.director.model.table.my_turn


def test_drawing_asks_only_where_a_legal_play_lies_on_the_table(stage: Stage) -> None:
    stage.type("add R4 to 1", "draw")
    assert stage.asks(Question.DRAW)
    stage.type("n")
    assert stage.turns == []
    assert stage.asks(None)
    stage.type("draw", "y")
    assert stage.turns == [Draw()]


def test_drawing_with_a_draft_that_came_to_nothing_is_an_ordinary_draw(stage: Stage) -> None:
    stage.type("lay K9 B9", "draw")
    assert stage.turns == [Draw()]


def test_a_yes_without_a_question_does_nothing(stage: Stage) -> None:
    stage.type("y")
    assert "There is no command 'y'" in stage.answer


def test_another_command_takes_the_question_back(stage: Stage) -> None:
    stage.type("add R4 to 1", "draw", "reset", "y")
    assert stage.turns == []


def test_d15_enter_alone_takes_the_question_back_too(stage: Stage) -> None:
    stage.type("add R4 to 1", "draw", "", "y")
    assert stage.turns == []


def test_with_an_empty_pool_a_draw_is_a_pass(tmp_path: Path) -> None:
    game = replace(GAME, pool_left=0)
    stage = Stage(tmp_path, *started(), *dealt(game, RACK))
    stage.type("draw")
    assert stage.turns == [Pass()]


def test_passing_needs_an_empty_pool(stage: Stage, tmp_path: Path) -> None:
    stage.type("pass")
    assert stage.turns == []
    assert "once the pool is empty" in stage.answer
    empty = Stage(tmp_path, *started(), *dealt(replace(GAME, pool_left=0), RACK))
    empty.type("pass")
    assert empty.turns == [Pass()]


@pytest.mark.parametrize("line", ["end", "draw", "pass"])
def test_turns_of_others_are_not_ones_own(tmp_path: Path, line: str) -> None:
    stage = Stage(tmp_path, *started(), *dealt(replace(GAME, to_move=1), RACK))
    stage.type("add R4 to 1", line)
    assert stage.turns == []
    assert stage.answer == "It is not your turn."


def test_tiles_can_be_moved_only_in_a_round(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.type("lay R1 R2 R3")
    assert stage.refused
    stage.type("reset", "sort")
    assert not stage.refused


def test_what_a_draft_refuses_is_said(stage: Stage) -> None:
    stage.type("lay R9 R10 R11")
    assert stage.answer == "Not on your rack: R9, R10, R11."


def test_the_bell_rings_when_ones_own_turn_begins_and_only_then(tmp_path: Path) -> None:
    stage = Stage(tmp_path, *started(), *dealt(replace(GAME, to_move=1), RACK))
    assert stage.bells == 0
    after, turn = after_lay(replace(GAME, to_move=1), "R1 R2 R3", "K7 B7 O7", "B1 B2 B3", to_move=0)
    stage.director.hear(turn)
    stage.director.hear(turn_of(after, RACK))
    assert stage.bells == 1


@pytest.mark.parametrize("line", ["end", "draw", "pass"])
def test_without_a_round_there_is_no_turn(tmp_path: Path, line: str) -> None:
    stage = Stage(tmp_path)
    stage.type(line)
    assert stage.answer == "No round is being played now."
    assert stage.turns == []


def test_the_turn_after_the_last_is_nobodys(tmp_path: Path) -> None:
    over = replace(GAME, ended=End(reason=EndReason.RUMMIKUB, winner=1, next=2))
    stage = Stage(tmp_path, *started(), *dealt(over, RACK))
    stage.type("draw")
    assert stage.answer == "No round is being played now."
