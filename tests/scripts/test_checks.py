"""The run of all checks: a failing one fails the whole, and the summary names it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import checks
import pytest
from checks import Check

if TYPE_CHECKING:
    from collections.abc import Callable


def test_all_checks_run_and_one_that_fails_fails_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    ran: list[str] = []

    def check(name: str, *, holds: bool) -> Check:
        def run() -> bool:
            ran.append(name)
            return holds

        return Check(name, run)

    assert not checks.run_all(
        (check("first", holds=True), check("bad", holds=False), check("last", holds=True))
    )
    assert ran == ["first", "bad", "last"]
    summary = capsys.readouterr().out.partition("--- summary")[2]
    assert [line.split()[:2] for line in summary.splitlines()[1:4]] == [
        ["ok", "first"],
        ["FAILED", "bad"],
        ["ok", "last"],
    ]
    assert summary.endswith("1 of 3 checks failed\n")
    assert checks.run_all((check("first", holds=True),))


def test_a_check_whose_subject_is_absent_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def boom() -> bool:
        raise AssertionError

    assert checks.run_all((Check("absent", boom, tmp_path / "absent.py"), Check("here", lambda: True)))
    assert capsys.readouterr().out.endswith("All 1 checks hold\n")


def test_a_check_is_its_exit_code() -> None:
    assert checks.succeeds(sys.executable, "-c", "")()
    assert not checks.succeeds(sys.executable, "-c", "raise SystemExit(1)")()


def test_the_tools_are_there() -> None:
    assert checks.tool("lint-imports", "--help")()
    assert checks.module("ruff", "--version")()


def writing(folder: Path, *files: tuple[str, str]) -> Callable[[], bool]:
    def generate() -> bool:
        for name, content in files:
            (folder / name).write_text(content)
        return True

    return generate


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    folder = tmp_path / "vectors"
    (folder / "deck").mkdir(parents=True)
    (folder / "deck" / "one.json").write_text("1")
    return folder


def test_a_generator_that_writes_the_same_is_fine(vectors: Path) -> None:
    assert checks.unchanged_by(writing(vectors, ("deck/one.json", "1")), vectors)


@pytest.mark.parametrize("file", [("deck/one.json", "2"), ("two.json", "1")], ids=["changed", "new"])
def test_a_generator_that_writes_something_else_is_named(
    file: tuple[str, str], vectors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not checks.unchanged_by(writing(vectors, file), vectors)
    assert f"vectors/{file[0]} is not what the generator writes" in capsys.readouterr().err


def test_a_generator_that_removes_a_file_is_caught(vectors: Path) -> None:
    def generate() -> bool:
        (vectors / "deck" / "one.json").unlink()
        return True

    assert not checks.unchanged_by(generate, vectors)


def test_a_generator_that_fails_is_caught(vectors: Path) -> None:
    assert not checks.unchanged_by(lambda: False, vectors)
