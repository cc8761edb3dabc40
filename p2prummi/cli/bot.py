"""`p2prummi bot --room R`: bot peers without a console, one a process, which end with their match's outcome.

With `--count N` this process starts N others, each with its own identity, and ends with the first outcome
among theirs that is not well. A room's code is never an argument, since others can see those: it comes from
the environment (P2PRUMMI_CODE) or is asked for. What a bot does is `p2prummi.headless`'s.
"""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import secrets
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.cli.options import (
    STRATEGY_HELP,
    add_rules_arguments,
    make_ruleset,
    make_strategy,
    positive,
    require_seats,
    seconds,
    strategy_process,
    up_to,
)
from p2prummi.cli.output import own_streams
from p2prummi.errors import LocalProtocolError

if TYPE_CHECKING:
    import asyncio

    from p2prummi.bots import Strategy
    from p2prummi.cli.command import Subparsers
    from p2prummi.cli.output import Streams
    from p2prummi.crypto.room_code import RoomCode
    from p2prummi.net.meeting import Wish

CODE_VARIABLE = "P2PRUMMI_CODE"
COUNT_MAX = 32
PORT_MAX = 65535
STOP_SECONDS_MAX = 5.0
STANDARD_INPUT = 0


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "bot",
        summary="run bots, each a peer of its own that joins the room or opens it",
        example="p2prummi bot --room kitchen --players 4 --count 3",
        run=run,
    )
    parser.add_argument("--room", required=True, metavar="NAME", help="the room to join, or to open")
    add_room_arguments(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--level", metavar="LEVEL", help="how well it plays (easy)")
    how.add_argument("--strategy", metavar="STRATEGY", help=STRATEGY_HELP)
    parser.add_argument(
        "--count",
        type=up_to(COUNT_MAX, f"at most {COUNT_MAX} bots at once"),
        default=1,
        metavar="N",
        help="how many bots (1)",
    )
    parser.add_argument("--matches", type=positive, default=1, metavar="N", help="how many matches (1)")
    parser.add_argument("--seed", type=int, help="repeat the strategy's chances; keys and shuffles have none")
    parser.add_argument(
        "--think", type=seconds, default=5.0, metavar="SECONDS", help="the longest thought about a turn (5)"
    )
    parser.add_argument(
        "--rendezvous", metavar="DIR", help="meet players on this machine there, even without a network"
    )
    parser.add_argument("--attended", action="store_true", help="leave when standard input ends")
    parser.add_argument("--json", action="store_true", help="print what happens, one JSON object a line")


def add_room_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says who one is, where one looks, and what the room is like if it has to be opened."""
    parser.add_argument("--name", help="the name that others see")
    add_rules_arguments(parser, "rules to open a room with")
    parser.add_argument("--players", type=positive, metavar="N", help="seats to open a room with")
    parser.add_argument("--rounds", type=positive, metavar="N", help="rounds of a match")
    parser.add_argument(
        "--code", action="store_true", help=f"a room that asks for a code: ${CODE_VARIABLE}, or you are asked"
    )
    parser.add_argument("--connect", metavar="HOST:PORT", help="look for the room there too")
    parser.add_argument(
        "--port",
        type=up_to(PORT_MAX, f"ports are numbered from 1 to {PORT_MAX}"),
        metavar="P",
        help="the port to listen on (any)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run one bot here, or several in processes of their own."""
    # Everything that can be wrong with the command line is found before anything is started.
    wish = make_wish(arguments)
    with own_streams() as streams:
        strategy = _strategy(arguments)
        if arguments.players is not None and arguments.count > arguments.players:
            raise LocalProtocolError(
                f"{arguments.count} bots don't fit into a room of {arguments.players} seats"
            )
        if arguments.count == 1:
            return _run_here(arguments, wish, strategy, streams)
        # Each of the others has one of its own.
        del strategy
    if arguments.port is not None:
        raise LocalProtocolError("--port is one bot's alone: leave it out, or --count")
    _check_last_name(arguments)
    return _run_processes(arguments, _common_code(arguments, wish))


def make_wish(arguments: argparse.Namespace) -> Wish:
    """The room that the arguments ask for. Raises LocalProtocolError, RulesetError."""
    from p2prummi.net.meeting import Wish  # noqa: PLC0415 - `--help` must not wait for what a command needs
    from p2prummi.wire import limits  # noqa: PLC0415 - the same

    if not 0 < len(arguments.room.encode()) <= limits.ROOM_NAME_BYTES_MAX:
        raise LocalProtocolError(f"a room's name has 1 to {limits.ROOM_NAME_BYTES_MAX} bytes")
    if arguments.name is not None and not 0 < len(arguments.name.encode()) <= limits.NAME_BYTES_MAX:
        raise LocalProtocolError(f"a player's name has 1 to {limits.NAME_BYTES_MAX} bytes")
    rounds = [f"rounds={arguments.rounds}"] if arguments.rounds else []
    ruleset = make_ruleset(arguments.rules, [*arguments.set, *rounds])
    seats = arguments.players or ruleset.players[1]
    require_seats(ruleset, seats)
    return Wish(
        name=arguments.room,
        ruleset=ruleset,
        seats=seats,
        code=_room_code() if arguments.code else None,
        with_code=arguments.code,
    )


def _room_code() -> RoomCode | None:
    """The room's code; None where a person leaves it empty, so that a room that is opened gets a new one."""
    from p2prummi.crypto.room_code import parse_room_code  # noqa: PLC0415 - the same

    text = os.environ.get(CODE_VARIABLE)
    if text is None:
        if not sys.stdin.isatty():
            raise LocalProtocolError(f"--code needs a terminal to ask on, or the code in {CODE_VARIABLE}")
        text = getpass.getpass("Room code (empty to make a new one): ")
    return parse_room_code(text) if text.strip() else None


def _strategy(arguments: argparse.Namespace) -> Strategy:
    from p2prummi.bots import INCLUDED, strategy_of_level  # noqa: PLC0415 - the same

    if arguments.strategy is None:
        return strategy_of_level(arguments.level or "easy")
    if arguments.strategy in INCLUDED:
        return make_strategy(arguments.strategy)
    return strategy_process(arguments.strategy, arguments.think)


# One bot, here.


def _run_here(arguments: argparse.Namespace, wish: Wish, strategy: Strategy, streams: Streams) -> int:
    import asyncio  # noqa: PLC0415 - the same
    import random  # noqa: PLC0415 - the same

    from p2prummi.headless import BotPlan, Outcome, play_bot  # noqa: PLC0415 - the same
    from p2prummi.net.dialling import UnreachableError  # noqa: PLC0415 - the same
    from p2prummi.net.identity import open_profile  # noqa: PLC0415 - the same
    from p2prummi.net.joining import JoinError  # noqa: PLC0415 - the same
    from p2prummi.net.jsonlog import JsonLog  # noqa: PLC0415 - the same
    from p2prummi.net.listening import PortError  # noqa: PLC0415 - the same
    from p2prummi.net.logfile import records_to  # noqa: PLC0415 - the same

    plan = BotPlan(
        wish=wish,
        strategy=strategy,
        rng=random.Random(arguments.seed),  # noqa: S311 - a strategy's chances, never a key or a shuffle.
        matches=arguments.matches,
        think_seconds=arguments.think,
        connect=arguments.connect,
        meeting_place=None if arguments.rendezvous is None else Path(arguments.rendezvous),
    )
    profile = open_profile()
    name = arguments.name or f"bot {profile.fingerprint[:4]}"
    say = partial(_say, streams.errors, name)

    async def play() -> Outcome:
        task = asyncio.current_task()
        assert task is not None, "the bot runs in a task"
        _stop_when_terminated(task)
        if arguments.attended:
            _stop_when_left_alone(task)
        log = JsonLog(partial(_print_line, streams.output), profile.key.public) if arguments.json else None
        return await play_bot(profile, name, plan, say=say, log=log, port=arguments.port)

    codes = {
        Outcome.FINISHED: ExitCode.DONE,
        Outcome.PEER_FAULT: ExitCode.PEER_FAULT,
        Outcome.ENDED_EARLY: ExitCode.ENDED_EARLY,
    }
    try:
        with records_to(profile.directory / "bot.log"):
            return codes[asyncio.run(play())]
    except (JoinError, UnreachableError, PortError) as error:
        say(str(error))
        return ExitCode.NETWORK
    except (KeyboardInterrupt, asyncio.CancelledError):
        say("interrupted")
        return ExitCode.INTERRUPTED
    finally:
        profile.release()


def _stop_when_terminated(task: asyncio.Task[Any]) -> None:
    """Lets the system's request to end leave the room first, where there are such requests."""
    # Windows knows no such handler, and says so by a RuntimeError.
    with contextlib.suppress(RuntimeError):
        task.get_loop().add_signal_handler(signal.SIGTERM, task.cancel)


def _stop_when_left_alone(task: asyncio.Task[Any]) -> None:
    """Ends the bot as well when standard input does: with whoever started it, however that ended."""
    loop = task.get_loop()

    def wait() -> None:
        # Past the buffer of `sys.stdin`, whose lock a thread must not hold when the program ends.
        with contextlib.suppress(OSError):
            while os.read(STANDARD_INPUT, 1024):
                pass
        # The loop is gone where the bot has ended by itself.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(task.cancel)

    threading.Thread(target=wait, name="p2prummi-attended", daemon=True).start()


def _print_line(output: TextIO, line: str) -> None:
    output.write(line)
    output.flush()


def _say(errors: TextIO, name: str, text: str) -> None:
    from p2prummi.cli.main import one_line  # noqa: PLC0415 - main lists this module

    # One write a line: several bots share this stream.
    errors.write(one_line(f"{name}: {text}") + "\n")


# Several bots, each in a process of its own.


def child_commands(arguments: argparse.Namespace) -> list[list[str]]:
    """The command line of each bot; none of them holds the room's code."""
    return [_child_command(arguments, number) for number in range(1, arguments.count + 1)]


def _child_command(arguments: argparse.Namespace, number: int) -> list[str]:
    options: dict[str, object | None] = {
        "--room": arguments.room,
        "--name": _name_of(arguments, number),
        "--level": arguments.level,
        "--strategy": arguments.strategy,
        "--matches": arguments.matches,
        "--seed": None if arguments.seed is None else arguments.seed + number - 1,
        "--think": arguments.think,
        "--rules": arguments.rules,
        "--players": arguments.players,
        "--rounds": arguments.rounds,
        "--connect": arguments.connect,
        "--rendezvous": arguments.rendezvous,
    }
    flags = [flag for flag in ("--json", "--code") if getattr(arguments, flag.removeprefix("--"))]
    return [
        *(sys.executable, "-m", "p2prummi", "bot"),
        *(f"{option}={value}" for option, value in options.items() if value is not None),
        *(f"--set={setting}" for setting in arguments.set),
        *flags,
        "--attended",
    ]


def _name_of(arguments: argparse.Namespace, number: int) -> str | None:
    return f"{arguments.name} {number}" if arguments.name else None


def _check_last_name(arguments: argparse.Namespace) -> None:
    """The longest name is the last bot's. Raises LocalProtocolError."""
    from p2prummi.wire import limits  # noqa: PLC0415 - the same

    name = _name_of(arguments, arguments.count) or ""
    if len(name.encode()) > limits.NAME_BYTES_MAX:
        words = f"--count puts a number behind the name: {name!r} has more than {limits.NAME_BYTES_MAX} bytes"
        raise LocalProtocolError(words)


def _common_code(arguments: argparse.Namespace, wish: Wish) -> RoomCode | None:
    """The one code of all bots, which is made here where they are to have a new one."""
    from p2prummi.crypto.room_code import make_room_code  # noqa: PLC0415 - the same

    if not wish.with_code or wish.code is not None:
        return wish.code
    code = make_room_code(secrets.token_bytes)
    _say(sys.stderr, arguments.name or "bots", f"the room's code is {code.written}")
    return code


def _run_processes(arguments: argparse.Namespace, code: RoomCode | None) -> int:
    environment = {**os.environ, **({CODE_VARIABLE: code.digits} if code else {})}
    # Attended itself, it hands its input on; else the bots' inputs end with this process, however it ends.
    given = None if arguments.attended else subprocess.PIPE
    processes: list[subprocess.Popen[bytes]] = []
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        processes.extend(
            subprocess.Popen(command, env=environment, stdin=given)  # noqa: S603 - our own
            for command in child_commands(arguments)
        )
        codes = [process.wait() for process in processes]
    except BaseException as error:
        # A terminal's interrupt has reached the bots too: they get a moment to leave the room by themselves.
        _stop(processes, 0.0 if isinstance(error, _TerminatedError) else STOP_SECONDS_MAX)
        raise
    finally:
        signal.signal(signal.SIGTERM, previous)
        for process in processes:
            if process.stdin is not None:
                process.stdin.close()
    return next((each for each in codes if each != 0), ExitCode.DONE)


class _TerminatedError(KeyboardInterrupt):
    """The system has asked this process, and none of its bots, to end."""


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise _TerminatedError


def _stop(processes: list[subprocess.Popen[bytes]], patience_seconds: float) -> None:
    """Ends the bots: whoever has not ended by itself is asked to, and leaves the room first."""
    for process in processes:
        try:
            process.wait(timeout=patience_seconds / len(processes))
        except subprocess.TimeoutExpired:
            process.terminate()
    for process in processes:
        process.wait()
