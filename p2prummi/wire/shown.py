"""What of a text from the network may be shown: on a screen, in a log, in an export.

Dropped are characters that act instead of being seen: controls, line ends other than as a blank, everything
that changes the direction of writing or has no width, private and unassigned ones; and combining marks beyond
two on one character. Keys and hashes of such texts are taken before, over the bytes as received.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from p2prummi.wire import limits

MARKS_MAX: Final = 2
_BLANK: Final = frozenset({"Zs", "Zl", "Zp"})
_BLANK_CONTROLS: Final = frozenset("\t\n\v\f\r\x85")
_ACTING: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})


def shown(text: str) -> str:
    """Returns `text` on one line, with nothing in it that acts; empty where nothing is left."""
    seen = "".join(
        " " if character in _BLANK_CONTROLS else character
        for character in text
        if character in _BLANK_CONTROLS or unicodedata.category(character) not in _ACTING
    )
    kept: list[str] = []
    marks = MARKS_MAX
    for character in unicodedata.normalize("NFC", seen):
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else MARKS_MAX if category in _BLANK else 0
        if marks <= MARKS_MAX:
            kept.append(" " if category in _BLANK else character)
    return " ".join("".join(kept).split())


def shown_name(text: str, fallback: str) -> str:
    """Returns a player's name as it may be shown and passed on: `shown`, and of 1 to `NAME_BYTES_MAX` bytes.

    A longer one is cut, as it may have grown by its normal form; where nothing is left it is `fallback`.
    """
    kept = shown(text)
    while len(kept.encode()) > limits.NAME_BYTES_MAX:
        kept = kept[:-1]
    return kept.strip() or fallback
