"""What runs of one colour may do at one number: the states of open runs, and the steps between them.

- A state counts the runs that are open after a number: of one tile, of two, and of three or more, which may
  end at any time. The first two must go on. Three bits each, so that a state is a small whole number.
- At a number so many *slots* of runs are filled, each by a tile or a joker. Open runs of three or more go on
  before new ones start: a run that may go on or end is worth no less than one that must go on. So a state and
  the number of slots settle the next state.
- A joker fills a slot only where every tile of that face lies in a run already: where one lies in a group,
  the joker can take its place there, and where one is left on the rack, the tile can take the joker's.
- A joker starts a run only at 11: elsewhere it can be left out, or put to the other end.
What steps are worth over all numbers: `p2prummi.solver.columns`. Source: van Rijn, Takes and Vis, "The
Complexity of Rummikub Problems", arXiv:1604.07553.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

EMPTY = 0
"""The state in which no run is open."""
LAST_START = 11
"""The highest number at which a run can start."""
SLOTS_MOST = 7
"""Three copies and four jokers."""
TABLES_KEPT = 256
"""So many tables of each kind are kept, the last ones, and ..."""
REACHED_KEPT = 8
"""... so many answers of each table. All would be many thousands in time, and every full collection of the
process's garbage would go through them."""

Step: TypeAlias = tuple[int, int, int, int, int]
"""Tiles laid beyond those of the table, jokers used in runs, the state after, tiles in groups, and tiles of
the table that stay in a run or in a group as they were."""


Reached: TypeAlias = frozenset[tuple[int, int]]
"""States, each with the fewest jokers that it takes to come there."""


def next_state(state: int, slots: int) -> int:
    """The state after so many slots are filled at the next number; -1 where a short run could not go on."""
    ones, twos, long = state & 7, state >> 3 & 7, state >> 6
    free = slots - ones - twos
    if free < 0:
        return -1
    going_on = min(long, free)
    return (free - going_on) | ones << 3 | (twos + going_on) << 6


def may_end(state: int) -> bool:
    """Whether all runs that are open are long enough to end."""
    return not state & 0o77


def short_runs(state: int) -> int:
    """The number of open runs that must go on."""
    return (state & 7) + (state >> 3 & 7)


def open_runs(state: int) -> int:
    """The number of open runs."""
    return (state & 7) + (state >> 3 & 7) + (state >> 6)


def phase_of(number: int) -> int:
    """What matters of a number: -1 while runs may start, 0 at the last number for it, 1 beyond."""
    return (number > LAST_START) - (number < LAST_START)


class StepTable(dict[int, tuple[Step, ...]]):
    """The steps from each state at one kind of cell, worked out when first asked for.

    Of the tiles that are `there`, `on_table` must be used; `in_groups` of those lie in groups, the others in
    runs. `grouped` says for each number of tiles in runs how many lie in groups afterwards; -1 where that
    number is none. `jokers` is how many there are to use.
    """

    __slots__ = ("grouped", "in_groups", "jokers", "on_table", "phase", "reached", "there")

    def __init__(
        self,
        on_table: int,
        in_groups: int,
        there: int,
        grouped: tuple[int, ...],
        jokers: int,
        phase: int,
    ) -> None:
        super().__init__()
        self.on_table, self.in_groups, self.there, self.grouped = on_table, in_groups, there, grouped
        self.jokers, self.phase = jokers, phase
        self.reached: dict[tuple[Reached, int], Reached] = {}

    def reached_after(self, before: Reached, room: int) -> Reached:
        """What can come after any of these, if the next number goes on with so many runs at most."""
        found = self.reached.get((before, room))
        if found is None:
            fewest: dict[int, int] = {}
            for state, spent in before:
                for _, used, after, _, _ in self[state]:
                    total = spent + used
                    if total <= self.jokers and short_runs(after) <= room:
                        fewest[after] = min(total, fewest.get(after, total))
            if len(self.reached) >= REACHED_KEPT:
                del self.reached[next(iter(self.reached))]
            self.reached[before, room] = found = frozenset(fewest.items())
        return found

    def __missing__(self, state: int) -> tuple[Step, ...]:
        found = []
        for tiles, grouped in enumerate(self.grouped):
            laid = tiles + grouped - self.on_table
            if grouped < 0 or laid < 0:
                continue
            staying = min(tiles, self.on_table - self.in_groups) + min(grouped, self.in_groups)
            spare = 0
            if tiles == self.there:
                spare = self.jokers
                if self.phase:
                    spare = max(0, min(spare, open_runs(state) - tiles))
            for used in range(spare + 1):
                after = next_state(state, tiles + used)
                if after >= 0 and (self.phase <= 0 or not after & 7):
                    found.append((laid, used, after, grouped, staying))
        self[state] = steps = tuple(found)
        return steps


@lru_cache(maxsize=TABLES_KEPT)
def exact_steps(
    on_table: int, in_groups: int, there: int, grouped: int, jokers: int, phase: int
) -> StepTable:
    """The steps where just `grouped` of the tiles that are there lie in groups."""
    every = (grouped,) * (there - grouped + 1)
    return StepTable(on_table, in_groups, there, every, jokers, phase)


@lru_cache(maxsize=TABLES_KEPT)
def eager_steps(
    on_table: int, in_groups: int, there: int, group_room: int, jokers: int, phase: int
) -> StepTable:
    """The steps where as many tiles as runs leave over lie in groups, up to `group_room`."""
    grouped = tuple(min(group_room, there - tiles) for tiles in range(there + 1))
    return StepTable(on_table, in_groups, there, grouped, jokers, phase)


@lru_cache(maxsize=TABLES_KEPT)
def reluctant_steps(
    on_table: int, in_groups: int, there: int, group_room: int, jokers: int, phase: int
) -> StepTable:
    """The steps where only tiles of the table that runs leave over lie in groups."""
    needed = [max(0, on_table - tiles) for tiles in range(there + 1)]
    grouped = tuple(
        count if count <= min(group_room, there - tiles) else -1 for tiles, count in enumerate(needed)
    )
    return StepTable(on_table, in_groups, there, grouped, jokers, phase)
