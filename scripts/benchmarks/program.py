"""The program as a person starts it: how soon it answers and shows its lobby, what it costs while idle.

Runs the real console on a pseudo-terminal, so it needs Linux (or another system with `pty` and `/proc`).
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pyte

from benchmarks.report import Figure, median_ms

IDLE_SECONDS = 20.0
LOBBY_WORDS = "open NAME"
TURN_WORDS = "YOUR TURN"
COLUMNS, ROWS = 100, 30
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def figures() -> Iterator[Figure]:
    """Starts the program several times and leaves it alone for a while."""
    help_ms = median_ms(lambda: _run("--help"), 9)
    python_ms = median_ms(lambda: subprocess.run([sys.executable, "-c", ""], check=True), 9)
    yield Figure(name="p2prummi --help", value=help_ms, unit="ms", at_most=200)
    yield Figure(name="  of which Python itself", value=python_ms, unit="ms")
    starts = []
    for _ in range(5):
        with _console(LOBBY_WORDS) as (_, _, seconds):
            starts.append(seconds)
    yield Figure(name="start to lobby", value=statistics.median(starts), unit="s", at_most=0.7)
    for name, words, arguments in (
        ("CPU of a console that waits in the lobby", LOBBY_WORDS, ()),
        ("CPU of a console that waits for a turn's first key", TURN_WORDS, ("--bots", "1")),
    ):
        with _console(words, *arguments) as (process, terminal, _):
            yield Figure(name=name, value=_idle_percent(process, terminal), unit="%", at_most=1.0)


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "p2prummi", *arguments], check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _console(words: str, *arguments: str) -> Iterator[tuple[int, int, float]]:
    """A console that shows these words: its process, its terminal, and the seconds until it did."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            **{
                f"XDG_{name}_HOME": str(Path(home) / name.lower())
                for name in ("STATE", "DATA", "CONFIG", "CACHE")
            },
        }
        start = monotonic()
        process, terminal = pty.fork()
        if process == 0:
            os.execve(  # noqa: S606 - the child of a pseudo-terminal becomes the program itself
                sys.executable,
                [sys.executable, "-m", "p2prummi", "play", "--name", "bench", *arguments],
                environment,
            )
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        screen = pyte.Screen(COLUMNS, ROWS)
        stream = pyte.ByteStream(screen)
        while not any(words in line for line in screen.display):
            stream.feed(_read(terminal, 10.0))
        try:
            yield process, terminal, monotonic() - start
        finally:
            os.kill(process, signal.SIGTERM)
            while _read(terminal, 5.0):
                pass
            os.waitpid(process, 0)
            os.close(terminal)


def _read(terminal: int, seconds: float) -> bytes:
    """What the program writes next; answers the question where the cursor is, as a terminal would."""
    ready, _, _ = select.select([terminal], [], [], seconds)
    if not ready:
        return b""
    try:
        data = os.read(terminal, 65536)
    except OSError:
        return b""
    if b"\x1b[6n" in data:
        os.write(terminal, b"\x1b[1;1R")
    return data


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def _idle_percent(process: int, terminal: int) -> float:
    _drain(terminal, 3.0)
    before = _cpu_seconds(process)
    _drain(terminal, IDLE_SECONDS)
    return 100 * (_cpu_seconds(process) - before) / IDLE_SECONDS


def _drain(terminal: int, seconds: float) -> None:
    end = monotonic() + seconds
    while (left := end - monotonic()) > 0:
        _read(terminal, left)
