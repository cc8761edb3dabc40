"""The state of the page that is open over the screen, if any, and how far it is scrolled."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Page(StrEnum):
    """The pages there are to read."""

    COMMANDS = "commands"
    RULES = "rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpModel:
    """`page` None: none is open. `top` is the first line shown."""

    page: Page | None = None
    top: int = 0


def opened(page: Page) -> HelpModel:
    """A page, from its beginning."""
    return HelpModel(page=page)


def scrolled(page: HelpModel, lines: int) -> HelpModel:
    """The page, scrolled on or, with a negative number, back."""
    return HelpModel(page=page.page, top=max(page.top + lines, 0))
