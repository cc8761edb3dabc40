"""Lines of styled text, measured in the columns that a terminal gives them.

A line is a tuple of fragments, each a style and a text, the form that prompt_toolkit draws. Wide characters
take two columns and combining marks none, so every width here is counted in columns, never in characters.
Which texts may be shown at all is decided in `p2prummi.wire.shown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.utils import get_cwidth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Fragment: TypeAlias = tuple[str, str]
Line: TypeAlias = tuple[Fragment, ...]


def columns_of(text: str) -> int:
    """How many columns a text takes."""
    return get_cwidth(text)


def line_columns(line: Line) -> int:
    """How many columns a line takes."""
    return sum(columns_of(text) for _, text in line)


def clipped(text: str, columns: int, ellipsis: str = "…") -> str:
    """The text, cut to at most that many columns; a cut text ends in the ellipsis where that fits."""
    if columns_of(text) <= columns:
        return text
    mark = ellipsis if columns_of(ellipsis) < columns else ""
    return _head(text, columns - columns_of(mark)) + mark


def padded(text: str, columns: int, ellipsis: str = "…") -> str:
    """The text in exactly that many columns: cut, or filled with blanks."""
    text = clipped(text, columns, ellipsis)
    return text + " " * (columns - columns_of(text))


def padded_line(line: Line, columns: int) -> Line:
    """The line in exactly that many columns: cut, or filled with blanks in the style of its end."""
    kept: list[Fragment] = []
    left = columns
    for style, text in line:
        part = _head(text, left)
        kept.append((style, part))
        left -= columns_of(part)
        if part != text:
            break
    return (*kept, ("", " " * left)) if left else tuple(kept)


def beside(left: Line, right: Line, columns: int) -> Line:
    """Two parts of a line, one at each end; the left one is cut where both don't fit."""
    room = columns - line_columns(right)
    return (*padded_line(left, room), *right) if room > 0 else padded_line(left, columns)


def wrapped(text: str, columns: int) -> Iterator[str]:
    """The text in lines of at most that many columns, broken at blanks where there are some."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if columns_of(joined) <= columns:
            line = joined
            continue
        if line:
            yield line
        while columns_of(word) > columns:
            head = _head(word, columns) or word[:1]
            yield head
            word = word[len(head) :]  # noqa: PLW2901 - what is left of the word goes on the next line
        line = word
    yield line


def in_ascii(line: Line) -> Line:
    """The line with question marks for what isn't ASCII, in as many columns, for terminals without it."""
    return tuple((style, "".join(map(_ascii, text))) for style, text in line)


def joined(lines: Iterable[Line]) -> list[Fragment]:
    """Lines as one text, the form in which prompt_toolkit takes them."""
    fragments: list[Fragment] = []
    for index, line in enumerate(lines):
        if index:
            fragments.append(("", "\n"))
        fragments.extend(line)
    return fragments


def _ascii(character: str) -> str:
    return character if character.isascii() else "?" * columns_of(character)


def _head(text: str, columns: int) -> str:
    """As much of the beginning of a text as fits; combining marks stay with their character."""
    used = 0
    for index, character in enumerate(text):
        used += columns_of(character)
        if used > columns:
            return text[:index]
    return text
