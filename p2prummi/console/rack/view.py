"""How the rack looks: its blocks side by side, on as many rows as they need; it is never cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.table.view import TILE_COLUMNS, mark_fragment, tile_fragment

if TYPE_CHECKING:
    from p2prummi.console.lines import Fragment, Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.rack.presenter import RackShown


def render(shown: RackShown, columns: int, marks: Marks) -> list[Line]:
    """The rack on that many columns; as many lines as it takes."""
    label = f"Rack {shown.count:>2} "
    lines: list[list[Fragment]] = [[("class:head", label)]]
    used = len(label)
    for block in shown.blocks:
        for place, tile in enumerate(block):
            gap = 1 if place == 0 and used > len(label) else 0
            if used + gap + TILE_COLUMNS + 1 > columns:
                lines.append([("", " " * len(label))])
                used, gap = len(label), 0
            lines[-1] += [("", " " * gap), tile_fragment(tile), mark_fragment(tile, marks)]
            used += gap + TILE_COLUMNS + 1
    if shown.taken_up:
        lines.append([("class:bad", "Taken up from the table, to be laid again: ")])
        for tile in shown.taken_up:
            lines[-1] += [tile_fragment(tile), ("", " ")]
    return [tuple(line) for line in lines]
