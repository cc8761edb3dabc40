"""How the log looks: its latest entries, wrapped, on as many rows as are left for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import wrapped

if TYPE_CHECKING:
    from p2prummi.console.lines import Line
    from p2prummi.console.log.model import LogModel

_INDENT = "  "


def render(log: LogModel, columns: int, rows: int) -> list[Line]:
    """The end of the log on that many columns and rows."""
    lines: list[Line] = []
    for entry in reversed(log.entries):
        if len(lines) >= rows:
            break
        parts = list(wrapped(entry.text, columns - len(_INDENT)))
        texts = [parts[0], *(_INDENT + part for part in parts[1:])]
        lines[:0] = [((f"class:log.{entry.kind}", text),) for text in texts]
    return lines[max(len(lines) - rows, 0) :] if rows > 0 else []
