"""The socket guard of `conftest.py` lets through what it should, and nothing else."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing

import pytest


def udp_socket() -> closing[socket.socket]:
    return closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))


def test_a_test_may_not_bind_connect_or_send() -> None:
    with udp_socket() as used, pytest.raises(AssertionError, match=r"socket\.bind in a test outside"):
        used.bind(("127.0.0.1", 0))
    with udp_socket() as used, pytest.raises(AssertionError, match=r"socket\.connect in a test outside"):
        used.connect(("127.0.0.1", 9))
    with udp_socket() as used, pytest.raises(AssertionError, match=r"socket\.sendto in a test outside"):
        used.sendto(b"", ("127.0.0.1", 9))


@pytest.mark.sockets
def test_a_marked_test_may() -> None:
    with udp_socket() as used:
        used.bind(("127.0.0.1", 0))


def test_an_event_loop_still_starts() -> None:
    async def answer() -> int:
        return 42

    assert asyncio.run(answer()) == 42
