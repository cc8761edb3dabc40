"""How the end looks: a table of racks and scores, and sentences around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import columns_of, padded, padded_line, wrapped
from p2prummi.console.people import clipped_label
from p2prummi.console.table.presenter import TileShown
from p2prummi.console.table.view import TILE_COLUMNS, tile_fragment

if TYPE_CHECKING:
    from p2prummi.console.lines import Fragment, Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.result.presenter import ResultShown, ScoreRow

_NAME_COLUMNS_MAX = 16
_NAME_COLUMNS_MIN = 6


def render(shown: ResultShown, columns: int, rows: int, marks: Marks) -> list[Line]:
    """The end of a round or match on that many columns and rows.

    Where there is little room, the explanations give way first, then all but one row of each rack, and then
    the scores. Where the match is kept and what comes next is always whole.
    """
    title = [(("class:head", text),) for text in wrapped(f"{shown.title}. {shown.why}".strip(), columns)]
    how = [line for words in shown.how for line in _text(words, "", columns)]
    verdict = _text(shown.verdict, "class:bad" if shown.trouble else "class:good", columns)
    last = [*_text(shown.kept, "", columns), *_text(shown.next, "class:advice", columns)]
    for gap in (1, 0):
        scores = _scores(shown, columns, gap, marks)
        for optional in ([(), *how, ()] if how else [()], how, []):
            lines: list[Line] = [*title, *scores, *optional, *verdict, *last]
            if len(lines) <= rows:
                return lines
    scores = _scores(shown, columns, 0, marks, is_short=True)
    return [*[*title, *scores, *verdict][: max(rows - len(last), 0)], *last]


def _scores(
    shown: ResultShown, columns: int, tile_gap: int, marks: Marks, *, is_short: bool = False
) -> list[Line]:
    """The table of scores; where it `is_short`, a long rack is cut to its first row."""
    if not shown.rows:
        return []
    widest = max(columns_of(row.name) for row in shown.rows)
    width = min(max(widest, _NAME_COLUMNS_MIN), _NAME_COLUMNS_MAX)
    head = f"  {padded('Player', width)}  Points   Total   Rack  Tiles left"
    lines: list[Line] = [(("class:quiet", head),)]
    for row in shown.rows:
        first, *more = _score(row, width, columns, tile_gap, marks)
        if is_short and more:
            lines.append((*padded_line(first, columns - 1), ("", marks.ellipsis)))
        else:
            lines += [first, *more]
    return lines


def _score(row: ScoreRow, width: int, columns: int, tile_gap: int, marks: Marks) -> list[Line]:
    mark = marks.to_move if row.won else " "
    name = padded(clipped_label(row.name, width, marks.ellipsis), width)
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
