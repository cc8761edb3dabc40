"""The best-first search over the four colours together.

- The only decisions are how many tiles of each colour lie in groups at each stage, and the jokers with them
  (`p2prummi.solver.groups`). Everything about runs is inside the fronts of the four colours
  (`p2prummi.solver.columns`), jokers in runs included: who gets how many is settled at the end.
- A node is a stage, four fronts and the jokers left. Its hope is what was gained on the way and the best
  split of the jokers over what each colour can still bring: never too low, so the first whole way that is
  taken from the queue is the best. Among equal hopes the deepest, latest node goes first.
- Jokers here are free and worth nothing: what they fill is asked for, where the rest of them stay is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.rules.tiles import HIGHEST_NUMBER
from p2prummi.solver.columns import JOKERS_OF_KEY, Column
from p2prummi.solver.groups import options
from p2prummi.solver.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2prummi.solver.columns import Front
    from p2prummi.solver.groups import Option

Taken: TypeAlias = "tuple[Taken, Option] | tuple[()]"
"""The options taken at all stages so far, the latest outermost."""
Node: TypeAlias = "tuple[int, Front, Front, Front, Front, int, int, Taken]"
"""The stage, the fronts of the four colours there, the jokers left, the value gained, the options taken."""
IsTimeUp: TypeAlias = "Callable[[], bool]"
NODES_BETWEEN_LOOKS = 32
"""How many nodes are opened between two looks at the clock."""
DIVE_NODES_MOST = 200
"""How many nodes are opened after the time is up, in search of any whole way."""


class TimeUp(Exception):  # noqa: N818 - it is no error: the search was told when to end
    """The search was cut short and has found nothing."""


@dataclass(frozen=True, slots=True)
class Way:
    """A value and the options that lead to it, one a stage; `is_best`: there is none of more value."""

    value: int
    taken: list[Option]
    is_best: bool


class Search:
    """The problem of one position, jokers free: `on_table` and `there` by face index, `there` all tiles."""

    def __init__(
        self,
        on_table: Sequence[int],
        there: Sequence[int],
        jokers: int,
        weights: Sequence[int],
    ) -> None:
        self.jokers = jokers
        # What two colours can bring together, by the keys of their fronts.
        self.pairs: tuple[dict[tuple[int, int], list[int]], ...] = ({}, {})
        choices = [
            options((there[number], there[number + 13], there[number + 26], there[number + 39]), jokers)
            for number in range(HIGHEST_NUMBER)
        ]
        self.stages = [number + 1 for number, choice in enumerate(choices) if len(choice) > 1]
        self.choices = [choice for choice in choices if len(choice) > 1]
        room = [[0] * (HIGHEST_NUMBER + 1) for _ in range(4)]
        for stage, choice in zip(self.stages, self.choices, strict=True):
            for colour in range(4):
                room[colour][stage] = max(option[colour] for option in choice)
        self.columns = [
            Column(
                (0, *on_table[colour * 13 : colour * 13 + 13]),
                (0, *there[colour * 13 : colour * 13 + 13]),
                room[colour],
                weights,
                jokers,
                self.stages,
            )
            for colour in range(4)
        ]

    def best(self, least: int, is_time_up: IsTimeUp) -> Way | None:
        """The way of the greatest value, or None where none reaches `least`.

        Once the time is up it is the first that turns up, if one does soon, and `is_best` is False. Raises
        TimeUp where none did.
        """
        root = self._root()
        if root is None:
            return None
        hope, first = root
        expand = self._expand_with_jokers if self.jokers else self._expand
        last = len(self.stages)
        queue: dict[int, list[Node]] = {hope: [first]}
        seen: dict[tuple[int, ...], int] = {}
        opened = 0
        while hope >= least:
            nodes = queue.get(hope)
            if not nodes:
                queue.pop(hope, None)
                if not queue:
                    return None
                hope = max(queue)
                continue
            node = nodes.pop()
            stage, k, b, r, o, left, gained, taken = node
            if stage == last:
                return Way(hope, _in_order(taken), True)
            name = (stage, k.key, b.key, r.key, o.key, left)
            if seen.get(name, -1) >= gained:
                continue
            seen[name] = gained
            opened += 1
            if not opened % NODES_BETWEEN_LOOKS and is_time_up():
                return self._dive([(hope, each) for hope, nodes in queue.items() for each in nodes])
            for expected, following in expand(node, least):
                if expected in queue:
                    queue[expected].append(following)
                else:
                    queue[expected] = [following]
        return None

    def _dive(self, nodes: list[tuple[int, Node]]) -> Way:
        """Any whole way, from the deepest nodes on; each node with its hope."""
        expand = self._expand_with_jokers if self.jokers else self._expand
        last = len(self.stages)
        nodes.sort(key=lambda each: (each[1][0], each[0]))
        for _ in range(DIVE_NODES_MOST):
            if not nodes:
                break
            hope, node = nodes.pop()
            if node[0] == last:
                return Way(hope, _in_order(node[-1]), False)
            nodes += sorted(expand(node, 0), key=lambda each: each[0])
        raise TimeUp

    def _root(self) -> tuple[int, Node] | None:
        fronts = []
        gained = 0
        for column in self.columns:
            found = column.root() if column.hopes[0] else ()
            if not found:
                return None
            fronts.append(found[0])
            gained += found[1]
        black, blue, red, orange = fronts
        pairs = self._pair(0, black, blue), self._pair(1, red, orange)
        return gained + _split(*pairs, self.jokers), (0, black, blue, red, orange, self.jokers, gained, ())

    def _expand(self, node: Node, least: int) -> list[tuple[int, Node]]:
        """The nodes after one, each with its hope, if that is at least `least`; there are no jokers."""
        black, blue, red, orange = self.columns
        stage, k, b, r, o, _, gained, taken = node
        following = stage + 1
        nodes: list[tuple[int, Node]] = []
        for option in self.choices[stage]:
            in_k, in_b, in_r, in_o, _ = option
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
            expected = value + k2.worth[0] + b2.worth[0] + r2.worth[0] + o2.worth[0]
            if expected >= least:
                nodes.append((expected, (following, k2, b2, r2, o2, 0, value, (taken, option))))
        return nodes

    def _expand_with_jokers(self, node: Node, least: int) -> list[tuple[int, Node]]:
        """The nodes after one, each with its hope, if that is at least `least`."""
        black, blue, red, orange = self.columns
        stage, k, b, r, o, jokers, gained, taken = node
        following = stage + 1
        nodes: list[tuple[int, Node]] = []
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
            # First as if every colour could use all the jokers: that is quickly told.
            expected = value + k2.worth[left] + b2.worth[left] + r2.worth[left] + o2.worth[left]
            if expected >= least and left:
                first = self.pairs[0].get((k2.key, b2.key)) or self._pair(0, k2, b2)
                second = self.pairs[1].get((r2.key, o2.key)) or self._pair(1, r2, o2)
                expected = value + _split(first, second, left)
            if expected >= least:
                nodes.append((expected, (following, k2, b2, r2, o2, left, value, (taken, option))))
        return nodes

    def _pair(self, which: int, first: Front, second: Front) -> list[int]:
        """What two colours can bring together, by the most jokers that they may use."""
        known, name = self.pairs[which], (first.key, second.key)
        found = known.get(name)
        if found is None:
            found = [_split(first.worth, second.worth, jokers) for jokers in range(self.jokers + 1)]
            known[name] = found
        return found

    def layout(self, taken: Sequence[Option]) -> Layout:
        """The layout of a way: the runs that go best with these groups, with as few jokers as that takes."""
        grouped = [[0] * (HIGHEST_NUMBER + 1) for _ in range(4)]
        left = self.jokers
        for stage, option in zip(self.stages, taken, strict=True):
            left -= option[4]
            for colour in range(4):
                grouped[colour][stage] = option[colour]
        layers = [column.ends(counts) for column, counts in zip(self.columns, grouped, strict=True)]
        in_runs, jokers_in_runs = [], []
        for colour, (column, key) in enumerate(zip(self.columns, _best_ends(layers, left), strict=True)):
            for tiles, jokers in column.trace(layers[colour], grouped[colour], key):
                in_runs.append(tiles)
                jokers_in_runs.append(jokers)
        in_groups = [[grouped[colour][number] for colour in range(4)] for number in range(1, 14)]
        return Layout(in_runs, jokers_in_runs, in_groups, self.jokers)


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


def _split(first: list[int], second: list[int], jokers: int) -> int:
    """The best sum over all ways to share so many jokers."""
    return max([first[share] + second[jokers - share] for share in range(jokers + 1)])


def _in_order(taken: Taken) -> list[Option]:
    options_taken = []
    while taken:
        taken, option = taken
        options_taken.append(option)
    options_taken.reverse()
    return options_taken
