"""How the table looks: melds side by side under their numbers, as airily as they fit.

Three densities are tried in turn: melds in straight columns with a blank line between rows, straight columns,
and close together. The last one holds every table of a whole set on the least screen there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.console.lines import line_columns
from p2prummi.console.table.presenter import Mark, Standing

if TYPE_CHECKING:
    from p2prummi.console.lines import Fragment, Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.table.presenter import MeldShown, TileShown

TILE_COLUMNS = 3
"""What a tile takes, without the column after it."""
_STANDING_STYLES = {
    Standing.OLD: "class:number",
    Standing.CHANGED: "class:changed",
    Standing.STANDS: "class:good",
    Standing.FAILS: "class:bad",
}


@dataclass(frozen=True, slots=True)
class Density:
    """How close melds lie.

    Columns between tiles, the step to which a meld's place is rounded, rows between.
    """

    tile_gap: int
    step: int
    row_gap: int


DENSITIES = (Density(1, 19, 1), Density(1, 19, 0), Density(1, 1, 0), Density(0, 1, 0))


def render(shown: tuple[MeldShown, ...], columns: int, rows: int, marks: Marks) -> list[Line]:
    """The table on that many columns and rows."""
    if not shown:
        return [(("class:quiet", "  The table is empty."),)]
    laid_out: list[Line] = []
    for density in DENSITIES:
        laid_out = _flow([_cell(meld, density, marks) for meld in shown], density, columns)
        if len(laid_out) <= rows:
            return laid_out
    return laid_out


def tile_fragment(shown: TileShown) -> Fragment:
    """A tile in three columns: its letter and number on its colour, so that either is enough to read it."""
    tile = shown.tile
    colour = "joker" if tile.colour is None else tile.colour.name.lower()
    mark = f" class:tile.{shown.mark}" if shown.mark else ""
    text = " J " if tile.is_joker else f"{tile!s:<3}"
    return (f"class:tile.{colour}{mark}", text)


def mark_fragment(shown: TileShown, marks: Marks) -> Fragment:
    """The column after a tile, which tells without any style that the tile is new or just laid."""
    text = {Mark.NONE: " ", Mark.NEW: marks.new, Mark.MINE: marks.mine}[shown.mark]
    return ("class:mark", text)


def _cell(meld: MeldShown, density: Density, marks: Marks) -> Line:
    signs = {
        Standing.OLD: " ",
        Standing.CHANGED: marks.new,
        Standing.STANDS: marks.stands,
        Standing.FAILS: marks.fails,
    }
    fragments: list[Fragment] = [(_STANDING_STYLES[meld.standing], f"{meld.number:>2}{signs[meld.standing]}")]
    for tile in meld.tiles:
        fragments.append(tile_fragment(tile))
        if density.tile_gap:
            fragments.append(mark_fragment(tile, marks))
    return tuple(fragments)


def _flow(cells: list[Line], density: Density, columns: int) -> list[Line]:
    """Cells in rows, in their order; each begins at a multiple of the step where its row still holds it."""
    lines: list[Line] = []
    row: list[Fragment] = []
    used = 0
    for cell in cells:
        width = line_columns(cell)
        at = 0 if not used else -(-(used + 1) // density.step) * density.step
        if row and at + width > columns:
            lines.append(tuple(row))
            lines.extend([()] * density.row_gap)
            row, used, at = [], 0, 0
        row += [("", " " * (at - used)), *cell]
        used = at + width
    return [*lines, tuple(row)]
