"""How one comes into a room.

Opening one, joining one of the list or at an address, or whatever `play` was told. Joining takes a while;
what comes of it is told afterwards. Who is found at an address but sits in no room yet is waited for: as soon
as the network tells of its room, that room is joined, unless another one has been entered or the player has
had enough of waiting. A room with a code is joined with the code that the program was given, or with one that
is typed after its name.
"""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from p2prummi.crypto.room_code import parse_room_code
from p2prummi.errors import P2PRummiError
from p2prummi.net.meeting import Meeting, Wish, look_patiently
from p2prummi.net.notices import LookoutChanged
from p2prummi.rules import PRESETS, Ruleset, with_settings
from p2prummi.session import notices
from p2prummi.session.commands import SetReady
from p2prummi.wire.hello import NO_ROOM
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from p2prummi.console.port import Port
    from p2prummi.console.settings import Settings
    from p2prummi.crypto.room_code import RoomCode
    from p2prummi.net.driver import AnyNotice
    from p2prummi.net.sightings import PeerSighting, RoomFacts, RoomSighting

log: Final = logging.getLogger(__name__)

_BEHIND_NAME: Final = re.compile(r"(.*\S)\s+\d{3}[- ]?\d{3}[- ]?\d{4}")
"""A room's name with a code behind it."""


class EntranceError(P2PRummiError):
    """A room that can't be entered so; says what would do."""


class Teller(Protocol):
    """Who is told what came of it."""

    def tell(self, text: str, *, trouble: bool = False) -> None:
        """Show a line, and keep it in the log."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a room to open, as they were typed."""

    name: str
    ruleset: Ruleset
    seats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """A peer at an address whose room is to be joined once it is in one; the texts may be shown."""

    key: bytes
    name: str
    address: str
    code: RoomCode | None


class Entrance:
    """Enters rooms for the player; `teller` is set before anything is entered."""

    def __init__(self, port: Port, settings: Settings) -> None:
        self.teller: Teller | None = None
        self._port = port
        self._settings = settings
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready_due = settings.ready
        self._room_id = NO_ROOM
        self._agreed_to: Ruleset | None = None
        self._meeting: Meeting | None = None
        self._awaited: Awaited | None = None
        self._seeking = False
        self._merge_due = self._return_due = False
        self._playing = False
        self._has_played = False

    def begin(self) -> None:
        """Does what `play` was told to do first."""
        address, room = self._settings.connect, self._settings.room
        if room is not None:
            self._spawn(lambda: self._arrive(room, address))
        elif address is not None:
            self._spawn(lambda: self._connect(address, self._settings.code, patiently=True))

    def hear(self, notice: AnyNotice) -> None:
        """Does what `play` was told for its room: is ready once, and makes one room of two of its name."""
        if isinstance(notice, notices.RoomUpdated):
            self._return_due = False
            self.stop_waiting()
        match notice:
            case notices.RoomUpdated(ruleset=ruleset) if ruleset is not None:
                self._carry_readiness(notice, ruleset)
            case notices.RoomClosed():
                self._look_anew_if_due()
            case notices.MatchStarted():
                self._playing = self._has_played = True
            case notices.MatchEnded():
                self._playing = False
            case LookoutChanged(peers=peers):
                self._merge_due = True
                self._seek_if_due()
                self._join_awaited(peers)

    def _carry_readiness(self, room: notices.RoomUpdated, ruleset: Ruleset) -> None:
        """Is ready in the room that one's own room went into too: by the same rules it is the same game."""
        is_new = room.room_id != self._room_id
        self._room_id = room.room_id
        if self._ready_due or (is_new and self._meeting is not None and ruleset == self._agreed_to):
            self._ready_due = False
            self._port.command(SetReady(ready=True))
        elif any(member.is_self and member.ready for member in room.members):
            self._agreed_to = ruleset
        else:
            self._agreed_to = None

    @property
    def waiting(self) -> str:
        """Whose room is waited for, in words; empty where none is."""
        if self._awaited is None:
            return ""
        who = f"{self._awaited.name} at {self._awaited.address}"
        return f"{who} is in no room yet; you join as soon as there is one. `leave` stops waiting."

    def stop_waiting(self) -> bool:
        """Waits for nobody's room any more; whether one was waited for."""
        was_waiting, self._awaited = self._awaited is not None, None
        return was_waiting

    def _go_elsewhere(self) -> None:
        """Takes it that another room is wanted, in which the player has agreed to nothing yet."""
        self.stop_waiting()
        self._agreed_to = None

    def left(self) -> None:
        """Takes it that the player has left the room: it is not looked for any more."""
        self._meeting = self._agreed_to = None

    def open(self, text: str) -> None:
        """Opens a room as typed: a name, and after `with` a preset and settings."""
        terms = read_terms(text, self._settings)
        self._port.open_room(
            terms.name,
            terms.ruleset,
            terms.seats,
            code=self._settings.code,
            with_code=self._settings.with_code,
        )
        self._go_elsewhere()

    def join(self, text: str, rooms: tuple[RoomSighting, ...]) -> str:
        """Joins a room by its name or its number in the list, with a code behind it if it needs one.

        What to answer.
        """
        room, code_text = _chosen(text, rooms)
        if not room.compatible:
            raise EntranceError("This room speaks another version of the protocol: one of you has to update.")
        code = parse_room_code(code_text) if code_text else self._settings.code
        _check_open(room.facts, code, f"join {shown(room.facts.name)}")
        self._go_elsewhere()
        self._spawn(lambda: self._join(room, code))
        return f"Entering {shown(room.facts.name)} ..."

    def connect(self, text: str) -> str:
        """Joins the room of whoever is at an address, with a code behind it if it needs one.

        What to answer.
        """
        address, _, code_text = text.partition(" ")
        code = parse_room_code(code_text) if code_text else self._settings.code
        self._go_elsewhere()
        self._spawn(lambda: self._connect(address, code))
        return f"Looking who is at {shown(address)} ..."

    async def close(self) -> None:
        """Ends what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _join(self, room: RoomSighting, code: RoomCode | None) -> None:
        await self._port.join_room(room, code)

    async def _connect(self, address: str, code: RoomCode | None, *, patiently: bool = False) -> None:
        """Looks who is there, who is shown from then on, and joins the room, now or once there is one."""
        look_at = self._port.look_at
        peer = await (look_patiently(look_at, address) if patiently else look_at(address))
        if peer.room is not None:
            await self._enter(peer.room, address, code)
        elif self._port.room_id == NO_ROOM:
            self._awaited = Awaited(key=peer.key, name=shown(peer.name), address=shown(address), code=code)

    async def _enter(self, room: RoomFacts, address: str, code: RoomCode | None) -> None:
        _check_open(room, code, f"connect {shown(address)}")
        await self._port.join_address(address, code)

    def _join_awaited(self, peers: tuple[PeerSighting, ...]) -> None:
        awaited = self._awaited
        room = next((peer.room for peer in peers if awaited is not None and peer.key == awaited.key), None)
        if awaited is not None and room is not None:
            self._awaited = None
            self._spawn(lambda: self._enter(room, awaited.address, awaited.code))

    async def _arrive(self, name: str, address: str | None) -> None:
        """Joins the room of this name, or opens it; looks at an address first, if one was told."""
        settings = self._settings
        if address is not None:
            await look_patiently(self._port.look_at, address)
        wish = Wish(
            name=name,
            ruleset=settings.ruleset,
            seats=settings.seats,
            code=settings.code,
            with_code=settings.with_code,
        )
        meeting = Meeting(self._port, wish)
        await meeting.arrive()
        self._meeting = meeting

    def _tell(self, text: str, *, trouble: bool = False) -> None:
        if self.teller is not None:
            self.teller.tell(text, trouble=trouble)

    def _look_anew_if_due(self) -> None:
        """The room has gone before its match: for another of its name, into which others may go ahead."""
        if self._meeting is not None and not self._has_played:
            self._ready_due = self._settings.ready
            self._return_due = True
            self._seek_if_due()

    def _seek_if_due(self) -> None:
        """Looks for a room where none is left, or for one to go into where what is seen has changed."""
        meeting = self._meeting
        if meeting is None or self._seeking or self._playing:
            return
        if self._return_due and self._port.room_id == NO_ROOM:
            action = meeting.arrive
        elif self._merge_due:
            action = partial(_merge, self._port, meeting)
        else:
            return
        self._seeking = True
        self._merge_due = self._return_due = False
        self._spawn(lambda: self._seek(action))

    async def _seek(self, action: Callable[[], Awaitable[object]]) -> None:
        try:
            await action()
        finally:
            self._seeking = False

    def _spawn(self, action: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.ensure_future(self._told(action))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _told(self, action: Callable[[], Awaitable[None]]) -> None:
        """Says what went wrong, if anything did."""
        try:
            await action()
        except (P2PRummiError, OSError) as error:
            log.info("no room was entered: %s", error)
            self._tell(shown(str(error)), trouble=True)
        # What has changed meanwhile, perhaps for the last time, has not been looked at yet.
        self._seek_if_due()


async def _merge(port: Port, meeting: Meeting) -> None:
    if meeting.is_opener and not await meeting.merge() and port.room_id == NO_ROOM:
        # The other room had no opener any more, and the own one is gone.
        await meeting.arrive()


def read_terms(text: str, settings: Settings) -> Terms:
    """Reads what follows `open`: `Attic with nl-digitaal rounds=3 players=2`.

    Raises RulesetError, EntranceError.
    """
    name, separator, rest = f"{text} ".partition(" with ")
    if separator and not rest.strip():
        raise EntranceError(f"Rules go behind `with`: open {shown(name)} with {next(iter(PRESETS))} rounds=3")
    ruleset, fields = settings.ruleset, []
    for word in rest.split() if separator else ():
        if "=" in word:
            fields.append(word)
        elif word in PRESETS:
            ruleset = PRESETS[word]
        else:
            presets = ", ".join(PRESETS)
            raise EntranceError(
                f"{shown(word)} is neither a preset ({presets}) nor a setting such as rounds=3."
            )
    changed = with_settings(ruleset, fields)
    fits = settings.players is not None and changed.allows_players(settings.players)
    seats = settings.seats if fits else changed.players[1]
    return Terms(name=name.strip(), ruleset=changed, seats=seats)


def _check_open(room: RoomFacts, code: RoomCode | None, typed: str) -> None:
    """Raises EntranceError where it is known that a room lets nobody in, or not without its code."""
    if room.state == "playing":
        raise EntranceError("A match is running in this room.")
    if room.code_required and code is None:
        raise EntranceError(f"This room asks for its code: {typed} 123-456-7890")


def _chosen(text: str, rooms: tuple[RoomSighting, ...]) -> tuple[RoomSighting, str]:
    """The room that is meant, and what was typed behind its name."""
    for room in rooms:
        name = shown(room.facts.name)
        if text.casefold() == name.casefold():
            same = [other for other in rooms if shown(other.facts.name).casefold() == name.casefold()]
            if len(same) > 1:
                raise EntranceError(
                    f"There are {len(same)} rooms of this name: join by the number in the list."
                )
            return room, ""
    number, _, rest = text.partition(" ")
    if number.isdecimal() and 1 <= int(number) <= len(rooms):
        return rooms[int(number) - 1], rest
    behind = [room for room in rooms if text.casefold().startswith(f"{shown(room.facts.name).casefold()} ")]
    if len(behind) == 1:
        return behind[0], text[len(shown(behind[0].facts.name)) :].strip()
    with_code = _BEHIND_NAME.fullmatch(text)
    if with_code is not None:
        # Who has a code wants the room that it is for, and no other of that name.
        raise EntranceError(f"No room is called {shown(with_code[1])!r} yet: wait until it is in the list.")
    raise EntranceError(f"No room is called {shown(text)!r}. `open {shown(text)}` would open one.")
