"""A stranger at a port: `stranger.py HOST PORT` does to it what strangers do, and says when it is through.

Random bytes, a request for a web page, a connection that is closed at once, one that stays silent, and half
of a TLS hello; each several times, the silent ones for as long as the process lives.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import sys

ROUNDS = 5


def half_a_hello() -> bytes:
    """The first half of what a TLS client sends first."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing).do_handshake()
    hello = outgoing.read()
    return hello[: len(hello) // 2]


def main(host: str, port: int) -> None:
    """Comes by, again and again."""
    silent = []
    messages = [os.urandom(64 * 1024), b"GET / HTTP/1.1\r\nHost: example\r\n\r\n", b"", half_a_hello()]
    for _ in range(ROUNDS):
        for message in messages:
            with socket.create_connection((host, port), timeout=10) as connection:
                try:
                    connection.sendall(message)
                except OSError:
                    continue  # It is closed at once where the first bytes are no TLS.
        silent.append(socket.create_connection((host, port), timeout=10))
    sys.stdout.write('{"through": true}\n')
    sys.stdout.flush()
    sys.stdin.read()
    for connection in silent:
        connection.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
