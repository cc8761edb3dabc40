"""How all peers that want the room of a name come to sit in one room: look, join or open, and merge.

- Whoever wants a room looks for it first, for a moment that differs from peer to peer, and opens it only
  then.
- Of several rooms of that name it takes those with the rules that it would open itself first, then the one
  with the smallest id; one that asks for a code is for who has one, and the other way round.
- Peers may still open rooms of one name at the same moment, each before it could see the other's. So the
  opener of a room leaves it for another of the same name, rules and code flag with a smaller id, as long as
  neither is full and no match is under way in either. Its own room stays until the other has let it in; the
  members of the one that is left then look anew.
- A room is entered through any member; if its opener's terms don't come, it is left and looked for anew.
- Who is told an address looks there for some seconds (`look_patiently`), as both may just be starting.

`room_to_join` decides; `Meeting` acts, and knows no more of the driver than `Place`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.joining import JoinError
from p2prummi.session.commands import LeaveRoom
from p2prummi.transcript.agreement import ruleset_hash
from p2prummi.wire.hello import NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from p2prummi.crypto.room_code import RoomCode
    from p2prummi.net.sightings import RoomSighting
    from p2prummi.rules import Ruleset
    from p2prummi.session.commands import Command
    from p2prummi.wire.hello import RoomAdvert

SEARCH_SECONDS: Final = 1.5
SEARCH_SPREAD_SECONDS: Final = 0.5
LOOK_SECONDS: Final = 0.1
TERMS_SECONDS_MAX: Final = 5.0
ADDRESS_LOOKS_MAX: Final = 10
ADDRESS_PAUSE_SECONDS: Final = 0.5
CODE_FAULTS: Final = frozenset({FaultCode.WRONG_CODE, FaultCode.LIMIT_EXCEEDED})

log: Final = logging.getLogger(__name__)

Seen = TypeVar("Seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The room that is wanted: its name, and what it is to be if it has to be opened.

    With `with_code` it asks for a code: for `code`, or where that is None for a new one.
    """

    name: str
    ruleset: Ruleset
    seats: int
    code: RoomCode | None = None
    with_code: bool = False


class Place(Protocol):
    """What is asked of the driver (`net/driver.py`), where each of these is explained."""

    @property
    def key(self) -> bytes:
        """This peer's identity key."""
        ...

    @property
    def room_id(self) -> bytes:
        """The room that this peer sits in, or NO_ROOM."""
        ...

    @property
    def advert(self) -> RoomAdvert:
        """What this peer tells of its room: idle until the room's terms are known."""
        ...

    def rooms(self) -> tuple[RoomSighting, ...]:
        """The rooms in this network."""
        ...

    def command(self, command: Command) -> None:
        """Asks the session for something. Raises LocalProtocolError."""

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        """Opens a room."""

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        """Joins a room. Raises JoinError, LocalProtocolError."""


def fits(room: RoomSighting, wish: Wish) -> bool:
    """Whether a room of this name has the rules and the code flag that the wish's own would have."""
    facts = room.facts
    return facts.ruleset_hash == ruleset_hash(wish.ruleset) and facts.code_required == wish.with_code


def room_to_join(
    rooms: Iterable[RoomSighting], wish: Wish, *, own: bytes = NO_ROOM, refused: Collection[bytes] = ()
) -> RoomSighting | None:
    """The room to go to; from one's own room `own` only one that it has to yield to."""
    able = [
        room
        for room in rooms
        if room.joinable
        and room.facts.name == wish.name
        and room.facts.code_required == wish.with_code
        and room.facts.room_id not in refused
        and (own == NO_ROOM or (fits(room, wish) and room.facts.room_id < own))
    ]
    return min(able, key=lambda room: (not fits(room, wish), room.facts.room_id), default=None)


async def look_patiently(look_at: Callable[[str], Awaitable[Seen]], address: str) -> Seen:
    """Looks who is at an address, for some seconds where nobody answers. Raises UnreachableError."""
    for _ in range(ADDRESS_LOOKS_MAX - 1):
        try:
            return await look_at(address)
        except UnreachableError:
            await asyncio.sleep(ADDRESS_PAUSE_SECONDS)
    return await look_at(address)


class Meeting:
    """Brings one peer into the room that it wants, and into the same one as all others who want it."""

    def __init__(
        self, place: Place, wish: Wish, *, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._place = place
        self._wish = wish
        self._pause = pause
        self._own = NO_ROOM
        self._foreign: set[bytes] = set()

    @property
    def is_opener(self) -> bool:
        """Whether this peer sits in a room that it opened itself."""
        return self._own != NO_ROOM and self._place.room_id == self._own

    async def arrive(self) -> RoomCode | None:
        """Looks for the room and joins it, or opens it; returns the code of a room that was opened with one.

        Raises JoinError where a code is refused, LocalProtocolError where such a room can't be opened.
        """
        looked, refused = 0.0, set[bytes]()
        # Peers that start together look for times that differ, so that the first to open is mostly found.
        search_seconds = SEARCH_SECONDS + SEARCH_SPREAD_SECONDS * self._place.key[0] / 255
        while looked < search_seconds:
            room = room_to_join(self._place.rooms(), self._wish, refused=refused)
            if room is None:
                await self._pause(LOOK_SECONDS)
                looked += LOOK_SECONDS
            elif await self._enter(room):
                return None
            else:
                refused.add(room.facts.room_id)
        code = self._place.open_room(
            self._wish.name,
            self._wish.ruleset,
            self._wish.seats,
            code=self._wish.code,
            with_code=self._wish.with_code,
        )
        self._own = self._place.room_id
        return code

    async def merge(self) -> bool:
        """Leaves one's own room for one that it has to yield to, if there is one; says whether it did.

        Where nothing comes of that after all, the peer is in no room, and `arrive` is due.
        """
        advert = self._place.advert
        if not self.is_opener or advert.state != "open" or advert.seats_taken >= advert.seats:
            return False
        room = room_to_join(self._place.rooms(), self._wish, own=self._own, refused=self._foreign)
        return room is not None and await self._enter(room, leaving=True)

    async def _enter(self, room: RoomSighting, *, leaving: bool = False) -> bool:
        """Joins a room, and waits for its terms: only with them does this peer really sit in it."""
        try:
            await self._place.join_room(room, self._wish.code, leaving=leaving)
        except JoinError as error:
            if error.code in CODE_FAULTS and not leaving:
                raise
            if error.code == FaultCode.WRONG_CODE:
                # A room with another code is not the one that is wanted, and guessing costs its members.
                self._foreign.add(room.facts.room_id)
            log.info("the room %s did not let this peer in: %s", room.facts.room_id.hex()[:8], error.text)
            return False
        except LocalProtocolError as error:
            # The match has begun in the own room while the other was being dialled.
            if not leaving:
                raise
            log.info("the own room is kept: %s", error)
            return False
        return await self._terms_come(room.facts.room_id)

    async def _terms_come(self, room_id: bytes) -> bool:
        waited = 0.0
        while self._place.room_id == room_id:
            if self._place.advert.room_id == room_id:
                return True
            if waited >= TERMS_SECONDS_MAX:
                log.info("the room %s has no opener any more", room_id.hex()[:8])
                self._place.command(LeaveRoom())
                break
            await self._pause(LOOK_SECONDS)
            waited += LOOK_SECONDS
        return False
