"""The search for the best way to arrange tiles: a few hunts from both ends, until one of them settles it.

The first hunt goes without prices, from 13 down where high numbers are worth more and from 1 up where all are
worth the same: that settles most positions within a few nodes. Where it does not, prices are worked out; with
them the other end is the better one more often, but not always. So two hunts, one from each end, take turns
with more and more nodes, after the first turns at prices that are better still.
The one from 13 down is the one from 1 up with all numbers turned round: runs and groups stay runs and groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.rules.tiles import FACE_COUNT, HIGHEST_NUMBER
from p2prummi.solver.columns import JOKERS_OF_KEY
from p2prummi.solver.groups import group_room, options_towards
from p2prummi.solver.hunt import Hunt
from p2prummi.solver.layout import Layout
from p2prummi.solver.limit import TimeUp, look
from p2prummi.solver.prices import Descent, plain, priced
from p2prummi.solver.prospects import SCALE_BITS, prospect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from p2prummi.solver.groups import Counts, Option
    from p2prummi.solver.hunt import Way
    from p2prummi.solver.limit import IsTimeUp
    from p2prummi.solver.prices import Pricing

FIRST_NODES = 64
"""What a hunt is given at first: about as long as the prices take. Later turns get ever more."""
DESCENTS = ((12, 1.2, 0.75), (16, 0.6, 0.8))
"""How the prices go down before the first turns of the two hunts, and before the second: rounds, the first
step, and how much of each step the next one is. Found by trying."""
DIVE_OPTIONS_MOST = 600
"""How many options are gone through in search of any whole way."""
_TURNED = tuple(
    [
        lowest + HIGHEST_NUMBER - 1 - place
        for lowest in range(0, FACE_COUNT, HIGHEST_NUMBER)
        for place in range(13)
    ]
)
"""For each face the one of the same colour with the number turned round, 1 for 13."""


class Side:
    """A position seen from one end of the numbers: what its colours can bring, and the stages of a hunt."""

    def __init__(
        self,
        on_table: Sequence[int],
        there: Sequence[int],
        jokers: int,
        weights: Sequence[int],
        grouped: Sequence[Counts],
        *,
        is_turned: bool,
    ) -> None:
        self.is_turned = is_turned
        if is_turned:
            on_table = [on_table[face] for face in _TURNED]
            there = [there[face] for face in _TURNED]
            weights = (0, *weights[:0:-1])
            grouped = grouped[::-1]
        self.stages: list[int] = []
        self.choices: list[tuple[Option, ...]] = []
        room = [[0] * (HIGHEST_NUMBER + 1) for _ in range(4)]
        for number in range(HIGHEST_NUMBER):
            present = (there[number], there[number + 13], there[number + 26], there[number + 39])
            choice = options_towards(present, jokers, grouped[number])
            if len(choice) > 1:
                self.stages.append(number + 1)
                self.choices.append(choice)
                for mine, most in zip(room, group_room(present, jokers), strict=True):
                    mine[number + 1] = most
        self.prospects = [
            prospect(
                (0, *on_table[colour * 13 : colour * 13 + 13]),
                (0, *[counts[colour] for counts in grouped]),
                (0, *there[colour * 13 : colour * 13 + 13]),
                tuple(room[colour]),
                tuple(weights),
                jokers,
            )
            for colour in range(4)
        ]
        self.pricing = plain(self.prospects) if all(each.hopes[0] for each in self.prospects) else None

    def hunt(self, pricing: Pricing, least: int) -> Hunt:
        """A hunt from this side."""
        return Hunt(self.prospects, self.stages, self.choices, pricing, least)

    def priced(self, descent: Descent, *, is_turned: bool) -> Pricing:
        """The hopes at the prices of a descent from this side, or from the one that is turned round."""
        prices, joker = descent.prices()
        if is_turned:
            prices = [[0, *mine[:0:-1]] for mine in prices]
        return priced(self.prospects, prices, joker)


class Search:
    """The problem of one position, jokers free: `on_table` and `there` by face index, `there` all tiles.

    `weights` are what laying a tile of a number is worth, `grouped` the tiles by number and colour that lie
    in groups now: what is most like them is tried first.
    """

    def __init__(
        self,
        on_table: Sequence[int],
        there: Sequence[int],
        jokers: int,
        weights: Sequence[int],
        grouped: Sequence[Counts],
    ) -> None:
        self.jokers = jokers
        self.position = (on_table, there, jokers, weights, grouped)
        # How many nodes were opened, and the side and the hunt that found the last way.
        self.opened = 0
        self.found: tuple[Side, Hunt] | None = None
        # The best way so far that is not proven to be the best of all.
        self.known: tuple[Way, Side, Hunt] | None = None

    def best(self, least: int, is_time_up: IsTimeUp, nodes_most: int | None = None) -> Way | None:
        """The way of the greatest value, or None where none reaches `least`.

        None also where `nodes_most` nodes don't settle it.
        Once the time is up it is the best that is known, and `is_best` is False. Raises TimeUp where none is.
        """
        tried: dict[Hunt, Side] = {}
        try:
            for side, hunt, nodes in self._turns(least, is_time_up):
                tried[hunt] = side
                before = hunt.opened
                hunt.go_on(nodes_most or nodes, is_time_up)
                self.opened += hunt.opened - before
                if hunt.is_over:
                    self.found = side, hunt
                    return hunt.way
                if nodes_most is not None:
                    break
        except TimeUp:
            if tried:
                deepest = max(tried, key=lambda hunt: hunt.depth)
                self._dive(tried[deepest], deepest)
            if self.known is None:
                raise
            self.found = self.known[1:]
            return self.known[0]
        return None

    def _turns(self, least: int, is_time_up: IsTimeUp) -> Iterator[tuple[Side, Hunt, int]]:
        """Which hunt goes on, and for how many nodes; nothing where no way can reach `least`."""
        weights = self.position[3]
        high_first = weights[HIGHEST_NUMBER] > weights[1]
        first = Side(*self.position, is_turned=high_first)
        if first.pricing is None or first.pricing.bound >> SCALE_BITS < least:
            return
        nodes = FIRST_NODES
        hunt = first.hunt(first.pricing, least)
        yield first, hunt, nodes
        look(is_time_up)
        second = Side(*self.position, is_turned=not high_first)
        assert second.pricing is not None, "there are ways from one end if there are from the other"
        running = [(second, second.hunt(second.pricing, least)), (first, hunt)]
        descent = Descent(first.prospects, first.stages)
        bound = first.pricing.bound >> SCALE_BITS
        for rounds, step, shrink in DESCENTS:
            descent.go_down(rounds, step, shrink, is_time_up)
            # Prices that don't bring the bound down tell no more than none.
            if descent.bound < bound << SCALE_BITS:
                bound = int(descent.bound) >> SCALE_BITS
                running = [
                    (side, side.hunt(side.priced(descent, is_turned=side is second), least))
                    for side in (second, first)
                ]
            for side, hunt in running:
                yield side, hunt, nodes
            nodes *= 2
            # What one way brings, no hunt needs to look below.
            for side, hunt in running:
                self._dive(side, hunt)
            if self.known is not None:
                least = self.known[0].value
                for _, hunt in running:
                    hunt.leave_below(least)
        while True:
            for side, hunt in running:
                yield side, hunt, nodes
            nodes *= 2

    def _dive(self, side: Side, hunt: Hunt) -> None:
        """Know any whole way that a hunt soon comes to, if it is worth more than what is known."""
        way = hunt.dive(DIVE_OPTIONS_MOST)
        if way is not None and (self.known is None or way.value > self.known[0].value):
            self.known = way, side, hunt

    def layout(self, way: Way) -> Layout:
        """The layout of the last way: the runs that go best with its groups, with few jokers."""
        assert self.found is not None, "there is no layout before a way was found"
        side, hunt = self.found
        grouped = [[0] * (HIGHEST_NUMBER + 1) for _ in range(4)]
        left = self.jokers
        for stage, option in zip(side.stages, way.taken, strict=True):
            left -= option[4]
            for colour in range(4):
                grouped[colour][stage] = option[colour]
        layers = [column.layers(counts) for column, counts in zip(hunt.columns, grouped, strict=True)]
        places = [
            column.trace(layers[colour], grouped[colour], key)
            for colour, (column, key) in enumerate(zip(hunt.columns, _best_ends(layers, left), strict=True))
        ]
        in_groups = [[grouped[colour][number] for colour in range(4)] for number in range(1, 14)]
        if side.is_turned:
            in_groups.reverse()
            for each in places:
                each.reverse()
        return Layout(
            [tiles for each in places for tiles, _ in each],
            [jokers for each in places for _, jokers in each],
            in_groups,
            self.jokers,
        )


def _best_ends(layers: Sequence[list[dict[int, int]]], jokers: int) -> tuple[int, ...]:
    """For each colour where it ends, so that together they are worth the most, with the fewest jokers."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for layer in layers:
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for used, (value, keys) in best.items():
            for key, worth in layer[HIGHEST_NUMBER].items():
                total = used + (key & JOKERS_OF_KEY)
                if total <= jokers and (total not in further or further[total][0] < value + worth):
                    further[total] = (value + worth, (*keys, key))
        best = further
    fewest = max(best, key=lambda used: (best[used][0], -used))
    return best[fewest][1]
