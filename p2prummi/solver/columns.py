"""One colour by itself: what its runs can be worth, given what its groups take.

- A colour is gone through from 1 to 13. `hopes` holds, for each number and state of open runs, the most that
  the rest of the colour can bring if its tiles could join groups at will: worked out once, backwards.
- A `Front` is everything that can be the case in the colour after some numbers: for each state of open runs
  and each number of jokers used, the most that was laid. What was decided before matters only through it.
- Only numbers at which some group is possible ask for a decision (how many tiles of this colour go to
  groups): these are the *stages*. All numbers between two stages are stepped over at once.
The colours together: `p2prummi.solver.search`.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from p2prummi.rules.tiles import HIGHEST_NUMBER
from p2prummi.solver.steps import EMPTY, exact_steps, hopeful_steps, may_end, phase_of

if TYPE_CHECKING:
    from collections.abc import Sequence

PHASES = tuple(map(phase_of, range(HIGHEST_NUMBER + 1)))
NEVER = -(10**6)
"""Worth less than anything that can happen."""
JOKER_BITS = 3
JOKERS_OF_KEY = 7
"""The low bits of a key are the jokers used in runs, the others the state of open runs."""


class Front:
    """What can be the case in one colour at a stage; values count from `base` of the way there.

    `worth[j]` is the most that this colour can bring in all, seen from here, with at most j jokers in runs.
    """

    __slots__ = ("children", "key", "values", "worth")

    def __init__(self, values: dict[int, int], worth: list[int], key: int, options: int) -> None:
        self.values, self.worth, self.key = values, worth, key
        # For each number of tiles in groups: the front after it and the value that was gained on the way;
        # None until it is worked out, () where it can't be.
        self.children: list[tuple[Front, int] | tuple[()] | None] = [None] * options


class Column:
    """One colour of a position: tiles by number, 1 to 13 (index 0 is unused)."""

    def __init__(
        self,
        on_table: Sequence[int],
        there: Sequence[int],
        group_room: Sequence[int],
        weights: Sequence[int],
        jokers: int,
        stages: Sequence[int],
    ) -> None:
        self.on_table, self.there, self.group_room = on_table, there, group_room
        self.weights, self.jokers, self.stages = weights, jokers, stages
        self.hopes = self._hopes()
        self.fronts: list[dict[object, Front]] = [{} for _ in range(len(stages) + 1)]
        self.keys = count()

    def _hopes(self) -> list[dict[int, list[int]]]:
        """For each number, by the state before it: the most to come with at most j jokers, by j."""
        jokers = self.jokers
        tables = []
        states = {EMPTY}
        reached = [states]
        for number in range(1, HIGHEST_NUMBER + 1):
            table = hopeful_steps(
                self.on_table[number], self.there[number], self.group_room[number], jokers, PHASES[number]
            )
            tables.append(table)
            states = {step[2] for state in states for step in table[state]}
            reached.append(states)
        nothing = [0] * (jokers + 1)
        after = {state: nothing for state in states if may_end(state)}
        hopes = [after]
        for number in range(HIGHEST_NUMBER, 0, -1):
            table, weight = tables[number - 1], self.weights[number]
            before: dict[int, list[int]] = {}
            for state in reached[number - 1]:
                best = None
                for laid, used, next_state in table[state]:
                    hope = after.get(next_state)
                    if hope is None:
                        continue
                    gain = laid * weight
                    if not jokers:
                        value = gain + hope[0]
                        if best is None:
                            best = [value]
                        elif value > best[0]:
                            best[0] = value
                    else:
                        if best is None:
                            best = [NEVER] * (jokers + 1)
                        for budget in range(used, jokers + 1):
                            value = gain + hope[budget - used]
                            best[budget] = max(best[budget], value)
                if best is not None and best[jokers] > NEVER // 2:
                    before[state] = best
            hopes.append(before)
            after = before
        hopes.reverse()
        return hopes

    def root(self) -> tuple[Front, int] | tuple[()]:
        """The front at the first stage, and the value gained before it."""
        return self._front({EMPTY: 0}, 0, 0, 1)

    def child(self, front: Front, stage: int, grouped: int) -> tuple[Front, int] | tuple[()]:
        """The front at the next stage if so many tiles lie in groups at this one; () where that can't be."""
        found = front.children[grouped]
        if found is None:
            number = self.stages[stage]
            found = self._front(front.values, grouped, stage + 1, number)
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
        return self._interned(values, stage, end)

    def advance(self, values: dict[int, int], number: int, grouped: int) -> dict[int, int]:
        """What can be the case after a number at which so many tiles lie in groups."""
        table = exact_steps(self.on_table[number], self.there[number], grouped, self.jokers, PHASES[number])
        weight, jokers, hopes = self.weights[number], self.jokers, self.hopes[number]
        after: dict[int, int] = {}
        if not jokers:
            for state, value in values.items():
                for laid, _, next_state in table[state >> JOKER_BITS]:
                    if next_state in hopes:
                        key = next_state << JOKER_BITS
                        gained = value + laid * weight
                        if after.get(key, NEVER) < gained:
                            after[key] = gained
            return after
        for key, value in values.items():
            spent = key & JOKERS_OF_KEY
            for laid, used, next_state in table[key >> JOKER_BITS]:
                total = spent + used
                if total <= jokers and next_state in hopes and hopes[next_state][jokers - total] >= 0:
                    next_key = next_state << JOKER_BITS | total
                    gained = value + laid * weight
                    if after.get(next_key, NEVER) < gained:
                        after[next_key] = gained
        if len(after) > 1:
            # More jokers for no more value are never better.
            for key in sorted(after):
                if key & JOKERS_OF_KEY and any(
                    after.get(key - less, NEVER) >= after[key] for less in range(1, (key & JOKERS_OF_KEY) + 1)
                ):
                    del after[key]
        return after

    def _interned(self, values: dict[int, int], stage: int, number: int) -> tuple[Front, int]:
        base = max(values.values())
        if base:
            values = {key: value - base for key, value in values.items()}
        name: object
        if len(values) == 1:
            (name,) = values
        else:
            name = tuple(sorted(values.items()))
        front = self.fronts[stage].get(name)
        if front is None:
            jokers = self.jokers
            worth = [NEVER] * (jokers + 1)
            hopes = self.hopes[number - 1]
            for key, value in values.items():
                spent = key & JOKERS_OF_KEY
                hope = hopes[key >> JOKER_BITS]
                for budget in range(spent, jokers + 1):
                    total = value + hope[budget - spent]
                    worth[budget] = max(worth[budget], total)
            options = self.group_room[number] + 1 if number <= HIGHEST_NUMBER else 0
            front = Front(values, worth, next(self.keys), options)
            self.fronts[stage][name] = front
        return front, base

    def ends(self, grouped: Sequence[int]) -> list[dict[int, int]]:
        """What can be the case after each number, from 0 on, so many tiles lying in groups by number."""
        layers = [{EMPTY: 0}]
        for number in range(1, HIGHEST_NUMBER + 1):
            layers.append(self.advance(layers[-1], number, grouped[number]))
        return layers

    def trace(self, layers: list[dict[int, int]], grouped: Sequence[int], key: int) -> list[tuple[int, int]]:
        """How many tiles and jokers lie in runs at each number, on a way that ends in `key`."""
        places = []
        for number in range(HIGHEST_NUMBER, 0, -1):
            value = layers[number][key]
            table = exact_steps(
                self.on_table[number], self.there[number], grouped[number], self.jokers, PHASES[number]
            )
            weight = self.weights[number]
            key, laid, used = next(
                (before, laid, used)
                for before, worth in layers[number - 1].items()
                for laid, used, after in table[before >> JOKER_BITS]
                if after == key >> JOKER_BITS
                and (before & JOKERS_OF_KEY) + used == key & JOKERS_OF_KEY
                and worth + laid * weight == value
            )
            places.append((laid + self.on_table[number] - grouped[number], used))
        places.reverse()
        return places
