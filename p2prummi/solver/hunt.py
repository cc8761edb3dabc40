"""One best-first hunt over the four colours together, from one end of the numbers to the other.

- The only decisions are how many tiles of each colour lie in groups at each stage, and the jokers with them
  (`p2prummi.solver.groups`). Everything about runs is inside the fronts of the four colours
  (`p2prummi.solver.columns`), jokers in runs included: who gets how many is settled at the end.
- A node is a stage, four fronts and the jokers left. Its hope is what was gained on the way and the best
  split of the jokers over what each colour can still bring: never too low, so the first whole way that is
  taken from the queue is the best. Among equal hopes the latest node goes first, and what is most like the
  groups on the table.
- Jokers here are free and worth nothing: what they fill is asked for, where the rest of them stay is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.solver.columns import Column
from p2prummi.solver.limit import look
from p2prummi.solver.prospects import SCALE_BITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.solver.columns import Front
    from p2prummi.solver.groups import Option
    from p2prummi.solver.limit import IsTimeUp
    from p2prummi.solver.prices import Pricing
    from p2prummi.solver.prospects import Prospect

Taken: TypeAlias = "tuple[Taken, Option | None] | tuple[()]"
"""The options taken at all stages so far, the latest last."""
Node: TypeAlias = "tuple[int, int, Front, Front, Front, Front, int, int, Taken, Option | None]"
"""The hope, in fractions, the stage, the fronts of the four colours there, the jokers left, the value gained,
the options taken before, and the last one. One flat tuple, since far more nodes are made than opened."""
OPTIONS_BETWEEN_LOOKS = 128
"""How many options are gone through between two looks at the clock, to the end of a node."""


_EXPECTED = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Way:
    """A value and the options that lead to it, one a stage; `is_best`: there is none of more value."""

    value: int
    taken: list[Option]
    is_best: bool


class Hunt:
    """A search that can be left and taken up again; `is_over` once it is settled, `way` being the best.

    `least` is the value below which nothing is looked for: then `way` stays None.
    """

    def __init__(
        self,
        prospects: Sequence[Prospect],
        stages: Sequence[int],
        choices: Sequence[tuple[Option, ...]],
        pricing: Pricing,
        least: int,
    ) -> None:
        self.choices, self.last, self.least = choices, len(stages), least
        self.joker_price, self.jokers = pricing.joker, prospects[0].jokers
        self.columns = [
            Column(prospect, hopes, stages) for prospect, hopes in zip(prospects, pricing.hopes, strict=True)
        ]
        # What two colours can bring together, by the names of their fronts.
        self.pairs: tuple[dict[tuple[int, int], list[int]], dict[tuple[int, int], list[int]]] = ({}, {})
        self.seen: dict[tuple[int, ...], int] = {}
        self.way: Way | None = None
        self.opened = 0
        self.queue: dict[int, list[Node]] = {}
        self.hope = pricing.bound >> SCALE_BITS
        # The nodes that were the first to come so far, the likeliest last, and how far that is.
        self.deepest, self.depth = [self._root(pricing.bound)], 0
        self.queue[self.hope] = self.deepest[:]
        self.is_over = False

    def go_on(self, nodes_most: int, is_time_up: IsTimeUp) -> None:
        """Open so many more nodes, or fewer if that settles it. Raises TimeUp."""
        queue, seen, last, least, choices = self.queue, self.seen, self.last, self.least, self.choices
        expand = self._expand
        opened = looked_at = 0
        hope = self.hope
        while hope >= least:
            nodes = queue.get(hope)
            if not nodes:
                queue.pop(hope, None)
                if not queue:
                    break
                hope = max(queue)
                continue
            node = nodes.pop()
            _, stage, k, b, r, o, left, gained, _, _ = node
            if stage == last:
                self.way = Way(hope, _taken(node), True)
                break
            name = (stage, k.name, b.name, r.name, o.name, left)
            if seen.get(name, -1) >= gained:
                continue
            seen[name] = gained
            following = expand(node, least)
            if len(following) > 1:
                # The likeliest of equal hopes last: the queue is taken from the end.
                following.sort(key=_EXPECTED)
            if stage >= self.depth and following:
                self.deepest, self.depth = following, stage + 1
            for each in following:
                whole = each[0] >> SCALE_BITS
                if whole in queue:
                    queue[whole].append(each)
                else:
                    queue[whole] = [each]
            opened += 1
            self.opened += 1
            if opened == nodes_most:
                self.hope = hope
                return
            looked_at += len(choices[stage])
            if looked_at >= OPTIONS_BETWEEN_LOOKS:
                looked_at = 0
                look(is_time_up)
        self.is_over = True

    def leave_below(self, least: int) -> None:
        """Look for nothing below a value from now on."""
        self.least = least
        for hope in [hope for hope in self.queue if hope < least]:
            del self.queue[hope]

    def dive(self, options_most: int) -> Way | None:
        """Any whole way, from the deepest nodes on; None where none turns up within so many options."""
        expand = self._expand
        nodes = self.deepest[:]
        looked_at = 0
        while nodes and looked_at < options_most:
            node = nodes.pop()
            hope, stage = node[:2]
            if stage == self.last:
                return Way(hope >> SCALE_BITS, _taken(node), False)
            looked_at += len(self.choices[stage])
            nodes += sorted(expand(node, self.least), key=_EXPECTED)
        return None

    def _root(self, hope: int) -> Node:
        fronts = []
        gained = 0
        for column in self.columns:
            found = column.root()
            assert found, "where there are hopes there is a way into them"
            fronts.append(found[0])
            gained += found[1]
        black, blue, red, orange = fronts
        return hope, 0, black, blue, red, orange, self.jokers, gained, (), None

    def _expand(self, node: Node, least: int) -> list[Node]:
        """The nodes after one whose hope is at least `least`."""
        black, blue, red, orange = self.columns
        _, stage, k, b, r, o, jokers, gained, before, last = node
        following, taken = stage + 1, (before, last)
        # After the last stage no group is left that could take a joker.
        joker_price = self.joker_price if following < self.last else 0
        first_pairs, second_pairs = self.pairs
        floor = least << SCALE_BITS
        nodes: list[Node] = []
        for option in self.choices[stage]:
            in_k, in_b, in_r, in_o, used = option
            left = jokers - used
            if left < 0:
                continue
            if not (k_next := k.children[in_k]) and not (k_next := black.child(k, stage, in_k)):
                continue
            if not (b_next := b.children[in_b]) and not (b_next := blue.child(b, stage, in_b)):
                continue
            if not (r_next := r.children[in_r]) and not (r_next := red.child(r, stage, in_r)):
                continue
            if not (o_next := o.children[in_o]) and not (o_next := orange.child(o, stage, in_o)):
                continue
            k2, k_gain = k_next
            b2, b_gain = b_next
            r2, r_gain = r_next
            o2, o_gain = o_next
            value = gained + k_gain + b_gain + r_gain + o_gain
            expected = value + k2.worth[left] + b2.worth[left] + r2.worth[left] + o2.worth[left]
            if left:
                # So far as if every colour could use all the jokers: that is quickly told.
                if expected + joker_price * left < floor:
                    continue
                first = first_pairs.get((k2.name, b2.name)) or self._pair(0, 0, k2, b2)
                second = second_pairs.get((r2.name, o2.name)) or self._pair(1, joker_price, r2, o2)
                expected = value + _split(first, second, left)
            if expected >= floor:
                nodes.append((expected, following, k2, b2, r2, o2, left, value, taken, option))
        return nodes

    def _pair(self, which: int, joker_price: int, first: Front, second: Front) -> list[int]:
        """What two colours can bring together, by the most jokers that they may use or leave at a price."""
        known, name = self.pairs[which], (first.name, second.name)
        found = known.get(name)
        if found is None:
            jokers = range(self.jokers + 1)
            found = [_split(first.worth, second.worth, used) for used in jokers]
            if joker_price:
                found = [
                    max([found[used] + joker_price * (left - used) for used in range(left + 1)])
                    for left in jokers
                ]
            known[name] = found
        return found


def _split(first: list[int], second: list[int], jokers: int) -> int:
    """The best sum over all ways to share so many jokers."""
    # Few jokers are the rule, and this is the innermost of all.
    if jokers == 2:
        return max(first[0] + second[2], first[1] + second[1], first[2] + second[0])
    if jokers == 1:
        return max(first[0] + second[1], first[1] + second[0])
    return max([first[share] + second[jokers - share] for share in range(jokers + 1)])


def _taken(node: Node) -> list[Option]:
    """The options taken on the way to a node, in their order."""
    options_taken = []
    before, option = node[-2:]
    while option is not None:
        options_taken.append(option)
        before, option = before or ((), None)
    options_taken.reverse()
    return options_taken
