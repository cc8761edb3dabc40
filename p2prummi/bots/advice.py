"""A turn explained to people: what it does, and why that is good.

The figures are here and the words are made of them, so that a hint in another language needs no other search.
Melds of the table are numbered from 1, in the order in which they lie.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from p2prummi.rules import Draw, Play

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2prummi.bots.view import PlayerView
    from p2prummi.rules import Meld, Tile, Turn


class Reason(StrEnum):
    """What speaks for a turn."""

    GOES_OUT = "goes_out"
    OPENS = "opens"
    LAYS = "lays"
    WAITS = "waits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A turn with what speaks for it.

    `laid` are the tiles from the rack, `points` what an opening is worth (0 for another turn), `changed` the
    numbers of the table's melds that do not stay as they are, `made` the melds that are there afterwards and
    were not before.
    """

    turn: Turn
    reason: Reason
    laid: tuple[Tile, ...] = ()
    points: int = 0
    changed: tuple[int, ...] = ()
    made: tuple[Meld, ...] = ()

    @property
    def words(self) -> str:
        """The advice in words, such as `lay [R10 R11 R12]: opens with 33`."""
        if not isinstance(self.turn, Play):
            does = "draw" if isinstance(self.turn, Draw) else "pass"
            return f"{does}: there is nothing better to do"
        return f"{self._does}: {self._because}"

    @property
    def _does(self) -> str:
        if not self.changed:
            return f"lay {_listed(self.made)}"
        if len(self.changed) == len(self.made) == 1:
            return f"add {_listed(self.laid)} to {self.changed[0]}"
        *others, last = map(str, self.changed)
        melds = f"melds {', '.join(others)} and {last}" if others else f"meld {last}"
        return f"with {_listed(self.laid)} make of {melds} {_listed(self.made)}"

    @property
    def _because(self) -> str:
        if self.reason is Reason.GOES_OUT:
            return "goes out"
        if self.reason is Reason.OPENS:
            return f"opens with {self.points}"
        count = len(self.laid)
        return f"lays {count} tile{'s' if count > 1 else ''}"


def explain(view: PlayerView, turn: Turn) -> Advice:
    """What a legal turn by the view's seat does, and what speaks for it."""
    if not isinstance(turn, Play):
        return Advice(turn=turn, reason=Reason.WAITS)
    judgement = view.judge(turn)
    reason = Reason.LAYS if view.has_opened else Reason.OPENS
    changed = _missing(view.table, turn.melds)
    return Advice(
        turn=turn,
        reason=Reason.GOES_OUT if len(judgement.laid) == len(view.rack) else reason,
        laid=judgement.laid,
        points=judgement.points,
        changed=tuple([place + 1 for place in changed]),
        made=tuple([turn.melds[place] for place in _missing(turn.melds, view.table)]),
    )


def _missing(melds: Sequence[Meld], others: Sequence[Meld]) -> list[int]:
    """The places of the melds that are not among the others, whichever of equal tiles are in them."""
    left = Counter(map(str, others))
    places = []
    for place, meld in enumerate(melds):
        text = str(meld)
        if left[text]:
            left[text] -= 1
        else:
            places.append(place)
    return places


def _listed(things: Iterable[Meld | Tile]) -> str:
    return " ".join(map(str, things))
