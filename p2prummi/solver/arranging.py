"""The best arrangement of a table and a rack where jokers move freely, leaving alone what it can.

A task is written in faces: the melds of the table, how often each face lies on the rack, and what laying it
is worth. Jokers that nothing needs are parked at the end, which nearly always works: where it does not, the
arrangement says so (`short`), and `p2prummi.solver.placing` goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.rules.tiles import FACE_COUNT, HIGHEST_NUMBER, JOKER_FACE
from p2prummi.solver.keeping import has_lone_tile, patches, scattered
from p2prummi.solver.layout import FaceMeld, park
from p2prummi.solver.search import Search

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from p2prummi.solver.groups import Counts
    from p2prummi.solver.keeping import Patch
    from p2prummi.solver.limit import IsTimeUp

TILES_WEIGHTS = (0, *[1] * HIGHEST_NUMBER)
VALUE_WEIGHTS = tuple(range(HIGHEST_NUMBER + 1))
NODES_TO_KEEP = 24
"""How many nodes are opened to find out whether one more meld can be left alone."""
EASY_EFFORT, TRIES_MOST = 40, 2
"""Where more nodes than the first were opened to find an arrangement, it is tried so often whether one more
meld can be left alone: elsewhere the tries would take longer than the rest."""
NO_TILES = (0,) * (FACE_COUNT + 1)
NO_WEIGHTS = (0,) * (HIGHEST_NUMBER + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be arranged: melds that lie there, counts of the rack by face index (52: jokers), worths.

    `loose` counts, by face, tiles that must lie in melds as well, or, below zero, tiles of the table that are
    spoken for. `weights` are by number; a joker laid is worth `joker_weight`.
    """

    table: tuple[FaceMeld, ...]
    rack: tuple[int, ...]
    weights: tuple[int, ...]
    joker_weight: int
    loose: tuple[int, ...] = NO_TILES

    def changed(
        self, loose: Iterable[int] = (), unloose: Iterable[int] = (), unrack: Iterable[int] = ()
    ) -> Task:
        """The task with these faces more among the loose ones, fewer there, and fewer on the rack."""
        loose_counts, rack_counts = list(self.loose), list(self.rack)
        for face in loose:
            loose_counts[face] += 1
        for face in unloose:
            loose_counts[face] -= 1
        for face in unrack:
            rack_counts[face] -= 1
        return replace(self, loose=tuple(loose_counts), rack=tuple(rack_counts))

    def worth(self, faces: Iterable[int]) -> int:
        """What laying these faces is worth."""
        return sum([self.face_worth(face) for face in faces])

    def face_worth(self, face: int) -> int:
        """What laying a tile of this face is worth."""
        return self.joker_weight if face == JOKER_FACE else self.weights[face % HIGHEST_NUMBER + 1]

    def on_table(self, fixed: Collection[int] = ()) -> list[int]:
        """How often each face must lie in melds, those that are fixed left out."""
        counts = list(self.loose)
        for index, meld in enumerate(self.table):
            if index not in fixed:
                for face in meld.faces:
                    counts[face] += 1
        return counts

    def grouped(self, on_table: Sequence[int], fixed: Collection[int] = ()) -> list[Counts]:
        """How many of the tiles that must be used lie in groups that are not fixed, by number and colour."""
        counts = [0] * FACE_COUNT
        for index, meld in enumerate(self.table):
            if not meld.start and index not in fixed:
                for face in meld.faces:
                    # Of tiles that are spoken for the melds of the table don't know.
                    if face != JOKER_FACE and counts[face] < on_table[face]:
                        counts[face] += 1
        return [
            (counts[number], counts[number + 13], counts[number + 26], counts[number + 39])
            for number in range(HIGHEST_NUMBER)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """Melds after a turn: the indexes of table melds that are as they were, and the others by their faces.

    `value` counts what was laid of the rack of `task`. `short`: that many jokers found no room, and lie in no
    meld; `must` of them lay on the table before. `placed` are melds that were settled before the task, and
    `extra` is what was laid then. `effort` is how many nodes
    were opened for it.
    """

    task: Task
    kept: frozenset[int]
    melds: tuple[FaceMeld, ...]
    value: int
    is_best: bool
    short: int = 0
    must: int = 0
    placed: tuple[FaceMeld, ...] = ()
    extra: int = 0
    effort: int = 0

    @property
    def worth(self) -> int:
        """All that is laid."""
        return self.value + self.extra

    @property
    def all_melds(self) -> tuple[FaceMeld, ...]:
        """The melds that were placed and those that were arranged."""
        return (*self.placed, *self.melds)


def arrange(
    task: Task,
    fixed: Collection[int],
    least: int,
    is_time_up: IsTimeUp,
    nodes_most: int | None = None,
) -> Arrangement | None:
    """The best arrangement that leaves the `fixed` melds alone, or None where it is worth less than `least`.

    None also where it takes more than `nodes_most` nodes to find.

    Raises TimeUp.
    """
    on_table = task.on_table(fixed)
    if min(on_table) < 0:
        return None
    there = [table + rack for table, rack in zip(on_table, task.rack, strict=True)]
    # Jokers of the rack are counted on top, as if all of them could be laid.
    hoped = task.rack[JOKER_FACE] * task.joker_weight
    search = Search(on_table, there, there[JOKER_FACE], task.weights, task.grouped(on_table, fixed))
    way = search.best(max(0, least - hoped), is_time_up, nodes_most)
    if way is None:
        return None
    layout = search.layout(way)
    kept = set(fixed)
    for index, meld in enumerate(task.table):
        if index not in kept and layout.take_out(meld):
            kept.add(index)
    melds = layout.deal()
    # As few jokers of the rack are laid as may be where that is worth nothing.
    saved = 0 if task.joker_weight else min(layout.free_jokers, task.rack[JOKER_FACE])
    short = park(melds, layout.free_jokers - saved)
    for index in sorted(kept.difference(fixed)):
        if short and task.table[index].room:
            grown = [task.table[index]]
            short = park(grown, short)
            melds += grown
            kept.remove(index)
    for index, meld in enumerate(task.table):
        if index not in kept and meld in melds:
            # Jokers were parked just where they lay before.
            melds.remove(meld)
            kept.add(index)
    unlaid = min(short, task.rack[JOKER_FACE] - saved)
    return Arrangement(
        task=task,
        kept=frozenset(kept),
        melds=tuple(melds),
        value=way.value + hoped - unlaid * task.joker_weight,
        is_best=way.is_best,
        short=short,
        must=short - unlaid,
        effort=search.opened,
    )


def fewest_changes(found: Arrangement, is_time_up: IsTimeUp) -> Arrangement:
    """An arrangement of the same tiles that leaves more table melds alone, where that is soon found.

    Each patch is arranged anew with one more of its table melds left as it was, if the rest can be. How often
    that is tried depends on how hard the arrangement itself was to find.
    """
    task = found.task
    changed = [index for index in range(len(task.table)) if index not in found.kept]
    if not changed or is_time_up():
        return found
    tries = iter(range(TRIES_MOST))
    kept = set(found.kept)
    melds: list[FaceMeld] = []
    for patch in patches(task.table, changed, found.melds):
        if patch.is_unchanged(task.table):
            kept.update(patch.before)
        elif len(patch.before) > 1 and found.effort > EASY_EFFORT:
            kept_here, after = _left_alone(task, patch, tries, is_time_up)
            kept |= kept_here
            melds += after
        else:
            melds += patch.after
    return replace(found, kept=frozenset(kept), melds=tuple(melds))


def _left_alone(
    task: Task, patch: Patch, tries: Iterator[int], is_time_up: IsTimeUp
) -> tuple[set[int], Sequence[FaceMeld]]:
    """Which melds of a patch are left alone, and the other melds after the turn."""
    before = tuple([task.table[index] for index in patch.before])
    loose = counts_of([face for meld in patch.after for face in meld.faces])
    for_each = [-count for count in counts_of([face for meld in before for face in meld.faces])]
    laid = tuple([count + less for count, less in zip(loose, for_each, strict=True)])
    part = Task(table=before, rack=NO_TILES, weights=NO_WEIGHTS, joker_weight=0, loose=laid)
    kept: frozenset[int] = frozenset()
    melds: Sequence[FaceMeld] = patch.after
    for place in sorted(range(len(before)), key=lambda place: scattered(before[place], patch.after)):
        fixed = kept | {place}
        if place in kept or has_lone_tile(part.on_table(fixed)):
            continue
        if next(tries, None) is None or is_time_up():
            break
        better = arrange(part, fixed, 0, is_time_up, NODES_TO_KEEP)
        if better is not None and not better.short:
            kept, melds = better.kept, better.melds
    return {patch.before[place] for place in kept}, melds


def counts_of(faces: Iterable[int]) -> tuple[int, ...]:
    """How often each face is there, by face index."""
    counts = [0] * (FACE_COUNT + 1)
    for face in faces:
        counts[face] += 1
    return tuple(counts)
