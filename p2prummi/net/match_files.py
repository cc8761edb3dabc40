"""Finished matches on disk: one file each, named so that people find it, written whole or not at all.

A name is `YYYY-MM-DD-HHMM-room-match-fingerprint.p2prummi`: local time, the room's name in safe characters,
and the beginnings of the match's id and of one's own fingerprint, so that two players of one account don't
share a file. Whether matches can be kept at all is looked at before any is played (`check_place`), as at its
end it is too late to do something about it. What is in the file is `transcript/file.py`'s affair; what it is
worth, `verifier`'s.
"""

from __future__ import annotations

import re
import tempfile
import unicodedata
from typing import TYPE_CHECKING, Final

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.errors import LocalProtocolError
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


class KeepingError(LocalProtocolError):
    """Matches can't be kept; the text says where, and what to do."""

    def __init__(self, place: Path, error: OSError) -> None:
        super().__init__(
            f"finished matches can't be kept in {place} ({error.strerror}); make it writable, "
            "or set XDG_DATA_HOME to a directory that is"
        )


def check_place(directory: Path | None = None) -> None:
    """Sees whether matches can be kept in a directory (None: the platform's place). Raises KeepingError."""
    place = data_directory() if directory is None else directory
    try:
        make_private_directory(place)
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise KeepingError(place, error) from error


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

    Raises KeepingError.
    """
    place = data_directory() if directory is None else directory
    path = place / match_file_name(room=room, match_id=match_id, own_key=own_key, when=when)
    try:
        make_private_directory(place)
        write_private(path, transcript)
    except OSError as error:
        raise KeepingError(place, error) from error
    return path
