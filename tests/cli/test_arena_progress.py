"""The arena's progress: on a terminal a line that is written over, elsewhere a line for every tenth."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from p2prummi.arena import DealRecord, Plan, Tally, Workers
from p2prummi.cli import arena
from p2prummi.cli import main as cli
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.rules import PRESETS
from tests.cli.arena_records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


class Terminal(io.StringIO):
    """A stream that says that it is a terminal; `shown` is what it was made to show."""

    shown = ""

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        self.shown = self.getvalue()


ERASE = "\r\x1b[K"


def test_on_a_terminal_progress_stays_on_one_line() -> None:
    plan = Plan(strategies=("a", "b"), ruleset=PRESETS["official"], players=2, games=8)
    tally, terminal, now = Tally(plan), Terminal(), iter([-9.0, 0.0, 0.1, 0.2, 0.3, 2.0])
    watch = arena._Watch(plan, tally, terminal, lambda: next(now))
    watch.start()
    for deal in range(4):
        each = record(deal, ((30, -30), 0), ((10, -10), 0))
        tally.add(0, each)
        watch.tell(0, each)
        assert terminal.shown == terminal.getvalue()
    watch.stop()
    # The first deal came too soon after the start to be told, and the third too soon after the second.
    assert terminal.shown == (f"{ERASE}4 of 8 games, 20.0 a second{ERASE}8 of 8 games, 4.0 a second{ERASE}")
    assert watch.seconds == 2.0


def test_the_time_until_there_are_workers_is_not_counted_and_progress_is_taken_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now, terminal = [0.0], Terminal()

    @contextlib.contextmanager
    def workers(_: object) -> Iterator[Workers]:
        now[0] += 100.0
        yield Workers(ThreadPoolExecutor(1), 1)

    def played(*_: object) -> Iterator[tuple[int, DealRecord]]:
        now[0] += 2.0
        yield 0, record(0, ((30, -30), 0), ((10, -10), 0))

    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(arena, "_Watch", partial(arena._Watch, clock=lambda: now[0]))
    monkeypatch.setattr(arena, "_workers", workers)
    monkeypatch.setattr("p2prummi.arena.played", played)
    assert (
        cli.main(["arena", "--strategy", "easy", "--strategy", "easy", "--games", "12", "--json"])
        == ExitCode.DONE
    )
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["seconds"] == 2.0
    assert terminal.shown == f"{ERASE}2 of 12 games, 1.0 a second{ERASE}"


def test_elsewhere_there_is_a_line_for_every_tenth_of_the_games() -> None:
    plan = Plan(strategies=("a", "b"), ruleset=PRESETS["official"], players=2, games=50)
    tally, stream = Tally(plan), io.StringIO()
    # By this clock no time passes.
    watch = arena._Watch(plan, tally, stream, lambda: 7.0)
    watch.start()
    for deal in range(25):
        each = record(deal, ((30, -30), 0), ((10, -10), 0))
        tally.add(0, each)
        watch.tell(0, each)
    watch.stop()
    told = [line.split(",")[0] for line in stream.getvalue().splitlines()]
    assert told == [f"{games} of 50 games" for games in (6, 10, 16, 20, 26, 30, 36, 40, 46, 50)]
    assert watch.seconds == arena.CLOCK_SECONDS_LEAST
