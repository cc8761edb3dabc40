"""`arena --scheduler` on a scheduler and workers that are processes of their own, and when those are lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.arena import cluster as cluster_module
from p2prummi.cli import main as cli
from p2prummi.cli.exit_codes import ExitCode
from tests.arena import players
from tests.arena.dask_processes import ROOT, DaskProcesses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.sockets
RAISING = f"{players.HERE}:Raising"
QUICK = ["arena", "--rules", "sv-klassisk", "--seed", "5", "--json", "--strategy", "easy"]
MOODY = [*QUICK, "--strategy", f"{players.HERE}:Moody", "--games", "60"]
# A strategy that fails is told of as soon as its first deal is played, and this many games take minutes.
LONG = [*QUICK, "--strategy", RAISING, "--games", "60000"]


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskProcesses]:
    with DaskProcesses(tmp_path) as processes:
        yield processes


def pairing_of(out: str) -> dict[str, Any]:
    pairing: dict[str, Any] = json.loads(out.splitlines()[0])
    return pairing


def arena(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "p2prummi", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def figures_after_the_loss(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code and the last words of an arena that had to end early, but had played something."""
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    end = json.loads(out.splitlines()[-1])
    assert 0 < end["games"] < end["games_planned"]
    assert pairing_of(out)["games"] == end["games"]
    return process.returncode, err.splitlines()[-1]


def test_the_same_figures_also_when_a_worker_is_killed(
    dask: DaskProcesses, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*MOODY, "--jobs", "1"]) == ExitCode.DONE
    expected = pairing_of(capsys.readouterr().out)
    _, address = dask.scheduler()
    assert cli.main([*MOODY, "--scheduler", address]) == ExitCode.WRONG_USAGE
    assert capsys.readouterr().err == f"p2prummi: the scheduler at {address} has no workers\n"

    lost, _ = dask.worker(address), dask.worker(address)
    with arena(*MOODY, "--scheduler", address) as process:
        assert process.stderr is not None
        # All deals are done with, or handed out, only after this line.
        assert process.stderr.readline().startswith("6 of 60 games")
        lost.kill()
        out, err = process.communicate(timeout=120)
    assert process.returncode == ExitCode.DONE, err
    assert pairing_of(out) == expected
    assert json.loads(out.splitlines()[-1])["workers"] == 2


def test_the_last_worker_is_killed(
    dask: DaskProcesses, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster_module, "ABSENCE_SECONDS_MAX", 0.5)
    monkeypatch.setattr(cluster_module, "LOOK_SECONDS", 0.1)
    _, address = dask.scheduler()
    dask.worker(address)
    killing = [*QUICK, "--strategy", f"{players.HERE}:Killing", "--games", "1"]
    assert cli.main([*killing, "--scheduler", address]) == ExitCode.WRONG_USAGE
    captured = capsys.readouterr()
    assert captured.err == f"p2prummi: the scheduler at {address} has had no workers for 0.5 seconds\n"
    assert json.loads(captured.out)["games"] == 0


def test_the_scheduler_is_killed(dask: DaskProcesses) -> None:
    scheduler, address = dask.scheduler()
    dask.worker(address)
    with arena(*LONG, "--scheduler", address) as process:
        assert process.stderr is not None
        assert "replaced" in process.stderr.readline()
        scheduler.kill()
        assert figures_after_the_loss(process) == (
            ExitCode.NETWORK,
            f"p2prummi: the scheduler at {address} is lost",
        )


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an interrupt can't be sent to one process")
def test_an_interrupt(dask: DaskProcesses) -> None:
    _, address = dask.scheduler()
    dask.worker(address)
    with arena(*LONG, "--scheduler", address) as process:
        assert process.stderr is not None
        assert "replaced" in process.stderr.readline()
        os.killpg(process.pid, signal.SIGINT)
        code, words = figures_after_the_loss(process)
    assert code == ExitCode.INTERRUPTED
    assert words.startswith("interrupted after ")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('__version__ = "9.9.9"\n', "the cluster has p2prummi 9.9.9, and not "),
        ("1 / 0\n", ": ZeroDivisionError: division by zero"),
    ],
    ids=["another", "broken"],
)
def test_a_worker_with_another_copy_of_the_program(
    dask: DaskProcesses, source: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    package = dask.directory / "doctored" / "p2prummi"
    shutil.copytree(ROOT / "p2prummi", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text(source)
    _, address = dask.scheduler()
    dask.worker(address)
    dask.worker(address, package.parent)
    assert cli.main([*MOODY, "--scheduler", address]) == ExitCode.WRONG_USAGE
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
