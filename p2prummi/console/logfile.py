"""Where the program's own words go while the screen is drawn: into a file, never onto the terminal.

Log records, warnings, and whatever prints to standard output or error would tear the screen. The file itself
is `p2prummi.net.logfile`'s.
"""

from __future__ import annotations

import contextlib
import io
import logging
from typing import TYPE_CHECKING

from p2prummi.net.logfile import records_to

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def logging_to(path: Path) -> Iterator[None]:
    """Sends everything that would be written to the terminal to the file at `path`. Raises OSError."""
    printed = _Printed(logging.getLogger("printed"))
    with records_to(path), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield


class _Printed(io.TextIOBase):
    """A stream whose lines become log records."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._begun = ""

    def write(self, text: str, /) -> int:
        """Logs each line that is complete."""
        *lines, self._begun = (self._begun + text).split("\n")
        for line in filter(None, lines):
            self._logger.info(line)
        return len(text)
