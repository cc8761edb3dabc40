"""Starts peers one after the other on a host, each a process of its own (`peer_process.py`).

A line `{"do": "start", "arguments": [..]}` on standard input starts one, to which all further lines go until
it has ended. It is forked off this process, which has imported everything already: so it listens at once, and
many starts cost little. Each has a state directory of its own, in XDG_STATE_HOME: it knows nobody.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import count
from pathlib import Path

from tests.net import peer_process


def read_line() -> bytes:
    """The next line; byte by byte, since what follows may be for the peer."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            return b""
        line += byte
    return line


def main() -> None:
    """Starts a peer for each line until there are no more."""
    states = Path(os.environ["XDG_STATE_HOME"])
    for number in count():
        line = read_line()
        if not line:
            return
        peer = os.fork()
        if peer == 0:
            os.environ["XDG_STATE_HOME"] = str(states / str(number))
            sys.exit(peer_process.main(json.loads(line)["arguments"]))
        os.waitpid(peer, 0)
        # The peer's loop has set this for both, as they share it.
        os.set_blocking(sys.stdin.fileno(), True)


if __name__ == "__main__":
    main()
