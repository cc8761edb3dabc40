"""One colour by itself on the way through the stages, given what its groups take.

- A `Front` is everything that can be the case in the colour after some numbers: for each state of open runs
  and each number of jokers used, the most that was laid. What was decided before matters only through it.
- Only numbers at which some group is possible ask for a decision (how many tiles of this colour go to
  groups): these are the *stages*. All numbers between two stages are stepped over at once.
What can still come: `p2prummi.solver.prospects`. The colours together: `p2prummi.solver.search`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.rules.tiles import HIGHEST_NUMBER
from p2prummi.solver.prospects import HARDLY, NEVER, PHASES
from p2prummi.solver.steps import EMPTY, exact_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.solver.prospects import Hopes, Prospect
    from p2prummi.solver.steps import StepTable

JOKER_BITS = 3
JOKERS_OF_KEY = 7
"""The low bits of a key are the jokers used in runs, the others the state of open runs."""


class Front:
    """What can be the case in one colour at a stage; values count from the best of them.

    `worth[j]` is the most that this colour can still bring, seen from there, with at most j jokers in runs.
    `name` tells the fronts of one search apart.
    """

    __slots__ = ("children", "name", "values", "worth")

    def __init__(self, values: dict[int, int], worth: list[int], name: int, options: int) -> None:
        self.values, self.worth, self.name = values, worth, name
        # For each number of tiles in groups: the front after it and the value that was gained on the way;
        # None until it is worked out, () where it can't be.
        self.children: list[tuple[Front, int] | tuple[()] | None] = [None] * options


class Column:
    """One colour of a position, and the fronts that were met in it."""

    def __init__(self, prospect: Prospect, hopes: Hopes, stages: Sequence[int]) -> None:
        self.prospect, self.hopes, self.stages = prospect, hopes, stages
        self.jokers, self.weights = prospect.jokers, prospect.weights
        self.fronts: dict[object, Front] = {}
        # The steps by number and tiles in groups, where they were asked for.
        self.tables: list[list[StepTable | None]] = [[None] * (room + 1) for room in prospect.group_room]

    def root(self) -> tuple[Front, int] | tuple[()]:
        """The front at the first stage, and the value gained before it."""
        return self._front({EMPTY: 0}, 0, 0, 1)

    def child(self, front: Front, stage: int, grouped: int) -> tuple[Front, int] | tuple[()]:
        """The front at the next stage if so many tiles lie in groups at this one; () where that can't be."""
        found = front.children[grouped]
        if found is None:
            found = self._front(front.values, grouped, stage + 1, self.stages[stage])
            front.children[grouped] = found
        return found

    def _front(
        self, values: dict[int, int], grouped: int, stage: int, number: int
    ) -> tuple[Front, int] | tuple[()]:
        """Step from a number, at which so many tiles lie in groups, to a stage."""
        end = self.stages[stage] if stage < len(self.stages) else HIGHEST_NUMBER + 1
        for each in range(number, end):
            values = self.advance(values, each, grouped)
            grouped = 0
            if not values:
                return ()
        return self._interned(values, end)

    def advance(self, values: dict[int, int], number: int, grouped: int) -> dict[int, int]:
        """What can be the case after a number at which so many tiles lie in groups."""
        table = self.tables[number][grouped] or self._table(number, grouped)
        weight, hopes, jokers = self.weights[number], self.hopes[number], self.jokers
        after: dict[int, int] = {}
        if not jokers:
            for key, value in values.items():
                for laid, _, state, _, staying in table[key >> JOKER_BITS]:
                    if state in hopes:
                        following = state << JOKER_BITS
                        gained = value + laid * weight + staying
                        if after.get(following, NEVER) < gained:
                            after[following] = gained
            return after
        for key, value in values.items():
            spent = key & JOKERS_OF_KEY
            for laid, used, state, _, staying in table[key >> JOKER_BITS]:
                total = spent + used
                if total <= jokers and state in hopes and hopes[state][jokers - total] > HARDLY:
                    following = state << JOKER_BITS | total
                    gained = value + laid * weight + staying
                    if after.get(following, NEVER) < gained:
                        after[following] = gained
        # One state leads to others only once each.
        if len(values) > 1 and len(after) > 1:
            _leave_out_wasteful(after)
        return after

    def _table(self, number: int, grouped: int) -> StepTable:
        """The steps at a number with so many tiles in groups."""
        prospect = self.prospect
        table = exact_steps(
            prospect.on_table[number],
            prospect.in_groups[number],
            prospect.there[number],
            grouped,
            self.jokers,
            PHASES[number],
        )
        self.tables[number][grouped] = table
        return table

    def _interned(self, values: dict[int, int], number: int) -> tuple[Front, int]:
        """The front of these values before a number, which is the same one for the same values."""
        hopes = self.hopes[number - 1]
        if len(values) == 1:
            # Most fronts are of one state, which is counted from nothing.
            ((key, base),) = values.items()
            name: object = number << 16 | key
            front = self.fronts.get(name)
            if front is not None:
                return front, base
            values = {key: 0}
            spent, worth = key & JOKERS_OF_KEY, hopes[key >> JOKER_BITS]
            if spent:
                worth = [NEVER] * spent + worth[:-spent]
        else:
            base = max(values.values())
            values = {key: value - base for key, value in values.items()}
            name = (number, *sorted(values.items()))
            front = self.fronts.get(name)
            if front is not None:
                return front, base
            worth = self._worth(values, hopes)
        options = self.prospect.group_room[number] + 1 if number <= HIGHEST_NUMBER else 0
        front = Front(values, worth, len(self.fronts), options)
        self.fronts[name] = front
        return front, base

    def _worth(self, values: dict[int, int], hopes: dict[int, list[int]]) -> list[int]:
        """The most that can still come, by the jokers that may be used in runs from the first number on."""
        jokers = self.jokers
        if not jokers:
            return [max([value + hopes[key >> JOKER_BITS][0] for key, value in values.items()])]
        worth = [NEVER] * (jokers + 1)
        for key, value in values.items():
            budget = key & JOKERS_OF_KEY
            for hope in hopes[key >> JOKER_BITS]:
                if budget > jokers:
                    break
                if value + hope > worth[budget]:  # noqa: PLR1730 - max() is slower
                    worth[budget] = value + hope
                budget += 1
        return worth

    def layers(self, grouped: Sequence[int]) -> list[dict[int, int]]:
        """What can be the case after each number, from 0 on, so many tiles lying in groups by number."""
        layers = [{EMPTY: 0}]
        for number in range(1, HIGHEST_NUMBER + 1):
            layers.append(self.advance(layers[-1], number, grouped[number]))
        return layers

    def trace(self, layers: list[dict[int, int]], grouped: Sequence[int], key: int) -> list[tuple[int, int]]:
        """How many tiles and jokers lie in runs at each number, on a way that ends in `key`."""
        prospect = self.prospect
        places = []
        for number in range(HIGHEST_NUMBER, 0, -1):
            value, weight = layers[number][key], self.weights[number]
            table = self._table(number, grouped[number])
            key, laid, used = next(
                (before, laid, used)
                for before, worth in layers[number - 1].items()
                for laid, used, after, _, staying in table[before >> JOKER_BITS]
                if after == key >> JOKER_BITS
                and (before & JOKERS_OF_KEY) + used == key & JOKERS_OF_KEY
                and worth + laid * weight + staying == value
            )
            places.append((laid + prospect.on_table[number] - grouped[number], used))
        places.reverse()
        return places


def _leave_out_wasteful(values: dict[int, int]) -> None:
    """Leave out what takes more jokers than another way to the same state, for no more value."""
    for key in [key for key in values if key & JOKERS_OF_KEY]:
        value = values[key]
        for thriftier in range(key & ~JOKERS_OF_KEY, key):
            if values.get(thriftier, NEVER) >= value:
                del values[key]
                break
