"""Processes on the hosts of a laboratory, and waiting for what they come to."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

REPOSITORY = Path(__file__).resolve().parents[2]
# How long a test waits for what should come within seconds; it fails only after this.
PATIENCE_SECONDS = 40.0
POLL_SECONDS = 0.1

T = TypeVar("T")


def wait_for(look: Callable[[], T | None], what: str, patience: float = PATIENCE_SECONDS) -> T:
    """Looks again and again until `look` returns something true, and returns it; fails after `patience`.

    How long it took is printed, and shown by `pytest -rP`.
    """
    begun = time.monotonic()
    end = begun + patience
    while True:
        found = look()
        if found:
            sys.stdout.write(f"{what}: after {time.monotonic() - begun:.1f} s\n")
            return found
        if time.monotonic() > end:
            raise AssertionError(f"waited {patience:.0f} s in vain for: {what}")
        time.sleep(POLL_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a process has used: all processor time so far, and the most memory that it ever held."""

    cpu_seconds: float
    peak_kib: int


class Process:
    """A process on a host, spoken to by JSON lines."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=REPOSITORY,
        )
        self.number = self._process.pid
        self._started_at = time.monotonic()
        self._lines: queue.Queue[str] = queue.Queue()
        self._errors: list[str] = []
        self._threads = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._errors.append(line.rstrip("\n"))

    @property
    def errors(self) -> list[str]:
        """The lines on standard error so far."""
        return list(self._errors)

    def receive(self) -> Any:
        """The next line of output, read."""
        line = self._lines.get(timeout=PATIENCE_SECONDS)
        assert line, f"the process ended: {self.errors}"
        return json.loads(line)

    def send(self, do: str, **details: Any) -> None:
        """Sends one request; its answer comes by `receive`."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **details}) + "\n")
        self._process.stdin.flush()

    def ask(self, do: str, **details: Any) -> Any:
        """Sends one request and returns its answer."""
        self.send(do, **details)
        return self.receive()

    def uptime_seconds(self) -> float:
        """How long ago it was started."""
        return time.monotonic() - self._started_at

    def usage(self) -> Usage:
        """What it has used, as the system counts it."""
        place = Path("/proc", str(self.number))
        # The program's name, in parentheses, may hold anything; the fields behind it are numbered from 3.
        fields = place.joinpath("stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[14 - 3]) + int(fields[15 - 3])
        status = place.joinpath("status").read_text().splitlines()
        (peak,) = (line.split()[1] for line in status if line.startswith("VmHWM:"))
        return Usage(cpu_seconds=ticks / os.sysconf("SC_CLK_TCK"), peak_kib=int(peak))

    def output(self) -> list[str]:
        """The lines of output of a process that has ended, except those already received."""
        lines = []
        while line := self._lines.get(timeout=PATIENCE_SECONDS):
            lines.append(line.rstrip("\n"))
        return lines

    def kill(self) -> None:
        """Ends it without a word, as a crash does."""
        self._process.kill()
        self._process.wait()

    def end(self, patience: float = PATIENCE_SECONDS) -> int:
        """Lets it end by itself, and returns its exit code."""
        with contextlib.suppress(BrokenPipeError):
            if self._process.stdin is not None and not self._process.stdin.closed:
                self._process.stdin.close()
        try:
            code = self._process.wait(timeout=patience)
        except subprocess.TimeoutExpired as error:
            raise AssertionError(f"it has not ended within {patience:.0f} s: {self.errors}") from error
        for thread in self._threads:
            thread.join(timeout=PATIENCE_SECONDS)
        return code

    def close(self) -> None:
        """Ends it in any case and closes its pipes."""
        if self._process.poll() is None:
            self.kill()
        for thread in self._threads:
            thread.join(timeout=PATIENCE_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


class Peer(Process):
    """A peer process (`peer_process.py`)."""

    fingerprint = ""
    key = ""
    port = 0

    def wait_until_started(self) -> Peer:
        """Waits until it listens, and notes who it is, and the number of its process."""
        started = self.receive()
        self.fingerprint, self.key, self.port = started["started"], started["key"], started["port"]
        self.number = started["process"]
        return self

    def sees(self, *others: Peer) -> bool:
        """Whether it lists exactly these others, each once, and all of them live."""
        listed = self.ask("peers")["peers"]
        return sorted(peer["fingerprint"] for peer in listed if peer["status"] == "live") == sorted(
            other.fingerprint for other in others
        )

    def linked(self) -> list[str]:
        """The keys of the peers with which it has a link."""
        keys: list[str] = self.ask("links")["linked"]
        return keys


class Starter(Peer):
    """Peers one after the other, each a process of its own (`starter.py`); it is the one that runs."""

    def start(self, *arguments: str) -> None:
        """Starts a peer and does not wait, once the one before it has crashed."""
        self.send("start", arguments=arguments)

    def crash(self) -> None:
        """Ends the running peer without a word."""
        os.kill(self.number, signal.SIGKILL)
