"""`hint`: what a strong player would do with one's turn, asked, thought about and shown."""

from __future__ import annotations

import asyncio
import random
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2prummi.bots import Hard, PlayerView
from p2prummi.console.advising import Advisor
from p2prummi.rules import Turn
from p2prummi.session import notices
from p2prummi.thinking import Thinker
from tests.console.director_stage import Stage
from tests.console.stage import dealt, game_of, rack_of, started
from tests.console.terminal_scene import PATIENCE_SECONDS, Scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from p2prummi.console.settings import Outcome
    from p2prummi.rules import Game, Tile

TABLE = ("R1 R2 R3", "K7 B7 O7")


def with_rack(text: str, *, to_move: int = 0, opened: bool = True) -> tuple[Game, tuple[Tile, ...]]:
    game = game_of(*TABLE, to_move=to_move, opened=opened)
    rack = rack_of(text, game)
    return replace(game, rack_sizes=(len(rack), *game.rack_sizes[1:])), rack


GAME, RACK = with_rack("R4 K9 B9 K1")
ADVICE = "Hint: add R4 to 1: lays 1 tile."


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path, *started(), *dealt(GAME, RACK))


def test_what_is_asked_is_the_turn_from_its_start_and_the_answer_is_shown(stage: Stage) -> None:
    stage.director.model = replace(
        stage.director.model, players=replace(stage.director.model.players, totals=(5, -3, -2))
    )
    stage.type("hint")
    assert stage.answer == "Looking for a good turn ..."
    ((view, answer),) = stage.advisor.asked
    assert view == PlayerView(seat=0, rack=RACK, game=GAME, totals=(5, -3, -2))
    answer(ADVICE)
    assert stage.answer == ADVICE
    assert not stage.refused


def test_with_tiles_laid_already_the_hint_says_from_where_it_goes(stage: Stage) -> None:
    stage.type("lay K9 B9", "hint")
    ((view, answer),) = stage.advisor.asked
    assert view.rack == RACK
    answer(ADVICE)
    assert stage.answer == f"{ADVICE} That is from the turn's start: `reset` goes back to it."


def test_a_hint_for_a_turn_that_is_over_is_not_shown(stage: Stage) -> None:
    stage.type("hint", "draw")
    ((_, answer),) = stage.advisor.asked
    before = stage.director.model
    answer(ADVICE)
    assert stage.director.model == before


def test_a_hint_for_another_turn_than_the_one_that_has_come_is_not_shown(stage: Stage) -> None:
    stage.type("hint")
    ((_, answer),) = stage.advisor.asked
    later = replace(GAME, pool_left=GAME.pool_left - 1)
    stage.director.hear(
        notices.TurnStarted(round_number=1, sequence=24, seat=0, mine=True, game=later, rack=RACK)
    )
    answer(ADVICE)
    assert "Hint" not in stage.answer


def test_there_is_no_hint_where_it_is_not_ones_turn(tmp_path: Path) -> None:
    others = Stage(tmp_path, *started(), *dealt(*with_rack("R4 K9", to_move=1)))
    outside = Stage(tmp_path)
    for each, words in ((others, "It is not your turn."), (outside, "No round is being played now.")):
        each.type("hint")
        assert (each.answer, each.refused, each.advisor.asked) == (words, True, [])


def test_while_the_drawn_tile_is_not_there_yet_that_is_said(tmp_path: Path) -> None:
    stage = Stage(tmp_path, *started(), *dealt(GAME, RACK[:-1]))
    stage.type("hint")
    assert stage.answer == "The tile that you drew is still on its way to you."
    assert stage.advisor.asked == []


def advice_on(thinker: Thinker, view: PlayerView) -> str:
    """What an advisor says of a view."""

    async def ask() -> str:
        shown: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        said: list[str] = []
        Advisor(thinker, shown.put_nowait).ask(view, said.append)
        async with asyncio.timeout(PATIENCE_SECONDS):
            action = await shown.get()
        assert said == [], "who shows it says when"
        action()
        (sentence,) = said
        return sentence

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("rack", "opened", "advice"),
    [
        ("R4 K9 B9 K1", True, ADVICE),
        ("R10 R11 R12 K1 B3", False, "Hint: lay [R10 R11 R12]: opens with 33."),
        (
            "R4 K9 B9 R9",
            True,
            "Hint: with K9 B9 R4 R9 make of meld 1 [R1 R2 R3 R4] [K9 B9 R9]: goes out.",
        ),
        ("K1 B3 O5", True, "Hint: draw: there is nothing better to do."),
    ],
)
def test_the_advice_is_that_of_the_level_hard(rack: str, opened: bool, advice: str) -> None:
    game, tiles = with_rack(rack, opened=opened)
    view = PlayerView(seat=0, rack=tiles, game=game)
    assert advice_on(Thinker(Hard(), random.Random(0), PATIENCE_SECONDS), view) == advice


def test_where_no_turn_was_found_in_time_that_is_said() -> None:
    may_end = threading.Event()

    class Slow:
        def choose(self, view: PlayerView, rng: random.Random) -> Turn:
            may_end.wait()
            return view.idle_turn

    view = PlayerView(seat=0, rack=RACK, game=GAME)
    thinker = Thinker(Slow(), random.Random(0), 0.01)
    assert advice_on(thinker, view) == "No hint now: the strategy took more than 0.01 seconds."
    may_end.set()


def test_no_hint_comes_once_the_advisor_is_closed() -> None:
    may_end, ended = threading.Event(), threading.Event()

    class Slow:
        def choose(self, view: PlayerView, rng: random.Random) -> Turn:
            may_end.wait()
            ended.set()
            return view.idle_turn

    async def ask() -> None:
        advisor = Advisor(Thinker(Slow(), random.Random(0), PATIENCE_SECONDS), lambda action: action())
        advisor.ask(PlayerView(seat=0, rack=RACK, game=GAME), said.append)
        await asyncio.sleep(0)
        await advisor.close()
        may_end.set()
        await asyncio.to_thread(ended.wait)

    said: list[str] = []
    asyncio.run(ask())
    assert said == []


def test_a_hint_is_typed_and_read(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.type("hint")
        await scene.until_shown(ADVICE)

    act(play, *started(), *dealt(GAME, RACK))


def test_what_is_told_from_outside_is_drawn_although_nothing_else_happens(
    act: Callable[..., Outcome],
) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.director.tell("This room asks for its code.")
        await scene.until_shown("This room asks for its code.")

    act(play, *started(), *dealt(GAME, RACK))
