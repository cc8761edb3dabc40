"""Loading strategies by name, and keeping to the rules whatever a strategy does."""

from __future__ import annotations

import random
import sys
from importlib.metadata import EntryPoint, EntryPoints
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.bots import (
    INCLUDED,
    LEVELS,
    Easy,
    Hard,
    Medium,
    PlayerView,
    StrategyError,
    decide,
    find_strategy,
    load_strategy,
    strategy_of_level,
)
from p2prummi.bots import strategy as strategy_module
from p2prummi.rules import PRESETS, Draw, Pass, Play, new_game, parse_meld, parse_tiles

if TYPE_CHECKING:
    from pathlib import Path

    from p2prummi.rules import Turn


class Answers:
    """A strategy that answers what it was made with, or raises it."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, view: PlayerView, rng: random.Random) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class SpeechlessError(Exception):
    """An error that can't say what it is."""

    def __str__(self) -> str:
        raise ValueError


class Changing(Play):
    """A play of a class of its own, which could be another one at each look."""


@pytest.fixture
def view() -> PlayerView:
    rack = parse_tiles("R1 R2 R3 K4 K5 K6 B7 B8 B9 O10 O11 O12 J J")
    return PlayerView(seat=0, rack=rack, game=new_game(PRESETS["official"], 2, 0))


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (ZeroDivisionError("division by zero"), "the strategy failed: ZeroDivisionError: division by zero"),
        (SystemExit(3), "the strategy failed: SystemExit: 3"),
        (ValueError("x" * 10**6), f"the strategy failed: ValueError: {'x' * 500} ..."),
        (SpeechlessError(), "the strategy failed: SpeechlessError"),
        (Changing(melds=()), "the strategy answered with Changing, which is no turn"),
        (None, "the strategy answered with NoneType, which is no turn"),
        (Pass(), "the strategy's turn is illegal: The pool isn't empty"),
        (Play(melds=()), "the strategy's turn is illegal: No tile was laid"),
        (Play(melds=(parse_meld("[R1 R2 R3]"),)), "the strategy's turn is illegal"),
        (Play(melds=("R1",)), "the strategy failed"),  # type: ignore[arg-type]  # somebody else's code does so
    ],
)
def test_an_answer_that_will_not_do_becomes_a_draw(view: PlayerView, answer: object, complaint: str) -> None:
    decision = decide(Answers(answer), view, random.Random(0))
    assert decision.turn == Draw()
    assert decision.complaint.startswith(complaint)
    assert len(decision.complaint) < 1000


def test_a_legal_answer_is_taken_as_it_is(view: PlayerView) -> None:
    decision = decide(Answers(Draw()), view, random.Random(0))
    assert (decision.turn, decision.complaint) == (Draw(), "")


def test_an_interrupt_is_no_answer(view: PlayerView) -> None:
    with pytest.raises(KeyboardInterrupt):
        decide(Answers(KeyboardInterrupt()), view, random.Random(0))


def test_the_levels_there_are() -> None:
    assert {level: type(make()) for level, make in LEVELS.items()} == {
        "easy": Easy,
        "medium": Medium,
        "hard": Hard,
    }
    assert isinstance(strategy_of_level("easy"), Easy)
    with pytest.raises(StrategyError, match="no level 'grim'; the levels are: easy, medium, hard"):
        strategy_of_level("grim")


@pytest.mark.parametrize("name", INCLUDED)
def test_an_included_strategy_goes_by_its_name(name: str) -> None:
    first, second = load_strategy(name), load_strategy(name)
    assert type(first) is type(second) is type(INCLUDED[name]())
    assert first is not second


def test_what_is_found_makes_a_new_strategy_each_time() -> None:
    make = find_strategy("easy")
    assert isinstance(make(), Easy)
    assert make() is not make()


def test_every_level_is_included() -> None:
    assert LEVELS.items() <= INCLUDED.items()


class Drawing:
    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        return view.idle_turn


class Outer:
    Inner = Drawing


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    made = ModuleType("some_bots")
    made.Drawing = Drawing  # type: ignore[attr-defined]  # a module made for the test
    made.Outer = Outer  # type: ignore[attr-defined]  # the same
    made.NeedsMore = Answers  # type: ignore[attr-defined]  # the same
    made.leave = lambda: sys.exit(3)  # type: ignore[attr-defined]  # the same
    made.number = 3  # type: ignore[attr-defined]  # the same
    made.Other = dict  # type: ignore[attr-defined]  # the same
    monkeypatch.setitem(sys.modules, "some_bots", made)
    return made


@pytest.mark.parametrize("name", ["some_bots:Drawing", "some_bots:Outer.Inner", "slow"])
def test_a_strategy_of_somebody_else(name: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints([EntryPoint("slow", "some_bots:Drawing", "p2prummi.bots")])
    monkeypatch.setattr(strategy_module, "entry_points", lambda group: points.select(group=group))
    assert isinstance(load_strategy(name), Drawing)


def test_a_module_that_asks_to_end_the_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_bot_for_a_test.py").write_text("import sys\nsys.exit('enough')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(StrategyError, match="can't be loaded: SystemExit: enough"):
        load_strategy("leaving_bot_for_a_test:Bot")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("some_bots:Nothing", "AttributeError"),
        ("no_such_module_here:Bot", "ModuleNotFoundError"),
        (":Bot", "':Bot' names no module: a class Patient in the file my_bot.py is my_bot:Patient"),
        ("./my_bot.py:Bot", "names no module"),
        ("some_bots:leave", "SystemExit: 3"),
        ("some_bots:NeedsMore", "TypeError"),
        ("some_bots:number", "is no class"),
        ("some_bots:Other", "no method `choose"),
        ("nobody", "no strategy 'nobody'; write module:Class, or one of those there are: easy"),
    ],
)
def test_what_is_no_strategy_is_refused_with_words(name: str, words: str, module: ModuleType) -> None:
    with pytest.raises(StrategyError, match=words) as refused:
        load_strategy(name)
    # What is said once in words is not wrapped up again.
    assert "StrategyError" not in str(refused.value)


def test_who_asks_for_a_name_that_nobody_has_is_told_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [EntryPoint(name, "some_bots:Drawing", "p2prummi.bots") for name in "ghjaidcbe"]
    points = EntryPoints([*made, EntryPoint("easy", "some_bots:Drawing", "p2prummi.bots")])
    monkeypatch.setattr(strategy_module, "entry_points", lambda group: points.select(group=group))
    with pytest.raises(StrategyError) as refused:
        load_strategy("nobody")
    _, _, known = str(refused.value).partition("those there are: ")
    assert known.split(", ") == [*INCLUDED, *"abcdeghij"]
