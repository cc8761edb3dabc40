"""Who is who: the name under which each peer is shown, and how well it is known.

A peer is its key; names are only labels, as they came from the network. They are cleaned here once, and where
two peers are called the same, a piece of the fingerprint tells them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2prummi.net.known_peers import Recognition


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
        """The name to show.

        A player's own, marked with its fingerprint where it is empty or another's too.
        """
        name = self.names.get(key, "")
        short = fingerprint(key)[:4]
        if not name:
            return short
        same = [other for other, each in self.names.items() if each.casefold() == name.casefold()]
        return f"{name} ({short})" if len(same) > 1 else name

    def seat_label(self, seat: int) -> str:
        """The name to show for a seat."""
        return self.label(self.seats[seat])
