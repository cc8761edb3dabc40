"""The driver: one peer in the real world, from its profile to its goodbye.

The session is pumped by `pump.py`; connections are `connections.py`, who is there `lookout.py` and
`discovery.py`, how a room's members are linked `joining.py`. What applications use is `Driver`: commands in,
`notices` out.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, TypeAlias

from p2prummi import __version__
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.room_code import RoomCode, make_room_code
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.net.addresses import (
    Address,
    HostPort,
    dialable_anywhere,
    own_addresses,
    parse_address,
    readable_addresses,
)
from p2prummi.net.connections import Connections
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.differences import Differences
from p2prummi.net.discovery import Discovery
from p2prummi.net.evidence import note_fault
from p2prummi.net.identity import Profile
from p2prummi.net.joining import FINAL_CODES, JoinError, Mesh, dial_room
from p2prummi.net.known_peers import Recognition, load_known_peers
from p2prummi.net.lookout import Lookout
from p2prummi.net.notices import (
    LookoutChanged,
    MemberUnreachable,
    NetNotice,
    NetworkChanged,
    PeerMet,
)
from p2prummi.net.pump import Pump, SessionLike
from p2prummi.net.records import write_record
from p2prummi.net.rendezvous import Rendezvous
from p2prummi.net.sightings import PeerSighting, RoomSighting
from p2prummi.net.tls import make_credentials
from p2prummi.net.transport import Ending, Link
from p2prummi.rules import Ruleset
from p2prummi.session.commands import Command, JoinRoom, LeaveRoom, OpenRoom
from p2prummi.session.handshake import LocalPeer, Probed, Stopped
from p2prummi.session.notices import FaultSeen, Notice, RoomClosed
from p2prummi.session.outbox import Closing
from p2prummi.wire.hello import NO_ROOM, PROTOCOL_VERSIONS, RoomAdvert

PROGRAM: Final = f"p2prummi {__version__}"
REMEMBERED_ADDRESSES_MAX: Final = 16
NOTICES_MAX: Final = 10_000

log: Final = logging.getLogger(__name__)

AnyNotice: TypeAlias = Notice | NetNotice


class Driver:
    """A peer. Made by `start`; it lives until `close`."""

    def __init__(
        self,
        profile: Profile,
        name: str,
        session: SessionLike,
        *,
        versions: tuple[int, ...],
        entropy: Entropy,
        rendezvous: Rendezvous | None,
    ) -> None:
        self.profile: Final = profile
        self.name: Final = name
        self.key: Final = profile.key.public
        self.port = 0
        self._session = session
        self._versions = versions
        self._entropy = entropy
        self._known, damage = load_known_peers(profile.directory)
        self.start_notices: Final = (*profile.notices, *([damage] if damage else []))
        credentials = make_credentials(profile.secret, profile.directory)
        self._connections = Connections(self, credentials, self.key, entropy, rendezvous)
        self._lookout = Lookout(self._connections, self.key, versions, self._lookout_changed)
        self._mesh = Mesh(self._connections, self.key, self._member_unreachable)
        self._pump = Pump(session, self)
        self._discovery: Discovery | None = None
        self._notices: asyncio.Queue[AnyNotice | Exception | None] = asyncio.Queue()
        self._differences = Differences(versions)
        self._room_id = NO_ROOM
        self._code: RoomCode | None = None
        self._closed = False

    @classmethod
    async def start(
        cls,
        profile: Profile,
        name: str,
        session: SessionLike,
        *,
        port: int | None = None,
        discovery: bool = True,
        versions: tuple[int, ...] = PROTOCOL_VERSIONS,
        entropy: Entropy = secrets.token_bytes,
        meeting_place: Path | None = None,
    ) -> Driver:
        """Makes a peer that listens (on `port`; None: on any) and, with `discovery`, is found by mDNS.

        Peers that are given the same directory as `meeting_place` find each other there too, also without
        any network. Raises PortError, LocalProtocolError.
        """
        rendezvous = None if meeting_place is None else Rendezvous(meeting_place, profile.key.public)
        driver = cls(profile, name, session, versions=versions, entropy=entropy, rendezvous=rendezvous)
        driver.port = driver._connections.listen(port)
        driver._lookout.start(driver._remembered(), rendezvous)
        if discovery:
            driver._discovery = Discovery(
                key=driver.key,
                port=driver.port,
                versions=versions,
                record=driver._record(session.advert()),
                on_seen=driver._lookout.announced,
                on_goodbye=driver._lookout.said_goodbye,
                on_online=lambda online: driver._tell(NetworkChanged(online)),
            )
            driver._discovery.start()
        driver._pump.empty()
        return driver

    # What applications use.

    @property
    def fingerprint(self) -> str:
        """The text by which people tell this peer from others of the same name."""
        return self.profile.fingerprint

    @property
    def room_id(self) -> bytes:
        """The room that this peer sits in; empty where it sits in none."""
        return self._room_id

    @property
    def room_code(self) -> RoomCode | None:
        """The code of the room that this peer sits in, where it has one."""
        return self._code

    @property
    def advert(self) -> RoomAdvert:
        """What this peer tells the network of its room: idle until the room's terms are known here."""
        return self._session.advert()

    def addresses(self) -> tuple[str, ...]:
        """Where others can dial this peer now, as `host:port`."""
        return own_addresses(self.port)

    def rooms(self) -> tuple[RoomSighting, ...]:
        """The rooms in this network, as far as they have answered."""
        return self._lookout.rooms()

    def peers(self) -> tuple[PeerSighting, ...]:
        """The other peers in this network, as far as they have answered."""
        return self._lookout.peers()

    def linked_peers(self) -> frozenset[bytes]:
        """The keys of the peers with which a link is up."""
        return self._connections.peers

    def command(self, command: Command) -> None:
        """Asks the session for something; rooms are opened and joined by the methods below.

        Raises LocalProtocolError with words where it does not fit.
        """
        self._pump.command(command)

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        """Opens a room; returns its code where it asks for one: the given one, or with `with_code` a new one.

        Raises LocalProtocolError.
        """
        if code is None and with_code:
            code = make_room_code(self._entropy)
        self._pump.command(OpenRoom(name=name, ruleset=ruleset, seats=seats, code_required=code is not None))
        self._room_id, self._code = self._session.advert().room_id, code
        return code

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        """Joins a room that was seen, through whichever of its members lets this peer in.

        With `leaving`, the room that this peer sits in is left, but only once the other has let it in. Raises
        JoinError, LocalProtocolError.
        """
        await self._join(room.facts.room_id, room.facts.name, room.members, code, leaving=leaving)

    async def join_address(self, text: str, code: RoomCode | None = None) -> None:
        """Joins the room of the peer at `host:port`, for networks that don't carry mDNS.

        Raises JoinError, also where nobody answers there, and LocalProtocolError.
        """
        try:
            member = await self.look_at(text)
        except UnreachableError as error:
            raise JoinError(None, str(error)) from error
        if member.room is None:
            raise JoinError(None, f"{member.name} at {text} sits in no room")
        await self._join(member.room.room_id, member.room.name, (member,), code, leaving=False)

    async def look_at(self, text: str) -> PeerSighting:
        """Probes the peer at `host:port`, which is shown from then on.

        Raises LocalProtocolError for a text that is no address, UnreachableError.
        """
        return await self._lookout.probe_address(parse_address(text))

    def trust(self, peer: bytes) -> None:
        """Notes that a person says that this key is whom its name says."""
        self._known.trust(peer)

    async def notices(self) -> AsyncIterator[AnyNotice]:
        """Everything that happens, in order, until `close`. Raises what goes wrong in the program itself."""
        while (notice := await self._notices.get()) is not None:
            if isinstance(notice, Exception):
                raise notice
            yield notice

    async def close(self) -> None:
        """Leaves the room, tells the others, and ends everything; the profile is free for another process."""
        if self._closed:
            return
        self._closed = True
        if self._room_id != NO_ROOM:
            try:
                self._pump.command(LeaveRoom())
            except LocalProtocolError as error:
                log.debug("no room was left: %s", error)
        await self._pump.close()
        await asyncio.gather(*self._mesh.stop(), return_exceptions=True)
        await self._lookout.close()
        await self._connections.close()
        if self._discovery is not None:
            await self._discovery.close()
        self.profile.release()
        self._notices.put_nowait(None)

    # What the connections tell (`connections.Owner`).

    def local_peer(self) -> LocalPeer:
        """What this peer says of itself now."""
        return LocalPeer(
            key=self.profile.key,
            name=self.name,
            program=PROGRAM,
            port=self.port,
            addresses=self._connections.told_addresses(self.port),
            room_id=self._room_id,
            code=self._code,
            advert=self._session.advert(),
            versions=self._versions,
        )

    def link_up(self, link: Link) -> None:
        """Tells the session of a link, and the application of a peer that is new or has changed."""
        lasting = tuple(map(str, dialable_anywhere(readable_addresses(link.addresses))))
        meeting = self._known.meet(link.peer, link.name, lasting)
        if meeting.is_first or meeting.recognition is Recognition.RENAMED:
            self._tell(PeerMet(peer=link.peer, name=link.name, meeting=meeting))
        self._pump.step(lambda now: self._session.peer_connected(link.peer, link.name, link.addresses, now))

    def frame_came(self, peer: bytes, data: bytes) -> None:
        """Hands a frame to the session."""
        self._pump.step(lambda now: self._session.receive(peer, data, now))

    def frame_refused(self, peer: bytes, error: RemoteProtocolError) -> None:
        """Tells the session of a fault that it has not seen itself."""
        self._pump.step(lambda now: self._session.peer_refused(peer, error, now))

    def link_down(self, peer: bytes, ending: Ending) -> None:
        """Tells the session that a link is over."""
        if ending.code in {None, FaultCode.LINK_LOST}:
            self._pump.step(lambda now: self._session.peer_lost(peer, ending.text, now))
        else:
            self.frame_refused(peer, RemoteProtocolError(ending.code, ending.text, peer))

    def visited(self, visitor: Probed, remote: HostPort, addresses: tuple[Address, ...]) -> None:
        """Takes up a peer that came by and can be dialled, which mDNS may never have shown."""
        if visitor.port:
            self._differences.forget(remote.host)
            self._lookout.visited(visitor, addresses)

    def came_to_nothing(self, stopped: Stopped, remote: HostPort) -> None:
        """Tells the application of a peer with other versions, once; anything else is in the log alone."""
        difference = self._differences.notice(stopped, remote)
        if difference is not None:
            self._tell(difference)

    # What the session says (`pump.Outlet`).

    def send(self, peer: bytes, data: bytes) -> None:
        """Sends a frame."""
        self._connections.send(peer, data)

    def close_link(self, closing: Closing) -> None:
        """Closes a link."""
        self._connections.close_link(closing.peer, Ending(closing.code, closing.text))

    def want_link(self, peer: bytes, addresses: tuple[str, ...]) -> None:
        """Sees to a link with a member."""
        self._mesh.want(peer, readable_addresses(addresses), self._room_id, self._code)

    def notify(self, notice: Notice) -> None:
        """Passes a notice on; a room that is closed is no longer the one that this peer sits in."""
        if isinstance(notice, FaultSeen):
            note_fault(self.profile.directory, notice)
        if isinstance(notice, RoomClosed):
            self._room_id, self._code = NO_ROOM, None
            self._mesh.stop()
        self._tell(notice)

    def advertise(self, advert: RoomAdvert) -> None:
        """Changes the service record where the advert has changed."""
        if self._discovery is not None:
            self._discovery.update(self._record(advert))

    def failed(self, error: Exception) -> None:
        """Ends the notices with an error of the program."""
        self._notices.put_nowait(error)

    # Inside.

    async def _join(
        self,
        room_id: bytes,
        name: str,
        members: tuple[PeerSighting, ...],
        code: RoomCode | None,
        *,
        leaving: bool,
    ) -> None:
        if self._room_id != NO_ROOM and not leaving:
            raise LocalProtocolError("You are in a room already; leave it first.")
        try:
            dialled = await dial_room(self._connections, members, room_id, code)
        except JoinError as error:
            if error.code not in FINAL_CODES:
                self._lookout.let_nobody_in(members)
            raise
        try:
            if self._session.advert().state == "playing":
                raise LocalProtocolError("The match has begun here; leave it first.")
            if self._room_id != NO_ROOM:
                self._pump.command(LeaveRoom())
            self._pump.command(JoinRoom(room_id=room_id, name=name))
        except LocalProtocolError:
            await self._connections.give_up(dialled)
            raise
        self._room_id, self._code = room_id, code
        self._connections.adopt(dialled)

    def _tell(self, notice: AnyNotice) -> None:
        if self._notices.qsize() < NOTICES_MAX:
            self._notices.put_nowait(notice)

    def _record(self, advert: RoomAdvert) -> dict[str, str]:
        return write_record(
            key=self.key, name=self.name, program=PROGRAM, versions=self._versions, advert=advert
        )

    def _lookout_changed(self) -> None:
        self._tell(LookoutChanged(rooms=self.rooms(), peers=self.peers()))

    def _member_unreachable(self, peer: bytes, error: JoinError) -> None:
        self._tell(MemberUnreachable(peer=peer, code=error.code, text=error.text))

    def _remembered(self) -> tuple[Address, ...]:
        """The addresses of the peers met last, to look there even where mDNS does not reach."""
        latest = list(self._known)[-REMEMBERED_ADDRESSES_MAX:]
        return readable_addresses(tuple(text for peer in reversed(latest) for text in peer.addresses[:1]))
