"""Who is who: the name under which each peer is shown, and how well it is known.

A peer is its key; names are only labels, as they came from the network. They are cleaned here once, and where
two peers are called the same, the beginning of the fingerprint tells them apart: as many of its groups as it
takes, since another key with the same first group is found within seconds. A name that ends as if something
had been put behind it is marked too, and so can't pass for the label of somebody else.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from p2prummi.console.lines import clipped, columns_of
from p2prummi.crypto.fingerprint import FINGERPRINT_PATTERN, fingerprint
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from p2prummi.net.known_peers import Recognition

_MARKED: Final = re.compile(r"(.*?) ?(\([a-z2-7]{4}(?:-[a-z2-7]{4}){0,3}\))", re.IGNORECASE)
"""A name, and the mark behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Everyone met so far, by key, and the players of the match by seat. `known`: what each meeting told."""

    own_key: bytes
    names: Mapping[bytes, str] = field(default_factory=lambda: MappingProxyType({}))
    known: Mapping[bytes, Recognition] = field(default_factory=lambda: MappingProxyType({}))
    seats: tuple[bytes, ...] = ()

    def met(self, key: bytes, name: str) -> People:
        """With this peer under this name."""
        return replace(self, names=MappingProxyType({**self.names, key: shown(name)}))

    def recognised(self, key: bytes, recognition: Recognition) -> People:
        """With what is known of this peer."""
        return replace(self, known=MappingProxyType({**self.known, key: recognition}))

    def seated(self, seats: tuple[bytes, ...], names: tuple[str, ...]) -> People:
        """With these players in the match."""
        people = self
        for key, name in zip(seats, names, strict=True):
            people = people.met(key, name)
        return replace(people, seats=seats)

    def label(self, key: bytes) -> str:
        """The name to show, which nobody else has who was met so far.

        It is the player's own, with a mark behind it where another is called the same, and the fingerprint
        where there is none.
        """
        name = self.names.get(key, "")
        if name in {"", fingerprint(key)}:
            return fingerprint(key)
        folded = _folded(name)
        namesakes = [other for other, each in self.names.items() if other != key and _folded(each) == folded]
        if namesakes or folded.endswith(")") or FINGERPRINT_PATTERN.fullmatch(folded):
            return f"{name} ({_mark(key, namesakes)})"
        return name

    def seat_label(self, seat: int) -> str:
        """The name to show for a seat."""
        return self.label(self.seats[seat])


def _folded(name: str) -> str:
    """The name without what hardly anyone sees: case, and the width and style of letters."""
    return unicodedata.normalize("NFKC", name).casefold()


def _mark(key: bytes, namesakes: Iterable[bytes]) -> str:
    """The first groups of the key's fingerprint: as few as no namesake's begins with."""
    groups = fingerprint(key).split("-")
    others = [fingerprint(other) for other in namesakes]
    beginnings = ("-".join(groups[:count]) for count in range(1, len(groups)))
    return next(
        (each for each in beginnings if not any(other.startswith(each) for other in others)), "-".join(groups)
    )


def clipped_label(label: str, columns: int, ellipsis: str) -> str:
    """A label in at most that many columns, cut in the name: the mark that tells namesakes apart stays whole.

    Where even that doesn't fit, its end stays, since marks that begin alike differ there.
    """
    marked = _MARKED.fullmatch(label)
    if marked is None or columns_of(label) <= columns:
        return clipped(label, columns, ellipsis)
    name, mark = marked.groups()
    room = columns - len(mark) - 1
    if room > columns_of(ellipsis):
        return f"{clipped(name, room, ellipsis)} {mark}"
    return mark if len(mark) <= columns else ellipsis + mark[len(mark) - columns + columns_of(ellipsis) :]
