"""A stranger in a laboratory: opens connections to a port and sends, on each, something that is no peer's.

Usage: `flood.py HOST PORT COUNT`. Prints how many connections the other side has ended.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import sys

AT_ONCE = 150
HALF_A_CLIENT_HELLO = bytes.fromhex("16030100c8010000c40303")
RAW = (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", os.urandom(65536), HALF_A_CLIENT_HELLO, b"")
# Over TLS: an endless length, an empty frame, one that never comes, deep nesting, a message out of turn.
SECURED = (
    b"\xff\xff\xff\xff" + bytes(100_000),
    bytes(4),
    b"\0\0\x0f\xff",
    (2001).to_bytes(4, "big") + b"\x91" * 2000 + b"\x01",
    b"\0\0\0\x07\x91\xa5start",
)


async def stranger(host: str, port: int, number: int) -> bool:
    """Opens one connection and waits until it is closed; whether the other side did that."""
    context = None
    data = RAW[number % len(RAW)]
    if number % 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        data = SECURED[number % len(SECURED)]
    try:
        reader, writer = await asyncio.open_connection(host, port, ssl=context)
        writer.write(data)
        async with asyncio.timeout(30):
            while await reader.read(65536):
                continue
        writer.close()
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


async def main() -> None:
    """Opens all connections, many at a time."""
    host, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    ended = 0
    for start in range(0, count, AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, count))
        ended += sum(await asyncio.gather(*(stranger(host, port, number) for number in numbers)))
    sys.stdout.write(f"{ended}\n")


if __name__ == "__main__":
    asyncio.run(main())
