"""Who this process is: the identity key of its profile, on disk, and one process for each profile.

Profiles are numbered directories under the platform's state directory. A process takes the first one that no
other holds, so that a second one on the same account is another player. The key file is one line: a format
name, the secret in hexadecimals, and a short hash that shows damage. A damaged one is never replaced: the
identity is what other peers trust, so a person decides. What is known of other peers is in `known_peers.py`.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import platformdirs

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.signing import SECRET_KEY_BYTES, SigningKey
from p2prummi.errors import LocalProtocolError
from p2prummi.net.files import (
    APPLICATION,
    FILE_MODE,
    FileLock,
    make_private_directory,
    write_private,
)

KEY_FILE: Final = "identity.key"
LOCK_FILE: Final = "lock"
KEY_FORMAT: Final = "p2prummi-identity-1"
KEY_FILE_BYTES_MAX: Final = 256
PROFILES_MAX: Final = 64


class IdentityError(LocalProtocolError):
    """The identity key can't be used; the text says what a person is to do."""


def state_directory() -> Path:
    """Where keys, journals and logs are, by the platform's custom (XDG_STATE_HOME is heeded)."""
    return Path(platformdirs.user_state_dir(APPLICATION, appauthor=False))


def data_directory() -> Path:
    """Where finished matches are, by the platform's custom (XDG_DATA_HOME is heeded)."""
    return Path(platformdirs.user_data_dir(APPLICATION, appauthor=False))


@dataclass(frozen=True, slots=True)
class Secret:
    """An identity's secret key of 32 bytes; `repr` doesn't show it."""

    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A profile that this process holds until `release`; `is_new` where its key was made just now."""

    number: int
    directory: Path
    key: SigningKey
    secret: Secret
    is_new: bool
    notices: tuple[str, ...]
    lock: FileLock = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """The text by which other players tell this identity apart."""
        return fingerprint(self.key.public)

    def release(self) -> None:
        """Lets another process take this profile."""
        self.lock.release()


def open_profile(root: Path | None = None) -> Profile:
    """Takes the first free profile under `root` (default: the state directory); makes its key if need be.

    Raises IdentityError for a damaged key or a directory that can't be used, with words that say what to do.
    """
    place = state_directory() if root is None else root
    try:
        make_private_directory(place)
        for number in range(1, PROFILES_MAX + 1):
            directory = place / f"profile-{number}"
            make_private_directory(directory)
            lock = FileLock(directory / LOCK_FILE)
            if lock.acquire():
                return _open_locked(number, directory, lock)
    except OSError as error:
        raise IdentityError(
            f"{place} can't hold this player's identity ({error.strerror}); make it writable, "
            "or set XDG_STATE_HOME to a directory that is"
        ) from error
    raise IdentityError(f"{PROFILES_MAX} players of this account run already; end one of them first")


def _open_locked(number: int, directory: Path, lock: FileLock) -> Profile:
    try:
        path = directory / KEY_FILE
        is_new = not path.exists()
        if is_new:
            write_private(path, _key_line(secrets.token_bytes(SECRET_KEY_BYTES)))
        secret = _read_key(path)
        return Profile(
            number=number,
            directory=directory,
            key=SigningKey(secret),
            secret=Secret(secret),
            is_new=is_new,
            notices=_mend_mode(path),
            lock=lock,
        )
    except BaseException:
        lock.release()
        raise


def _key_line(secret: bytes) -> bytes:
    return f"{KEY_FORMAT} {secret.hex()} {_check(secret)}\n".encode()


def _check(secret: bytes) -> str:
    return hashlib.sha256(KEY_FORMAT.encode() + secret).hexdigest()[:8]


def _read_key(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(KEY_FILE_BYTES_MAX)
    words = data.decode("ascii", "replace").split()
    try:
        secret = bytes.fromhex(words[1])
        if data == _key_line(secret) and len(secret) == SECRET_KEY_BYTES:
            return secret
    except (IndexError, ValueError):
        pass
    raise IdentityError(
        f"the identity key {path} is damaged and has been left as it is. Put a backup of it back; or rename "
        "it, and a new identity is made, which other players will not recognise"
    )


def _mend_mode(path: Path) -> tuple[str, ...]:
    """Takes the key file away from other accounts, and says so where they could have read it."""
    if os.name != "posix" or path.stat().st_mode & 0o077 == 0:
        return ()
    path.chmod(FILE_MODE)
    return (f"other accounts of this machine could read {path}; they no longer can",)
