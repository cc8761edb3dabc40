"""The door to every command: builds the parser, runs the command, turns what went wrong into an exit code.

Rules:

- `COMMANDS` lists the command modules; what each of them offers is in `command.py`.
- Results go to stdout, all else to stderr. What a command lets through ends in one line there and an exit
  code (`exit_codes.py`), never in a traceback: a traceback is a bug of the program's own.
- A reader that has had enough (`p2prummi rooms | head -1`) is no error. A broken pipe always means that
  reader here: a broken connection to a peer is for the layers below to handle.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import TYPE_CHECKING

from p2prummi import __version__
from p2prummi.cli import arena, bot, completion, engine, play, rooms, solve, verify
from p2prummi.cli.exit_codes import ExitCode, exit_code_of, words_of
from p2prummi.errors import P2PRummiError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.cli.command import CommandModule

COMMANDS: tuple[CommandModule, ...] = (play, bot, rooms, engine, solve, arena, verify, completion)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; what it parses knows it as `parser`."""
    parser = argparse.ArgumentParser(
        prog="p2prummi",
        description="Rummikub over the local network: no server, no host, no trust.",
        epilog="example:\n  p2prummi COMMAND --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"p2prummi {__version__}")
    parser.set_defaults(parser=parser)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True)
    for module in COMMANDS:
        module.add_parser(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, by default the process's own, and return its exit code.

    Raises:
        SystemExit: from argparse, after `--help` and `--version` (0) and for a line it can't parse (2).
    """
    _complete_streams()
    try:
        return run(arguments)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # What is still in the buffer would raise again when the interpreter flushes it at exit.
        _drop_output()
        return ExitCode.DONE
    except (P2PRummiError, OSError) as error:
        print(f"p2prummi: {one_line(words_of(error))}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        return exit_code_of(error)


def _complete_streams() -> None:
    """Gives the process the streams that it was started without, and words for what theirs can't encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - it stays open
        elif mode == "w" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Lets what can't be printed go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: Sequence[str] | None) -> int:
    """Parse the command line and run its command; whatever was printed has arrived when this returns."""
    try:
        parsed = build_parser().parse_args(arguments)
        code: int = parsed.run(parsed)
    finally:
        sys.stdout.flush()
    return code


def one_line(text: str) -> str:
    """Return the text as one line without control characters: a part of it may come from the network."""
    return "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))
