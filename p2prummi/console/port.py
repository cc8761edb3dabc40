"""What the console asks of the network: the one protocol between it and whatever drives a session.

`p2prummi.net.driver.Driver` fulfils it; tests put a scripted one in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from p2prummi.crypto.room_code import RoomCode
    from p2prummi.net.driver import AnyNotice
    from p2prummi.net.sightings import PeerSighting, RoomSighting
    from p2prummi.rules import Ruleset
    from p2prummi.session.commands import Command
    from p2prummi.wire.hello import RoomAdvert


class Port(Protocol):
    """A running peer, as the console sees it."""

    @property
    def key(self) -> bytes:
        """One's own identity key."""

    @property
    def advert(self) -> RoomAdvert:
        """What this peer tells of its room; idle until the room's terms are known."""

    @property
    def port(self) -> int:
        """The TCP port under which others reach this peer."""

    @property
    def room_id(self) -> bytes:
        """The room that this peer sits in, or NO_ROOM."""

    def rooms(self) -> tuple[RoomSighting, ...]:
        """The rooms in this network, as of now."""

    def command(self, command: Command) -> None:
        """Give the session a command. Raises LocalProtocolError, with words, where it doesn't fit."""

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        """Open a room; the code that others need for it, if it asks for one. Raises LocalProtocolError."""

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        """Enter a room that was seen, `leaving` one's own for it. Raises P2PRummiError with words."""

    async def join_address(self, text: str, code: RoomCode | None = None) -> None:
        """Enter the room of the peer at `host:port`. Raises P2PRummiError with words."""

    async def look_at(self, text: str) -> PeerSighting:
        """Look who is at `host:port`, who is seen from then on. Raises P2PRummiError with words."""

    def notices(self) -> AsyncIterator[AnyNotice]:
        """Everything that happens, in order, until the peer is closed."""
