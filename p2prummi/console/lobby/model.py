"""The lobby's state: the rooms in this network, and the room that one sits in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.net.notices import LookoutChanged, NetworkChanged
from p2prummi.session import notices

if TYPE_CHECKING:
    from p2prummi.crypto.room_code import RoomCode
    from p2prummi.net.notices import NetNotice
    from p2prummi.net.sightings import PeerSighting, RoomSighting
    from p2prummi.session.notices import Notice

HINT_SECONDS = 10
"""After how many seconds without anyone the lobby says what may stand in the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyModel:
    """`room` is the room that one sits in, `code` what it asks for; `peers` are all that are seen.

    `waiting` says whose room is waited for, and is empty where none is. `offline`: there is no network, not
    even this machine's own. `bots_directory` is where the words of one's own bots are kept, and is empty
    where none were brought.
    """

    bots_directory: str = ""
    rooms: tuple[RoomSighting, ...] = ()
    peers: tuple[PeerSighting, ...] = ()
    room: notices.RoomUpdated | None = None
    code: RoomCode | None = None
    waiting: str = ""
    offline: bool = False
    seconds_alone: int = 0

    @property
    def alone(self) -> bool:
        """Whether nobody else has been seen, neither in the network nor in one's room."""
        return not self.rooms and not self.peers and (self.room is None or len(self.room.members) < 2)


def after_notice(lobby: LobbyModel, notice: Notice) -> LobbyModel:
    """The lobby after a notice."""
    match notice:
        case notices.RoomUpdated():
            return replace(lobby, room=notice)
        case notices.RoomClosed():
            return replace(lobby, room=None)
    return lobby


def after_net_notice(lobby: LobbyModel, notice: NetNotice) -> LobbyModel:
    """The lobby after a notice of the network's own."""
    match notice:
        case LookoutChanged(rooms=rooms, peers=peers):
            return replace(lobby, rooms=rooms, peers=peers)
        case NetworkChanged(online=online):
            return replace(lobby, offline=not online)
    return lobby


def of_network(lobby: LobbyModel, *, code: RoomCode | None, waiting: str) -> LobbyModel:
    """The lobby with what no notice tells: the code of one's room, and whose room is waited for."""
    return replace(lobby, code=code, waiting=waiting)


def after_second(lobby: LobbyModel, rooms: tuple[RoomSighting, ...]) -> LobbyModel:
    """The lobby a second later, with the rooms as they are then."""
    seen = replace(lobby, rooms=rooms)
    return replace(seen, seconds_alone=seen.seconds_alone + 1 if seen.alone else 0)
