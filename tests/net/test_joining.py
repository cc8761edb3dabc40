"""The mesh: members are dialled a few at a time, and no more of them than a room could have."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from p2prummi.net import joining
from p2prummi.net.addresses import HostPort
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.joining import DIALS_AT_ONCE_MAX, MEMBERS_DIALLED_MAX, JoinError, Mesh
from tests.net.loopback import wait_until

pytestmark = pytest.mark.timeout(120)

OWN = bytes(32)
ROOM = bytes([7]) * 32
HERE = HostPort("10.9.0.1", 1)


class _Nowhere:
    """Connections on which every dial waits until it is let go, and then fails."""

    def __init__(self) -> None:
        self.peers: frozenset[bytes] = frozenset()
        self.under_way = 0
        self.most = 0
        self.dials = 0
        self.let_go = asyncio.Event()

    async def dial(self, addresses: tuple[HostPort, ...], _errand: Any) -> None:
        self.dials += 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self.let_go.wait()
        finally:
            self.under_way -= 1
        raise UnreachableError(dict.fromkeys(addresses, "no answer"))


def test_of_many_that_are_named_some_are_dialled_and_few_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(joining, "FIRST_WAIT_SECONDS", 0.0)
    monkeypatch.setattr(joining, "DIALS_MAX", 2)

    async def scenario() -> None:
        nowhere, given_up = _Nowhere(), list[bytes]()

        def give_up(peer: bytes, _error: JoinError) -> None:
            given_up.append(peer)

        mesh = Mesh(nowhere, OWN, give_up)  # type: ignore[arg-type] # it dials, and no more is asked of it
        named = [number.to_bytes(32, "big") for number in range(1, MEMBERS_DIALLED_MAX + 10)]
        with caplog.at_level(logging.INFO):
            for peer in [*named, *named]:
                mesh.want(peer, (HERE,), ROOM, None)
        assert caplog.text.count("is not dialled") == 2 * (len(named) - MEMBERS_DIALLED_MAX)
        await wait_until(lambda: nowhere.under_way == DIALS_AT_ONCE_MAX, "as many dials as may be")
        nowhere.let_go.set()
        await wait_until(lambda: len(given_up) == MEMBERS_DIALLED_MAX, "all of them given up")
        assert nowhere.most == DIALS_AT_ONCE_MAX
        assert nowhere.dials == 2 * MEMBERS_DIALLED_MAX
        assert set(given_up) == set(named[:MEMBERS_DIALLED_MAX])
        await asyncio.sleep(0)
        mesh.want(named[-1], (HERE,), ROOM, None)
        await wait_until(lambda: given_up[-1] == named[-1], "there is room again")

    asyncio.run(scenario())
