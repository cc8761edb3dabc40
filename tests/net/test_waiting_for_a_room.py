"""Whoever connects to a player in no room sits in that player's room soon after it has been opened."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from p2prummi.console.entrance import Entrance
from p2prummi.console.settings import Settings
from p2prummi.rules import Ruleset
from tests.net.loopback import Player, players, wait_until

pytestmark = pytest.mark.timeout(120)


async def hear_all(player: Player, entrance: Entrance) -> None:
    """Hands every notice on, as the console does."""
    heard = 0
    while True:
        for notice in player.notices[heard:]:
            entrance.hear(notice)
        heard = len(player.notices)
        await asyncio.sleep(0.01)


def test_the_room_is_joined_when_it_is_opened(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            entrance = Entrance(two.driver, Settings(ruleset=Ruleset()))
            hearing = asyncio.ensure_future(hear_all(two, entrance))
            entrance.connect(one.address)
            await wait_until(lambda: entrance.waiting, "the word that the room is waited for")
            one.open_room()
            await wait_until(lambda: two.driver.linked_peers() == {one.key}, "a link with who opened it")
            assert two.driver.room_id == one.driver.room_id
            assert entrance.waiting == ""
            hearing.cancel()
            await entrance.close()

    asyncio.run(scenario())
