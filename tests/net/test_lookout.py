"""The lookout: who is due is probed, a few at a time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from p2prummi.net.addresses import HostPort
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.lookout import PROBES_MAX, Lookout
from p2prummi.net.sightings import PeerSighting, Status
from tests.net.loopback import wait_until

pytestmark = pytest.mark.timeout(120)


class _Silence:
    """Connections on which every dial waits for ever, or fails once it is let go."""

    def __init__(self) -> None:
        self.under_way = 0
        self.dials = 0
        self.let_go = asyncio.Event()

    async def dial(self, addresses: tuple[HostPort, ...], _errand: Any) -> None:
        self.dials += 1
        self.under_way += 1
        try:
            await self.let_go.wait()
        finally:
            self.under_way -= 1
        raise UnreachableError(dict.fromkeys(addresses, "no answer"))


def announced(number: int) -> PeerSighting:
    return PeerSighting(
        key=number.to_bytes(32, "big"),
        name="bob",
        program="p2prummi",
        versions=(1,),
        compatible=True,
        addresses=(HostPort("10.77.0.1", number),),
        room=None,
        status=Status.UNPROVED,
    )


def test_however_many_are_announced_only_some_are_probed_at_once() -> None:
    async def scenario() -> None:
        silence = _Silence()
        lookout = Lookout(silence, bytes(32), (1,), lambda: None)  # type: ignore[arg-type] # it dials, and no more is asked of it
        for number in range(1, 3 * PROBES_MAX):
            lookout.announced(announced(number))
        lookout.start()
        await wait_until(lambda: silence.under_way == PROBES_MAX, "as many probes as may be")
        assert silence.dials == PROBES_MAX
        silence.let_go.set()
        await wait_until(lambda: silence.dials == 3 * PROBES_MAX - 1, "all the others")
        await lookout.close()

    asyncio.run(scenario())
