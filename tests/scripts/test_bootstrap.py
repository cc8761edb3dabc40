"""The set-up of `.venv`: done once, mended when half done, and told in words when it can't be done.

The environments here are real ones without pip; only the installing is a fake, since tests don't use the net.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import bootstrap
import pytest
from bootstrap import RUNTIME_LOCK, TEST_LOCK, Environment, SetupError

if TYPE_CHECKING:
    from collections.abc import Callable

posix_only = pytest.mark.skipif(os.name == "nt", reason="symbolic links and inherited locks are for Unix")


class Steps:
    """Stands in for `Environment.run`: makes real environments, only notes what would be installed."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.failing: str | None = None

    def __call__(self, environment: Environment, what: str, command: list[str]) -> None:
        self.taken.append(what)
        if what == self.failing:
            raise SetupError(f"Could not {what}")
        if "venv" in command:
            venv.create(environment.folder, symlinks=os.name != "nt")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    steps = Steps()
    monkeypatch.setattr(Environment, "run", lambda environment, *step: steps(environment, *step))  # noqa: PLW0108 - an object is not bound as a method
    return steps


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    root = tmp_path / "project"
    root.mkdir()
    for name in (RUNTIME_LOCK, TEST_LOCK, "pyproject.toml"):
        (root / name).write_text(f"content of {name}")
    return Environment(root)


MAKE = "make the environment"
INSTALL_RUNTIME = [f"install {RUNTIME_LOCK}", "install p2prummi"]
INSTALL_TEST = [f"install {TEST_LOCK}", "install p2prummi"]
ANEW = [MAKE, *INSTALL_RUNTIME]


def steps_of_a_second_run(environment: Environment, steps: Steps, lock: str = RUNTIME_LOCK) -> list[str]:
    steps.taken.clear()
    environment.make_ready(lock)
    return list(steps.taken)


def test_the_first_run_does_everything_and_the_second_nothing(environment: Environment, steps: Steps) -> None:
    environment.make_ready(RUNTIME_LOCK)
    assert steps.taken == ANEW
    assert steps_of_a_second_run(environment, steps) == []


def test_installing_checks_hashes_and_takes_the_project_alone(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(Environment, "run", lambda _self, _what, command: commands.append(command))
    environment.install(RUNTIME_LOCK)
    locked, project = commands
    assert "--require-hashes" in locked
    assert locked[-1] == str(environment.root / RUNTIME_LOCK)
    assert {"--no-deps", "--no-index", "--no-build-isolation"} <= set(project)


@pytest.mark.parametrize("changed", [RUNTIME_LOCK, "pyproject.toml"])
def test_another_lock_is_installed_into_what_is_there(
    changed: str, environment: Environment, steps: Steps
) -> None:
    environment.make_ready(RUNTIME_LOCK)
    (environment.root / changed).write_text("changed")
    assert steps_of_a_second_run(environment, steps) == INSTALL_RUNTIME
    assert steps_of_a_second_run(environment, steps) == []


def test_the_test_lock_covers_the_runtime_lock_and_not_the_other_way(
    environment: Environment, steps: Steps
) -> None:
    environment.make_ready(RUNTIME_LOCK)
    assert steps_of_a_second_run(environment, steps, TEST_LOCK) == INSTALL_TEST
    assert steps_of_a_second_run(environment, steps, RUNTIME_LOCK) == []


@pytest.mark.parametrize("failing", ANEW)
def test_a_set_up_that_broke_off_is_made_anew(failing: str, environment: Environment, steps: Steps) -> None:
    steps.failing = failing
    with pytest.raises(SetupError):
        environment.make_ready(RUNTIME_LOCK)
    steps.failing = None
    assert steps_of_a_second_run(environment, steps) == ANEW


def test_an_update_that_broke_off_is_made_anew(environment: Environment, steps: Steps) -> None:
    environment.make_ready(RUNTIME_LOCK)
    steps.failing = INSTALL_TEST[0]
    with pytest.raises(SetupError):
        environment.make_ready(TEST_LOCK)
    assert steps_of_a_second_run(environment, steps) == ANEW


def without_stamp(environment: Environment) -> None:
    environment.stamp.unlink()


def with_a_broken_stamp(environment: Environment) -> None:
    environment.stamp.write_text('{"facts"')


def with_a_list_for_a_stamp(environment: Environment) -> None:
    environment.stamp.write_text("[]")


def stamped_elsewhere(environment: Environment) -> None:
    stamp = json.loads(environment.stamp.read_text())
    stamp["facts"]["root"] = "/elsewhere"
    environment.stamp.write_text(json.dumps(stamp))


def without_interpreter(environment: Environment) -> None:
    environment.python.unlink()


def with_a_foreign_interpreter(environment: Environment) -> None:
    (environment.folder / "pyvenv.cfg").unlink()


def as_a_file(environment: Environment) -> None:
    shutil.rmtree(environment.folder)
    environment.folder.write_text("")


@pytest.mark.parametrize(
    "damage",
    [
        without_stamp,
        with_a_broken_stamp,
        with_a_list_for_a_stamp,
        stamped_elsewhere,
        without_interpreter,
        with_a_foreign_interpreter,
        as_a_file,
    ],
)
def test_what_is_damaged_is_made_anew(
    damage: Callable[[Environment], None], environment: Environment, steps: Steps
) -> None:
    environment.make_ready(RUNTIME_LOCK)
    left_over = environment.folder / "left-over"
    left_over.touch()
    damage(environment)
    assert steps_of_a_second_run(environment, steps) == ANEW
    assert not left_over.exists()
    assert steps_of_a_second_run(environment, steps) == []


def test_another_python_makes_its_own(
    environment: Environment, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.make_ready(RUNTIME_LOCK)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "version", "3.99.0")
        assert steps_of_a_second_run(environment, steps) == ANEW
    environment.make_ready(RUNTIME_LOCK)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "_base_executable", str(environment.root / "other-python"), raising=False)
        assert not environment.is_whole()


def test_a_removal_that_broke_off_leaves_no_stamp(
    environment: Environment, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rmtree(_: Path) -> None:
        raise PermissionError

    environment.make_ready(RUNTIME_LOCK)
    stamped_elsewhere(environment)
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", rmtree)
        with pytest.raises(PermissionError):
            environment.make_ready(RUNTIME_LOCK)
    assert not environment.stamp.exists()
    assert steps_of_a_second_run(environment, steps) == ANEW


def test_a_project_that_was_moved_is_set_up_anew(environment: Environment, steps: Steps) -> None:
    environment.make_ready(RUNTIME_LOCK)
    moved = Environment(environment.root.rename(environment.root.with_name("moved")))
    assert steps_of_a_second_run(moved, steps) == ANEW


@posix_only
def test_a_link_is_replaced_and_what_it_leads_to_is_left(
    environment: Environment, steps: Steps, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    environment.folder.symlink_to(elsewhere)
    environment.make_ready(RUNTIME_LOCK)
    assert steps.taken == ANEW
    assert not environment.folder.is_symlink()
    assert (elsewhere / "kept").exists()


def test_one_set_up_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with bootstrap.only_one_setup(path), path.open("a") as second:
        assert not bootstrap.try_lock(second.fileno())
    with path.open("a") as third:
        assert bootstrap.try_lock(third.fileno())


def test_a_second_set_up_waits_and_finds_the_work_done(
    environment: Environment,
    steps: Steps,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    attempts = iter([False, True])

    def try_lock(_: int) -> bool:
        if not (taken := next(attempts)):
            monkeypatch.setattr(bootstrap, "only_one_setup", lambda _: open(os.devnull))  # noqa: PTH123,SIM115 - a lock for nothing
            environment.make_ready(RUNTIME_LOCK)
            steps.taken.clear()
        return taken

    monkeypatch.setattr(bootstrap, "try_lock", try_lock)
    environment.make_ready(RUNTIME_LOCK)
    assert steps.taken == []
    assert "Another set-up is running" in capsys.readouterr().err


@posix_only
def test_a_step_that_outlives_its_killed_parent_keeps_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a") as first:
        assert bootstrap.try_lock(first.fileno())
        program = [sys.executable, "-c", "input()"]
        step = subprocess.Popen(program, stdin=subprocess.PIPE, close_fds=False)
    with path.open("a") as second:
        assert not bootstrap.try_lock(second.fileno())
        step.communicate(b"\n")
        assert bootstrap.try_lock(second.fileno())


@posix_only
def test_a_step_inherits_the_lock(environment: Environment) -> None:
    with (environment.root / "lock").open("a") as file:
        assert bootstrap.try_lock(file.fileno())
        program = "import os, sys; os.fstat(int(sys.argv[1]))"
        environment.run("look for the lock", [sys.executable, "-c", program, str(file.fileno())])


def test_a_step_leaves_stdout_and_stdin_alone() -> None:
    step = [sys.executable, "-c", "import sys; print('heard', repr(sys.stdin.read()))"]
    program = f"import pathlib, bootstrap; bootstrap.Environment(pathlib.Path()).run('speak', {step!r})"
    command = [sys.executable, "-c", program]
    scripts = Path(bootstrap.__file__).parent
    done = subprocess.run(command, cwd=scripts, input="typed", capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "heard ''\n")


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_what_to_install(
    module: str, environment: Environment, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else find(name))
    with pytest.raises(SetupError, match=rf"without its module '{module}'.*python3-venv"):
        environment.make_ready(RUNTIME_LOCK)
    assert steps.taken == []


@pytest.mark.parametrize("program", [["-c", "raise SystemExit(7)"], None], ids=["fails", "is missing"])
def test_a_step_that_fails_is_told(program: list[str] | None, environment: Environment) -> None:
    command = [sys.executable, *program] if program else [str(environment.root / "absent")]
    with pytest.raises(SetupError, match="Could not try it"):
        environment.run("try it", command)


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (SetupError("no venv"), bootstrap.SETUP_FAILED, "no venv\n"),
        (PermissionError(13, "Permission denied"), bootstrap.SETUP_FAILED, "Could not set up"),
        (KeyboardInterrupt(), bootstrap.INTERRUPTED, "Interrupted"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_what_stops_the_set_up_is_told_in_words(
    error: BaseException,
    code: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def make_ready(_self: Environment, _lock: str) -> None:
        raise error

    monkeypatch.setattr(Environment, "make_ready", make_ready)
    assert bootstrap.main(RUNTIME_LOCK, ["-m", "p2prummi"], []) == code
    captured = capsys.readouterr()
    assert captured.err.startswith(text)
    assert captured.out == ""


def test_handing_over_with_the_arguments_as_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[list[str]] = []
    monkeypatch.setattr(Environment, "make_ready", lambda _self, _lock: None)

    def hand_over(command: list[str]) -> int:
        handed.append(command)
        return 4

    monkeypatch.setattr(bootstrap, "hand_over", hand_over)
    assert bootstrap.main(RUNTIME_LOCK, ["-m", "p2prummi", "play"], ["--room", "a b"]) == 4
    python = str(Environment(bootstrap.ROOT).python)
    assert handed == [[python, "-m", "p2prummi", "play", "--room", "a b"]]


@posix_only
def test_handing_over_becomes_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    become: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(os, "execv", lambda path, command: become.append((path, command)))
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    bootstrap.hand_over(["/x/python", "-V"])
    assert become == [("/x/python", ["/x/python", "-V"])]


def test_windows_waits_for_the_program_and_passes_its_code_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "WINDOWS", True)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert bootstrap.hand_over([sys.executable, "-c", "raise SystemExit(5)"]) == 5
    assert Environment(Path("x")).python == Path("x", ".venv", "Scripts", "python.exe")


@pytest.mark.parametrize("name", ["play.py", "test.py"])
def test_an_old_python_is_told_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4, "final", 0))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer.*this is Python 3\.10\.$"):
        runpy.run_path(bootstrap.script(name))


@pytest.mark.parametrize("name", ["play.py", "test.py"])
def test_an_old_python_can_read_that_far(name: str) -> None:
    tree = ast.parse(Path(bootstrap.script(name)).read_text(encoding="utf-8"))
    too_new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Starred, ast.FunctionDef, ast.Match)
    assert [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, too_new)] == []
