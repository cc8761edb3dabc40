"""How a page looks: terms on the left, words on the right, scrolled as far as there is something to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import columns_of, padded, wrapped

if TYPE_CHECKING:
    from p2prummi.console.help.presenter import PageShown
    from p2prummi.console.lines import Line

_TERM_COLUMNS_MAX = 42


def render(shown: PageShown, top: int, columns: int, rows: int) -> list[Line]:
    """The page on that many columns and rows, from line `top` on, or the last that fills it."""
    width = min(max((columns_of(term) for term, _ in shown.rows), default=0), _TERM_COLUMNS_MAX)
    body: list[Line] = []
    for term, words in shown.rows:
        indent = width + 2 if term else 0
        parts = list(wrapped(words, columns - indent))
        if term:
            body.append((("class:name", padded(term, width)), ("", f"  {parts[0]}")))
            parts = parts[1:]
        body += [(("", " " * indent + part),) for part in parts]
    room = rows - 1
    first = min(top, max(len(body) - room, 0))
    more = f"{first + 1}-{min(first + room, len(body))} of {len(body)}, PageUp/PageDown, "
    note = f"   ({more if len(body) > room else ''}Esc closes)"
    return [(("class:head", shown.title), ("class:quiet", note)), *body[first : first + room]]
