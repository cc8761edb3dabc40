"""A bot of the program on a host of the laboratory, with all that it says and receives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from p2prummi.wire.events import Event, parse_event
from p2prummi.wire.frames import EventFrame, parse_frame
from tests.net.lab import Host, Lab
from tests.net.processes import Process

MATCH_SECONDS = 240.0


class Bot:
    """One bot of the program on a host, with all that it says and receives."""

    def __init__(self, lab: Lab, host: Host, attack: str, *arguments: str) -> None:
        self.host = host
        self.home = host.home
        self.home.mkdir()
        self.frames_file = self.home / "frames"
        command, environment = host.command(
            "-m", "tests.net.recording_bot", str(self.frames_file), attack, "bot", "--json",
            "--name", f"bot on {host.name}", *arguments,
        )  # fmt: skip
        self.name = f"bot on {host.name}"
        self.process: Process = lab.keep(Process(command, {**environment, **host.places()}))
        self.lines: list[dict[str, Any]] = []

    @property
    def fingerprint(self) -> str:
        """The text by which others tell it apart, once it has said anything."""
        return str(self.lines[0]["self"])

    @property
    def address(self) -> str:
        """Where it can be dialled, once it has said so."""
        return str(next(line["address"] for line in self.lines if line["event"] == "room"))

    def wait_for(self, event: str) -> None:
        """Reads what it says, up to the first line of this event."""
        while not self.lines or self.lines[-1]["event"] != event:
            self.lines.append(self.process.receive())

    def end(self) -> int:
        """Waits for its end; returns the exit code."""
        code = self.process.end(MATCH_SECONDS)
        self.lines += [json.loads(line) for line in self.process.output()]
        return code

    def events(self, name: str) -> list[dict[str, Any]]:
        """What it said of this name, without what differs between peers."""
        return [{**line, "time": "", "self": "", "file": ""} for line in self.lines if line["event"] == name]

    def received(self) -> Iterator[Event]:
        """The events that came to it, in order."""
        data = self.frames_file.read_bytes()
        while data:
            size = int(data[:8], 16)
            frame = parse_frame(data[40 : 40 + size])
            data = data[40 + size :]
            if isinstance(frame, EventFrame):
                yield parse_event(frame.body, frame.signature)

    def files(self) -> list[Path]:
        """The matches that it has kept."""
        return sorted((self.home / "DATA").rglob("*.p2prummi"))
