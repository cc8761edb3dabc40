"""A port without a network: it says what a test scripts, and remembers what it was asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from p2prummi.crypto.room_code import RoomCode
from p2prummi.errors import LocalProtocolError
from p2prummi.net.dialling import UnreachableError
from p2prummi.wire.hello import NO_ROOM, RoomAdvert
from tests.console.stage import KEYS, sighting_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from p2prummi.net.driver import AnyNotice
    from p2prummi.net.sightings import PeerSighting, RoomSighting
    from p2prummi.rules import Ruleset
    from p2prummi.session.commands import Command


class ScriptedPort:
    """`asked` holds all commands and calls in their order; `refusal` refuses the next one with its words.

    `there` is who is found at any address, after `unreachable` looks in vain.
    """

    def __init__(self, *told: AnyNotice, seen: tuple[RoomSighting, ...] = ()) -> None:
        self.key = KEYS[0]
        self.room_id = NO_ROOM
        self.room_code: RoomCode | None = None
        self.port = 40123
        self.advert = RoomAdvert(state="idle")
        self.asked: list[Any] = []
        self.refusal: str | None = None
        self.seen = seen
        self.there = sighting_of("Attic").members[0]
        self.unreachable = 0
        self._queue: asyncio.Queue[AnyNotice | Exception | None] = asyncio.Queue()
        for notice in told:
            self._queue.put_nowait(notice)

    def tell(self, *notices: AnyNotice | Exception | None) -> None:
        """Says more; an exception is raised, None is the end."""
        for notice in notices:
            self._queue.put_nowait(notice)

    def rooms(self) -> tuple[RoomSighting, ...]:
        return self.seen

    def command(self, command: Command) -> None:
        self._ask(command)

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        self._ask(("open", name, ruleset, seats, with_code))
        self.room_id = b"z" * 32
        self.advert = RoomAdvert(state="open", room_id=self.room_id, seats=seats, seats_taken=1)
        self.room_code = RoomCode("1234567890") if with_code else None
        return self.room_code

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        self._ask(("join", room.facts.name, code))
        self.room_id = room.facts.room_id
        self.advert = RoomAdvert(state="open", room_id=self.room_id)

    async def join_address(self, text: str, code: RoomCode | None = None) -> None:
        self._ask(("connect", text, code))

    async def look_at(self, text: str) -> PeerSighting:
        if self.unreachable:
            self.unreachable -= 1
            raise UnreachableError({}, only_self=False)
        self._ask(("look", text))
        return self.there

    async def notices(self) -> AsyncIterator[AnyNotice]:
        while (notice := await self._queue.get()) is not None:
            if isinstance(notice, Exception):
                raise notice
            yield notice

    def _ask(self, what: object) -> None:
        if self.refusal is not None:
            words, self.refusal = self.refusal, None
            raise LocalProtocolError(words)
        self.asked.append(what)
