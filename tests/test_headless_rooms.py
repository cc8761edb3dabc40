"""Bot peers on their way into a room: found, opened, closed, merged, at an address, with a code."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from p2prummi.crypto.room_code import RoomCode
from p2prummi.headless import Outcome
from p2prummi.net.dialling import UnreachableError
from p2prummi.session import commands, notices
from p2prummi.wire.hello import NO_ROOM
from tests.bots_in_memory import (
    CODE,
    BotRun,
    Hub,
    MemoryDriver,
    bot,
    early_end,
    no_waiting,
    run,
    until,
    wish,
)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)


def test_a_room_that_closes_is_looked_for_anew(tmp_path: Path) -> None:
    async def whole() -> BotRun:
        hub, room = Hub(), wish(3)
        host, each = MemoryDriver(hub, 1), bot(hub, 0, room, tmp_path)
        host.open_room("kitchen", room.ruleset, 3)
        task = asyncio.ensure_future(each.run())
        await until(lambda: each.driver.room_id != NO_ROOM)
        host.command(commands.LeaveRoom())
        await until(lambda: each.has_said("opened the room"))
        task.cancel()
        return each

    each = run(whole())
    assert each.has_said("joined the room kitchen, at 10.0.0.0:4711")
    assert each.has_said("the room is closed: Bob, who opened the room, is gone.")


def test_two_rooms_of_one_name_become_one(tmp_path: Path) -> None:
    async def whole() -> list[BotRun]:
        hub, room = Hub(), wish(2)
        bots = [bot(hub, number, room, tmp_path) for number in range(2)]
        real_rooms = MemoryDriver.rooms
        # Neither sees the other's room until both have opened one.
        for each in bots:
            each.driver.rooms = lambda: ()  # type: ignore[method-assign]  # a network that shows nothing
        tasks = [asyncio.ensure_future(each.run()) for each in bots]
        await until(lambda: all(each.has_said("opened the room") for each in bots))
        for each in bots:
            each.driver.rooms = real_rooms.__get__(each.driver)  # type: ignore[method-assign]  # as it is
        hub.room_changed()
        await asyncio.gather(*tasks)
        return bots

    bots = run(whole())
    assert [each.outcome for each in bots] == [Outcome.FINISHED] * 2
    assert [each.has_said("goes before this peer's own") for each in bots].count(True) == 1


@pytest.mark.parametrize(
    ("given", "made", "is_said"), [(None, True, True), (CODE, True, False), (None, False, False)]
)
def test_a_new_code_is_shown_and_a_given_one_is_not(
    given: RoomCode | None, made: bool, is_said: bool, tmp_path: Path
) -> None:
    async def whole() -> BotRun:
        room = replace(wish(3), with_code=made, code=given)
        each = bot(Hub(), 0, room, tmp_path)
        for notice in early_end(notices.MatchEnd.LEFT):
            each.driver.queue.put_nowait(notice)
        await each.run()
        return each

    assert run(whole()).has_said("123-456-7890") == is_said


@pytest.mark.parametrize("failures", [0, 3])
def test_an_address_is_looked_at_until_somebody_answers(failures: int, tmp_path: Path) -> None:
    async def whole() -> BotRun:
        each = bot(Hub(), 0, wish(3), tmp_path, connect="10.0.0.9:4711")
        each.driver.unreachable = failures
        for notice in early_end(notices.MatchEnd.LEFT):
            each.driver.queue.put_nowait(notice)
        await each.run()
        return each

    assert run(whole()).driver.looked_at == ["10.0.0.9:4711"] * (failures + 1)


def test_an_address_where_nobody_ever_answers_is_told(tmp_path: Path) -> None:
    async def whole() -> None:
        each = bot(Hub(), 0, wish(3), tmp_path, connect="10.0.0.9:4711")
        each.driver.unreachable = 1000
        await each.run()

    with pytest.raises(UnreachableError):
        run(whole())


def test_the_driver_s_own_words_come_first_and_its_end_ends_the_bot(tmp_path: Path) -> None:
    async def whole() -> BotRun:
        each = bot(Hub(), 0, wish(3), tmp_path)
        each.driver.start_notices = ("a damaged file was set aside",)
        each.driver.queue.put_nowait(None)
        await each.run()
        return each

    each = run(whole())
    assert each.said[0] == "a damaged file was set aside"
    assert each.outcome is Outcome.ENDED_EARLY
