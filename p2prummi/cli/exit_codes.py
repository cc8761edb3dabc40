"""What the program's exit codes mean, and which error ends in which of them.

The codes are an interface: scripts rely on them, so a code never changes its meaning.
"""

from __future__ import annotations

from enum import IntEnum

from p2prummi.errors import P2PRummiError, RemoteProtocolError


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    #: The answer is no: an illegal turn, a transcript that does not verify, no room found.
    NO = 1
    WRONG_USAGE = 2
    #: Trouble with the network or with an address.
    NETWORK = 3
    #: A peer broke the protocol.
    PEER_FAULT = 4
    #: The match ended before its time.
    ENDED_EARLY = 5
    INTERRUPTED = 130


def exit_code_of(error: P2PRummiError | OSError) -> ExitCode:
    """Return the exit code for an error that a command let through.

    An `OSError` that names a file is about a file that the user named; any other is about the network.
    """
    if isinstance(error, RemoteProtocolError):
        return ExitCode.PEER_FAULT
    if isinstance(error, OSError) and error.filename is None:
        return ExitCode.NETWORK
    return ExitCode.WRONG_USAGE
