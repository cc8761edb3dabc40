"""Connections over real sockets on loopback: links, and everything that strangers may send instead of one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest

from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.net.addresses import Address
from p2prummi.net.connections import Connections
from p2prummi.net.dialling import UnreachableError, reach
from p2prummi.net.joining import JoinError
from p2prummi.net.listening import Listening, PortError, bind
from p2prummi.net.notices import PeerMet
from p2prummi.net.transport import ConnectionOverError, FrameRate, FrameStream
from p2prummi.session import Session
from p2prummi.session.commands import SendChat
from p2prummi.session.notices import ChatReceived, FaultSeen, PeerJoined, PeerLeft
from p2prummi.wire import limits
from tests.net.loopback import LOCALHOST, PATIENCE_SECONDS, Player, Stranger, players, wait_until

pytestmark = pytest.mark.timeout(120)


async def join(opener: Player, *joiners: Player) -> None:
    opener.open_room()
    for joiner in joiners:
        await joiner.driver.join_address(opener.address)
    everyone = (opener, *joiners)
    await wait_until(
        lambda: all(len(player.driver.linked_peers()) == len(everyone) - 1 for player in everyone),
        "a link for each pair",
    )


async def still_talks(one: Player, other: Player, text: str) -> None:
    """Whether the link between these two is there and works."""
    one.driver.command(SendChat(text))
    await wait_until(
        lambda: [said for said in other.told(ChatReceived) if said.text == text], f"{text} at the other side"
    )


async def read_until_closed(stream: FrameStream) -> None:
    with contextlib.suppress(ConnectionOverError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                await stream.read_frame(limits.FRAME_BYTES_MAX)


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]


# Links.


def test_members_are_linked_and_talk(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 3) as (one, two, three):
            await join(one, two, three)
            assert {met.peer for met in one.told(PeerMet)} == {two.key, three.key}
            await still_talks(two, three, "hello")
            await still_talks(one, two, "and hello")
            await three.driver.close()
            await wait_until(lambda: three.key not in one.driver.linked_peers(), "who left is not linked")
            assert [left.peer for left in one.told(PeerLeft)] == [three.key]

    asyncio.run(scenario())


def test_a_lost_link_is_told_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            stream = await Stranger(tmp_path).link(one.driver.port, one.driver.room_id)
            await wait_until(lambda: one.told(PeerJoined), "the link")
            stream.abort()
            await wait_until(lambda: one.told(PeerLeft), "its loss")
            assert one.driver.linked_peers() == frozenset()

    asyncio.run(scenario())


def test_a_newer_connection_of_a_peer_takes_the_place_of_the_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CLAIM_SECONDS_MIN", 0.0)

    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            stranger = Stranger(tmp_path)
            old = await stranger.link(one.driver.port, one.driver.room_id)
            new = await stranger.link(one.driver.port, one.driver.room_id)
            await read_until_closed(old)
            assert one.driver.linked_peers() == {stranger.key}
            assert one.told(PeerLeft) == []
            one.driver.command(SendChat("still there"))
            frames = [await new.read_frame(limits.FRAME_BYTES_MAX) for _ in range(2)]
            assert b"still there" in frames[-1]
            await new.close()

    asyncio.run(scenario())


# Strangers.


async def send_raw(port: int, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(LOCALHOST, port)
    writer.write(data)
    return reader, writer


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


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


# Members who send what they should not.


def prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


HOSTILE = {
    "nested 1000 deep": b"\x91" * 1000 + b"\x01",
    "nested 5000 deep": b"\x91" * 5000 + b"\x01",
    "an array said to hold 4 G": b"\xdd\xff\xff\xff\xff",
    "a map said to hold 4 G": b"\xdf\xff\xff\xff\xff",
    "a key twice": b"\x92\xa4ping\x82\xa1a\x01\xa1a\x02",
    "not a number": b"\x92\xa4ping\xcb\x7f\xf8\0\0\0\0\0\0",
    "an extension": b"\x92\xa4ping\xd4\x01\x00",
    "a list as key": b"\x92\xa4ping\x81\x91\x01\x02",
    "bytes after the value": b"\x91\xa4ping\x00",
    "a number in a long form": b"\x92\xa4ping\xce\x00\x00\x00\x01",
    "no encoding": b"\xc1",
    "a frame unknown": b"\x91\xa4pong",
    "a frame of a handshake": b"\x91\xa5start",
    "a value that is no frame": b"\x05",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_member_loses_its_link_and_nobody_else_does(tmp_path: Path, data: bytes) -> None:
    """With the real session, which names the fault."""

    async def scenario() -> None:
        async with players(tmp_path, 2, real_session) as (one, two):
            await join(one, two)
            stranger = Stranger(tmp_path)
            stream = await stranger.link(one.driver.port, one.driver.room_id)
            stream._writer.write(prefixed(data))
            (fault,) = await wait_until(lambda: one.told(FaultSeen), "the fault by its name")
            assert fault.peer == stranger.key
            assert not fault.signed
            await read_until_closed(stream)
            await wait_until(lambda: one.driver.linked_peers() == {two.key}, "the others stay linked")
            assert two.told(FaultSeen) == []
            await still_talks(one, two, "undisturbed")
            await stream.close()

    asyncio.run(scenario())


def real_session(key: SigningKey, name: str) -> Session:
    return Session(key, name, secrets.token_bytes)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ((limits.FRAME_BYTES_MAX + 1).to_bytes(4, "big"), "oversized_frame"),
        (b"\xff\xff\xff\xff", "oversized_frame"),
        (bytes(4), "malformed_frame"),
        (prefixed(b"{}") * (limits.FRAMES_BURST_MAX + limits.FRAMES_PER_SECOND_MAX), "limit_exceeded"),
    ],
    ids=["over the cap by one", "4 G", "empty", "a flood"],
)
def test_what_goes_over_a_limit_ends_the_link_with_a_named_fault(
    tmp_path: Path, data: bytes, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            stream = await Stranger(tmp_path).link(one.driver.port, one.driver.room_id)
            with caplog.at_level(logging.INFO, "p2prummi"):
                stream._writer.write(data)
                await wait_until(lambda: one.told(PeerLeft), "the link is down")
            lines = [line for line in warnings_of(caplog) if why in line]
            assert len(lines) == 1
            stream.abort()

    asyncio.run(scenario())


def test_who_takes_nothing_of_what_it_is_sent_loses_its_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(limits, "QUEUE_BYTES_MAX", 256 * 1024)

    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            stream = await Stranger(tmp_path).link(one.driver.port, one.driver.room_id)
            stream._writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that also reads
            await wait_until(lambda: one.told(PeerJoined), "the link")
            for _ in range(1000):
                one.driver.command(SendChat("x" * 60_000))
                await asyncio.sleep(0)
                if one.told(PeerLeft):
                    break
            await wait_until(lambda: one.told(PeerLeft), "the link is down")
            assert [line for line in warnings_of(caplog) if "limit_exceeded" in line]
            stream.abort()

    asyncio.run(scenario())


def test_the_rate_of_frames_refills() -> None:
    rate = FrameRate(0.0)
    assert all(rate.take(0.0) for _ in range(limits.FRAMES_BURST_MAX))
    assert not rate.take(0.0)
    assert all(rate.take(1.0) for _ in range(limits.FRAMES_PER_SECOND_MAX))
    assert not rate.take(1.0)
    assert all(rate.take(1000.0) for _ in range(limits.FRAMES_BURST_MAX))
    assert not rate.take(1000.0)


# Dialling.


def test_all_addresses_are_tried_until_the_sought_peer_answers(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 3) as (one, two, three):
            connections: Connections = one.driver._connections
            closed, port = bind(None)
            for made in closed:
                made.close()
            here = [Address(LOCALHOST, player.driver.port) for player in (one, two, three)]
            context = connections._credentials.client
            reached = await reach(
                [Address(LOCALHOST, port), *here], context, own_key=one.key, sought=three.key
            )
            assert (reached.key, reached.address) == (three.key, here[2])
            reached.stream.abort()
            reached = await reach(here, context, own_key=one.key, sought=None)
            assert reached.key in {two.key, three.key}
            reached.stream.abort()
            with pytest.raises(UnreachableError, match="nothing listens there") as caught:
                await reach([Address(LOCALHOST, port), *here], context, own_key=one.key, sought=bytes(32))
            assert len(caught.value.reasons) == 4
            assert not caught.value.only_self
            with pytest.raises(UnreachableError, match="this player itself") as caught:
                await reach(here[:1], context, own_key=one.key, sought=None)
            assert caught.value.only_self
            with pytest.raises(UnreachableError, match="no address"):
                await reach([], context, own_key=one.key, sought=None)

    asyncio.run(scenario())


def test_what_speaks_no_tls_is_no_peer(tmp_path: Path) -> None:
    async def scenario() -> None:
        async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail.example ESMTP\r\n")
            writer.close()

        server = await asyncio.start_server(greet, LOCALHOST, 0)
        port = server.sockets[0].getsockname()[1]
        async with players(tmp_path, 1) as (one,):
            with pytest.raises(JoinError, match=r"no TLS|closed"):
                await one.driver.join_address(f"{LOCALHOST}:{port}")
        server.close()

    asyncio.run(scenario())


def test_joining_says_why_it_did_not_come_to_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            with pytest.raises(JoinError, match="sits in no room"):
                await two.driver.join_address(one.address)
            with pytest.raises(JoinError, match="this player itself"):
                await two.driver.join_address(two.address)

    asyncio.run(scenario())


def test_a_port_that_is_taken_is_one_clear_error() -> None:
    held, port = bind(None)
    assert {made.getsockname()[1] for made in held} == {port}
    with pytest.raises(PortError, match=f"port {port} is taken"):
        bind(port)
    for made in held:
        made.close()
    again, same = bind(port)
    assert same == port
    for made in again:
        made.close()


def test_a_stream_knows_where_its_other_side_is(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            reader, writer = await send_raw(one.driver.port, b"")
            assert FrameStream(reader, writer).remote == Address(LOCALHOST, one.driver.port)
            writer.close()

    asyncio.run(scenario())
