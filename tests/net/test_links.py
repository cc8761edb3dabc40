"""Links over real sockets on loopback: how they come, work and end, and how much may travel on them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from p2prummi.net.notices import PeerMet
from p2prummi.net.transport import FrameRate
from p2prummi.session.commands import SendChat
from p2prummi.session.notices import PeerJoined, PeerLeft
from p2prummi.wire import limits
from tests.net.loopback import (
    Stranger,
    join,
    players,
    read_until_closed,
    still_talks,
    wait_until,
    warnings_of,
)

pytestmark = pytest.mark.timeout(120)


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


def test_what_is_sent_while_a_broken_link_is_being_closed_is_dropped(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            stranger = Stranger(tmp_path)
            stream = await stranger.link(one.driver.port, one.driver.room_id)
            await wait_until(lambda: one.told(PeerJoined), "the link")
            link = one.driver._connections._links[stranger.key]
            stream.abort()
            await wait_until(link._stream._writer.is_closing, "its loss")
            await link._stream.close()
            link.send(b"to nobody")
            assert link._stream.bytes_waiting == 0

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
