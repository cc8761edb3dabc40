"""The few characters beside letters that the screen uses, in Unicode and in ASCII.

Nothing is told by colour alone: what has a colour has one of these marks too. Which of the two sets is used
follows from the locale, or is asked for (`--tiles ascii`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """One set of marks; each is one column wide. `is_ascii`: all other text is shown in ASCII too."""

    stands: str
    fails: str
    to_move: str
    rule: str
    between: str
    upright: str
    ellipsis: str
    new: str = "*"
    mine: str = "+"
    is_ascii: bool = False


UNICODE = Marks(stands="✓", fails="✗", to_move="▶", rule="─", between="·", upright="│", ellipsis="…")
ASCII = Marks(
    stands="v", fails="x", to_move=">", rule="-", between="-", upright="|", ellipsis="~", is_ascii=True
)
ASKED_ASCII = replace(ASCII, is_ascii=False)
"""For terminals that could show more: names and words stay as they are."""


def marks_for(environment: Mapping[str, str], encoding: str, *, ascii_asked: bool = False) -> Marks:
    """The marks that this terminal can show.

    `encoding` is that of the standard output. Python turns the C locale into UTF-8 for itself, but the
    terminal doesn't, so the locale's name decides where there is one.
    """
    names = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    codec = locale.partition(".")[2] or encoding
    is_plain = locale in {"C", "POSIX"} or "utf" not in codec.lower()
    if is_plain:
        return ASCII
    return ASKED_ASCII if ascii_asked else UNICODE
