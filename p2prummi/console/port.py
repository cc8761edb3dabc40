"""What the console asks of the network: the one protocol between it and whatever drives a session.

It is what coming together asks (`p2prummi.net.meeting.Place`), and what a person sees and types besides.
`p2prummi.net.driver.Driver` fulfils it; tests put a scripted one in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from p2prummi.net.meeting import Place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from p2prummi.crypto.room_code import RoomCode
    from p2prummi.net.driver import AnyNotice
    from p2prummi.net.sightings import PeerSighting


class Port(Place, Protocol):
    """A running peer, as the console sees it."""

    @property
    def port(self) -> int:
        """The TCP port under which others reach this peer."""

    @property
    def room_code(self) -> RoomCode | None:
        """The code of the room that this peer sits in, where it has one."""

    async def join_address(self, text: str, code: RoomCode | None = None) -> None:
        """Enter the room of the peer at `host:port`. Raises P2PRummiError with words."""

    async def look_at(self, text: str) -> PeerSighting:
        """Look who is at `host:port`, who is seen from then on. Raises P2PRummiError with words."""

    def notices(self) -> AsyncIterator[AnyNotice]:
        """Everything that happens, in order, until the peer is closed."""
