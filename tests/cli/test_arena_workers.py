"""Who plays for `p2prummi arena`: the processes asked for, or one a core; and who hears interrupts."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from p2prummi.cli import arena
from p2prummi.cli import main as cli

if TYPE_CHECKING:
    from collections.abc import Callable

LINE = ["arena", "--strategy", "easy", "--strategy", "easy"]


@pytest.fixture
def jobs_for(monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    """Return a function that says how many processes a command line starts."""
    monkeypatch.setattr("p2prummi.arena.processes.local_processes", lambda jobs: jobs)
    return lambda *more: arena._workers(cli.build_parser().parse_args([*LINE, *more]))


@pytest.mark.parametrize(("cores", "jobs"), [(1, 1), (3, 3), (60, 60), (61, 60)])
def test_there_is_a_process_for_each_core_that_may_be_used(
    jobs_for: Callable[..., object], monkeypatch: pytest.MonkeyPatch, cores: int, jobs: int
) -> None:
    # Of the machine's cores some may be kept for others.
    monkeypatch.setattr(os, "cpu_count", lambda: 99)
    monkeypatch.setattr(
        os, "sched_getaffinity", lambda process: set(range(cores if process == 0 else 0)), raising=False
    )
    assert jobs_for() == jobs
    assert jobs_for("--jobs", "2") == 2


@pytest.mark.parametrize(("cores", "jobs"), [(None, 1), (3, 3), (60, 60), (61, 60)])
def test_where_the_system_does_not_say_which_may_be_used_all_count(
    jobs_for: Callable[..., object], monkeypatch: pytest.MonkeyPatch, cores: int | None, jobs: int
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert jobs_for() == jobs


def test_interrupts_are_noted_and_afterwards_left_to_who_heard_them_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    with arena._noted_interrupts() as is_interrupted:
        assert not is_interrupted()
        signal.raise_signal(signal.SIGINT)
        assert is_interrupted()
    assert signal.getsignal(signal.SIGINT) is before
