"""Prices of tiles in groups, by which the four colours come to agree on groups without being asked together.

A group takes tiles of three or four colours. If every tile in it has a price, and the prices of each possible
group come to nothing or more, jokers in it at a price of their own, then what the colours can bring one by
one, prices included, is still no less than what they can bring together. Good prices make that bound tight:
from prices of nothing they go down where a colour by itself puts a tile into groups, and are then mended so
that no group has a price below nothing. This is subgradient descent on the Lagrangian dual of "the colours of
a group agree, and use no more jokers than there are"; some dozen rounds bring the bound close to that of
linear programming.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.rules.tiles import HIGHEST_NUMBER
from p2prummi.solver.limit import look
from p2prummi.solver.steps import EMPTY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.solver.limit import IsTimeUp
    from p2prummi.solver.prospects import Hopes, Prospect

_Layer: TypeAlias = "list[list[tuple[int, int, int, int]]]"
"""By the place of a state its steps: the gain, tiles in groups, jokers, and the place of the state after."""
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
    return Pricing(hopes=hopes, joker=0, bound=_most(hopes, 0))


def priced(prospects: Sequence[Prospect], prices: Sequence[Sequence[int]], joker: int) -> Pricing:
    """The hopes at prices by colour and number, and a joker's."""
    hopes = tuple([prospect.hopes_at(mine) for prospect, mine in zip(prospects, prices, strict=True)])
    return Pricing(hopes=hopes, joker=joker, bound=_most(hopes, joker))


def _most(hopes: Sequence[Hopes], joker: int) -> int:
    """The most that the colours can bring together, jokers that they leave at a price."""
    first, *others = [each[0][EMPTY] for each in hopes]
    jokers = range(len(first))
    for worth in others:
        first = [max([first[used - mine] + worth[mine] for mine in range(used + 1)]) for used in jokers]
    return max([first[used] + joker * (jokers[-1] - used) for used in jokers])


class _Chain:
    """One colour as the descent sees it: the steps between states, which cost what they take."""

    def __init__(self, prospect: Prospect) -> None:
        self.prospect = prospect
        self.layers: list[list[_Layer | None]] = [[None, None] for _ in range(HIGHEST_NUMBER + 1)]

    def _layer(self, number: int, is_eager: bool) -> _Layer:
        """For each state before a number its steps, states being known by their places."""
        prospect = self.prospect
        weight, after = prospect.weights[number], prospect.hopes[number]
        table = prospect.table_at(number, 0 if is_eager else -weight - 1)
        places = {state: place for place, state in enumerate(after)}
        layer = [
            [
                (laid * weight + staying, grouped, used, places[following])
                for laid, used, following, grouped, staying in table[state]
                if following in after
            ]
            for state in prospect.hopes[number - 1]
        ]
        self.layers[number][is_eager] = layer
        return layer

    def best(self, prices: Sequence[float], jokers: Sequence[float]) -> tuple[float, list[int], int]:
        """The most that it brings at prices, the tiles in groups by number and the jokers used for that.

        `jokers` is what so many jokers cost.
        """
        weights, layers, rooms = self.prospect.weights, self.layers, self.prospect.group_room
        worths = [0.0] * len(self.prospect.hopes[HIGHEST_NUMBER])
        trail = []
        for number in range(HIGHEST_NUMBER, 0, -1):
            price = prices[number]
            is_eager = weights[number] + price >= 0
            # More than there are copies, where a joker stands for that tile.
            groups = [grouped * price for grouped in range(rooms[number] + 1)]
            before, picks = [], []
            for steps in layers[number][is_eager] or self._layer(number, is_eager):
                best = -inf
                for step in steps:
                    gain, grouped, used, place = step
                    value = gain + groups[grouped] - jokers[used] + worths[place]
                    if value > best:
                        best, pick = value, step
                before.append(best)
                picks.append(pick)
            worths = before
            trail.append(picks)
        place = jokers_used = 0
        chosen = [0]
        for picks in reversed(trail):
            _, grouped, used, place = picks[place]
            chosen.append(grouped)
            jokers_used += used
        return worths[0], chosen, jokers_used


class Descent:
    """The prices while they are worked out, in fractions but not yet whole."""

    def __init__(self, prospects: Sequence[Prospect], stages: Sequence[int]) -> None:
        self.weights, self.jokers = prospects[0].weights, prospects[0].jokers
        self.chains = [_Chain(prospect) for prospect in prospects]
        self.colours = {
            stage: [colour for colour in range(4) if prospects[colour].group_room[stage]] for stage in stages
        }
        # By number and colour.
        self.tiles = [[0.0] * 4 for _ in range(HIGHEST_NUMBER + 1)]
        self.joker = 0.0
        self.joker_weight = sum(self.weights) / HIGHEST_NUMBER
        self.bound = inf
        self.best = (self.tiles, self.joker)

    def go_down(self, rounds: int, step: float, shrink: float, is_time_up: IsTimeUp) -> None:
        """Go down from the best prices so far: the first step in weights of a tile, each so much of the last.

        Raises TimeUp.
        """
        best_tiles, self.joker = self.best
        self.tiles = [row[:] for row in best_tiles]
        for _ in range(rounds):
            look(is_time_up)
            jokers = [self.joker * used for used in range(self.jokers + 1)]
            found = [
                chain.best(mine, jokers)
                for chain, mine in zip(self.chains, zip(*self.tiles, strict=True), strict=True)
            ]
            bound = sum([each[0] for each in found]) + jokers[-1]
            if bound < self.bound:
                self.bound, self.best = bound, ([row[:] for row in self.tiles], self.joker)
            self._step([each[1] for each in found], self.jokers - sum([each[2] for each in found]), step)
            step *= shrink

    def _step(self, grouped: Sequence[Sequence[int]], jokers_left: int, step: float) -> None:
        """Go down by what the colours, one by one, put into groups, and mend the prices."""
        self.joker = max(0.0, self.joker - step * self.joker_weight * jokers_left)
        for stage, colours in self.colours.items():
            prices, size = self.tiles[stage], step * self.weights[stage]
            for colour in colours:
                prices[colour] -= size * grouped[colour][stage]
            self._mend(prices, colours)

    def _mend(self, prices: list[float], colours: Sequence[int]) -> None:
        """Raise the prices of a stage where a group would have one below nothing, by the shortest way."""
        for _ in range(MENDINGS_MOST):
            ranked = sorted(colours, key=prices.__getitem__)
            worst = 0.0
            members = 0
            total = 0.0
            for count, colour in enumerate(ranked[:3], 1):
                total += prices[colour]
                jokers = 3 - count
                if jokers <= self.jokers:
                    lacking = (total + jokers * self.joker) / (count + jokers * jokers)
                    if lacking < worst:
                        worst, members = lacking, count
            if not members:
                return
            self.joker -= worst * (3 - members)
            for colour in ranked[:members]:
                prices[colour] -= worst

    def prices(self) -> tuple[list[list[int]], int]:
        """Whole prices by colour and number, and that of a joker: no group has one below nothing."""
        tiles, best_joker = self.best
        joker = ceil(best_joker)
        prices = [[0] * (HIGHEST_NUMBER + 1) for _ in range(4)]
        for stage, colours in self.colours.items():
            whole = {colour: ceil(tiles[stage][colour]) for colour in colours}
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
