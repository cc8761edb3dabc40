"""Private files: written whole or not at all, readable by their owner alone, locked against other processes.

Whatever the program keeps under its state directory goes through here. A file that can't be read back is
never overwritten: `set_aside` keeps it under another name.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import IO, Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

APPLICATION: Final = "p2prummi"
DIRECTORY_MODE: Final = 0o700
FILE_MODE: Final = 0o600
ASIDE_MAX: Final = 1000


def make_private_directory(path: Path) -> None:
    """Makes the directory where it is missing, and keeps others out of it."""
    path.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(DIRECTORY_MODE)


def write_private(path: Path, data: bytes) -> None:
    """Puts `data` in place of the file in one step; after a crash the old or the new file is there, whole."""
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
    _sync_directory(path.parent)


def set_aside(path: Path) -> Path:
    """Renames a damaged file so that it is kept and no longer read; returns where it is now."""
    for number in range(1, ASIDE_MAX):
        aside = path.with_name(f"{path.name}.damaged-{number}")
        if not aside.exists():
            path.replace(aside)
            return aside
    raise OSError(f"{ASIDE_MAX - 1} damaged copies of {path} lie beside it; look at them and delete some")


class FileLock:
    """A lock that one process holds on a file until `release` or its end; the file itself means nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def acquire(self) -> bool:
        """Takes the lock, or returns False at once where another holder has it."""
        file = self._path.open("ab")
        try:
            _lock(file)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Gives the lock back; does nothing where it isn't held."""
        if self._file is not None:
            _unlock(self._file)
            self._file.close()
            self._file = None


if sys.platform == "win32":

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _unlock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

    def _sync_directory(path: Path) -> None:
        """Windows has no such call, and renames in order without it."""

else:

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)

    def _sync_directory(path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
