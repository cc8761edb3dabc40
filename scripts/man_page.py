"""The manual page, made whenever a wheel is built for others, from the very parser that answers `--help`.

So it names every command and option that there is and no other, and is never older than the program. The
wheel brings it to `share/man/man1`, where `man` looks (`pyproject.toml` names the hook). The page has neither
a date nor a width in it: the same program gives the same page everywhere. What the exit codes mean is
`p2prummi/cli/exit_codes.py`'s. To look at it: `python scripts/man_page.py | man -l -`.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
INSTALLED = "share/man/man1/p2prummi.1"
DESCRIPTION = """\
Rummikub in a terminal, over the local network. Everyone in a room runs this same program: all shuffle the
encrypted tiles and prove it, and each checks every move and every score for itself.

`p2prummi play --bots 3` is a game at once; in the console, `help` shows everything that can be typed.
Results go to standard output, all else to standard error."""
ENVIRONMENT = (
    ("P2PRUMMI_CODE", "The code of a room that asks for one (`--code`); others can see arguments."),
    ("NO_COLOR", "If it is not empty, the console uses no colours."),
    ("LC_ALL, LC_CTYPE, LANG", "Without UTF-8 in them the console keeps to ASCII."),
    ("XDG_STATE_HOME", "Where the identity key, known players and logs are (Linux)."),
    ("XDG_DATA_HOME", "Where finished matches are kept (Linux)."),
)


class ManPageHook(BuildHookInterface[Any]):
    """Puts the page into a wheel that is being built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the page, and name it among the files that are installed beside the package."""
        self._folder = tempfile.TemporaryDirectory()
        if version != "standard":
            # A tree that is worked in is no place to look manuals up in.
            return
        page = Path(self._folder.name) / Path(INSTALLED).name
        page.write_text(own_man_page(), encoding="utf-8", newline="\n")
        build_data["shared_data"][str(page)] = INSTALLED

    def finalize(self, *_: object) -> None:
        """Remove what was made for the build."""
        self._folder.cleanup()


def own_man_page() -> str:
    """The page of the program in this tree, which is not installed while it is being built."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from p2prummi import __version__  # noqa: PLC0415 - the path must be there first
    from p2prummi.cli.exit_codes import MEANINGS  # noqa: PLC0415 - the same
    from p2prummi.cli.main import build_parser  # noqa: PLC0415 - the same

    return man_page(build_parser(), __version__, {int(code): words for code, words in MEANINGS.items()})


def man_page(parser: argparse.ArgumentParser, version: str, exit_codes: dict[int, str]) -> str:
    """The page of a command line, as text for `man`."""
    return "\n".join([*_lines(parser, version, exit_codes), ""])


def _lines(parser: argparse.ArgumentParser, version: str, exit_codes: dict[int, str]) -> Iterator[str]:
    name = parser.prog
    yield f'.TH {name.upper()} 1 "" "{name} {version}" "User commands"'
    yield ".SH NAME"
    yield rf"{name} \- {_text((parser.description or '').rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield rf"\fB{name}\fR \fICOMMAND\fR [\fIOPTION\fR]..."
    yield ".SH DESCRIPTION"
    yield _text(DESCRIPTION).replace("\n\n", "\n.PP\n")
    yield ".SH OPTIONS"
    yield from _options(parser)
    yield ".SH COMMANDS"
    for command in _commands(parser):
        yield from _command(command)
    yield ".SH EXIT STATUS"
    for code, meaning in exit_codes.items():
        yield from _term(str(code), _sentence(meaning))
    yield ".SH ENVIRONMENT"
    for variables, words in ENVIRONMENT:
        yield from _term(variables, words)


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # noqa: SLF001 - argparse has no other way to see them


def _commands(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    (subparsers,) = (action for action in _actions(parser) if _is_list_of_commands(action))
    return list(dict(subparsers.choices or {}).values())


def _is_list_of_commands(action: argparse.Action) -> bool:
    return action.nargs == argparse.PARSER


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield " ".join([".SS", _text(parser.prog), *map(_argument, _positionals(parser))])
    yield _text(parser.description or "")
    yield from _options(parser)
    _, _, example = (parser.epilog or "").partition("example:\n")
    yield from (".PP", "Example:", ".PP", ".nf", *map(_text, example.splitlines()), ".fi")


def _positionals(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [
        action
        for action in _actions(parser)
        if not action.option_strings and not _is_list_of_commands(action)
    ]


def _argument(action: argparse.Action) -> str:
    """A positional argument as the synopsis has it: optional ones in brackets, repeated ones with dots."""
    value = _value(action)
    return {"?": f"[{value}]", "+": f"{value}...", "*": f"[{value}...]"}.get(str(action.nargs), value)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in _positionals(parser):
        yield from (".TP", _value(action), _help(action, parser))
    for action in _actions(parser):
        if action.option_strings:
            names = ", ".join(rf"\fB{_text(each)}\fR" for each in action.option_strings)
            yield from (".TP", names if action.nargs == 0 else f"{names} {_value(action)}")
            yield _help(action, parser)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    return _text(_sentence((action.help or "") % {**vars(action), "prog": parser.prog}))


def _value(action: argparse.Action) -> str:
    """What stands for a value, as `--help` has it."""
    if action.metavar is None and action.choices is not None:
        return "|".join(rf"\fB{_text(str(choice))}\fR" for choice in action.choices)
    return rf"\fI{_text(str(action.metavar or action.dest.upper()))}\fR"


def _term(term: str, words: str) -> Iterator[str]:
    yield from (".TP", rf"\fB{_text(term)}\fR", _text(words))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _text(text: str) -> str:
    """The text without anything that `man` would take for its own: escapes, requests, typographic hyphens."""
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga").replace("'", r"\(aq")
    return re.sub(r"(?m)^\.", r"\\&.", plain)


if __name__ == "__main__":
    sys.stdout.write(own_man_page())
