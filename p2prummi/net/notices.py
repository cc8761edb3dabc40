"""What the network tells an application, beside the session's own notices (`p2prummi.session.notices`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2prummi.net.known_peers import Meeting
from p2prummi.net.sightings import PeerSighting, RoomSighting


@dataclass(frozen=True, slots=True, kw_only=True)
class LookoutChanged:
    """The rooms or peers to show have changed."""

    rooms: tuple[RoomSighting, ...]
    peers: tuple[PeerSighting, ...]


@dataclass(frozen=True, slots=True)
class NetworkChanged:
    """There is a network now, or none; without one only what runs on this machine alone can be played."""

    online: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerMet:
    """A link to this peer is up for the first time, or what is known of it needs a look (`meeting`)."""

    peer: bytes
    name: str
    meeting: Meeting


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsDiffer:
    """A peer from this host speaks no protocol version of ours; told once for each, with both versions."""

    host: str
    own_versions: tuple[int, ...]
    peer_versions: tuple[int, ...]
    peer_program: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberUnreachable:
    """A member of the room could not be linked; `code` is None where nobody answered."""

    peer: bytes
    code: str | None
    text: str


NetNotice: TypeAlias = LookoutChanged | NetworkChanged | PeerMet | VersionsDiffer | MemberUnreachable
