"""`p2prummi completion SHELL`: prints the script that teaches a shell to complete p2prummi's commands.

The script is derived from the parser itself, so that a new option is never written down twice. What may stand
behind an option follows from its metavar: `WORDS` has a function for each kind of value of which the program
knows the words, and `FILE` is a file's name. The words are those of the program that prints the script.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from p2prummi.cli.command import Subparsers

SHELLS: Final = ("bash", "zsh", "fish")


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

    for action in actions_of(arguments.parser):
        if action.metavar == "FILE":
            action.complete = shtab.FILE
        elif action.metavar in WORDS:
            # The line is read by now, so that these are no limit on it any more.
            action.choices = WORDS[action.metavar]()
    print(shtab.complete(arguments.parser, shell=arguments.shell))
    return ExitCode.DONE


def actions_of(parser: argparse.ArgumentParser) -> Iterator[Any]:
    """Yield each option and argument of a parser and of its commands; to shtab they have more fields."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to see them
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the same
            for each in action.choices.values():
                yield from actions_of(each)


def _presets() -> list[str]:
    from p2prummi.rules import PRESETS  # noqa: PLC0415 - `--help` must not wait for what a command needs

    return list(PRESETS)


def _settings() -> list[str]:
    """Every field with each of its values where they are few, else with the one that it has at first."""
    from p2prummi.rules import Ruleset, format_setting  # noqa: PLC0415 - the same
    from p2prummi.rules.fields import CHOICES, ENUMERATIONS, PLAYERS_MOST  # noqa: PLC0415 - the same
    from p2prummi.rules.ruleset import FIELD_NAMES  # noqa: PLC0415 - the same

    few: dict[str, Iterable[object]] = {
        **ENUMERATIONS,
        **CHOICES,
        "opening_then_table": (False, True),
        "copies": [copies for copies, _ in PLAYERS_MOST],
        "jokers": [jokers for _, jokers in PLAYERS_MOST],
    }
    words = []
    for name in FIELD_NAMES:
        values = [f"{name}={_typed(value)}" for value in few.get(name, ())]
        words += values or [format_setting(Ruleset(), name)]
    return words


def _typed(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


def _levels() -> list[str]:
    from p2prummi.bots import LEVELS  # noqa: PLC0415 - the same

    return list(LEVELS)


def _strategies() -> list[str]:
    from p2prummi.bots import INCLUDED  # noqa: PLC0415 - the same

    return list(INCLUDED)


def _companies() -> list[str]:
    from p2prummi.cli.play import BOTS_MAX  # noqa: PLC0415 - the same

    ends = ["", *(f":{level}" for level in _levels())]
    return [f"{count}{end}" for count in range(1, BOTS_MAX + 1) for end in ends]


WORDS: Final[Mapping[str, Callable[[], list[str]]]] = {
    "PRESET": _presets,
    "FIELD=VALUE": _settings,
    "LEVEL": _levels,
    "STRATEGY": _strategies,
    "N[:LEVEL]": _companies,
}
"""The words that may stand for a metavar."""
