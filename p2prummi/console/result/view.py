"""How the end looks: a table of racks and scores, and sentences around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import columns_of, padded, wrapped
from p2prummi.console.table.presenter import TileShown
from p2prummi.console.table.view import tile_fragment

if TYPE_CHECKING:
    from p2prummi.console.lines import Fragment, Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.result.presenter import ResultShown, ScoreRow

_NAME_COLUMNS_MAX = 20


def render(shown: ResultShown, columns: int, rows: int, marks: Marks) -> list[Line]:
    """The end of a round or match on that many columns and rows."""
    lines: list[Line] = [(("class:head", shown.title),)]
    lines += _text(shown.why, "", columns)
    if shown.rows:
        lines.append(())
        width = min(max(columns_of(row.name) for row in shown.rows), _NAME_COLUMNS_MAX)
        head = f"    {padded('Player', width)} {'Rack':>7} {'Points':>7} {'Total':>7}   Tiles left"
        lines.append((("class:quiet", head),))
        for row in shown.rows:
            lines += _score(row, width, columns, marks)
        lines.append(())
    lines += [line for words in shown.how for line in _text(words, "class:quiet", columns)]
    lines += _text(shown.verdict, "class:bad" if shown.trouble else "class:good", columns)
    lines += _text(shown.kept, "", columns)
    lines += _text(shown.next, "class:advice", columns)
    return lines[:rows]


def _score(row: ScoreRow, width: int, columns: int, marks: Marks) -> list[Line]:
    mark = marks.to_move if row.won else " "
    name = padded(row.name, width, marks.ellipsis)
    start = f"  {mark} {name} {row.value:>7} {row.points:>+7} {row.total:>+7}   "
    lines: list[list[Fragment]] = [[("class:turn" if row.won else "", start)]]
    used = indent = columns_of(start)
    for tile in row.rack:
        if used + 4 > columns:
            lines.append([("", " " * indent)])
            used = indent
        lines[-1] += [tile_fragment(TileShown(tile)), ("", " ")]
        used += 4
    return [tuple(line) for line in lines]


def _text(text: str, style: str, columns: int) -> list[Line]:
    return [((style, part),) for part in wrapped(text, columns)] if text else []
