"""Strangers at the port: whatever they send or hold back, it costs a line in the log and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import secrets
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest

from p2prummi.errors import FaultCode
from p2prummi.net.identity import Secret
from p2prummi.net.listening import Listening, bind
from p2prummi.net.tls import Credentials, make_credentials
from p2prummi.net.transport import FrameStream
from p2prummi.session.notices import ChatReceived
from p2prummi.wire import limits
from tests.net.loopback import (
    LOCALHOST,
    PATIENCE_SECONDS,
    Stranger,
    join,
    players,
    send_raw,
    still_talks,
    wait_until,
    warnings_of,
)

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def credentials(tmp_path: Path) -> Credentials:
    return make_credentials(Secret(secrets.token_bytes(32)), tmp_path)


HALF_A_CLIENT_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(20)


@pytest.mark.parametrize(
    "data",
    [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", os.urandom(65536), b"", HALF_A_CLIENT_HELLO, b"\x80"],
    ids=["http", "random", "silent", "half a ClientHello", "one byte"],
)
def test_what_is_no_peer_costs_one_line_in_the_log(
    tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HANDSHAKE_SECONDS_MAX", 0.5)

    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            await join(one, two)
            before = list(one.notices)
            caplog.clear()
            with caplog.at_level(logging.INFO, "p2prummi"):
                reader, writer = await send_raw(one.driver.port, data)
                await reader.read()
                writer.close()
                await wait_until(lambda: warnings_of(caplog), "a line in the log")
                await still_talks(one, two, "undisturbed")
                await still_talks(two, one, "quite")
            assert len(warnings_of(caplog)) == 1
            assert LOCALHOST in warnings_of(caplog)[0]
            assert [notice for notice in one.notices if notice not in before] == [
                ChatReceived(two.key, "player 1", "quite")
            ]

    asyncio.run(scenario())


def test_who_connects_and_closes_costs_one_line_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            with caplog.at_level(logging.INFO, "p2prummi"):
                _, writer = await send_raw(one.driver.port, b"")
                writer.close()
                await wait_until(lambda: warnings_of(caplog), "a line in the log")
            assert len(warnings_of(caplog)) == 1

    asyncio.run(scenario())


def client_context(maximum: ssl.TLSVersion) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = maximum
    return context


def test_older_tls_is_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await asyncio.open_connection(
                    LOCALHOST, one.driver.port, ssl=client_context(ssl.TLSVersion.TLSv1_2)
                )

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xff\xff\xff", FaultCode.OVERSIZED_FRAME),
        ((limits.HANDSHAKE_FRAME_BYTES_MAX + 1).to_bytes(4, "big"), FaultCode.OVERSIZED_FRAME),
        (bytes(4), FaultCode.MALFORMED_FRAME),
        (b"\0\0\0\x01\xc1", FaultCode.MALFORMED_FRAME),
        (b"\0\0\0\x05\x91\xa4star", FaultCode.MALFORMED_FRAME),
        (b"\0\0\0\x07\x91\xa5start", FaultCode.WRONG_SCHEMA),
        (b"\0\0\0\x10", FaultCode.HANDSHAKE_TIMEOUT),
        (b"", FaultCode.HANDSHAKE_TIMEOUT),
    ],
)
def test_a_stranger_over_tls_is_dropped_with_a_named_fault(
    tmp_path: Path,
    data: bytes,
    code: FaultCode,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "HANDSHAKE_SECONDS_MAX", 1.0)

    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            with caplog.at_level(logging.INFO, "p2prummi"):
                reader, writer = await asyncio.open_connection(
                    LOCALHOST, one.driver.port, ssl=client_context(ssl.TLSVersion.TLSv1_3)
                )
                writer.write(data)
                await reader.read()
                writer.close()
                await wait_until(lambda: warnings_of(caplog), "a line in the log")
            (line,) = warnings_of(caplog)
            assert code.value in line
            assert one.notices == []

    asyncio.run(scenario())


def test_of_too_many_the_oldest_of_whoever_has_the_most_is_dropped() -> None:
    async def scenario() -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

        async def never(_stream: FrameStream) -> None:
            raise AssertionError("nobody is served")

        listening = Listening([], context, never)
        waiting = [asyncio.ensure_future(asyncio.Event().wait()) for _ in range(4)]
        sources = ("10.77.0.1", "10.77.0.9", "10.77.0.9", "10.77.0.2")
        listening._pending = dict(zip(waiting, sources, strict=True))  # type: ignore[arg-type] # tasks that end with a value
        listening._drop_one()
        await asyncio.wait([waiting[1]])
        assert [task.cancelled() for task in waiting] == [False, True, False, False]
        assert list(listening._pending.values()) == ["10.77.0.1", "10.77.0.9", "10.77.0.2"]
        await listening.close()

    asyncio.run(scenario())


def test_a_flood_of_silent_connections_is_capped_and_shuts_nobody_else_out(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            listening = one.driver._connections._listening
            assert isinstance(listening, Listening)
            flood = [await send_raw(one.driver.port, b"") for _ in range(4 * limits.PENDING_CONNECTIONS_MAX)]
            await wait_until(lambda: listening.pending == limits.PENDING_CONNECTIONS_MAX, "the cap")
            # From another address of this machine, so that the flood is not its own.
            stranger = Stranger(tmp_path)
            stream = await stranger.link(
                one.driver.port, one.driver.room_id, "::1" if _has_ipv6() else LOCALHOST
            )
            await wait_until(lambda: one.driver.linked_peers() == {stranger.key}, "an honest link")
            assert listening.pending <= limits.PENDING_CONNECTIONS_MAX
            for _, writer in flood:
                writer.close()
            await stream.close()

    asyncio.run(scenario())


def test_a_connection_may_end_in_the_moment_in_which_it_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        troubles: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, trouble: troubles.append(trouble))
        ended = loop.create_future()

        async def take(_listening: Listening, connection: socket.socket, _source: str) -> None:
            with connection:
                await ended

        async def serve(_stream: FrameStream) -> None:
            raise AssertionError("nothing gets as far as TLS here")

        monkeypatch.setattr(limits, "PENDING_CONNECTIONS_MAX", 1)
        monkeypatch.setattr(Listening, "_take", take)
        sockets, port = bind(None)
        listening = Listening(sockets, ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), serve)
        with socket.create_connection((LOCALHOST, port)):
            await wait_until(lambda: listening.pending == 1, "the first connection")
            with socket.create_connection((LOCALHOST, port)):
                # The first one ends in the same round of the loop in which the second one is accepted.
                loop.call_soon(ended.set_result, None)
                await wait_until(lambda: listening.pending == 0, "the end of both")
        await listening.close()
        assert troubles == []

    asyncio.run(scenario())


@pytest.mark.parametrize("moments", range(10))
def test_whenever_the_listener_is_closed_no_connection_stays_open(
    moments: int, credentials: Credentials
) -> None:
    """In each of the loop's first rounds; a warning of what is left open fails the test."""

    async def scenario() -> None:
        async def serve(_stream: FrameStream) -> None:
            raise AssertionError("nothing gets as far as TLS here")

        sockets, port = bind(None)
        listening = Listening(sockets, credentials.server, serve)
        with socket.create_connection((LOCALHOST, port), PATIENCE_SECONDS) as stranger:
            for _ in range(moments):
                await asyncio.sleep(0)
            await listening.close()
            with contextlib.suppress(ConnectionResetError):
                assert stranger.recv(1) == b""

    asyncio.run(scenario())
    gc.collect()


def test_a_connection_that_is_dropped_before_anybody_has_looked_at_it_is_closed(
    monkeypatch: pytest.MonkeyPatch, credentials: Credentials
) -> None:
    monkeypatch.setattr(limits, "PENDING_CONNECTIONS_MAX", 1)

    async def scenario() -> None:
        async def serve(_stream: FrameStream) -> None:
            raise AssertionError("nothing gets as far as TLS here")

        sockets, port = bind(None)
        strangers = [socket.create_connection((LOCALHOST, port), PATIENCE_SECONDS) for _ in range(3)]
        listening = Listening(sockets, credentials.server, serve)
        await wait_until(lambda: listening.pending == 1, "the connections")
        await listening.close()
        for stranger in strangers:
            with stranger, contextlib.suppress(ConnectionResetError):
                assert stranger.recv(1) == b""

    asyncio.run(scenario())
    gc.collect()


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
