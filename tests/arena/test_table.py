"""Whatever a strategy does, its game goes on to its end, and how often it was replaced is known."""

from __future__ import annotations

import random
import threading
import time
from typing import TYPE_CHECKING

import pytest

from p2prummi.arena.dealing import chances, deal_from_seed
from p2prummi.arena.game import running_game
from p2prummi.arena.table import Seat, Table
from p2prummi.bots import Easy
from p2prummi.rules import PRESETS
from tests.arena import players

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from p2prummi.arena.game import RunningGame
    from p2prummi.bots import PlayerView, Strategy

RULES = PRESETS["official"]
# Long enough for a slow machine to play easy's turns, and short enough to wait for once a game.
LIMIT_SECONDS = 1.0


@pytest.fixture
def let_go() -> Iterator[threading.Event]:
    """Lets every thread go that hangs in this test."""
    players.Hanging.let_go.clear()
    yield players.Hanging.let_go
    players.Hanging.let_go.set()


def table_of(
    *strategies: Strategy, think_seconds: float = 60.0, clock: Callable[[], float] = time.monotonic
) -> Table:
    deal = deal_from_seed(RULES, len(strategies), 1, 0)
    seats = [Seat(strategy, chances(1, seat)) for seat, strategy in enumerate(strategies)]
    return Table(running_game(RULES, deal), seats, think_seconds, clock)


def test_a_game_without_trouble_has_no_complaints() -> None:
    table = table_of(Easy(), players.Moody())
    outcome = table.play()
    assert table.complaints == []
    assert table.cpu_seconds > 0
    again = table_of(Easy(), players.Moody())
    assert again.play() == outcome


@pytest.mark.parametrize(
    ("strategy", "reason"),
    [
        (players.Raising(), "the strategy failed: ValueError: no idea"),
        (players.Leaving(), "the strategy failed: SystemExit: enough"),
        (players.Interrupting(), "the strategy failed: KeyboardInterrupt: my own"),
    ],
    ids=["raises", "exits", "interrupts"],
)
def test_a_strategy_that_fails_draws_instead(strategy: Strategy, reason: str) -> None:
    table = table_of(strategy, Easy())
    outcome = table.play()
    assert outcome == table_of(players.Drawing(), Easy()).play()
    assert {(seat, text) for seat, text in table.complaints} == {(0, reason)}
    assert outcome.turns // 2 <= len(table.complaints) <= (outcome.turns + 1) // 2


def test_a_strategy_that_hangs_is_given_up_on_for_this_game(let_go: threading.Event) -> None:
    table = table_of(Easy(), players.Hanging(), think_seconds=LIMIT_SECONDS)
    outcome = table.play()
    assert outcome == table_of(Easy(), players.Drawing()).play()
    assert not let_go.is_set()
    first, *others = table.complaints
    assert first == (1, "the strategy took more than 1 seconds")
    assert {*others} == {(1, "the strategy still thinks about an earlier turn")}
    assert outcome.turns // 2 <= len(table.complaints) <= (outcome.turns + 1) // 2


class Late:
    """Answers its first turn only when it is let go, which is after it was given up on."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.answered = threading.Event()

    def choose(self, view: PlayerView, rng: random.Random) -> object:
        self.answers.wait()
        self.answered.set()
        raise ValueError("too late to matter")


def test_an_answer_that_comes_too_late_changes_nothing() -> None:
    late = Late()
    threads = set(threading.enumerate())
    table = table_of(late, Easy(), think_seconds=LIMIT_SECONDS)  # type: ignore[arg-type]  # it answers nothing
    table.play()
    complaints, cpu_seconds = list(table.complaints), table.cpu_seconds
    late.answers.set()
    for thread in set(threading.enumerate()) - threads:
        thread.join()
    assert late.answered.is_set()
    assert (table.complaints, table.cpu_seconds) == (complaints, cpu_seconds)


def test_only_a_single_turn_is_measured_and_not_the_game() -> None:
    # By this clock no turn takes any time, however often the watching thread looks.
    table = table_of(Easy(), Easy(), think_seconds=0.001, clock=lambda: 7.0)
    outcome = table.play()
    assert table.complaints == []
    assert outcome == table_of(Easy(), Easy()).play()


@pytest.mark.parametrize(("passed_seconds", "seconds"), [(0.0, 4.0), (2.5, 1.5), (9.0, 0.0)])
def test_who_watches_looks_again_once_a_thought_has_lasted_for_as_long_as_it_may(
    passed_seconds: float, seconds: float
) -> None:
    table = table_of(Easy(), Easy(), think_seconds=4.0, clock=lambda: 10.0 + passed_seconds)
    # As long as nobody thinks.
    assert table._patience_seconds() == 4.0
    table._thought = (next(running_game(RULES, deal_from_seed(RULES, 2, 1, 0))), 10.0)
    assert table._patience_seconds() == seconds


@pytest.mark.parametrize(("passed_seconds", "is_given_up_on"), [(3.9, False), (4.0, True)])
def test_a_thought_is_given_up_on_when_it_has_lasted_for_as_long_as_it_may(
    passed_seconds: float, is_given_up_on: bool
) -> None:
    game = running_game(RULES, deal_from_seed(RULES, 2, 1, 0))
    view = next(game)
    seats = [Seat(Easy(), chances(1, seat)) for seat in (0, 1)]
    table = Table(game, seats, 4.0, lambda: 10.0 + passed_seconds)
    table._thought = (view, 10.0)
    table._give_up()
    assert (table._thread_number, table._stuck) == ((1, {view.seat}) if is_given_up_on else (0, set()))
    if is_given_up_on:
        # Without it the game goes on to its end.
        table._over.wait()
        assert table.complaints[0] == (view.seat, "the strategy took more than 4 seconds")


def test_a_fault_of_the_game_itself_is_not_hidden() -> None:
    def broken() -> RunningGame:
        yield from ()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Table(broken(), [], LIMIT_SECONDS).play()
