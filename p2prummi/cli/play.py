"""`p2prummi play`: the console, for a person at a terminal.

What the arguments mean for the room is the same as for a bot (`bot.py`); here they become the console's
settings, and its outcome an exit code. With `--bots` the program brings its own company: a room of its own,
and bots that join it.
"""

from __future__ import annotations

import argparse
import getpass
import os
import secrets
import sys
from typing import TYPE_CHECKING, Self

from p2prummi.cli.bot import CODE_VARIABLE, add_room_arguments, make_wish
from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.errors import LocalProtocolError

if TYPE_CHECKING:
    from p2prummi.cli.command import Subparsers
    from p2prummi.console.companions import BotTerms
    from p2prummi.net.identity import Profile
    from p2prummi.net.jsonlog import JsonLog
    from p2prummi.net.meeting import Wish

BOTS_MAX = 5
NO_TERMINAL = (
    "play draws on a terminal, and there is none here; scripts and services use `p2prummi bot --room NAME`"
)


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "play",
        summary="play in the console: see the rooms in this network, open one, join one",
        example="p2prummi play --bots 3\n  p2prummi play --room kitchen --rules nl-digitaal --players 3",
        run=run,
    )
    parser.add_argument("--room", metavar="NAME", help="join the room of this name, or open it")
    add_room_arguments(parser)
    parser.add_argument(
        "--bots", type=_bots, metavar="N[:LEVEL]", help="play with N bots at once; the level is easy"
    )
    parser.add_argument(
        "--tiles", choices=("letters", "ascii"), default="letters", help="how tiles and marks look (letters)"
    )
    parser.add_argument("--json-log", metavar="FILE", help="write what happens there, one JSON object a line")


def _bots(text: str) -> tuple[int, str]:
    count, _, level = text.partition(":")
    if not count.isascii() or not count.isdecimal() or not 1 <= int(count) <= BOTS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bots from 1 to {BOTS_MAX}")
    return int(count), level or "easy"


def run(arguments: argparse.Namespace) -> int:
    """Run the console until it is left."""
    if not _has_terminal():
        print(f"p2prummi: {NO_TERMINAL}", file=sys.stderr)
        return ExitCode.WRONG_USAGE
    from p2prummi.net.identity import open_profile  # noqa: PLC0415 - `--help` must not wait for it

    has_room = arguments.room is not None or arguments.bots is not None
    wish = _wish(arguments)
    profile = open_profile()
    try:
        return _play(arguments, wish, profile, has_room=has_room)
    finally:
        profile.release()


def _has_terminal() -> bool:
    is_dumb = os.name == "posix" and os.environ.get("TERM", "dumb") in {"", "dumb", "unknown"}
    return sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb


def _wish(arguments: argparse.Namespace) -> Wish:
    """The room to go to, or the terms of rooms that will be opened.

    Raises LocalProtocolError, RulesetError.
    """
    arguments.room = arguments.room or f"{_own_name(arguments)[:16]}-{secrets.token_hex(2)}"
    if arguments.bots is not None:
        count, level = arguments.bots
        arguments.players = arguments.players or count + 1
        if arguments.players <= count:
            raise LocalProtocolError(
                f"{count} bots and you need {count + 1} seats, not {arguments.players}: leave --players out"
            )
        from p2prummi.bots import strategy_of_level  # noqa: PLC0415 - the same

        strategy_of_level(level)
    return make_wish(arguments)


def _own_name(arguments: argparse.Namespace) -> str:
    from p2prummi.wire import limits  # noqa: PLC0415 - the same

    if arguments.name:
        return str(arguments.name)
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name.encode()[: limits.NAME_BYTES_MAX].decode(errors="ignore") or "player"


def _play(arguments: argparse.Namespace, wish: Wish, profile: Profile, *, has_room: bool) -> int:
    import asyncio  # noqa: PLC0415 - the same

    from p2prummi.console.companions import Companions  # noqa: PLC0415 - the same
    from p2prummi.console.program import Surroundings, play  # noqa: PLC0415 - the same
    from p2prummi.console.settings import Outcome, Settings  # noqa: PLC0415 - the same
    from p2prummi.crypto.room_code import make_room_code  # noqa: PLC0415 - the same
    from p2prummi.net.listening import PortError  # noqa: PLC0415 - the same

    code = make_room_code(secrets.token_bytes) if wish.with_code and wish.code is None else wish.code
    settings = Settings(
        ruleset=wish.ruleset,
        players=arguments.players,
        with_code=wish.with_code,
        code=code,
        room=wish.name if has_room else None,
        connect=arguments.connect,
        ready=arguments.bots is not None,
    )
    surroundings = Surroundings(
        environment=os.environ,
        encoding=sys.stdout.encoding or "ascii",
        ascii_asked=arguments.tiles == "ascii",
        listening_port=arguments.port,
    )
    companions = None
    if arguments.bots is not None:
        terms = _bot_terms(arguments, wish, code.digits if code is not None else None)
        companions = Companions(terms, profile.directory, os.environ)
    name = _own_name(arguments)
    with _JsonFile(arguments.json_log, profile.key.public) as json_log:
        try:
            ending = asyncio.run(
                play(profile, name, settings, surroundings, companions=companions, json_log=json_log.log)
            )
        except PortError as error:
            print(f"p2prummi: {error}", file=sys.stderr)
            return ExitCode.NETWORK
    if ending.kept:
        print(ending.kept)
    return {
        Outcome.DONE: ExitCode.DONE,
        Outcome.ENDED_EARLY: ExitCode.ENDED_EARLY,
        Outcome.PEER_FAULT: ExitCode.PEER_FAULT,
        Outcome.INTERRUPTED: ExitCode.INTERRUPTED,
    }[ending.outcome]


def _bot_terms(arguments: argparse.Namespace, wish: Wish, code_digits: str | None) -> BotTerms:
    from p2prummi.console.companions import BotTerms  # noqa: PLC0415 - the same
    from p2prummi.rules import format_setting  # noqa: PLC0415 - the same

    count, level = arguments.bots
    return BotTerms(
        room=wish.name,
        count=count,
        level=level,
        rules=wish.ruleset.name,
        players=wish.seats,
        settings=tuple(format_setting(wish.ruleset, name) for name in wish.ruleset.changes()),
        ends_well=frozenset({ExitCode.DONE, ExitCode.ENDED_EARLY}),
        code_digits=code_digits,
        code_variable=CODE_VARIABLE,
    )


class _JsonFile:
    """The file of `--json-log`, if there is one, as a JsonLog while the block runs."""

    def __init__(self, path: str | None, own_key: bytes) -> None:
        self._own_key = own_key
        try:
            self._file = None if path is None else open(path, "a", encoding="utf-8")  # noqa: PTH123, SIM115 - see exit
        except OSError as error:
            reason = "there is no such directory" if isinstance(error, FileNotFoundError) else error.strerror
            raise LocalProtocolError(f"the file {path} of --json-log can't be written: {reason}") from error
        self.log: JsonLog | None = None

    def __enter__(self) -> Self:
        from p2prummi.net.jsonlog import JsonLog  # noqa: PLC0415 - the same

        if self._file is not None:
            file = self._file

            def write(line: str) -> None:
                file.write(line)
                file.flush()

            self.log = JsonLog(write, self._own_key)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
