"""Which tile came from where: matchings of equal tiles between the tables before and after a turn.

Equal tiles are interchangeable, so where a face lies more than once, its tiles after the turn may be matched
with those before it, or with those laid, in several ways. A rule about whole melds, such as "no three of its
tiles lay in one meld before", holds if some matching makes it so; all such rules of a turn must hold under
one matching.

Each rule is a count (`Cell`) that must stay within a most or reach a least; each face offers a few ways to
raise counts. `reachable` goes through the faces and keeps only the sets of counts that later faces can tell
apart. Runs of one colour overlap in at most as many melds as there are copies and jokers, so these are few.
Who makes the rules: `p2prummi.rules.jokers`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Ways: TypeAlias = "list[frozenset[int]]"
"""The ways to match one face: for each, the indexes of the cells that it raises by one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A count that must not exceed `most`, or must reach `least`; exactly one of the two is given."""

    most: int | None = None
    least: int = 0


def reachable(cells: Sequence[Cell], faces: Iterable[Ways]) -> bool:
    """Whether one way for each face, together, keeps every cell within its bound."""
    if any(cell.most is not None and cell.most < 0 for cell in cells):
        return False
    choices = [_undominated(cells, ways) for ways in faces]
    choices = [ways for ways in choices if any(ways)]
    last_use = {cell: place for place, ways in enumerate(choices) for way in ways for cell in way}
    if any(cell.least > 0 and index not in last_use for index, cell in enumerate(cells)):
        return False
    states = {(0,) * len(cells)}
    for place, ways in enumerate(choices):
        done = [cell for cell, last in last_use.items() if last == place]
        states = {
            _forget(state, done)
            for before in states
            for way in ways
            if (state := _raised(cells, before, way)) is not None
            and all(state[cell] >= cells[cell].least for cell in done)
        }
        if not states:
            return False
    return True


def _undominated(cells: Sequence[Cell], ways: Ways) -> Ways:
    """The ways without those that another betters, raising fewer bounded counts and more wanted ones."""
    distinct = list(dict.fromkeys(ways))
    if len(distinct) == 1:
        return distinct
    wanted = frozenset(index for index, cell in enumerate(cells) if cell.most is None)
    return [
        way
        for way in distinct
        if not any(other is not way and other - wanted <= way and other >= way & wanted for other in distinct)
    ]


def _raised(cells: Sequence[Cell], state: tuple[int, ...], way: frozenset[int]) -> tuple[int, ...] | None:
    """The state after a way, wanted counts going no further than wanted; None where a bound is exceeded."""
    counts = list(state)
    for index in way:
        most = cells[index].most
        if most is None:
            counts[index] = min(counts[index] + 1, cells[index].least)
        elif counts[index] == most:
            return None
        else:
            counts[index] += 1
    return tuple(counts)


def _forget(state: tuple[int, ...], done: Sequence[int]) -> tuple[int, ...]:
    """The state without the counts that no later face raises."""
    if not done:
        return state
    counts = list(state)
    for index in done:
        counts[index] = 0
    return tuple(counts)
