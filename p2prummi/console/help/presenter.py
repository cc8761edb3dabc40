"""What the pages say.

Every command from the one table of commands, and the rules from the ruleset's fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.console.help.model import Page
from p2prummi.console.typed import COMMANDS
from p2prummi.rules import format_setting
from p2prummi.rules.words import BASICS, describe

if TYPE_CHECKING:
    from p2prummi.console.marks import Marks
    from p2prummi.rules import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class PageShown:
    """A page: a title, and rows of a term and its words; a row without a term is a paragraph."""

    title: str
    rows: tuple[tuple[str, str], ...]


def present(page: Page, ruleset: Ruleset | None, marks: Marks) -> PageShown:
    """What a page says; without a ruleset there are only the rules that always hold."""
    if page is Page.COMMANDS:
        legend = (
            f"{marks.stands} this meld stands   {marks.fails} it doesn't   "
            f"{marks.mine} you have laid this tile now   {marks.new} new in the last turn, or drawn last"
        )
        keys = "Tab completes, Up and Down go through what you typed, PageUp and PageDown scroll, Esc closes."
        rows = tuple((command.usage, command.summary) for command in COMMANDS)
        return PageShown(title="Commands", rows=(*rows, ("", legend), ("", keys)))
    basics = tuple((marks.between, basic.words()) for basic in BASICS)
    if ruleset is None:
        return PageShown(title="Rules", rows=basics)
    changes = ruleset.changes()
    fields = tuple(
        (marks.new if name in changes else marks.between, f"{words} ({format_setting(ruleset, name)})")
        for name, words in describe(ruleset).items()
    )
    changed = f", with {len(changes)} changed ({marks.new})" if changes else ""
    return PageShown(title=f"Rules: {ruleset.name}{changed}", rows=(*basics, ("", ""), *fields))
