"""How the players look: as many side by side as the columns hold, in the order of their seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import columns_of, padded_line
from p2prummi.console.people import clipped_label

if TYPE_CHECKING:
    from p2prummi.console.lines import Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.players.presenter import PlayerRow

CELL_COLUMNS = 39
"""What one player takes: the least width that holds everything."""
_FACTS_COLUMNS = 25


def render(shown: tuple[PlayerRow, ...], columns: int, marks: Marks) -> list[Line]:
    """The players on that many columns."""
    across = max(columns // CELL_COLUMNS, 1)
    width = columns // across
    cells = [padded_line(_cell(row, width - 1, marks), width) for row in shown]
    rows = (cells[start : start + across] for start in range(0, len(cells), across))
    return [tuple(fragment for cell in row for fragment in cell) for row in rows]


def _cell(row: PlayerRow, columns: int, marks: Marks) -> Line:
    turn = marks.to_move if row.to_move else " "
    suffix = " (away)" if row.away else " (you)" if row.is_self else ""
    room = columns - 2 - _FACTS_COLUMNS - len(suffix)
    name = clipped_label(row.name, room, marks.ellipsis)
    blanks = " " * (room - columns_of(name))
    return (
        ("class:turn" if row.to_move else "", f"{turn} {name}"),
        ("class:bad" if row.away else "class:quiet", suffix + blanks),
        ("", f" {row.tiles:>3} tiles "),
        ("class:good", "opened  ") if row.opened else ("class:quiet", "unopened"),
        ("", f" {row.total:>+5}"),
    )
