"""Prices of tiles in groups, by which the four colours come to agree on groups without being asked together.

A group takes tiles of three or four colours. If every tile in it has a price, and the prices of each possible
group come to nothing or more, jokers in it at a price of their own, then what the colours can bring one by
one, prices included, is still no less than what they can bring together. Good prices make that bound tight:
from prices of nothing they go down where a colour by itself puts a tile into groups, and are then mended so
that no group has a price below nothing. This is subgradient descent on the Lagrangian dual of "the colours of
a group agree"; a few rounds bring the bound close to that of linear programming.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from p2prummi.rules.tiles import HIGHEST_NUMBER
from p2prummi.solver.prospects import SCALE_BITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2prummi.solver.prospects import Hopes, Prospect

ROUNDS_MOST = 5
FIRST_STEP, STEP_SHRINKS = 1.2, 0.6
"""The first step in weights of a tile, and by how much each step is of the one before. Found by trying."""
MENDINGS_MOST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """Hopes of the four colours at prices; a joker that is left for groups may bring `joker`.

    `bound` is what the colours can bring together at most, in fractions.
    """

    hopes: tuple[Hopes, ...]
    joker: int
    bound: int


def plain(prospects: Sequence[Prospect]) -> Pricing:
    """The hopes without prices."""
    hopes = tuple([prospect.hopes for prospect in prospects])
    return Pricing(hopes=hopes, joker=0, bound=_best_split(hopes, 0)[0])


def tightened(
    prospects: Sequence[Prospect],
    stages: Sequence[int],
    first: Pricing,
    least: int,
    is_time_up: Callable[[], bool],
) -> Pricing:
    """Hopes at better prices; it ends early where their bound is less than `least`, in fractions."""
    descent = _Descent(prospects, stages)
    best = pricing = first
    prices = [[0] * (HIGHEST_NUMBER + 1) for _ in prospects]
    for _ in range(ROUNDS_MOST):
        if is_time_up():
            break
        _, budgets = _best_split(pricing.hopes, pricing.joker)
        grouped = [
            prospect.grouped_at_best(hopes, mine, budget)
            for prospect, hopes, mine, budget in zip(prospects, pricing.hopes, prices, budgets, strict=True)
        ]
        descent.step(grouped, prospects[0].jokers - sum(budgets))
        prices, joker = descent.prices()
        hopes = tuple([prospect.hopes_at(mine) for prospect, mine in zip(prospects, prices, strict=True)])
        pricing = Pricing(hopes=hopes, joker=joker, bound=_best_split(hopes, joker)[0])
        # Of bounds that come to the same whole value, that at prices tells more about the colours.
        if pricing.bound >> SCALE_BITS <= best.bound >> SCALE_BITS:
            best = pricing
            if best.bound < least:
                break
    return best


def _best_split(hopes: Sequence[Hopes], joker: int) -> tuple[int, tuple[int, ...]]:
    """The most that the colours can bring, jokers that they leave at a price, and the jokers of each."""
    jokers = len(hopes[0][0][0]) - 1
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for each in hopes:
        worth = each[0][0]
        best = (
            [
                max(
                    (best[used - mine][0] + worth[mine], (*best[used - mine][1], mine))
                    for mine in range(used + 1)
                    if used - mine < len(best)
                )
                for used in range(jokers + 1)
            ]
            if jokers
            else [(best[0][0] + worth[0], (*best[0][1], 0))]
        )
    return max((value + joker * (jokers - used), budgets) for used, (value, budgets) in enumerate(best))


class _Descent:
    """The prices while they are worked out, in fractions but not yet whole."""

    def __init__(self, prospects: Sequence[Prospect], stages: Sequence[int]) -> None:
        self.weights, self.jokers = prospects[0].weights, prospects[0].jokers
        self.colours = {
            stage: [colour for colour in range(4) if prospects[colour].group_room[stage]] for stage in stages
        }
        self.tiles = [[0.0] * (HIGHEST_NUMBER + 1) for _ in range(4)]
        self.joker = 0.0
        self.size = FIRST_STEP
        self.joker_weight = sum(self.weights) / HIGHEST_NUMBER

    def step(self, grouped: Sequence[Sequence[int]], jokers_left: int) -> None:
        """Go down by what the colours, one by one, put into groups, and mend the prices."""
        tiles = self.tiles
        self.joker = max(0.0, self.joker - self.size * self.joker_weight * jokers_left)
        for stage, colours in self.colours.items():
            for colour in colours:
                tiles[colour][stage] -= self.size * self.weights[stage] * grouped[colour][stage]
            self._mend(stage, colours)
        self.size *= STEP_SHRINKS

    def _mend(self, stage: int, colours: Sequence[int]) -> None:
        """Raise prices where a group would have one below nothing, by the shortest way."""
        tiles = self.tiles
        for _ in range(MENDINGS_MOST):
            ranked = sorted(colours, key=lambda colour: tiles[colour][stage])
            worst = 0.0
            members = 0
            total = 0.0
            for count, colour in enumerate(ranked[:3], 1):
                total += tiles[colour][stage]
                jokers = 3 - count
                if jokers <= self.jokers:
                    lacking = (total + jokers * self.joker) / (count + jokers * jokers)
                    if lacking < worst:
                        worst, members = lacking, count
            if not members:
                return
            self.joker -= worst * (3 - members)
            for colour in ranked[:members]:
                tiles[colour][stage] -= worst

    def prices(self) -> tuple[list[list[int]], int]:
        """Whole prices by colour and number, and that of a joker: no group has one below nothing."""
        joker = ceil(self.joker)
        prices = [[0] * (HIGHEST_NUMBER + 1) for _ in range(4)]
        for stage, colours in self.colours.items():
            whole = {colour: ceil(self.tiles[colour][stage]) for colour in colours}
            while short := self._below_nothing(whole, joker):
                members, lacking = short
                for colour in members:
                    whole[colour] += -(-lacking // len(members))
            for colour, price in whole.items():
                prices[colour][stage] = price
        return prices, joker

    def _below_nothing(self, whole: dict[int, int], joker: int) -> tuple[list[int], int] | None:
        """The colours of a group whose price is below nothing and by how much, if there is one."""
        ranked = sorted(whole, key=whole.__getitem__)
        total = 0
        for count, colour in enumerate(ranked[:3], 1):
            total += whole[colour]
            lacking = -total - (3 - count) * joker
            if 3 - count <= self.jokers and lacking > 0:
                return ranked[:count], lacking
        return None
