"""Options that several commands share: numbers and seconds, the rules to play by, strategies by name."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from p2prummi.errors import LocalProtocolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.rules import Ruleset


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def seconds(text: str) -> float:
    """A number of seconds above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return number


def add_rules_arguments(parser: argparse.ArgumentParser, rules_help: str) -> None:
    """Add `--rules` and `--set`."""
    parser.add_argument("--rules", default="official", metavar="PRESET", help=rules_help)
    parser.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help="change a rule; may be repeated"
    )


def make_ruleset(preset: str, settings: Sequence[str]) -> Ruleset:
    """The rules of that preset, changed by settings such as `rounds=3`.

    Raises RulesetError, LocalProtocolError.
    """
    from p2prummi.rules import PRESETS, with_settings  # noqa: PLC0415 - `--help` must not wait for it

    if preset not in PRESETS:
        raise LocalProtocolError(f"there are no rules {preset!r}; take one of: {', '.join(PRESETS)}")
    return with_settings(PRESETS[preset], settings)


def find_own_modules() -> None:
    """Let strategies be found in the current directory too.

    A script is started with its own directory in the path; people expect theirs.
    """
    if not {"", str(Path.cwd())} & set(sys.path):
        sys.path.append(str(Path.cwd()))
