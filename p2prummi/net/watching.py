"""Watching without being there: looks for a while who is in the network, under a key that nobody sees again.

The watcher listens nowhere and announces nothing; it probes like any peer, and says that it can't be dialled.
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

from p2prummi import __version__
from p2prummi.crypto.signing import SECRET_KEY_BYTES, SigningKey
from p2prummi.errors import RemoteProtocolError
from p2prummi.net.addresses import Address, HostPort, Interface, own_interfaces
from p2prummi.net.connections import Connections
from p2prummi.net.discovery import Discovery
from p2prummi.net.identity import Secret
from p2prummi.net.lookout import Lookout
from p2prummi.net.sightings import PeerSighting, RoomSighting
from p2prummi.net.tls import make_credentials
from p2prummi.net.transport import Ending, Link
from p2prummi.session.handshake import LocalPeer, Probed, Stopped
from p2prummi.wire.hello import PROTOCOL_VERSIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What was there, and where it was looked; `online` is False where this machine had no network at all."""

    rooms: tuple[RoomSighting, ...]
    peers: tuple[PeerSighting, ...]
    online: bool
    interfaces: tuple[Interface, ...]


class _Watcher:
    """An owner of connections that only ever dials."""

    def __init__(self, key: SigningKey) -> None:
        self._local = LocalPeer(key=key, name="watcher", program=f"p2prummi {__version__}", port=0)
        self.online = False

    def local_peer(self) -> LocalPeer:
        return self._local

    def link_up(self, link: Link) -> None:
        """Never comes: a watcher joins nothing."""

    def frame_came(self, peer: bytes, data: bytes) -> None:
        """Never comes, as there are no links."""

    def frame_refused(self, peer: bytes, error: RemoteProtocolError) -> None:
        """Never comes, as there are no links."""

    def link_down(self, peer: bytes, ending: Ending) -> None:
        """Never comes, as there are no links."""

    def visited(self, visitor: Probed, remote: HostPort, addresses: tuple[Address, ...]) -> None:
        """Never comes, as nobody can dial a watcher."""

    def came_to_nothing(self, stopped: Stopped, remote: HostPort) -> None:
        """Never comes, as nobody can dial a watcher."""

    def note_online(self, online: bool) -> None:
        self.online = online


async def watch(seconds: float) -> Seen:
    """Looks for so many seconds, and returns what was there at their end."""
    secret = Secret(secrets.token_bytes(SECRET_KEY_BYTES))
    key = SigningKey(secret.data)
    watcher = _Watcher(key)
    with tempfile.TemporaryDirectory(prefix="p2prummi-") as directory:
        credentials = make_credentials(secret, Path(directory))
    connections = Connections(watcher, credentials, key.public, secrets.token_bytes)
    lookout = Lookout(connections, key.public, PROTOCOL_VERSIONS, lambda: None)
    discovery = Discovery(
        key=key.public,
        port=0,
        versions=PROTOCOL_VERSIONS,
        record={},
        on_seen=lookout.announced,
        on_goodbye=lookout.said_goodbye,
        on_online=watcher.note_online,
        announces=False,
    )
    lookout.start()
    discovery.start()
    try:
        await asyncio.sleep(seconds)
        return Seen(
            rooms=lookout.rooms(), peers=lookout.peers(), online=watcher.online, interfaces=own_interfaces()
        )
    finally:
        await lookout.close()
        await discovery.close()
        await connections.close()
