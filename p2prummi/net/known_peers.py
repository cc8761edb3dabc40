"""The peers met before: which key goes with which name, and whether a known name now comes under another key.

As with ssh, the first meeting is trusted and a later change is flagged: once for each key, until a person
says that it is right. The list is a file of the profile; a damaged one is set aside, and the notice says
where it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from p2prummi.net.files import set_aside, write_private
from p2prummi.wire.frames import KEY_BYTES

PEERS_FILE: Final = "known_peers.json"
PEERS_MAX: Final = 1000
FILE_BYTES_MAX: Final = 1024 * 1024


class Recognition(StrEnum):
    """What is known of a peer that has just been met."""

    NEW = "new"
    KNOWN = "known"
    RENAMED = "renamed"
    OTHER_KEY = "other_key"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPeer:
    """A peer met before, and the addresses (`host:port`) that led to it last.

    It is `doubted` while its name belongs to another key and nobody has said that it is right.
    """

    key: bytes
    name: str
    doubted: bool = False
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """What a meeting tells: `is_first` for this key.

    `namesake` is the other key that bore the name before.
    """

    recognition: Recognition
    is_first: bool
    namesake: bytes | None = None
    old_name: str | None = None


class KnownPeers:
    """The list of a profile, kept in step with its file.

    The latest met is last, and the oldest are forgotten.
    """

    def __init__(self, path: Path, peers: dict[bytes, KnownPeer]) -> None:
        self._path = path
        self._peers = peers

    def __iter__(self) -> Iterator[KnownPeer]:
        return iter(tuple(self._peers.values()))

    def get(self, key: bytes) -> KnownPeer | None:
        """What is known of the peer with this key."""
        return self._peers.get(key)

    def meet(self, key: bytes, name: str, addresses: tuple[str, ...] = ()) -> Meeting:
        """Notes a meeting and says what was known before it."""
        before = self._peers.pop(key, None)
        namesake = next((peer.key for peer in self._peers.values() if _same(peer.name, name)), None)
        doubted = before.doubted if before is not None else namesake is not None
        if not addresses and before is not None:
            addresses = before.addresses
        self._peers[key] = KnownPeer(key=key, name=name, doubted=doubted, addresses=addresses)
        while len(self._peers) > PEERS_MAX:
            del self._peers[next(iter(self._peers))]
        self._save()
        if doubted:
            return Meeting(recognition=Recognition.OTHER_KEY, is_first=before is None, namesake=namesake)
        if before is None:
            return Meeting(recognition=Recognition.NEW, is_first=True)
        if before.name != name:
            return Meeting(recognition=Recognition.RENAMED, is_first=False, old_name=before.name)
        return Meeting(recognition=Recognition.KNOWN, is_first=False)

    def trust(self, key: bytes) -> None:
        """A person says that this key is whom its name says; does nothing for a key never met."""
        known = self._peers.get(key)
        if known is not None:
            self._peers[key] = replace(known, doubted=False)
            self._save()

    def _save(self) -> None:
        peers = [
            {"key": peer.key.hex(), "name": peer.name, "doubted": peer.doubted, "addresses": peer.addresses}
            for peer in self
        ]
        write_private(self._path, json.dumps({"format": 1, "peers": peers}, indent=1).encode())


def load_known_peers(directory: Path) -> tuple[KnownPeers, str | None]:
    """Reads the list of a profile; the text is a notice where it was damaged and had to be set aside."""
    path = directory / PEERS_FILE
    try:
        data = path.read_bytes() if path.stat().st_size <= FILE_BYTES_MAX else b""
        return KnownPeers(path, _parse(data)), None
    except FileNotFoundError:
        return KnownPeers(path, {}), None
    except (ValueError, KeyError, TypeError, RecursionError):
        aside = set_aside(path)
        return KnownPeers(path, {}), f"the list of known players was damaged; it is kept as {aside}"


def _parse(data: bytes) -> dict[bytes, KnownPeer]:
    peers: dict[bytes, KnownPeer] = {}
    for entry in json.loads(data)["peers"]:
        key, name, doubted = bytes.fromhex(entry["key"]), entry["name"], entry["doubted"]
        addresses = tuple(entry["addresses"])
        texts = (name, *addresses)
        if (
            len(key) != KEY_BYTES
            or not isinstance(doubted, bool)
            or not all(isinstance(t, str) for t in texts)
        ):
            raise ValueError("an entry that is none")
        peers[key] = KnownPeer(key=key, name=name, doubted=doubted, addresses=addresses)
    return peers


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
