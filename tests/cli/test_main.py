"""The door to the commands: usage, exit codes, help with examples, errors in one line, quick imports."""

from __future__ import annotations

import argparse
import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from p2prummi import __version__
from p2prummi.cli import main as cli
from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.errors import FaultCode, LocalProtocolError, P2PRummiError, RemoteProtocolError
from tests.cli.parsers import command_parsers

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2prummi.cli.command import Subparsers

HEAVY_MODULES = {
    "asyncio",
    "btclib_secp256k1",
    "cryptography",
    "hypothesis",
    "msgpack",
    "prompt_toolkit",
    "shtab",
    "ssl",
    "zeroconf",
}


class FakeCommands:
    """A command module with one command, `fake`, that does what the test says."""

    def __init__(self, run: Callable[[argparse.Namespace], int]) -> None:
        self.run = run

    def add_parser(self, subparsers: Subparsers) -> None:
        add_command(subparsers, "fake", summary="do it", example="p2prummi fake", run=self.run)


@pytest.fixture
def run_fake(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[argparse.Namespace], int]], int]:
    """Return a function that runs the command line `fake` with a command of the test's own."""

    def run(command: Callable[[argparse.Namespace], int]) -> int:
        monkeypatch.setattr(cli, "COMMANDS", (FakeCommands(command),))
        return cli.main(["fake"])

    return run


def raising(error: BaseException) -> Callable[[argparse.Namespace], int]:
    def command(_: argparse.Namespace) -> int:
        raise error

    return command


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == ExitCode.DONE
    assert capsys.readouterr().out == f"p2prummi {__version__}\n"


@pytest.mark.parametrize("line", [[], ["no-such-command"], ["--no-such-option"], ["--vers"]])
def test_wrong_usage(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(line)
    assert ended.value.code == ExitCode.WRONG_USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("usage: p2prummi")


@pytest.mark.parametrize("name", sorted(command_parsers()))
def test_every_command_has_help_with_an_example_of_itself(name: str) -> None:
    parser = command_parsers()[name]
    assert parser.get_default("run") is not None
    assert f"p2prummi {name}" in (parser.epilog or "").partition("example:\n")[2]
    parser.format_help()


def test_the_code_that_a_command_returns(run_fake: Callable[..., int]) -> None:
    assert run_fake(lambda _: ExitCode.NO) == ExitCode.NO


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RemoteProtocolError(FaultCode.OUT_OF_TURN, "it is B's turn"), ExitCode.PEER_FAULT),
        (LocalProtocolError("a room is open already"), ExitCode.WRONG_USAGE),
        (P2PRummiError("no such preset"), ExitCode.WRONG_USAGE),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_an_error_is_one_line_and_a_code(
    error: BaseException, code: ExitCode, run_fake: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_fake(raising(error)) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"p2prummi: {error}\n"


@pytest.mark.parametrize(
    ("error", "words", "code"),
    [
        (OSError(errno.ENOENT, "x", "game"), "there is no file game", ExitCode.WRONG_USAGE),
        (OSError(errno.EISDIR, "x", "game"), "game is a directory, not a file", ExitCode.WRONG_USAGE),
        (OSError(errno.EACCES, "x", "game"), "this account may not use game", ExitCode.WRONG_USAGE),
        (OSError(errno.ENOTDIR, "Not so", "game"), "game: Not so", ExitCode.WRONG_USAGE),
        (OSError(errno.ENOSPC, "x", "game"), "there is no room left for game", ExitCode.WRONG_USAGE),
        (OSError(errno.ENOSPC, "x"), "there is no room left where the output goes", ExitCode.WRONG_USAGE),
        (OSError(errno.ECONNREFUSED, "Connection refused"), "Connection refused", ExitCode.NETWORK),
        (OSError("nobody answers"), "nobody answers", ExitCode.NETWORK),
    ],
    ids=str,
)
def test_an_error_of_the_system_is_told_in_words(
    error: OSError,
    words: str,
    code: ExitCode,
    run_fake: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_fake(raising(error)) == code
    assert capsys.readouterr().err == f"p2prummi: {words}\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only there a device is always full")
@pytest.mark.parametrize("line", [["rules"], ["verify", "--json", __file__]])
def test_output_that_has_no_room_is_no_trouble_of_the_network(line: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "p2prummi", *line],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == "p2prummi: there is no room left where the output goes\n"
    assert done.returncode == ExitCode.WRONG_USAGE


def test_an_error_cannot_write_to_the_terminal(
    run_fake: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    run_fake(raising(P2PRummiError("the name\n is \x1b[2J\u202ebad")))
    assert capsys.readouterr().err == "p2prummi: the name is ?[2J?bad\n"


def test_a_bug_is_not_hidden(run_fake: Callable[..., int]) -> None:
    with pytest.raises(ZeroDivisionError):
        run_fake(raising(ZeroDivisionError()))


def test_interrupted(run_fake: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_fake(raising(KeyboardInterrupt())) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("line", [["completion", "bash"], ["--version"]], ids=["more than a buffer", "less"])
def test_a_reader_that_has_left_is_no_error(line: list[str]) -> None:
    command = [sys.executable, "-m", "p2prummi", *line]
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=buffered) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == ExitCode.DONE


def test_building_the_parser_imports_nothing_heavy() -> None:
    program = "import sys, p2prummi.cli.main as cli; cli.build_parser(); print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert HEAVY_MODULES & set(answer.stdout.split()) == set()


@pytest.mark.skipif(os.name != "posix", reason="only these systems' shell starts a program without streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["solve", "check", "rules"])
def test_a_program_without_its_streams_ends_without_a_traceback(closed: str, command: str) -> None:
    line = f'"{sys.executable}" -m p2prummi {command} {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, check=False, text=True
    )
    assert done.returncode in {ExitCode.DONE, ExitCode.NO, ExitCode.WRONG_USAGE}
    assert "Traceback" not in done.stderr + done.stdout


def test_what_a_stream_can_not_encode_is_written_in_other_words() -> None:
    source = "from p2prummi.cli import main; main._complete_streams(); print('\u00b1')"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", source], env=environment, capture_output=True, check=True, text=True
    )
    assert done.stdout.strip() == "\\xb1"
