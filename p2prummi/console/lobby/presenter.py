"""What the lobby shows: rooms with what hinders joining them, members with how well they are known, hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.console.lobby.model import HINT_SECONDS
from p2prummi.console.lobby.rules import room_rules_words, told_rules_doubt, told_rules_name
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.known_peers import Recognition
from p2prummi.transcript.agreement import PROTOCOL_VERSION
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from p2prummi.console.lobby.model import LobbyModel
    from p2prummi.console.people import People
    from p2prummi.net.sightings import RoomSighting
    from p2prummi.session.notices import Member, RoomUpdated


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRow:
    """A room of the list; `state` says in a few words whether it can be joined, and if not, why.

    `rules_doubt` says why the rules' name is not all that there is to know of them.
    """

    number: int
    name: str
    seats: str
    rules: str
    rules_doubt: str
    opener: str
    state: str
    joinable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    """A player in one's room. `warning`: the name is known under another key."""

    name: str
    standing: str
    fingerprint: str
    known: str
    warning: bool
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyShown:
    """All that the lobby shows: one's room, if in one, or else the rooms; and what to do.

    `code` says what the room asks for, to who opened it; `roomless` are those who are there but sit nowhere.
    """

    own: str
    room: str | None
    rules: tuple[str, ...]
    code: str
    members: tuple[MemberRow, ...]
    rooms: tuple[RoomRow, ...]
    roomless: tuple[str, ...]
    advice: tuple[str, ...]


_KNOWN = {
    Recognition.NEW: "met for the first time",
    Recognition.KNOWN: "met before",
    Recognition.RENAMED: "met before, by another name",
    Recognition.OTHER_KEY: "NOT who had this name before",
}


def present(lobby: LobbyModel, people: People, listening_port: int) -> LobbyShown:
    """What to show of the lobby."""
    room = lobby.room
    return LobbyShown(
        own=f"{people.label(people.own_key)}, {fingerprint(people.own_key)}",
        room=None
        if room is None
        else f"Room {shown(room.name)}: {len(room.members)} of {room.seats} seats taken",
        rules=() if room is None else room_rules_words(room.ruleset),
        code=code_words(lobby),
        members=() if room is None else tuple(_member(each, people) for each in room.members),
        rooms=tuple(_room(number, each) for number, each in enumerate(lobby.rooms, start=1)),
        roomless=tuple(shown(each.name) or each.fingerprint for each in lobby.peers if each.room is None),
        advice=_advice(lobby, people, listening_port),
    )


def code_words(lobby: LobbyModel) -> str:
    """The code of one's room, for who opened it to tell; empty for others, and where the room has none."""
    is_opener = lobby.room is not None and any(
        member.is_self and member.is_opener for member in lobby.room.members
    )
    if lobby.code is None or not is_opener:
        return ""
    return f"code: {lobby.code.written} (who wants to join needs it; tell it by word of mouth)"


def _room(number: int, sighting: RoomSighting) -> RoomRow:
    facts = sighting.facts
    return RoomRow(
        number=number,
        name=shown(facts.name) or "?",
        seats=f"{facts.seats_taken}/{facts.seats}",
        rules=told_rules_name(facts),
        rules_doubt=told_rules_doubt(facts),
        opener=", ".join(shown(member.name) for member in sighting.members),
        state=_state(sighting),
        joinable=sighting.joinable,
    )


def _state(sighting: RoomSighting) -> str:
    facts = sighting.facts
    if not sighting.compatible:
        versions = sorted({version for member in sighting.members for version in member.versions})
        return f"protocol {', '.join(map(str, versions))}, ours is {PROTOCOL_VERSION}"
    if sighting.stale:
        return "doesn't answer"
    if facts.state == "playing":
        return "playing"
    if facts.seats_taken >= facts.seats:
        return "full"
    return "open, needs a code" if facts.code_required else "open"


def _member(member: Member, people: People) -> MemberRow:
    recognition = people.known.get(member.key, Recognition.KNOWN)
    known = "you" if member.is_self else _KNOWN[recognition]
    return MemberRow(
        name=people.label(member.key),
        standing="ready" if member.ready else "not ready",
        fingerprint=fingerprint(member.key),
        known=f"{known}, opener" if member.is_opener else known,
        warning=recognition is Recognition.OTHER_KEY and not member.is_self,
        ready=member.ready,
    )


def _advice(lobby: LobbyModel, people: People, listening_port: int) -> tuple[str, ...]:
    advice: list[str] = []
    if lobby.room is not None:
        advice.append(room_advice(lobby.room, people))
    else:
        joining = "`join NAME` joins one, " if lobby.rooms else ""
        advice.append(f"{joining}`open NAME` opens one, `help` shows all that can be typed.")
        if lobby.waiting:
            advice.append(lobby.waiting)
    if lobby.alone:
        advice += _loneliness(lobby, listening_port)
    return tuple(advice)


def _loneliness(lobby: LobbyModel, listening_port: int) -> Iterator[str]:
    """Why nobody may be there, and what to do; nothing is said as long as others may still come."""
    if lobby.offline and lobby.bots_directory:
        yield "Your bots need no network."
    elif lobby.offline:
        yield (
            "Nobody can be found or reached until there is a network. For a game against bots, which need "
            "none, start with `--bots 3`."
        )
    if lobby.seconds_alone < HINT_SECONDS:
        return
    if lobby.bots_directory:
        yield f"Not even your bots are seen; what they say is in {lobby.bots_directory}."
    if not lobby.offline:
        yield (
            "Nobody has been seen yet. If someone should be there, a firewall may stand between you: let UDP "
            f"port 5353 (finding) and TCP port {listening_port} (playing) in on both machines, or go without "
            f"finding: the other one starts with `--connect HOST:{listening_port}`, HOST being this machine."
        )
        if not lobby.bots_directory:
            yield "For a game against bots alone, start with `--bots 3`."


def room_advice(room: RoomUpdated, people: People) -> str:
    """What the room waits for before its match begins."""
    own = next((member for member in room.members if member.is_self), None)
    if own is not None and not own.ready:
        return "Type `ready` when you are."
    waiting = [people.label(member.key) for member in room.members if not member.ready]
    if waiting:
        return f"Waiting for {', '.join(waiting)} to be ready."
    if len(room.members) < room.seats:
        more = "The match starts when the room is full"
        can_start = own is not None and own.is_opener and len(room.members) > 1
        return f"{more}; `start` begins now with those who are here." if can_start else f"{more}."
    return "All are ready: the match is being agreed and signed."
