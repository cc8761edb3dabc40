"""The TXT record of a peer's mDNS service: what it says, written and read.

One entry a fact, each at most 255 bytes; an entry that is missing or can't be read makes the record
worthless, and an entry that is unknown is passed over, so that later versions may add some. Nothing private
is in it, and nothing in it is trusted: `sightings.py` shows a peer only after it has answered under its key.
`protocol/spec/discovery.md` is the normative text.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Final, cast

from p2prummi.crypto.fingerprint import fingerprint, is_fingerprint
from p2prummi.net.addresses import Address
from p2prummi.net.sightings import PeerSighting, RoomFacts, Status, facts_of
from p2prummi.wire import limits
from p2prummi.wire.frames import KEY_BYTES
from p2prummi.wire.hello import RoomAdvert, RoomState
from p2prummi.wire.shown import shown

SERVICE_TYPE: Final = "_p2prummi._tcp.local."
STATES: Final = ("open", "playing", "idle")
VERSION_MAX: Final = 65535
HASH: Final = re.compile("[0-9a-f]{64}", re.ASCII)
NUMBER: Final = re.compile("0|[1-9][0-9]{0,4}", re.ASCII)


def write_record(
    *, key: bytes, name: str, program: str, versions: tuple[int, ...], advert: RoomAdvert
) -> dict[str, str]:
    """The entries of this peer's record."""
    entries = {
        "v": ",".join(map(str, versions)),
        "p": program,
        "k": base64.urlsafe_b64encode(key).decode().rstrip("="),
        "n": name,
        "s": advert.state,
    }
    facts = facts_of(advert)
    if facts is not None:
        entries |= {
            "r": facts.room_id.hex(),
            "rn": facts.name,
            "o": facts.opener,
            "rs": facts.ruleset_name,
            "rh": facts.ruleset_hash.hex(),
            "t": f"{facts.seats_taken}/{facts.seats}",
            "c": "1" if facts.code_required else "0",
        }
    return entries


def read_record(
    instance: str, entries: Mapping[str, str], addresses: tuple[Address, ...], own_versions: tuple[int, ...]
) -> PeerSighting | None:
    """What the record under this instance name says, or None where it can't be read or is another's."""
    try:
        key = base64.b64decode(entries["k"] + "=", altchars=b"-_", validate=True)
        versions = tuple(_number(text, 1, VERSION_MAX) for text in entries["v"].split(","))
        if len(key) != KEY_BYTES or fingerprint(key) != instance or len(versions) > limits.VERSIONS_MAX:
            return None
        return PeerSighting(
            key=key,
            name=_short(entries["n"], 1, limits.NAME_BYTES_MAX),
            program=_short(entries["p"], 0, limits.PROGRAM_BYTES_MAX),
            versions=versions,
            compatible=not set(versions).isdisjoint(own_versions),
            addresses=addresses,
            room=_read_room(entries),
            status=Status.UNPROVED,
        )
    except (KeyError, ValueError, binascii.Error):
        return None


def _read_room(entries: Mapping[str, str]) -> RoomFacts | None:
    state = entries["s"]
    if state == "idle":
        return None
    taken, _, all_seats = entries["t"].partition("/")
    seats = _number(all_seats, 0, limits.SEATS_MAX)
    opener = entries["o"]
    if state not in STATES or not is_fingerprint(opener) or entries["c"] not in {"0", "1"}:
        raise ValueError("no room")
    return RoomFacts(
        room_id=_hash(entries["r"]),
        name=_short(entries["rn"], 1, limits.ROOM_NAME_BYTES_MAX),
        opener=opener,
        ruleset_name=_short(entries["rs"], 0, limits.NAME_BYTES_MAX),
        ruleset_hash=_hash(entries["rh"]),
        seats_taken=_number(taken, 0, seats),
        seats=seats,
        state=cast("RoomState", state),
        code_required=entries["c"] == "1",
    )


def _short(text: str, bytes_min: int, bytes_max: int) -> str:
    if not bytes_min <= len(text.encode()) <= bytes_max:
        raise ValueError("a text that is too short or too long")
    return shown(text)


def _hash(text: str) -> bytes:
    if HASH.fullmatch(text) is None:
        raise ValueError("no hash")
    return bytes.fromhex(text)


def _number(text: str, least: int, most: int) -> int:
    """A decimal number as it is written here: digits only, up to five of them, the first of several not 0."""
    if NUMBER.fullmatch(text) is None or not least <= int(text) <= most:
        raise ValueError("no such number")
    return int(text)
