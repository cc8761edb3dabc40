"""Options that several commands share: numbers and seconds, the rules to play by, strategies by name."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from p2prummi.errors import LocalProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2prummi.bots import Strategy
    from p2prummi.rules import Ruleset
    from p2prummi.thinking import StrategyProcess

STRATEGY_HELP: Final = "easy, medium, hard, greedy, one that is installed, or one of your own: MODULE:CLASS"


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def up_to(most: int, refusal: str) -> Callable[[str], int]:
    """What reads a whole number from 1 to `most`, and refuses a higher one in these words."""

    def read(text: str) -> int:
        number = positive(text)
        if number > most:
            raise argparse.ArgumentTypeError(refusal)
        return number

    return read


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


def require_seats(ruleset: Ruleset, seats: int) -> None:
    """Refuse as many seats as the rules don't have, and say how more can play. Raises LocalProtocolError."""
    if not ruleset.allows_players(seats):
        least, most = ruleset.players
        raise LocalProtocolError(
            f"these rules are for {least} to {most} players, not {seats}; for up to 6 take "
            "--set copies=3 --set jokers=4 --set players=2-6"
        )


def make_strategy(name: str) -> Strategy:
    """A new strategy by name, which may be one of the current directory. Raises StrategyError."""
    from p2prummi.bots import load_strategy  # noqa: PLC0415 - the same
    from p2prummi.thinking import made_apart  # noqa: PLC0415 - the same

    _find_own_modules()
    return made_apart(lambda: load_strategy(name))


def strategy_process(name: str, think_seconds: float) -> StrategyProcess:
    """A strategy in a process of its own, found where `make_strategy` finds it. Raises StrategyError."""
    from p2prummi.thinking import StrategyProcess  # noqa: PLC0415 - the same

    _find_own_modules()
    return StrategyProcess(name, think_seconds)


def _find_own_modules() -> None:
    """Let strategies be found in the current directory too.

    A script is started with its own directory in the path; people expect theirs.
    """
    if not {"", str(Path.cwd())} & set(sys.path):
        sys.path.append(str(Path.cwd()))
