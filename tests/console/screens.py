"""Screens as text, for the tests of what is shown where."""

from __future__ import annotations

from dataclasses import replace

from p2prummi.console.lines import line_columns
from p2prummi.console.log.model import Entry, Kind, with_entry
from p2prummi.console.marks import UNICODE, Marks
from p2prummi.console.model import ConsoleModel
from p2prummi.console.screen import Size, render
from tests.console.stage import game_of, rack_of

SIZES = [
    Size(columns=80, rows=24),
    Size(columns=119, rows=24),
    Size(columns=120, rows=40),
    Size(columns=250, rows=70),
]
GAME = game_of("R1 R2 R3", "K7 B7 O7", players=3)
RACK = rack_of("R4 K9 B9 O9 J", GAME)


def seen(model: ConsoleModel, size: Size = SIZES[0], marks: Marks = UNICODE, **more: object) -> str:
    """The screen as text; every screen must keep to its size."""
    lines = render(model, size, marks, **more)  # type: ignore[arg-type]  # handed through
    assert len(lines) == size.rows - 1
    assert all(line_columns(line) <= size.columns for line in lines)
    return "\n".join("".join(text for _, text in line) for line in lines)


def chatty(model: ConsoleModel, lines: int = 50) -> ConsoleModel:
    for number in range(lines):
        entry = Entry(Kind.CHAT, f"Björn: {number} " + "bla " * 40)
        model = replace(model, log=with_entry(model.log, entry))
    return model
