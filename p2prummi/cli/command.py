"""What a module of commands offers to `main.py`, and the one way in which a command gets its parser.

Rules: a command module has `add_parser(subparsers)`, which calls `add_command` for each of its commands; the
`run` given there takes the parsed arguments and returns an exit code. Because every parser is built before
`--help` can be answered, a command module imports the libraries and layers that it needs inside `run`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    # argparse has no public name for what `add_subparsers` returns.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - see above


class CommandModule(Protocol):
    """A module that offers commands."""

    @property
    def add_parser(self) -> Callable[[Subparsers], None]:
        """The function that adds the module's commands."""


def add_command(
    subparsers: Subparsers,
    name: str,
    *,
    summary: str,
    example: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    """Add a command and return its parser, ready for its options.

    Args:
        subparsers: where the command goes.
        name: what the user types.
        summary: a line for the list of commands, starting in lower case.
        example: a whole command line, or several lines, shown under the command's help.
        run: does the command's work and returns its exit code.
    """
    parser = subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[:1].upper()}{summary[1:]}.",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser
