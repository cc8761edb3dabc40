"""The program's log: a file in the state directory, kept small, for its owner alone.

Secrets are never in it, because none is ever logged; what comes from other peers is escaped where it is not
plain text.
"""

from __future__ import annotations

import contextlib
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
def records_to(path: Path) -> Iterator[None]:
    """Sends all log records and warnings to the file at `path`, and to nowhere else. Raises OSError."""
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
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.handlers[:] = others
        root.setLevel(level)
        handler.close()
