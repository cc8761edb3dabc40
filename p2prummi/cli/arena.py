"""`p2prummi arena`: strategies against each other, with the figures in words or as JSON.

What is played, and how sure the outcome is, `p2prummi.arena` decides; what is printed of it,
`arena_report.py`. Here: the arguments, who plays, and the line of progress.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final, TextIO

from p2prummi.cli.arena_report import json_lines, text_lines
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
    up_to,
)
from p2prummi.cli.output import own_streams
from p2prummi.errors import LocalProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from p2prummi.arena import DealRecord, Plan, Tally, Workers
    from p2prummi.cli.command import Subparsers

# Windows waits for no more processes at once.
JOBS_MAX: Final = 60
PLAYERS: Final = 4
GAMES: Final = 400
THINK_SECONDS: Final = 30.0
PROGRESS_SECONDS: Final = 0.2
# Some systems' clocks stand still for a while.
CLOCK_SECONDS_LEAST: Final = 0.001


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "arena",
        summary="let strategies play against each other, without a network",
        example="p2prummi arena --strategy easy --strategy medium --games 1000 --seed 1",
        run=run,
    )
    parser.add_argument(
        "--strategy",
        action="append",
        required=True,
        metavar="STRATEGY",
        help=f"who plays, given twice or more often: {STRATEGY_HELP}",
    )
    parser.add_argument(
        "--games", type=positive, default=GAMES, metavar="N", help=f"the games of two strategies ({GAMES})"
    )
    parser.add_argument(
        "--players",
        type=positive,
        metavar="P",
        help=f"the seats of a game ({PLAYERS}, or what the rules say)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="whatever chance decides (0)")
    add_rules_arguments(parser, "the rules to play by")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--jobs",
        type=up_to(JOBS_MAX, f"at most {JOBS_MAX} processes"),
        metavar="J",
        help="processes of this machine (one a core)",
    )
    who.add_argument("--scheduler", metavar="ADDRESS", help="the workers of this Dask scheduler instead")
    parser.add_argument(
        "--think",
        type=seconds,
        default=THINK_SECONDS,
        metavar="SECONDS",
        help=f"the longest thought about a turn ({THINK_SECONDS:g}); a strategy that takes longer draws",
    )
    parser.add_argument("--json", action="store_true", help="print the figures, one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Play, and print the figures; also those that there are when it is interrupted or a worker is lost."""
    # Workers are started with this output too.
    with own_streams() as streams:
        return _run(arguments, streams.output)


def _run(arguments: argparse.Namespace, output: TextIO) -> int:
    from p2prummi.arena import Tally, played  # noqa: PLC0415 - `--help` must not wait for what a command needs

    plan = _plan(arguments)
    tally = Tally(plan)
    watch = _Watch(plan, tally, sys.stderr)
    code, workers_count = ExitCode.DONE, 0
    try:
        with _workers(arguments) as workers, _noted_interrupts() as is_interrupted:
            workers_count = workers.count
            watch.start()
            for pairing, record in played(plan, workers, lambda: not is_interrupted()):
                tally.add(pairing, record)
                watch.tell(pairing, record)
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    finally:
        watch.stop()
        if workers_count:
            lines = json_lines if arguments.json else text_lines
            for line in lines(plan, tally, watch.seconds, workers_count):
                print(line, file=output)
    if code is ExitCode.INTERRUPTED:
        print(f"interrupted after {tally.games} of {plan.games_in_all} games", file=sys.stderr)
    return code


def _plan(arguments: argparse.Namespace) -> Plan:
    """What is to be played. Raises StrategyError, ArenaError, RulesetError, LocalProtocolError."""
    from p2prummi.arena import Plan  # noqa: PLC0415 - the same

    for name in dict.fromkeys(arguments.strategy):
        make_strategy(name)
    ruleset = make_ruleset(arguments.rules, arguments.set)
    players = arguments.players or min(max(PLAYERS, ruleset.players[0]), ruleset.players[1])
    require_seats(ruleset, players)
    return Plan(
        strategies=tuple(arguments.strategy),
        ruleset=ruleset,
        players=players,
        games=arguments.games,
        seed=arguments.seed,
        think_seconds=arguments.think,
    )


def _workers(arguments: argparse.Namespace) -> AbstractContextManager[Workers]:
    if arguments.scheduler is None:
        from p2prummi.arena.processes import local_processes  # noqa: PLC0415 - the same

        return local_processes(arguments.jobs or _cores())
    try:
        from p2prummi.arena.cluster import cluster_at  # noqa: PLC0415 - an extra, which need not be there
    except ImportError as error:
        raise LocalProtocolError(
            f"--scheduler needs the extra of that name, pip install 'p2prummi[scheduler]': {error}"
        ) from error
    return cluster_at(arguments.scheduler)


@contextlib.contextmanager
def _noted_interrupts() -> Iterator[Callable[[], bool]]:
    """Note interrupts instead of raising them; what is given says whether there was one."""
    noted: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield lambda: bool(noted)
    finally:
        signal.signal(signal.SIGINT, previous)


def _cores() -> int:
    """How many cores this process may use, where the system says so."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), JOBS_MAX)
    return min(os.cpu_count() or 1, JOBS_MAX)


class _Watch:
    """The line of progress, and word of each strategy that was replaced for the first time.

    On a terminal the line is written over; elsewhere there is one for every tenth of the games.
    """

    def __init__(
        self, plan: Plan, tally: Tally, stream: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._plan = plan
        self._tally = tally
        self._stream = stream
        self._is_live = stream.isatty()
        self._clock = clock
        self._told_at = self._began = clock()
        self._tenths = 0
        self._replaced: set[str] = set()
        self.seconds = 0.0

    def start(self) -> None:
        """Begin to count the time."""
        self._told_at = self._began = self._clock()

    def tell(self, pairing: int, record: DealRecord) -> None:
        """Say what there is to say after a deal."""
        now = self._clock()
        self.seconds = max(now - self._began, CLOCK_SECONDS_LEAST)
        for name, reason in self._first_reasons(pairing, record):
            self._write(f"{name}: a turn was replaced: {reason}", end="\n")
        games, in_all = self._tally.games, self._plan.games_in_all
        tenths = 10 * games // in_all
        if now - self._told_at < PROGRESS_SECONDS if self._is_live else tenths == self._tenths:
            return
        self._told_at, self._tenths = now, tenths
        self._write(
            f"{games} of {in_all} games, {games / self.seconds:.1f} a second",
            end="" if self._is_live else "\n",
        )

    def stop(self) -> None:
        """Leave no line of progress behind."""
        self._write("", end="")

    def _first_reasons(self, pairing: int, record: DealRecord) -> list[tuple[str, str]]:
        found = []
        for game in record.games:
            for name, reason in zip(self._plan.pairings[pairing].names, game.reasons, strict=True):
                if reason and name not in self._replaced:
                    self._replaced.add(name)
                    found.append((name, reason))
        return found

    def _write(self, text: str, end: str) -> None:
        from p2prummi.cli.main import one_line  # noqa: PLC0415 - main lists this module

        erase = "\r\x1b[K" if self._is_live else ""
        self._stream.write(f"{erase}{one_line(text)}{end}")
        self._stream.flush()
