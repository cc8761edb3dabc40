"""A strategy in a process of its own: the same turns, and nothing that it does stops the one that asks."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from p2prummi.bots import PlayerView, StrategyError, decide
from p2prummi.rules import PRESETS, Draw, Play, new_game
from p2prummi.thinking import StrategyProcess, process
from tests.arena import players

LIMIT_SECONDS = 60.0
PATIENCE_SECONDS = 60.0
Make = Callable[..., StrategyProcess]


@pytest.fixture
def make() -> Iterator[Make]:
    """Return a function that starts a strategy of the tests; each is ended with the test."""
    made: list[StrategyProcess] = []

    def start(name: str, limit_seconds: float = LIMIT_SECONDS) -> StrategyProcess:
        made.append(StrategyProcess(f"{players.HERE}:{name}", limit_seconds))
        return made[-1]

    yield start
    for each in made:
        each.close()


def view() -> PlayerView:
    rack = PRESETS["official"].tile_set.tiles[:14]
    return PlayerView(seat=0, rack=rack, game=new_game(PRESETS["official"], 2, 0))


def test_its_turns_and_its_chances_are_those_that_it_has_here(make: Make) -> None:
    strategy, there, here = make("Moody"), random.Random(5), random.Random(5)
    turns = [decide(strategy, view(), there) for _ in range(6)]
    assert turns == [decide(players.Moody(), view(), here) for _ in range(6)]
    assert {type(each.turn) for each in turns} == {Draw, Play}
    assert there.getstate() == here.getstate()


def test_it_is_the_same_strategy_from_turn_to_turn(make: Make) -> None:
    strategy = make("Remembering")
    turns = [type(decide(strategy, view(), random.Random(0)).turn) for _ in range(13)]
    assert turns == [Play] * 11 + [Draw] * 2


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Raising", "the strategy failed: ValueError: no idea"),
        ("Leaving", "the strategy failed: SystemExit: enough"),
        ("Interrupting", "the strategy failed: KeyboardInterrupt: my own"),
        ("Unsendable", "the strategy failed: TypeError: not this"),
    ],
)
def test_a_turn_that_will_not_do_is_replaced_and_the_next_one_is_asked_for(
    make: Make, name: str, complaint: str
) -> None:
    strategy = make(name)
    first = strategy._process
    for _ in range(2):
        decision = decide(strategy, view(), random.Random(0))
        assert decision.turn == Draw()
        assert decision.complaint == complaint
    assert strategy._process is first


def test_one_that_holds_its_interpreter_is_ended_and_the_next_turn_asked_of_a_new_one(make: Make) -> None:
    strategy = make("Holding", 0.2)
    for _ in range(2):
        asked = strategy._process
        decision = decide(strategy, view(), random.Random(0))
        assert (decision.turn, decision.complaint) == (Draw(), "the strategy took more than 0.2 seconds")
        assert not asked.is_alive()


def test_one_that_nobody_ends_ends_itself(make: Make) -> None:
    strategy = make("Holding", 0.2)
    strategy._connection.send((view(), random.Random(0)))
    strategy._process.join(PATIENCE_SECONDS)
    assert strategy._process.exitcode == 1


def test_one_that_nobody_can_ask_any_more_is_ended_amid_its_thoughts() -> None:
    strategy = StrategyProcess(f"{players.HERE}:Holding", LIMIT_SECONDS)
    strategy._connection.send((view(), random.Random(0)))
    asked = strategy._process
    del strategy
    gc.collect()
    assert not asked.is_alive()


def test_one_that_has_answered_in_time_lives_on(make: Make) -> None:
    strategy = make("Drawing", 1.0)
    assert decide(strategy, view(), random.Random(0)).complaint == ""
    # Longer than one that does not answer would.
    strategy._process.join(1.0 + process.GRACE_SECONDS + 1.0)
    assert strategy._process.is_alive()


def test_the_time_that_a_new_process_takes_to_begin_is_the_strategys(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = make("Drawing")
    waited: list[float] = []

    class Watched:
        def __init__(self, real: Any) -> None:
            self.send, self.recv, self.close, self._poll = real.send, real.recv, real.close, real.poll

        def poll(self, seconds: float) -> bool:
            waited.append(seconds)
            return bool(self._poll(PATIENCE_SECONDS))

    monkeypatch.setattr(strategy, "_connection", Watched(strategy._connection))
    clock = iter([100.0, 100.0 + LIMIT_SECONDS / 4]).__next__
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=clock))
    assert isinstance(strategy.choose(view(), random.Random(0)), Draw)
    assert waited == [LIMIT_SECONDS * 3 / 4]


def test_one_whose_process_ends_is_started_anew(make: Make) -> None:
    strategy = make("Ending")
    complaints = [decide(strategy, view(), random.Random(0)).complaint for _ in range(4)]
    assert complaints == ["", "the strategy has ended its process"] * 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Nobody", "the strategy 'tests.arena.players:Nobody' can't be loaded"),
        ("HERE", "the strategy 'tests.arena.players:HERE' is no class"),
        ("Leaves", "the strategy 'tests.arena.players:Leaves': it has ended its process"),
    ],
)
def test_one_that_can_not_be_made_is_refused(make: Make, name: str, words: str) -> None:
    with pytest.raises(StrategyError, match=words):
        make(name)


def test_the_process_ends_with_who_asks() -> None:
    strategy = StrategyProcess("easy", LIMIT_SECONDS)
    assert strategy._process.is_alive()
    strategy._connection.close()
    strategy._process.join(PATIENCE_SECONDS)
    assert strategy._process.exitcode == 0
