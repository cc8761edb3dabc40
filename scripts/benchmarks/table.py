"""A match of four peers in four processes over TLS on loopback: set-up, turns, bytes and memory."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from benchmarks.proofs import multiplication_seconds
from benchmarks.report import Figure, percentile

PLAYERS = 4
ROUNDS = 3
Moment = dict[str, Any]


def _start(place: Path, address: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.table_peer", str(place), address, str(PLAYERS), str(ROUNDS)]
    scripts = Path(__file__).resolve().parent.parent
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=scripts)


def _moments(stream: IO[str]) -> list[Moment]:
    return [json.loads(line) for line in stream]


def play_match() -> list[list[Moment]]:
    """Plays one match and returns each peer's moments."""
    with tempfile.TemporaryDirectory() as place:
        opener = _start(Path(place) / "peer-1", "-")
        assert opener.stdout is not None, "the peer's output is a pipe"
        first = json.loads(opener.stdout.readline())
        address = f"127.0.0.1:{first['port']}"
        joiners = [_start(Path(place) / f"peer-{number}", address) for number in range(2, PLAYERS + 1)]
        # Pipes hold what a whole match prints, so that they can be read one after the other.
        return [_moments(peer.stdout) for peer in (opener, *joiners) if peer.stdout is not None]


def _of(moments: list[Moment], what: str) -> dict[tuple[int, int], float]:
    """When a kind of moment was first there, by round and slot."""
    latest_first = reversed([each for each in moments if each["what"] == what])
    return {(each["round"], each.get("slot", 0)): each["t"] for each in latest_first}


def figures() -> Iterator[Figure]:
    """Plays a match and works out what was asked of it."""
    unit_seconds = multiplication_seconds()
    peers = play_match()
    committed, dealt = ([_of(peer, what) for peer in peers] for what in ("committed", "dealt"))
    setups = [
        max(peer[number, 0] for peer in dealt) - min(peer[number, 0] for peer in committed)
        for number in range(1, ROUNDS + 1)
    ]
    seconds = statistics.median(setups)
    yield Figure(
        name="set-up of 4 players in 4 processes, in multiplications",
        value=seconds / unit_seconds, unit="", at_most=8000, is_absolute=False,
    )  # fmt: skip
    yield Figure(name="  the same set-up", value=seconds * 1000, unit="ms")
    yield Figure(name="  one multiplication by a secret", value=unit_seconds * 1e6, unit="µs")
    confirmed = [_of(peer, "confirmed") for peer in peers]
    plays = [
        (max(each[moment["round"], moment["slot"]] for each in confirmed) - moment["t"]) * 1000
        for peer in peers
        for moment in peer
        if moment["what"] == "end" and moment["is_play"]
    ]
    yield Figure(
        name="a play, from its end to final at all four peers: median",
        value=statistics.median(plays), unit="ms", at_most=15,
    )  # fmt: skip
    yield Figure(name="  95th percentile", value=percentile(plays, 95), unit="ms")
    yield Figure(name="  plays measured", value=len(plays), unit="", is_absolute=False)
    yield from _traffic(peers)


def _traffic(peers: list[list[Moment]]) -> Iterator[Figure]:
    racks = [[each for each in peer if each["what"] == "dealt"] for peer in peers]
    ends = [next(each for each in peer if each["what"] == "over") for peer in peers]
    turns = statistics.mean(end["turns"] for end in ends)
    for what in ("sent", "received"):
        setup = statistics.mean(rack[0][what] for rack in racks)
        whole = statistics.mean(end[what] for end in ends)
        yield Figure(
            name=f"bytes {what} a peer, from the lobby to the first rack",
            value=setup / 1000, unit="kB", is_absolute=False,
        )  # fmt: skip
        yield Figure(
            name=f"bytes {what} a peer and turn, settlement included",
            value=(whole - ROUNDS * setup) / turns / 1000, unit="kB", is_absolute=False,
        )  # fmt: skip
    yield Figure(
        name="memory of a peer, at most", value=max(end["megabytes"] for end in ends), unit="MB", at_most=60
    )
