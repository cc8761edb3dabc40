"""The same figures whoever plays: this thread, others, processes; and what happens when one is lost."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi import __version__
from p2prummi.arena import (
    ArenaError,
    DealRecord,
    GameRecord,
    Plan,
    Tally,
    Workers,
    play_deal,
    played,
    running,
)
from p2prummi.arena.processes import local_processes
from p2prummi.arena.running import PIECES_A_WORKER, play_for_version
from p2prummi.bots import StrategyError
from p2prummi.rules import PRESETS
from tests.arena import players

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
RULES = PRESETS["sv-klassisk"]


def plan(*strategies: str, games: int = 12) -> Plan:
    names = tuple(name if name == "easy" else f"{players.HERE}:{name}" for name in strategies)
    return Plan(strategies=names, ruleset=RULES, players=3, games=games, seed=4)


THREE = plan("easy", "Moody", "Remembering")


def alone(of: Plan) -> Tally:
    """The tally of a plan that is played here, piece by piece."""
    tally = Tally(of)
    for pairing, assignment in of.assignments():
        tally.add(pairing, play_deal(assignment))
    return tally


def together(of: Plan, workers: Workers) -> Tally:
    tally = Tally(of)
    for pairing, record in played(of, workers):
        tally.add(pairing, record)
    return tally


class Reluctant(Executor):
    """An executor that does its work only when it is asked for, the last piece first."""

    def __init__(self) -> None:
        self.most = 0
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: fn(*args, **kwargs)))
        self.most = max(self.most, len(self._waiting))
        if len(self._waiting) == PIECES_A_WORKER:
            while self._waiting:
                done, work = self._waiting.pop()
                done.set_result(work())
        return future


def test_the_figures_do_not_depend_on_who_plays_in_which_order() -> None:
    expected = alone(THREE)
    assert expected.games == THREE.games_in_all == 36
    assert all(figures is not None for figures in expected.figures())
    with ThreadPoolExecutor(3) as threads:
        assert together(THREE, Workers(threads, 3)).figures() == expected.figures()
    reluctant = Reluctant()
    assert together(THREE, Workers(reluctant, 1)).figures() == expected.figures()
    assert reluctant.most == PIECES_A_WORKER


def test_the_figures_do_not_depend_on_the_order_of_adding() -> None:
    pieces = [(pairing, play_deal(assignment)) for pairing, assignment in THREE.assignments()]
    random.Random(1).shuffle(pieces)
    tally = Tally(THREE)
    for pairing, record in pieces:
        tally.add(pairing, record)
    assert tally.figures() == alone(THREE).figures()
    assert tally.cpu_seconds == pytest.approx(sum(record.cpu_seconds for _, record in pieces))


def test_the_first_reason_is_that_of_the_first_deal() -> None:
    tally = Tally(plan("easy", "Raising"))
    for deal in (2, 0, 1):
        game = GameRecord(
            seating=(0, 1),
            points=(1, -1),
            winners=(0,),
            turns=3,
            replaced=(0, 1),
            reasons=("", f"deal {deal}"),
        )
        tally.add(0, DealRecord(deal=deal, games=(game,), cpu_seconds=0.0))
    (figures,) = tally.figures()
    assert figures is not None
    assert figures.sides[1].reason == "deal 0"


def test_a_pairing_plays_the_same_games_whatever_else_is_played() -> None:
    assert alone(plan("easy", "Remembering")).figures()[0] == alone(THREE).figures()[1]


def test_nothing_played_has_no_figures() -> None:
    tally = Tally(THREE)
    assert tally.figures() == (None, None, None)
    assert (tally.games, tally.cpu_seconds) == (0, 0)


def test_a_strategy_is_new_in_every_game() -> None:
    first, second = (play_deal(assignment) for _, assignment in plan("Remembering", "easy").assignments())
    again = play_deal(list(plan("Remembering", "easy").assignments())[1][1])
    assert second.games == again.games != first.games


def test_whose_turns_were_replaced_is_known_by_its_side() -> None:
    for of, failing in ((plan("Raising", "easy"), 0), (plan("easy", "Raising"), 1)):
        for game in play_deal(next(of.assignments())[1]).games:
            assert game.replaced[failing] > 0 == game.replaced[1 - failing]
            assert game.reasons[failing] == "the strategy failed: ValueError: no idea"
            assert game.reasons[1 - failing] == ""


def test_a_deal_costs_what_its_games_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    # By this clock each game takes a second.
    seconds = itertools.count()
    monkeypatch.setattr(
        "p2prummi.arena.table.time", SimpleNamespace(thread_time=lambda: float(next(seconds)))
    )
    record = play_deal(next(THREE.assignments())[1])
    assert record.cpu_seconds == len(record.games) == 6


def test_easy_against_itself_is_even() -> None:
    (figures,) = alone(plan("easy", "easy", games=30)).figures()
    assert figures is not None
    assert figures.games == 30
    assert not figures.win_rate_difference.is_decided


def test_processes_play_the_same() -> None:
    with local_processes(2) as workers:
        assert workers.count == 2
        assert together(THREE, workers).figures() == alone(THREE).figures()
    assert multiprocessing.active_children() == []


def test_a_strategy_that_a_worker_cannot_load() -> None:
    with ThreadPoolExecutor(1) as threads, pytest.raises(StrategyError, match="no strategy 'nobody'"):
        list(played(Plan(strategies=("easy", "nobody"), ruleset=RULES, players=3), Workers(threads, 1)))


def test_a_worker_of_another_version_is_refused() -> None:
    _, assignment = next(THREE.assignments())
    assert isinstance(play_for_version(__version__, assignment), DealRecord)
    with pytest.raises(ArenaError, match=r"and not 0\.0\.0"):
        play_for_version("0.0.0", assignment)


def test_a_worker_that_dies_is_told_of() -> None:
    with pytest.raises(ArenaError, match="a worker has died"), local_processes(1) as workers:
        list(played(plan("Drawing", "Killing"), workers))
    assert multiprocessing.active_children() == []


class Stopping(Executor):
    """An executor that does the first piece and never comes to the others."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.futures:
            future.set_result(fn(*args, **kwargs))
        self.futures.append(future)
        return future


def test_who_has_had_enough_leaves_no_work_behind() -> None:
    stopping = Stopping()
    pieces = played(plan("easy", "Moody", games=60), Workers(stopping, 1))
    next(pieces)
    pieces.close()
    first, *others = stopping.futures
    assert len(others) == PIECES_A_WORKER - 1
    assert not first.cancelled()
    assert all(future.cancelled() for future in others)


def test_where_nothing_is_done_somebody_looks_whether_anybody_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check() -> None:
        raise ArenaError("nobody is left")

    monkeypatch.setattr(running, "_WAIT_SECONDS", 0.0)
    # So that it ends in any case.
    asked = iter([True, True])
    pieces = played(
        plan("easy", "Moody", games=60), Workers(Stopping(), 1, check), lambda: next(asked, False)
    )
    next(pieces)
    with pytest.raises(ArenaError, match="nobody is left"):
        next(pieces)


def test_who_is_asked_whether_to_go_on_can_say_no() -> None:
    enough = False
    with ThreadPoolExecutor(1) as threads:
        pieces = played(plan("easy", "Moody", games=60), Workers(threads, 1), lambda: not enough)
        next(pieces)
        enough = True
        with pytest.raises(KeyboardInterrupt):
            list(pieces)


def interrupted(endless: Plan) -> None:
    """Has endless games begun, and thinks better of it."""
    with local_processes(2) as workers:
        for _, assignment in endless.assignments():
            workers.executor.submit(play_deal, assignment)
        raise KeyboardInterrupt


def test_an_interrupt_ends_the_processes_amid_their_work() -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(plan("Hanging", "Hanging"))
    assert multiprocessing.active_children() == []


ORPHANING = """
import os
from p2prummi.arena import running
from p2prummi.arena.processes import local_processes

if __name__ == "__main__":
    with local_processes(1) as workers:
        workers.executor.submit(print, "playing", flush=True).result()
        os._exit(3)
"""


def test_workers_leave_interrupts_to_who_started_them() -> None:
    with local_processes(1) as workers:
        assert workers.executor.submit(signal.getsignal, signal.SIGINT).result() is signal.SIG_IGN
        if hasattr(signal, "pthread_sigmask"):
            held_back = workers.executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
            # From their first moment, before they could ignore any.
            assert signal.SIGINT in held_back
            assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_worker_does_not_outlive_who_started_it(tmp_path: Path) -> None:
    script = tmp_path / "orphaning.py"
    script.write_text(ORPHANING)
    # The worker has the same standard output, which comes to its end only when the worker has.
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, b"playing\n")
