"""`p2prummi completion SHELL`: prints the script that teaches a shell to complete p2prummi's commands.

The script is derived from the parser itself, so that a new option is never written down twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    import argparse

    from p2prummi.cli.command import Subparsers

SHELLS = ("bash", "zsh", "fish")


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "completion",
        summary="print the completion script for a shell",
        example="p2prummi completion fish > ~/.config/fish/completions/p2prummi.fish",
        run=run,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that will read the script")


def run(arguments: argparse.Namespace) -> int:
    """Print the script for the parser that read these arguments."""
    import shtab  # noqa: PLC0415 - only this command needs it

    print(shtab.complete(arguments.parser, shell=arguments.shell))
    return ExitCode.DONE
