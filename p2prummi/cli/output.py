"""Streams for a command alone, where code of somebody else runs in the same process."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

STANDARD_OUTPUT: Final = 1


class Streams(NamedTuple):
    """The command's own streams, which nobody else has."""

    output: TextIO
    errors: TextIO


@contextlib.contextmanager
def own_streams() -> Iterator[Streams]:
    """What is written to `output` goes to standard output, all else to standard error.

    That holds for what a strategy prints, for what it writes to the descriptor, and for the processes that it
    starts; it may also close `sys.stdout` and `sys.stderr`, or take them away.
    """
    real = sys.stdout
    try:
        out, errors = real.fileno(), sys.stderr.fileno()
        before = os.dup(STANDARD_OUTPUT)
    except (OSError, ValueError):
        # No streams of the system's, as where the caller has put others in their place.
        with contextlib.redirect_stdout(sys.stderr):
            yield Streams(real, sys.stderr)
        return
    real.flush()
    real_errors = sys.stderr
    own = Streams(_stream(os.dup(out), real), _stream(os.dup(errors), real_errors))
    others = sys.stdout = _stream(os.dup(errors), real)
    os.dup2(errors, STANDARD_OUTPUT)
    try:
        yield own
    finally:
        with contextlib.suppress(OSError, ValueError):
            others.close()
            real.flush()
        os.dup2(before, STANDARD_OUTPUT)
        os.close(before)
        sys.stdout, sys.stderr = _given_back(real, own.output), _given_back(real_errors, own.errors)


def _given_back(real: TextIO, own: TextIO) -> TextIO:
    """A stream as it was; where somebody has closed it, one's own in its place."""
    if real.closed:
        return own
    own.close()
    return real


def _stream(descriptor: int, like: TextIO) -> TextIO:
    return open(descriptor, "w", encoding=like.encoding, errors=like.errors, buffering=1)
