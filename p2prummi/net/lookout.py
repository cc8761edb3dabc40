"""The lookout: keeps the sightings fresh by probing whoever is due.

What is known and for how long it is believed is decided in `sightings.py`; this makes the probes and says
when what is to be shown has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final

from p2prummi.errors import FaultCode
from p2prummi.net.addresses import Address, SocketName
from p2prummi.net.connections import Connections
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.rendezvous import Rendezvous
from p2prummi.net.sightings import PeerSighting, RoomSighting, Sightings, Status, facts_of
from p2prummi.session.handshake import Errand, Probed, Stopped

LOOK_SECONDS: Final = 0.25
PROBES_MAX: Final = 8

log: Final = logging.getLogger(__name__)


class Lookout:
    """Watches who is there. `on_change` is called whenever the rooms or peers to show have changed."""

    def __init__(
        self,
        connections: Connections,
        own_key: bytes,
        versions: tuple[int, ...],
        on_change: Callable[[], None],
    ) -> None:
        self._connections = connections
        self._sightings = Sightings(own_key, versions)
        self._on_change = on_change
        self._clock = asyncio.get_running_loop().time
        self._slots = asyncio.Semaphore(PROBES_MAX)
        self._probes: set[asyncio.Task[None]] = set()
        self._running: set[asyncio.Future[None] | asyncio.Future[bool]] = set()
        self._shown: tuple[PeerSighting, ...] = ()

    def start(self, remembered: Iterable[Address] = (), rendezvous: Rendezvous | None = None) -> None:
        """Begins to probe: once where others have been met before, and whoever comes to the rendezvous."""
        self._running = {asyncio.ensure_future(self._look())}
        self._running |= {asyncio.ensure_future(self._answers(address)) for address in remembered}
        if rendezvous is not None:
            self._running.add(asyncio.ensure_future(self._watch(rendezvous)))

    async def close(self) -> None:
        """Ends all probes."""
        tasks = [*self._probes, *self._running]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def rooms(self) -> tuple[RoomSighting, ...]:
        """The rooms to show."""
        return self._sightings.rooms()

    def peers(self) -> tuple[PeerSighting, ...]:
        """The peers to show."""
        return self._sightings.peers()

    def announced(self, sighting: PeerSighting) -> None:
        """A service record was seen."""
        self._sightings.announced(sighting, self._clock())
        self._tell()

    def said_goodbye(self, fingerprint: str) -> None:
        """A service record was withdrawn."""
        self._sightings.said_goodbye(fingerprint, self._clock())
        self._tell()

    def visited(self, visitor: Probed, addresses: tuple[Address, ...]) -> None:
        """A peer came by."""
        self._sightings.came_by(_sighting(visitor, addresses), self._clock())
        self._tell()

    def let_nobody_in(self, members: Iterable[PeerSighting]) -> None:
        """Joining a room through these peers came to nothing, so what is shown of them is in doubt.

        As soon as one has answered again, whoever still wants its room hears of it anew.
        """
        for member in members:
            self._sightings.failed(member.key, self._clock())
        self._tell()

    async def probe_address(self, address: Address) -> PeerSighting:
        """Looks who is at an address, whatever mDNS says.

        Raises UnreachableError, also where another version of the protocol or something else answers.
        """
        dialled = await self._connections.dial((address,), Errand(purpose="probe"))
        outcome = dialled.outcome
        if not isinstance(outcome, Probed):
            text = outcome.text if isinstance(outcome, Stopped) else "another player answers there"
            raise UnreachableError({address: text})
        sighting = _sighting(outcome, (address,))
        self._sightings.answered(sighting, self._clock())
        self._tell()
        return sighting

    async def _look(self) -> None:
        while True:
            now = self._clock()
            self._sightings.handle_time(now)
            for sighting in self._sightings.due(now):
                task = asyncio.ensure_future(self._probe(sighting))
                self._probes.add(task)
                task.add_done_callback(self._probes.discard)
            self._tell()
            await asyncio.sleep(LOOK_SECONDS)

    async def _watch(self, rendezvous: Rendezvous) -> None:
        """Looks at each socket that appears until its peer has answered; then it is seen like others."""
        met: frozenset[SocketName] = frozenset()
        while True:
            there = rendezvous.others()
            met &= there
            for name in sorted(there - met, key=str):
                if await self._answers(name):
                    met |= {name}
            await asyncio.sleep(LOOK_SECONDS)

    async def _answers(self, address: Address) -> bool:
        try:
            await self.probe_address(address)
        except UnreachableError as error:
            log.debug("nobody answers: %s", error)
            return False
        return True

    async def _probe(self, sighting: PeerSighting) -> None:
        key = sighting.key
        try:
            async with self._slots:
                dialled = await self._connections.dial(
                    sighting.addresses, Errand(purpose="probe", sought=key)
                )
        except UnreachableError as error:
            log.debug("%s does not answer: %s", sighting.name, error)
            self._sightings.failed(key, self._clock(), only_silence=error.only_silence)
        else:
            outcome = dialled.outcome
            if isinstance(outcome, Probed):
                self._sightings.answered(_sighting(outcome, (dialled.address,)), self._clock())
            elif isinstance(outcome, Stopped) and outcome.code == FaultCode.VERSION_MISMATCH:
                self._sightings.mismatched(key, outcome.peer_versions, outcome.peer_program, self._clock())
            else:
                self._sightings.failed(key, self._clock())
        finally:
            self._sightings.probe_over(key)
            self._tell()

    def _tell(self) -> None:
        shown = self._sightings.peers()
        if shown != self._shown:
            self._shown = shown
            self._on_change()


def _sighting(probed: Probed, addresses: tuple[Address, ...]) -> PeerSighting:
    return PeerSighting(
        key=probed.peer,
        name=probed.name,
        program=probed.program,
        versions=probed.versions,
        compatible=True,
        addresses=addresses,
        room=facts_of(probed.advert),
        status=Status.LIVE,
    )
