"""Who is who: the name under which each peer is shown, and how well it is known.

Names are cleaned here once, as they come from the network. How a label is made of a name and a key:
`p2prummi.wire.peer_label`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from p2prummi.console.lines import clipped, columns_of
from p2prummi.wire.peer_label import peer_label
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        """The name to show, which nobody else has who was met so far."""
        return peer_label(key, self.names)

    def seat_label(self, seat: int) -> str:
        """The name to show for a seat."""
        return self.label(self.seats[seat])


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
