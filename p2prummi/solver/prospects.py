"""What one colour can bring from any point on, if its tiles join groups at will: the bounds of the search.

- A colour is gone through from 1 to 13. `hopes` says for each number and each state of open runs the most
  that can come from there on, worked out once, backwards.
- A group needs other colours too, which the bound of one colour does not see. So a tile in a group may have a
  *price*, above or below nothing; `p2prummi.solver.prices` finds prices by which the colours agree. Without
  prices the bound holds as well, only less tightly.
Values are in fractions, so that prices can be whole numbers, and so that each tile of the table that stays in
a run or in a group as it was can count one fraction: among equal values that keeps the table as it is. All
such tiles together come to less than a whole.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.rules.tiles import HIGHEST_NUMBER
from p2prummi.solver.steps import EMPTY, eager_steps, phase_of, reluctant_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.solver.steps import Reached, StepTable

SCALE_BITS = 12
"""A whole is so many bits of fractions."""
PHASES = tuple(map(phase_of, range(HIGHEST_NUMBER + 1)))
NEVER = -(1 << 40)
"""Worth less than anything that can happen."""
HARDLY = NEVER >> 1
"""All that can happen is worth more than this, all that can't is worth less."""
Hopes: TypeAlias = list[dict[int, list[int]]]
"""By the number that was gone through, 0 to 13, and by state: the most to come, by the jokers at most."""


class Prospect:
    """The counts of one colour by number (index 0 is unused), and what can come of them.

    Of the tiles that are `there`, those `on_table` must be used; `in_groups` of those lie in groups now, and
    `group_room` is the most that can. Weights are what laying a tile is worth.
    """

    def __init__(
        self,
        on_table: tuple[int, ...],
        in_groups: tuple[int, ...],
        there: tuple[int, ...],
        group_room: tuple[int, ...],
        weights: tuple[int, ...],
        jokers: int,
    ) -> None:
        self.on_table, self.in_groups, self.there = on_table, in_groups, there
        self.group_room = group_room
        self.weights = tuple([weight << SCALE_BITS for weight in weights])
        self.jokers = jokers
        self.tables: list[StepTable] = []
        reached: Reached = frozenset(((EMPTY, 0),))
        self.states: list[Reached] = [reached]
        for number in range(1, HIGHEST_NUMBER + 1):
            table = eager_steps(
                on_table[number], in_groups[number], there[number], group_room[number], jokers, PHASES[number]
            )
            self.tables.append(table)
            room = there[number + 1] + jokers if number < HIGHEST_NUMBER else 0
            reached = table.reached_after(reached, room)
            self.states.append(reached)
        self.hopes = self.hopes_at([0] * (HIGHEST_NUMBER + 1))

    def table_at(self, number: int, price: int) -> StepTable:
        """The steps at a number that go best with a price."""
        if self.weights[number] + price >= 0:
            return self.tables[number - 1]
        return reluctant_steps(
            self.on_table[number],
            self.in_groups[number],
            self.there[number],
            self.group_room[number],
            self.jokers,
            PHASES[number],
        )

    def hopes_at(self, prices: Sequence[int]) -> Hopes:
        """The hopes if a tile in a group brings so much more, by number."""
        after = {state: [0] * (self.jokers + 1) for state, _ in self.states[HIGHEST_NUMBER]}
        hopes = [after]
        best_from = self._best_with_jokers if self.jokers else self._best
        for number in range(HIGHEST_NUMBER, 0, -1):
            price = prices[number]
            table = self.table_at(number, price) if price else self.tables[number - 1]
            after = best_from(self.states[number - 1], table, self.weights[number], price, after)
            hopes.append(after)
        hopes.reverse()
        return hopes

    def _best(
        self,
        states: Reached,
        table: StepTable,
        weight: int,
        price: int,
        after: dict[int, list[int]],
    ) -> dict[int, list[int]]:
        before = {}
        for state, _ in states:
            best = NEVER
            for laid, _, following, grouped, staying in table[state]:
                if following in after:
                    value = laid * weight + grouped * price + staying + after[following][0]
                    if value > best:  # noqa: PLR1730 - this is the innermost loop, and max() is slower
                        best = value
            if best > HARDLY:
                before[state] = [best]
        return before

    def _best_with_jokers(
        self,
        states: Reached,
        table: StepTable,
        weight: int,
        price: int,
        after: dict[int, list[int]],
    ) -> dict[int, list[int]]:
        nothing = [NEVER] * (self.jokers + 1)
        before = {}
        for state, _ in states:
            best = nothing
            for laid, used, following, grouped, staying in table[state]:
                hope = after.get(following)
                if hope is not None:
                    gain = laid * weight + grouped * price + staying
                    if best is nothing:
                        best = [gain + value for value in hope]
                        if used:
                            best = nothing[:used] + best[:-used]
                    else:
                        budget = used
                        for value in hope if not used else hope[:-used]:
                            if gain + value > best[budget]:  # noqa: PLR1730 - as above
                                best[budget] = gain + value
                            budget += 1
            if best[-1] > HARDLY:
                before[state] = best
        return before


@lru_cache(maxsize=64)
def prospect(
    on_table: tuple[int, ...],
    in_groups: tuple[int, ...],
    there: tuple[int, ...],
    group_room: tuple[int, ...],
    weights: tuple[int, ...],
    jokers: int,
) -> Prospect:
    """The prospect of a colour; the last are kept while a question is answered, which asks for them again."""
    return Prospect(on_table, in_groups, there, group_room, weights, jokers)
