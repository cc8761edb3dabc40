"""A laboratory of hosts on one machine: network namespaces with bridges, cut and mended by nftables.

Each host is a namespace whose interfaces are cables (veth pairs) into one more namespace, the switch, which
holds the bridges. Nothing of it reaches the machine's own network: no namespace has an interface there.
Everything is taken down when the laboratory closes, whatever has happened, and what an aborted run has left
is taken down by the next one.

Needs root on Linux, `ip` and `nft`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self, TypeVar

from tests.net.processes import REPOSITORY, Peer, Process, Starter

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
        own = [namespace for namespace in _namespaces() if namespace.startswith(f"{self.prefix}-")]
        for namespace in own:
            _end_all_in(namespace)
        for process in self._processes:
            process.close()
        for namespace in own:
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


def _end_all_in(namespace: str) -> None:
    """Ends whatever runs there, also what a process of a test has started by itself."""
    for process in call("ip", "netns", "pids", namespace).split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)


def _remove_leftovers() -> None:
    """Takes down the namespaces of laboratories whose process is gone."""
    for namespace in _namespaces():
        owner = namespace.removeprefix(PREFIX).partition("-")[0]
        if namespace.startswith(PREFIX) and owner.isdecimal() and not Path(f"/proc/{owner}").exists():
            _end_all_in(namespace)
            call("ip", "netns", "delete", namespace)


def open_lab(directory: Path) -> Iterator[Lab]:
    """A laboratory for a fixture."""
    with Lab(directory) as lab:
        yield lab
