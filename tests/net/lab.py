"""A laboratory of hosts on one machine: network namespaces with bridges, cut and mended by nftables.

Each host is a namespace whose interfaces are cables (veth pairs) into one more namespace, the switch, which
holds the bridges. Nothing of it reaches the machine's own network: no namespace has an interface there.
Everything is taken down when the laboratory closes, whatever has happened, and what an aborted run has left
is taken down by the next one.

Needs root on Linux, `ip` and `nft`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

REPOSITORY = Path(__file__).resolve().parents[2]
PREFIX = "p2rlab"
SWITCH_TABLE = """
table bridge lab {
    set cut { type ifname; }
    chain forward {
        type filter hook forward priority 0;
        iifname @cut drop
        oifname @cut drop
    }
}
"""
INPUT_TABLE = """
table inet lab {
    chain input {
        type filter hook input priority 0;
    }
}
"""
# How long a test waits for what should come within seconds; it fails only after this.
PATIENCE_SECONDS = 40.0
POLL_SECONDS = 0.1

T = TypeVar("T")


def why_unavailable() -> str | None:
    """Why there can be no laboratory here, or None where there can."""
    if sys.platform != "linux":
        return "network namespaces are there on Linux only"
    if os.geteuid() != 0:
        return "network namespaces need root"
    missing = [tool for tool in ("ip", "nft") if shutil.which(tool) is None]
    return f"missing: {', '.join(missing)}" if missing else None


def call(*command: str, stdin: str | None = None) -> str:
    """Runs a command and returns what it prints; fails with all of it."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def wait_for(look: Callable[[], T | None], what: str, patience: float = PATIENCE_SECONDS) -> T:
    """Looks again and again until `look` returns something true, and returns it; fails after `patience`."""
    end = time.monotonic() + patience
    while True:
        found = look()
        if found:
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


class Host:
    """A machine of the laboratory."""

    def __init__(self, lab: Lab, name: str, *, loopback: bool) -> None:
        self.name = name
        self._lab = lab
        self.home = lab.directory / name
        self.namespace = f"{lab.prefix}-{name}"
        call("ip", "netns", "add", self.namespace)
        if loopback:
            self.call("ip", "link", "set", "lo", "up")
        self.cables: list[str] = []

    def call(self, *command: str, stdin: str | None = None) -> str:
        """Runs a command on this host."""
        return call("ip", "netns", "exec", self.namespace, *command, stdin=stdin)

    def plug(self, interface: str, *addresses: str, bridge: str = "br0") -> Host:
        """Gives the host an interface with these addresses, plugged into a bridge of the switch."""
        cable = f"{self.name}{interface}"
        switch = self._lab.switch
        call(
            *("ip", "link", "add", interface, "netns", self.namespace, "type", "veth"),
            *("peer", "name", cable, "netns", switch),
        )
        call("ip", "-n", switch, "link", "set", cable, "master", bridge, "up")
        self.call("ip", "link", "set", interface, "up")
        self.cables.append(cable)
        for address in addresses:
            self.address(interface, address)
        return self

    def unplugged(self, interface: str, *addresses: str) -> Host:
        """Gives the host an interface that leads nowhere, as a container bridge or a VPN does."""
        self.call("ip", "link", "add", interface, "type", "veth", "peer", "name", f"{interface}-end")
        self.call("ip", "link", "set", f"{interface}-end", "up")
        self.call("ip", "link", "set", interface, "up")
        for address in addresses:
            self.address(interface, address)
        return self

    def address(self, interface: str, address: str) -> None:
        """Adds an address at once, without looking for duplicates."""
        nodad = ["nodad"] if ":" in address else []
        self.call("ip", "address", "add", address, "dev", interface, *nodad)

    def drop(self, rule: str) -> None:
        """Drops what comes in and matches an nftables rule, such as `udp dport 5353`."""
        self.call("nft", "-f", "-", stdin=INPUT_TABLE)
        self.call("nft", "add", "rule", "inet", "lab", "input", *rule.split(), "drop")

    def open(self) -> None:
        """Lets everything in again."""
        self.call("nft", "delete", "table", "inet", "lab")

    def command(self, *arguments: str) -> tuple[list[str], dict[str, str]]:
        """How to run Python on this host, with a state directory of its own."""
        environment = {**os.environ, "PYTHONPATH": self._lab.path, "XDG_STATE_HOME": str(self.home)}
        return ["ip", "netns", "exec", self.namespace, sys.executable, *arguments], environment

    def places(self) -> dict[str, str]:
        """The variables that give a whole program all its directories on this host."""
        return {f"XDG_{place}_HOME": str(self.home / place) for place in ("STATE", "DATA", "CONFIG")}

    def peer(self, *arguments: str) -> Peer:
        """Starts a peer and waits until it listens."""
        return self.peer_soon(*arguments).wait_until_started()

    def peer_soon(self, *arguments: str) -> Peer:
        """Starts a peer and does not wait."""
        return self._lab.keep(Peer(*self.command("-m", "tests.net.peer_process", *arguments)))

    def starter(self) -> Starter:
        """A starter of peers."""
        return self._lab.keep(Starter(*self.command("-m", "tests.net.starter")))

    def process(self, *arguments: str) -> Process:
        """Starts any Python process."""
        return self._lab.keep(Process(*self.command(*arguments)))


P = TypeVar("P", bound=Process)


class Lab:
    """All hosts and their switch. Use it as a context manager."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.prefix = f"{PREFIX}{os.getpid()}"
        self.switch = f"{self.prefix}-sw"
        self.path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(REPOSITORY)])
        self._processes: list[Process] = []

    def __enter__(self) -> Self:
        _remove_leftovers()
        try:
            call("ip", "netns", "add", self.switch)
            self.bridge("br0")
            call("ip", "netns", "exec", self.switch, "nft", "-f", "-", stdin=SWITCH_TABLE)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.close()
        for namespace in _namespaces():
            if namespace.startswith(f"{self.prefix}-"):
                call("ip", "netns", "delete", namespace)

    def bridge(self, name: str) -> None:
        """Adds a bridge to the switch."""
        call("ip", "-n", self.switch, "link", "add", name, "type", "bridge", "mcast_snooping", "0")
        call("ip", "-n", self.switch, "link", "set", name, "up")

    def host(self, name: str, *, loopback: bool = True) -> Host:
        """Adds a host without any interface but loopback, and without that if so asked."""
        return Host(self, name, loopback=loopback)

    def hosts(self, count: int) -> list[Host]:
        """Adds hosts h1, h2.. on one bridge, with the addresses 10.77.0.1, 10.77.0.2.."""
        return [self.host(f"h{n}").plug("eth0", f"10.77.0.{n}/24") for n in range(1, count + 1)]

    def isolate(self, *hosts: Host) -> None:
        """Cuts all cables of these hosts in the switch; they themselves see nothing of it."""
        self._cut("add", hosts)

    def heal(self, *hosts: Host) -> None:
        """Mends what `isolate` has cut."""
        self._cut("delete", hosts)

    def keep(self, process: P) -> P:
        """Sees to it that a process ends with the laboratory."""
        self._processes.append(process)
        return process

    def _cut(self, verb: str, hosts: tuple[Host, ...]) -> None:
        cables = ", ".join(f'"{cable}"' for host in hosts for cable in host.cables)
        call(
            *("ip", "netns", "exec", self.switch, "nft", verb, "element", "bridge", "lab", "cut"),
            f"{{ {cables} }}",
        )


def _namespaces() -> list[str]:
    return [line.split()[0] for line in call("ip", "netns", "list").splitlines() if line.strip()]


def _remove_leftovers() -> None:
    """Takes down the namespaces of laboratories whose process is gone."""
    for namespace in _namespaces():
        owner = namespace.removeprefix(PREFIX).partition("-")[0]
        if namespace.startswith(PREFIX) and owner.isdecimal() and not Path(f"/proc/{owner}").exists():
            for process in call("ip", "netns", "pids", namespace).split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process), 9)
            call("ip", "netns", "delete", namespace)


def open_lab(directory: Path) -> Iterator[Lab]:
    """A laboratory for a fixture."""
    with Lab(directory) as lab:
        yield lab
