"""A hostile member of a room: `hostile_member.py HOST PORT ROOM`, which gets in as anybody does.

For each line `{"do": NAME, "times": N}` it enters N times, sends the frame of that name (`hostile_frames.py`)
and waits until it is thrown out; after `hello`, the well-behaved frame, it goes by itself. Each line is
answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import tempfile
from pathlib import Path

from p2prummi.net.dialling import UnreachableError
from p2prummi.net.transport import FrameStream
from p2prummi.wire.frames import Ping, encode_frame
from tests.net.hostile_frames import HOSTILE_FRAMES
from tests.net.loopback import Stranger, read_until_closed

TRIES_MAX = 10
HELLO = encode_frame(Ping())


async def enter(directory: Path, host: str, port: int, room: bytes) -> FrameStream:
    """Gets in under a new key; where a busy machine has let the time for a handshake pass, once more."""
    for _ in range(TRIES_MAX):
        with contextlib.suppress(AssertionError, UnreachableError):
            return await Stranger(directory).link(port, room, host)
    raise AssertionError("nobody has let it in")


async def visit(directory: Path, host: str, port: int, room: bytes, name: str) -> None:
    """Enters once and sends the frame."""
    stream = await enter(directory, host, port, room)
    if name == "hello":
        stream.write_frame(HELLO)
    else:
        stream.write_frame(HOSTILE_FRAMES[name].data)
        await read_until_closed(stream)
    await stream.close()


async def main(host: str, port: int, room: bytes) -> None:
    """Does what each line asks for."""
    with tempfile.TemporaryDirectory(prefix="p2prummi-") as directory:
        while line := await asyncio.to_thread(sys.stdin.readline):
            request = json.loads(line)
            for _ in range(request["times"]):
                await visit(Path(directory), host, port, room, request["do"])
            sys.stdout.write(json.dumps({"visits": request["times"]}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), bytes.fromhex(sys.argv[3])))
