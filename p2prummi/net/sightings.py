"""Who is there: what is known of the peers in this network, and how fresh it is.

A service record is no sign of life (it outlives its peer by many minutes), so a peer counts as there only
after a probe that it has answered, or after it has come by itself. Without IO; `discovery.py` and `driver.py`
feed it and make the probes that are `due`.

| status | means | leaves it |
|---|---|---|
| unproved | somebody has told of it; not shown | an answered probe: live |
| live | it has answered, or come by, lately | a failed probe: stale; one after its goodbye: forgotten |
| stale | its last probe failed; shown, not to be joined | as live; an answered probe: live; seconds: gone |
| gone | not shown, probed seldom | an answered probe: live; some minutes, its goodbye: forgotten |
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.addresses import Address, SocketName, dialable_anywhere
from p2prummi.wire.hello import RoomAdvert, RoomState

PROBE_SECONDS: Final = 3.0
SELDOM_SECONDS: Final = 15.0
STALE_SECONDS_MAX: Final = 8.0
# A peer that can dial comes by at least this often.
VISIT_SECONDS_MAX: Final = 3 * PROBE_SECONDS
GONE_SECONDS_MAX: Final = 600.0
SIGHTINGS_MAX: Final = 256
ADDRESSES_MAX: Final = 16


class Status(StrEnum):
    """How fresh a sighting is; see the table above."""

    UNPROVED = "unproved"
    LIVE = "live"
    STALE = "stale"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomFacts:
    """What a peer tells of its room.

    `opener` is a fingerprint; the hash is empty where the peer did not tell it.
    """

    room_id: bytes
    name: str
    opener: str
    ruleset_name: str
    ruleset_hash: bytes
    seats_taken: int
    seats: int
    state: RoomState
    code_required: bool


def facts_of(advert: RoomAdvert) -> RoomFacts | None:
    """The facts in an advert, or None where its peer sits in no room."""
    if advert.state == "idle":
        return None
    return RoomFacts(
        room_id=advert.room_id,
        name=advert.name,
        opener=fingerprint(advert.opener),
        ruleset_name=advert.ruleset_name,
        ruleset_hash=advert.ruleset_hash,
        seats_taken=advert.seats_taken,
        seats=advert.seats,
        state=advert.state,
        code_required=advert.code_required,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerSighting:
    """What is known of one peer. `compatible` is False where no protocol version is shared."""

    key: bytes
    name: str
    program: str
    versions: tuple[int, ...]
    compatible: bool
    addresses: tuple[Address, ...]
    room: RoomFacts | None
    status: Status

    @property
    def fingerprint(self) -> str:
        """The text by which people tell this peer from others of the same name."""
        return fingerprint(self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSighting:
    """A room, as those who sit in it tell of it; `members` are the peers that do, its opener first."""

    facts: RoomFacts
    members: tuple[PeerSighting, ...]

    @property
    def compatible(self) -> bool:
        """Whether this peer could join as far as protocol versions go."""
        return any(member.compatible for member in self.members)

    @property
    def stale(self) -> bool:
        """Whether no member has answered lately."""
        return all(member.status is not Status.LIVE for member in self.members)

    @property
    def joinable(self) -> bool:
        """Whether joining makes sense now."""
        facts = self.facts
        return (
            facts.state == "open"
            and facts.seats_taken < facts.seats
            and any(member.compatible and member.status is Status.LIVE for member in self.members)
        )


@dataclass(slots=True)
class _Entry:
    """A sighting with its times, and its addresses by their source: a probe, a visit, the service record."""

    sighting: PeerSighting
    probe_at: float
    silent_since: float | None = None
    came_by_at: float = -math.inf
    probing: bool = False
    is_leaving: bool = False
    proved: tuple[Address, ...] = ()
    visited: tuple[Address, ...] = ()
    announced: tuple[Address, ...] = ()

    def show(self, sighting: PeerSighting) -> None:
        """Takes up what is known now; the addresses that are surest come first."""
        addresses = tuple(dict.fromkeys((*self.proved, *self.visited, *self.announced)))
        self.sighting = replace(sighting, addresses=addresses[:ADDRESSES_MAX])


class Sightings:
    """All peers that are known of, except oneself and those one is linked with, who are no news."""

    def __init__(self, own_key: bytes, versions: tuple[int, ...]) -> None:
        self._own_key = own_key
        self._versions = frozenset(versions)
        self._entries: dict[bytes, _Entry] = {}

    def announced(self, sighting: PeerSighting, now: float) -> None:
        """A service record tells of a peer. Its addresses replace those told before; a repeat is nothing."""
        entry = self._entries.get(sighting.key) or self._add(sighting, now)
        if entry is None:
            return
        known = entry.sighting
        if entry.announced != sighting.addresses or (known.room, known.name) != (
            sighting.room,
            sighting.name,
        ):
            entry.probe_at = now
        entry.announced = sighting.addresses
        # What the peer has said itself on a proved connection weighs more than an unsigned record.
        is_proved = known.status is Status.LIVE and known.compatible
        entry.show(known if is_proved else replace(sighting, status=known.status))

    def said_goodbye(self, instance: str, now: float) -> None:
        """The peer with this fingerprint has left for good, as it seems: anyone can say so in its name.

        One that is shown is asked at once, and forgotten if it doesn't answer.
        """
        for key, entry in tuple(self._entries.items()):
            if entry.sighting.fingerprint != instance:
                continue
            if entry.sighting.status in {Status.LIVE, Status.STALE}:
                entry.is_leaving, entry.probe_at = True, now
            else:
                del self._entries[key]

    def answered(self, sighting: PeerSighting, now: float) -> None:
        """A peer has answered a probe, at the addresses given."""
        entry = self._entries.get(sighting.key) or self._add(sighting, now)
        if entry is not None:
            entry.proved = sighting.addresses
            ports = {address.host: address.port for address in dialable_anywhere(entry.proved)}
            # Where it answers on one port it no longer listens on another, which it had before a new start.
            entry.visited = tuple(
                address
                for address in entry.visited
                if isinstance(address, SocketName) or ports.get(address.host, address.port) == address.port
            )
            self._is_live(entry, sighting, now)

    def came_by(self, sighting: PeerSighting, now: float) -> None:
        """A peer has probed this one, from and with the addresses given."""
        entry = self._entries.get(sighting.key) or self._add(sighting, now)
        if entry is not None:
            moved = entry.visited != sighting.addresses
            entry.visited = sighting.addresses
            entry.came_by_at = now
            self._is_live(entry, sighting, now)
            if moved:
                # It may have been started anew: what was proved before is looked into at once.
                entry.probe_at = now

    def _is_live(self, entry: _Entry, sighting: PeerSighting, now: float) -> None:
        compatible = not self._versions.isdisjoint(sighting.versions)
        entry.show(replace(sighting, status=Status.LIVE, compatible=compatible))
        entry.silent_since, entry.is_leaving = None, False
        entry.probe_at = now + PROBE_SECONDS

    def mismatched(self, key: bytes, versions: tuple[int, ...], program: str, now: float) -> None:
        """A peer has answered a probe, but shares no protocol version."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.sighting = replace(
                entry.sighting, versions=versions, program=program, compatible=False, status=Status.LIVE
            )
            entry.silent_since, entry.is_leaving = None, False
            entry.probe_at = now + SELDOM_SECONDS

    def failed(self, key: bytes, now: float, *, only_silence: bool = False) -> None:
        """No address of a peer has led to it; with `only_silence`, none was so much as refused.

        A peer that still comes by itself is there all the same: a firewall lets nobody in to it.
        """
        entry = self._entries.get(key)
        if entry is None:
            return
        if entry.is_leaving:
            del self._entries[key]
            return
        if only_silence and now - entry.came_by_at < VISIT_SECONDS_MAX:
            entry.probe_at = now + PROBE_SECONDS
            return
        since = now if entry.silent_since is None else entry.silent_since
        entry.silent_since = since
        entry.probe_at = now + (SELDOM_SECONDS if entry.sighting.status is Status.GONE else PROBE_SECONDS)
        if entry.sighting.status is Status.LIVE:
            entry.sighting = replace(entry.sighting, status=Status.STALE)

    def due(self, now: float) -> list[PeerSighting]:
        """The peers to probe now, each of which is then awaited.

        `answered`, `mismatched`, `failed` or `probe_over`.
        """
        found = [entry for entry in self._entries.values() if not entry.probing and entry.probe_at <= now]
        for entry in found:
            entry.probing = True
        return [entry.sighting for entry in found]

    def probe_over(self, key: bytes) -> None:
        """Whatever came of it, the peer may be probed again when it is due."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.probing = False

    def handle_time(self, now: float) -> None:
        """Hides who has been stale for long, and forgets who has been gone for long."""
        for key, entry in tuple(self._entries.items()):
            if entry.silent_since is None:
                continue
            silent = now - entry.silent_since
            if silent >= GONE_SECONDS_MAX:
                del self._entries[key]
            elif silent >= STALE_SECONDS_MAX:
                entry.sighting = replace(entry.sighting, status=Status.GONE)

    def peers(self) -> tuple[PeerSighting, ...]:
        """The peers to show: live or stale, in the order of their fingerprints."""
        shown = (entry.sighting for entry in self._entries.values())
        return tuple(
            sorted(
                (sighting for sighting in shown if sighting.status in {Status.LIVE, Status.STALE}),
                key=lambda sighting: sighting.fingerprint,
            )
        )

    def rooms(self) -> tuple[RoomSighting, ...]:
        """The rooms to show, each once, in the order of their names."""
        rooms: dict[bytes, list[PeerSighting]] = {}
        for sighting in self.peers():
            if sighting.room is not None:
                rooms.setdefault(sighting.room.room_id, []).append(sighting)
        return tuple(
            sorted(map(_room, rooms.values()), key=lambda room: (room.facts.name, room.facts.room_id))
        )

    def _add(self, sighting: PeerSighting, now: float) -> _Entry | None:
        """Makes an entry, in place of one that is of least use where there are as many as there may be."""
        if sighting.key == self._own_key:
            return None
        if len(self._entries) >= SIGHTINGS_MAX:
            worst = next(
                (
                    key
                    for status in (Status.GONE, Status.UNPROVED)
                    for key, entry in self._entries.items()
                    if entry.sighting.status is status
                ),
                None,
            )
            if worst is None:
                return None
            del self._entries[worst]
        entry = _Entry(sighting, probe_at=now)
        self._entries[sighting.key] = entry
        return entry


def _room(members: list[PeerSighting]) -> RoomSighting:
    facts = [(member, member.room) for member in members if member.room is not None]
    ordered = sorted(facts, key=lambda pair: (pair[1].opener != pair[0].fingerprint, pair[0].fingerprint))
    return RoomSighting(facts=ordered[0][1], members=tuple(member for member, _ in ordered))
