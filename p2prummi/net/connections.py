"""All connections of one peer: those that come in, those that it makes, and the links that come of them.

One link a pair (`p2prummi.session.pairing`). A connection becomes a link by `adopt`; until then whoever
dialled may still give it up. What travels on a link is not looked at here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from p2prummi.crypto.entropy import Entropy
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.net.addresses import Address, HostPort, own_addresses, readable_addresses, tellable
from p2prummi.net.dialling import reach
from p2prummi.net.listening import Listening, PortError, bind
from p2prummi.net.rendezvous import Rendezvous
from p2prummi.net.tls import Credentials
from p2prummi.net.transport import Ending, FrameStream, Link, shake_hands
from p2prummi.session.dialler import Dialler
from p2prummi.session.handshake import CodeAttempts, Errand, Linked, LocalPeer, Outcome, Probed, Side, Stopped
from p2prummi.session.listener import Listener
from p2prummi.session.pairing import Pairing
from p2prummi.wire import limits

log: Final = logging.getLogger(__name__)


class Owner(Protocol):
    """Who is told what becomes of connections; nothing here may raise."""

    def local_peer(self) -> LocalPeer:
        """What this peer says of itself now."""

    def link_up(self, link: Link) -> None:
        """A link is there, in place of an older one to the same peer if there was one."""

    def frame_came(self, peer: bytes, data: bytes) -> None:
        """A frame came over the link to this peer."""

    def frame_refused(self, peer: bytes, error: RemoteProtocolError) -> None:
        """What came over the link to this peer can't be taken as a frame; the link is over after this."""

    def link_down(self, peer: bytes, ending: Ending) -> None:
        """The link to this peer is over and has no successor."""

    def visited(self, visitor: Probed, remote: HostPort, addresses: tuple[Address, ...]) -> None:
        """A peer has probed this one from there; the addresses are where it may be dialled."""

    def came_to_nothing(self, stopped: Stopped, remote: HostPort) -> None:
        """A connection from there did not become a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialled:
    """How a dial ended, and at which of the `known` addresses. A link is up only once it is adopted."""

    outcome: Outcome
    address: Address
    known: tuple[Address, ...]
    stream: FrameStream = field(repr=False)


class Connections:
    """The listener, the dials and the links of one peer."""

    def __init__(
        self,
        owner: Owner,
        credentials: Credentials,
        own_key: bytes,
        entropy: Entropy,
        rendezvous: Rendezvous | None = None,
    ) -> None:
        self._owner = owner
        self._credentials = credentials
        self._own_key = own_key
        self._entropy = entropy
        self._rendezvous = rendezvous
        self._pairing = Pairing(own_key)
        self._attempts = CodeAttempts()
        self._links: dict[bytes, Link] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._listening: Listening | None = None
        self._clock: Callable[[], float] = asyncio.get_running_loop().time

    def listen(self, port: int | None) -> int:
        """Begins to accept connections, and returns the port. Raises PortError."""
        sockets, chosen = bind(port)
        if self._rendezvous is not None:
            try:
                sockets.append(self._rendezvous.bind())
            except PortError:
                for each in sockets:
                    each.close()
                raise
        self._listening = Listening(sockets, self._credentials.server, self._serve)
        return chosen

    @property
    def peers(self) -> frozenset[bytes]:
        """The peers with which a link is up."""
        return frozenset(self._links)

    def told_addresses(self, port: int) -> tuple[str, ...]:
        """Where others can dial the listener on this port now, as texts to tell them."""
        sockets = () if self._rendezvous is None else (self._rendezvous.own,)
        return tuple(map(str, tellable((*readable_addresses(own_addresses(port)), *sockets))))

    async def dial(self, addresses: Sequence[Address], errand: Errand) -> Dialled:
        """Goes to a peer on an errand. A link that comes of it is to be adopted or given up.

        Raises UnreachableError.
        """
        reached = await reach(
            addresses,
            self._credentials.client,
            own_key=self._own_key,
            sought=errand.sought,
            rendezvous=self._rendezvous,
        )
        handshake = Dialler(self._side(reached.certificate_hash), errand, peer_key=reached.key)
        try:
            outcome = await shake_hands(reached.stream, handshake, self._clock)
        except BaseException:
            reached.stream.abort()
            raise
        if not isinstance(outcome, Linked):
            await reached.stream.close()
        return Dialled(
            outcome=outcome, address=reached.address, known=tuple(addresses), stream=reached.stream
        )

    def adopt(self, dialled: Dialled) -> None:
        """Makes a link of a dial that led to one."""
        assert isinstance(dialled.outcome, Linked), "only a dial that led to a link is adopted"
        self._add_link(dialled.stream, dialled.outcome, (dialled.address, *dialled.known))

    async def give_up(self, dialled: Dialled) -> None:
        """Closes a dial that led to a link which nobody wants any more."""
        assert isinstance(dialled.outcome, Linked), "only a dial that led to a link is given up"
        self._pairing.release(dialled.outcome.claim)
        await dialled.stream.close()

    def send(self, peer: bytes, data: bytes) -> None:
        """Sends a frame to a linked peer; without a link it is dropped, as its receiver is gone."""
        link = self._links.get(peer)
        if link is not None:
            link.send(data)

    def close_link(self, peer: bytes, ending: Ending) -> None:
        """Ends the link to a peer, after what was sent before."""
        link = self._links.get(peer)
        if link is not None:
            link.close(ending)

    async def close(self) -> None:
        """Ends everything."""
        if self._listening is not None:
            await self._listening.close()
        if self._rendezvous is not None:
            self._rendezvous.leave()
        for link in self._links.values():
            link.close(Ending(None, "this player leaves"))
        if self._running:
            await asyncio.wait(self._running)

    def _side(self, certificate_hash: bytes) -> Side:
        return Side(
            local=self._owner.local_peer(),
            certificate_hash=certificate_hash,
            pairing=self._pairing,
            attempts=self._attempts,
            entropy=self._entropy,
            now=self._clock(),
        )

    async def _serve(self, stream: FrameStream) -> None:
        handshake = Listener(self._side(self._credentials.certificate_hash))
        outcome = await shake_hands(stream, handshake, self._clock)
        if isinstance(outcome, Linked):
            if outcome.room_id == self._owner.local_peer().room_id:
                self._add_link(stream, outcome, _addresses_of(stream.remote, outcome.port, outcome.addresses))
            else:
                # This peer has gone to another room while the handshake was under way.
                self._pairing.release(outcome.claim)
                await stream.close()
            return
        if isinstance(outcome, Probed):
            addresses = _addresses_of(stream.remote, outcome.port, outcome.addresses)
            self._owner.visited(outcome, stream.remote, addresses)
        elif isinstance(outcome, Stopped):
            if outcome.code != FaultCode.LINK_LOST:
                log.warning("%s: %s, %s", stream.remote.host, outcome.code, outcome.text)
            else:
                log.info("%s: closed before it said who it is", stream.remote.host)
            self._owner.came_to_nothing(outcome, stream.remote)
        await stream.close()

    def _add_link(self, stream: FrameStream, linked: Linked, addresses: tuple[Address, ...]) -> None:
        link = Link(stream, linked, tuple(map(str, tellable(addresses))))
        old = self._links.get(linked.peer)
        if old is not None:
            old.close(Ending(None, "a newer connection has taken its place"))
        self._links[linked.peer] = link
        task = asyncio.ensure_future(self._run(link))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        self._owner.link_up(link)

    async def _run(self, link: Link) -> None:
        peer = link.peer
        ending = await link.run(
            lambda data: self._owner.frame_came(peer, data),
            lambda error: self._owner.frame_refused(peer, error),
            self._clock,
        )
        self._pairing.release(link.claim)
        if self._links.get(peer) is link:
            del self._links[peer]
            self._owner.link_down(peer, ending)


def _addresses_of(remote: HostPort, port: int | None, told: tuple[str, ...]) -> tuple[Address, ...]:
    """Where a peer may be dialled: where its connection comes from, then where it says that it listens."""
    source = (HostPort(remote.host, port),) if port else ()
    return tuple(dict.fromkeys((*source, *readable_addresses(told))))[: limits.ADDRESSES_MAX]
