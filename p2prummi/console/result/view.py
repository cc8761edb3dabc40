"""How the end looks: a table of racks and scores, and sentences around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import columns_of, padded, wrapped
from p2prummi.console.table.presenter import TileShown
from p2prummi.console.table.view import TILE_COLUMNS, tile_fragment

if TYPE_CHECKING:
    from p2prummi.console.lines import Fragment, Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.result.presenter import ResultShown, ScoreRow

_NAME_COLUMNS_MAX = 16
_NAME_COLUMNS_MIN = 6


def render(shown: ResultShown, columns: int, rows: int, marks: Marks) -> list[Line]:
    """The end of a round or match on that many columns and rows: what is said last is what gives way last."""
    title = [(("class:head", text),) for text in wrapped(f"{shown.title}. {shown.why}".strip(), columns)]
    how = [line for words in shown.how for line in _text(words, "", columns)]
    verdict = _text(shown.verdict, "class:bad" if shown.trouble else "class:good", columns)
    last = [*_text(shown.kept, "", columns), *_text(shown.next, "class:advice", columns)]
    for gap in (1, 0):
        scores = _scores(shown, columns, gap, marks)
        for optional in ([(), *how, ()], how, []):
            lines: list[Line] = [*title, *scores, *optional, *verdict, *last]
            if len(lines) <= rows:
                return lines
    return lines[:rows]


def _scores(shown: ResultShown, columns: int, tile_gap: int, marks: Marks) -> list[Line]:
    if not shown.rows:
        return []
    widest = max(columns_of(row.name) for row in shown.rows)
    width = min(max(widest, _NAME_COLUMNS_MIN), _NAME_COLUMNS_MAX)
    head = f"  {padded('Player', width)}  Points   Total   Rack  Tiles left"
    rows = [line for row in shown.rows for line in _score(row, width, columns, tile_gap, marks)]
    return [(("class:quiet", head),), *rows]


def _score(row: ScoreRow, width: int, columns: int, tile_gap: int, marks: Marks) -> list[Line]:
    mark = marks.to_move if row.won else " "
    name = padded(row.name, width, marks.ellipsis)
    start = f"{mark} {name}  {row.points:>+6}  {row.total:>+6}  {row.value:>5}  "
    lines: list[list[Fragment]] = [[("class:turn" if row.won else "", start)]]
    used = indent = columns_of(start)
    for tile in row.rack:
        if used + TILE_COLUMNS + tile_gap > columns:
            lines.append([("", " " * indent)])
            used = indent
        lines[-1] += [tile_fragment(TileShown(tile)), ("", " " * tile_gap)]
        used += TILE_COLUMNS + tile_gap
    return [tuple(line) for line in lines]


def _text(text: str, style: str, columns: int) -> list[Line]:
    return [((style, part),) for part in wrapped(text, columns)] if text else []
