"""Dialling over real sockets on loopback: which address is taken, and why none would do."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from p2prummi.net.addresses import HostPort
from p2prummi.net.connections import Connections
from p2prummi.net.dialling import UnreachableError, reach
from p2prummi.net.joining import JoinError
from p2prummi.net.listening import PortError, bind
from p2prummi.net.transport import FrameStream
from tests.net.loopback import LOCALHOST, players, send_raw

pytestmark = pytest.mark.timeout(120)


def test_all_addresses_are_tried_until_the_sought_peer_answers(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 3) as (one, two, three):
            connections: Connections = one.driver._connections
            closed, port = bind(None)
            for made in closed:
                made.close()
            here = [HostPort(LOCALHOST, player.driver.port) for player in (one, two, three)]
            context = connections._credentials.client
            reached = await reach(
                [HostPort(LOCALHOST, port), *here], context, own_key=one.key, sought=three.key
            )
            assert (reached.key, reached.address) == (three.key, here[2])
            reached.stream.abort()
            reached = await reach(here, context, own_key=one.key, sought=None)
            assert reached.key in {two.key, three.key}
            reached.stream.abort()
            with pytest.raises(UnreachableError, match="nothing listens there") as caught:
                await reach([HostPort(LOCALHOST, port), *here], context, own_key=one.key, sought=bytes(32))
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
            assert FrameStream(reader, writer).remote == HostPort(LOCALHOST, one.driver.port)
            writer.close()

    asyncio.run(scenario())
