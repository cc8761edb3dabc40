"""How the setup looks: a list of phases that is ticked off, and what was verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import wrapped

if TYPE_CHECKING:
    from p2prummi.console.lines import Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.setup.presenter import PhaseRow, SetupShown


def render(shown: SetupShown, columns: int, rows: int, marks: Marks) -> list[Line]:
    """The setup on that many columns and rows."""
    lines: list[Line] = [(("class:head", shown.title),), ()]
    for row in shown.phases:
        lines += _phase(row, columns, marks)
    lines.append(())
    for words in shown.verified:
        lines += [(("class:good", text),) for text in wrapped(words, columns)]
    return lines[:rows]


def _phase(row: PhaseRow, columns: int, marks: Marks) -> list[Line]:
    if row.done:
        return [(("class:good", f"  {marks.stands} "), ("", row.words))]
    if not row.running:
        return [(("class:quiet", f"    {row.words}"),)]
    lines: list[Line] = [(("class:turn", f"  {marks.to_move} {row.words}"),)]
    text = "  ".join(f"{marks.stands if done else marks.between} {name}" for name, done in row.players)
    return [*lines, *((("", f"      {part}"),) for part in wrapped(text, columns - 6))]
