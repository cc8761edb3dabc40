"""Members of a room who send what they should not: each loses its own link, with a named fault."""

from __future__ import annotations

import asyncio
import logging
import secrets
from pathlib import Path

import pytest

from p2prummi.crypto.signing import SigningKey
from p2prummi.session import Session
from p2prummi.session.commands import SendChat
from p2prummi.session.notices import FaultSeen, PeerLeft
from p2prummi.wire import limits
from p2prummi.wire.frames import Bye, Ping, encode_frame, parse_frame
from tests.net.hostile_frames import HOSTILE_FRAMES
from tests.net.loopback import (
    Stranger,
    frames_until_closed,
    join,
    players,
    read_until_closed,
    still_talks,
    wait_until,
    warnings_of,
)

pytestmark = pytest.mark.timeout(120)


def prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


FLOOD = prefixed(encode_frame(Ping())) * (limits.FRAMES_BURST_MAX + limits.FRAMES_PER_SECOND_MAX)


@pytest.mark.parametrize("name", HOSTILE_FRAMES)
def test_a_hostile_member_loses_its_link_and_nobody_else_does(tmp_path: Path, name: str) -> None:
    """With the real session, which names the fault."""
    hostile = HOSTILE_FRAMES[name]

    async def scenario() -> None:
        async with players(tmp_path, 2, real_session) as (one, two):
            await join(one, two)
            stranger = Stranger(tmp_path)
            stream = await stranger.link(one.driver.port, one.driver.room_id)
            stream.write_frame(hostile.data)
            (fault,) = await wait_until(lambda: one.told(FaultSeen), "the fault by its name")
            assert (fault.code, fault.peer) == (hostile.code, stranger.key)
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
        (FLOOD, "limit_exceeded"),
    ],
    ids=["over the cap by one", "4 G", "empty", "a flood"],
)
def test_what_goes_over_a_limit_ends_the_link_with_a_named_fault(
    tmp_path: Path, data: bytes, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The person is told, the log, and the sender itself: once each."""

    async def scenario() -> None:
        async with players(tmp_path, 1, real_session) as (one,):
            one.open_room()
            stranger = Stranger(tmp_path)
            stream = await stranger.link(one.driver.port, one.driver.room_id)
            with caplog.at_level(logging.INFO, "p2prummi"):
                stream._writer.write(data)
                await wait_until(lambda: one.told(PeerLeft), "the link is down")
                await wait_until(lambda: why in caplog.text, "the line in the log")
            (fault,) = one.told(FaultSeen)
            assert (fault.code, fault.peer, fault.signed) == (why, stranger.key, False)
            lines = [line for line in warnings_of(caplog) if why in line]
            assert len(lines) == 1
            heard = [parse_frame(data) for data in await frames_until_closed(stream)]
            assert [frame for frame in heard if isinstance(frame, Bye)] == [Bye("fault", why, fault.text)]
            stream.abort()

    asyncio.run(scenario())


def test_who_takes_nothing_of_what_it_is_sent_loses_its_link_with_a_named_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "QUEUE_BYTES_MAX", 0)

    async def scenario() -> None:
        async with players(tmp_path, 1, real_session) as (one,):
            one.open_room()
            stranger = Stranger(tmp_path)
            stream = await stranger.link(one.driver.port, one.driver.room_id)
            big = "x" * limits.CHAT_BYTES_MAX

            def talked() -> list[FaultSeen]:
                for _ in range(0 if one.told(FaultSeen) else 1000):
                    one.driver.command(SendChat(big))
                return one.told(FaultSeen)

            (fault,) = await wait_until(talked, "the fault")
            assert (fault.code, fault.peer, fault.signed) == ("limit_exceeded", stranger.key, False)
            await wait_until(lambda: one.told(PeerLeft), "the link is down")
            stream.abort()

    asyncio.run(scenario())
