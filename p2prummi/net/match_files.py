"""Finished matches on disk: one file each, named so that people find it, written whole or not at all.

A name is `YYYY-MM-DD-HHMM-room-match-fingerprint.p2prummi`: local time, the room's name in safe characters,
and the beginnings of the match's id and of one's own fingerprint, so that two players of one account don't
share a file. What is in the file is `transcript/file.py`'s affair; what it is worth, `verifier.py`'s.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.files import make_private_directory, write_private
from p2prummi.net.identity import data_directory

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

SUFFIX: Final = ".p2prummi"
ROOM_CHARACTERS_MAX: Final = 24
MATCH_CHARACTERS: Final = 8
FINGERPRINT_CHARACTERS: Final = 9

_UNSAFE: Final = re.compile(r"[^a-z0-9]+")


def match_file_name(*, room: str, match_id: bytes, own_key: bytes, when: datetime) -> str:
    """The file's name; `room` may hold anything, as it may come from another peer."""
    plain = unicodedata.normalize("NFKD", room).encode("ascii", "ignore").decode().lower()
    safe = _UNSAFE.sub("-", plain)[:ROOM_CHARACTERS_MAX].strip("-") or "room"
    match = match_id.hex()[:MATCH_CHARACTERS]
    own = fingerprint(own_key)[:FINGERPRINT_CHARACTERS].replace("-", "")
    return f"{when:%Y-%m-%d-%H%M}-{safe}-{match}-{own}{SUFFIX}"


def save_match(
    transcript: bytes,
    *,
    room: str,
    match_id: bytes,
    own_key: bytes,
    when: datetime,
    directory: Path | None = None,
) -> Path:
    """Writes a match's bytes where finished matches are (None: the platform's place) and returns the path.

    Raises OSError.
    """
    place = data_directory() if directory is None else directory
    make_private_directory(place)
    path = place / match_file_name(room=room, match_id=match_id, own_key=own_key, when=when)
    write_private(path, transcript)
    return path
