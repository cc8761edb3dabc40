"""What the program's exit codes mean, which error ends in which of them, and what is said of it.

The codes are an interface: scripts rely on them, so a code never changes its meaning.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from p2prummi.errors import P2PRummiError, RemoteProtocolError

# No link gives these: there is no room where a file or the output is to be written.
_NO_ROOM: Final = frozenset(
    getattr(errno, name) for name in ("ENOSPC", "EFBIG", "EDQUOT") if hasattr(errno, name)
)


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    NO = 1
    WRONG_USAGE = 2
    NETWORK = 3
    PEER_FAULT = 4
    ENDED_EARLY = 5
    INTERRUPTED = 130


MEANINGS: Final[Mapping[ExitCode, str]] = MappingProxyType(
    {
        ExitCode.DONE: "done",
        ExitCode.NO: "the answer is no: an illegal turn, a file that does not verify, no room found",
        ExitCode.WRONG_USAGE: "wrong usage, or a file that can't be used",
        ExitCode.NETWORK: "trouble with the network or an address",
        ExitCode.PEER_FAULT: "a peer broke the protocol",
        ExitCode.ENDED_EARLY: "the match ended before its time",
        ExitCode.INTERRUPTED: "interrupted",
    }
)
"""What each code says, in words for a person."""


def exit_code_of(error: P2PRummiError | OSError) -> ExitCode:
    """Return the exit code for an error that a command let through.

    An `OSError` that names a file is about a file that the user named, and so is one that says that there is
    no room; any other is about the network.
    """
    if isinstance(error, RemoteProtocolError):
        return ExitCode.PEER_FAULT
    if isinstance(error, OSError) and error.filename is None and error.errno not in _NO_ROOM:
        return ExitCode.NETWORK
    return ExitCode.WRONG_USAGE


def words_of(error: P2PRummiError | OSError) -> str:
    """Return what there is to say of an error that a command let through, without the system's numbers."""
    if isinstance(error, P2PRummiError) or error.strerror is None:
        return str(error)
    name = error.filename
    match error:
        case OSError(errno=number) if number in _NO_ROOM:
            return f"there is no room left {f'for {name}' if name else 'where the output goes'}"
        case FileNotFoundError() if name:
            return f"there is no file {name}"
        case IsADirectoryError() if name:
            return f"{name} is a directory, not a file"
        case PermissionError() if name:
            return f"this account may not use {name}"
    return f"{name}: {error.strerror}" if name else error.strerror
