"""The kinds of turns that free a joker of the table, and what each ruleset finds wrong with each kind.

A kind says where the joker lay, what replaces it and where it goes. What is wrong is written down here from
the two tables of protocol/spec/rules.md, "Jokers on the table". Turns of a kind: `tests.rules.swaps`.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import product
from typing import NamedTuple

from p2prummi.rules import JokerReuse, JokerSwapFrom


class Holder(StrEnum):
    """Where the joker lies before the turn."""

    RUN_FIRST = "first in a run"
    RUN_INSIDE = "inside a run"
    RUN_LAST = "last in a run"
    RUN_OF_MORE_JOKERS = "in a run with more jokers"
    GROUP_OF_THREE = "in a group of three"
    GROUP_OF_FOUR = "in a group of four"
    GROUP_OF_MORE_JOKERS = "in a group with more jokers"


class Replaced(StrEnum):
    """The tile that the joker stood for."""

    RACK = "laid in its place"
    RACK_ELSEWHERE = "laid elsewhere"
    TABLE = "moved into its place"
    TABLE_ELSEWHERE = "on the table elsewhere"
    NOTHING = "nowhere"


class Reused(StrEnum):
    """Where the joker lies after the turn."""

    TWO_RACK_TILES = "new meld, two rack tiles or more"
    REPLACING_TILE = "new meld, two rack tiles, one of them the one that replaces it"
    ONE_RACK_TILE = "new meld, one rack tile"
    NO_RACK_TILE = "new meld of table tiles"
    OLD_MELD = "another meld of the table"
    OWN_MELD = "the meld that it lay in"


class Kind(NamedTuple):
    """One kind of swap."""

    holder: Holder
    replaced: Replaced
    reused: Reused

    @property
    def jokers_least(self) -> int:
        """How many jokers it takes."""
        return 2 if self.holder in (Holder.RUN_OF_MORE_JOKERS, Holder.GROUP_OF_MORE_JOKERS) else 1

    @property
    def in_place(self) -> bool:
        """Whether the tile that replaces the joker lies where it lay."""
        return self.replaced in (Replaced.RACK, Replaced.TABLE)

    @property
    def can_be(self) -> bool:
        """Whether there are such turns."""
        if self.reused is Reused.REPLACING_TILE:
            return self.replaced is Replaced.RACK_ELSEWHERE
        if self.reused is Reused.OWN_MELD:
            # A joker that stays in a group stands for what it may have stood for.
            ends = (Holder.RUN_FIRST, Holder.RUN_LAST, Holder.RUN_OF_MORE_JOKERS)
            return self.holder in ends or (self.in_place and self.holder is Holder.RUN_INSIDE)
        return True


KINDS = tuple(kind for parts in product(Holder, Replaced, Reused) if (kind := Kind(*parts)).can_be)
PAIRS = tuple(product(JokerSwapFrom, JokerReuse))


def faults_of(kind: Kind, swap: JokerSwapFrom, reuse: JokerReuse) -> list[str]:
    """The codes of what the two fields find wrong with a swap of that kind, sorted."""
    from_rack = kind.replaced in (Replaced.RACK, Replaced.RACK_ELSEWHERE)
    found = []
    if reuse is JokerReuse.OTHER_MELD and kind.reused is Reused.OWN_MELD:
        found.append("joker_back_in_its_meld")
    if reuse is JokerReuse.NEW_MELD and kind.reused in (Reused.OWN_MELD, Reused.OLD_MELD):
        found.append("joker_not_in_new_meld")
    if swap is JokerSwapFrom.RACK and not from_rack:
        found.append("joker_not_replaced")
    if swap is JokerSwapFrom.RACK_OR_TABLE and kind.replaced is Replaced.NOTHING:
        found.append("joker_tile_not_on_table")
    if reuse is JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES:
        if kind.reused is Reused.REPLACING_TILE:
            found += ["joker_rules_conflict"] * (swap is not JokerSwapFrom.FREE)
        elif kind.reused is not Reused.TWO_RACK_TILES:
            found.append("joker_without_rack_tiles")
    return sorted(found)
