"""Where the program's own words go while the screen is drawn: into a file, never onto the terminal.

Log records, warnings, and whatever prints to standard output or error would tear the screen. The file is in
the state directory, kept small, and for its owner alone; secrets are never in it, because none is ever
logged.
"""

from __future__ import annotations

import contextlib
import io
import logging
import logging.handlers
from typing import TYPE_CHECKING, Final

from p2prummi.net.files import FILE_MODE, make_private_directory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE_BYTES_MAX: Final = 1024 * 1024
FILES_KEPT: Final = 3


@contextlib.contextmanager
def logging_to(path: Path) -> Iterator[None]:
    """Sends everything that would be written to the terminal to the file at `path`. Raises OSError."""
    make_private_directory(path.parent)
    path.touch(mode=FILE_MODE)
    handler = logging.handlers.RotatingFileHandler(
        path, maxBytes=FILE_BYTES_MAX, backupCount=FILES_KEPT, encoding="utf-8", errors="backslashreplace"
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    others, level = root.handlers[:], root.level
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.captureWarnings(True)
    printed = _Printed(logging.getLogger("printed"))
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            yield
    finally:
        logging.captureWarnings(False)
        root.handlers[:] = others
        root.setLevel(level)
        handler.close()


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
