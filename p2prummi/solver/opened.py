"""The best turn of a player who has opened, jokers on the table moving as the ruleset lets them.

- First jokers move freely. What that brings is a bound, and where the joker rules happen to agree with it, it
  is the answer.
- Otherwise every joker on the table is kept or taken, each case by itself (`_cases`). A kept joker is a
  tile of a face that it may have stood for. A taken one asks for the tile that replaces it, and is placed by
  `p2prummi.solver.joker_places`. Cases are tried in the order of what they can bring at most.
The rules: `p2prummi.rules.jokers`.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations, product
from typing import TYPE_CHECKING

from p2prummi.rules.fields import JokerReuse, JokerSwapFrom
from p2prummi.rules.jokers import jokers_agree
from p2prummi.rules.meld_faults import MeldError
from p2prummi.rules.melds import Run
from p2prummi.rules.tiles import JOKER_FACE
from p2prummi.solver.arranging import Arrangement, arrange, fewest_changes
from p2prummi.solver.at_once import laid_at_once
from p2prummi.solver.dealing import ways_to_deal
from p2prummi.solver.joker_places import place_kept, place_taken
from p2prummi.solver.layout import FaceMeld
from p2prummi.solver.limit import TimeUp, look
from p2prummi.solver.origins import Origins
from p2prummi.solver.placing import arrange_all
from p2prummi.solver.plays import loose_tiles, melds_after

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile
    from p2prummi.solver.arranging import Task
    from p2prummi.solver.limit import IsTimeUp
    from p2prummi.solver.placing import Arranging


@dataclass(frozen=True, slots=True)
class Turn:
    """A table after a turn, how many melds of the one before are not there as they were, and its value."""

    melds: tuple[Meld, ...]
    changed: int
    value: int
    is_best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Position:
    """A table and a rack, and the task that they are in faces."""

    ruleset: Ruleset
    task: Task
    table: tuple[Meld, ...]
    rack: Collection[Tile]
    is_time_up: IsTimeUp

    @property
    def has_rules(self) -> bool:
        """Whether some joker lies on the table that may not move as it likes."""
        is_free = self.ruleset.joker_swap_from is JokerSwapFrom.FREE
        if is_free and self.ruleset.joker_reuse is JokerReuse.ANY_MELD:
            return False
        return any(JOKER_FACE in meld.faces for meld in self.task.table)


def best_turn(
    ruleset: Ruleset, task: Task, table: tuple[Meld, ...], rack: Collection[Tile], is_time_up: IsTimeUp
) -> Turn:
    """The best turn, which lays nothing where nothing can be laid."""
    position = _Position(ruleset=ruleset, task=task, table=table, rack=rack, is_time_up=is_time_up)
    found = _searched(position)
    if not found.value and not found.is_best:
        return _rack_alone(position) or found
    return found


def _searched(position: _Position) -> Turn:
    """The best turn that the search comes to."""
    task, table, is_time_up = position.task, position.table, position.is_time_up
    best = Turn(table, 0, 0, False)
    if is_time_up():
        return best
    try:
        found = arrange_all(task, 0, is_time_up)
        if found is None:
            return replace(best, is_best=True)
        if not found.worth:
            return replace(best, is_best=found.is_best)
        bound, is_bound = found.worth, found.is_best
        with suppress(TimeUp):
            found = fewest_changes(found, is_time_up)
        if not position.has_rules:
            return _turn(position, found) or best
        if (turn := _turn(position, found)) and jokers_agree(position.ruleset, table, turn.melds):
            return turn
        return _best_case(position, best, bound if is_bound else None)
    except TimeUp:
        return best


def _rack_alone(position: _Position) -> Turn | None:
    """What the rack lays without the table, as far as is told at once: the way out when time is up."""
    task = position.task
    melds = laid_at_once(task)
    if not melds:
        return None
    kept = frozenset(range(len(task.table)))
    value = task.worth([face for meld in melds for face in meld.faces])
    return _turn(position, Arrangement(task=task, kept=kept, melds=tuple(melds), value=value, is_best=False))


def _turn(position: _Position, found: Arrangement) -> Turn | None:
    """The turn of an arrangement; None where a meld would hold nothing but jokers."""
    try:
        after = melds_after(position.table, position.rack, found.kept, found.all_melds)
    except MeldError:
        return None
    return _after(position, found, found.kept, after)


def _after(position: _Position, found: Arrangement, kept: Collection[int], melds: tuple[Meld, ...]) -> Turn:
    fresh = melds[len(kept) :]
    changed = sum([index not in kept and meld not in fresh for index, meld in enumerate(position.table)])
    return Turn(melds, changed, found.worth, found.is_best)


def _legal_turn(position: _Position, found: Arrangement, stands_for: dict[Tile, int]) -> Turn | None:
    """The turn of an arrangement, if the joker rules agree with one of the ways to deal it.

    In the later ways, jokers leave also those melds that are kept for the tiles that they stand for. Raises
    TimeUp.
    """
    table, stood = found.task.table, set(stands_for.values())
    freed = sorted([index for index in found.kept if not stood.isdisjoint(table[index].faces)])
    ways = [(found.kept, found.all_melds)]
    if freed:
        ways.append((found.kept.difference(freed), (*[table[index] for index in freed], *found.all_melds)))
    for kept, melds in ways:
        loose = [stands_for[tile] for tile in loose_tiles(position.table, kept) if tile in stands_for]
        for jokers in ways_to_deal(melds, Counter(loose)):
            after = melds_after(position.table, position.rack, kept, melds, stands_for, jokers)
            if jokers_agree(position.ruleset, position.table, after):
                return _after(position, found, kept, after)
            look(position.is_time_up)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """Each joker on the table kept or taken: `task` holds the kept ones as tiles of what they stand for.

    `jokers_from` are the melds of the taken ones, which the task still counts as free jokers.
    """

    task: Task
    extra: int
    stands_for: dict[Tile, int]
    jokers_from: tuple[int, ...]
    origins: Origins


def _best_case(position: _Position, best: Turn, bound: int | None) -> Turn:
    """The best turn over all cases; `best` is the one that lays nothing."""
    is_exact = True
    least = 0
    chosen: tuple[_Case, Arrangement] | None = None
    try:
        for case in _cases(position):
            found = _arranged(case, least, position.is_time_up)
            if found is None:
                continue
            turn = _legal_turn(position, found, case.stands_for)
            if turn is None:
                found = _arranged(case, least, position.is_time_up, kept_too=True)
                if found is None:
                    continue
                turn = _legal_turn(position, found, case.stands_for)
            is_exact = is_exact and found.is_best and turn is not None
            if turn is not None:
                # Another case may be better, unless none can be.
                best = replace(turn, is_best=turn.value == bound)
                least, chosen = turn.value + 1, (case, found)
                if best.is_best:
                    break
        best = replace(best, is_best=is_exact or best.is_best)
        if chosen is not None:
            case, found = chosen
            followed = _legal_turn(position, fewest_changes(found, position.is_time_up), case.stands_for)
            if followed is not None:
                best = replace(followed, is_best=best.is_best)
    except TimeUp:
        pass
    return best


def _arranged(case: _Case, least: int, is_time_up: IsTimeUp, *, kept_too: bool = False) -> Arrangement | None:
    """The best arrangement of a case, if it is worth at least so much.

    With `kept_too`, no kept joker lies among jokers alone.
    """
    needed = max(0, least - case.extra)
    arranging: Arranging = partial(place_kept, case.origins, frozenset()) if kept_too else arrange_all
    if case.jokers_from and case.origins.reuse is not JokerReuse.ANY_MELD:
        if arrange(case.task, (), needed, is_time_up) is None:
            # Not even if the taken jokers could go where they like.
            return None
        arranging = partial(place_taken, case.jokers_from, case.origins, frozenset(), kept_too=kept_too)
    found = arranging(case.task, needed, is_time_up)
    return None if found is None else replace(found, extra=found.extra + case.extra)


def _cases(position: _Position) -> Iterator[_Case]:
    """Every choice of what the jokers on the table stand for and whether they are kept, few taken first.

    Raises TimeUp.
    """
    readings = []
    jokers = []
    for index, meld in enumerate(position.table):
        mine = [tile for tile in meld.tiles if tile.is_joker]
        if mine:
            readings.append(_readings(meld, mine))
            jokers += [(index, tile) for tile in mine]
    takings = sorted(product((False, True), repeat=len(jokers)), key=sum)
    seen = set()
    for taking in takings:
        for chosen in product(*readings):
            faces = [face for reading in chosen for face in reading]
            name = tuple(sorted(zip([index for index, _ in jokers], faces, taking, strict=True)))
            if name in seen:
                continue
            seen.add(name)
            # The first case, all jokers kept, is the likeliest to have something to lay.
            if len(seen) > 1:
                look(position.is_time_up)
            case = _case(position, jokers, faces, taking)
            if case is not None:
                yield case


def _readings(meld: Meld, jokers: list[Tile]) -> list[tuple[int, ...]]:
    """What the jokers of a meld may have stood for, all together: different faces in a group."""
    possible = [sorted(face.face_index for face in meld.faces_of(joker)) for joker in jokers]
    if isinstance(meld, Run):
        return [tuple(faces[0] for faces in possible)]
    return list(permutations(possible[0], len(jokers)))


def _case(
    position: _Position, jokers: list[tuple[int, Tile]], faces: list[int], taking: tuple[bool, ...]
) -> _Case | None:
    """One case, or None where the tiles that should replace the taken jokers are not there."""
    task, ruleset = position.task, position.ruleset
    kept = {tile: face for (_, tile), face, taken in zip(jokers, faces, taking, strict=True) if not taken}
    replaced = [face for face, taken in zip(faces, taking, strict=True) if taken]
    numbered = Counter(tile.face_index for meld in position.table for tile in meld.tiles if not tile.is_joker)
    if ruleset.joker_swap_from is JokerSwapFrom.FREE:
        replacing = []
    elif ruleset.joker_swap_from is JokerSwapFrom.RACK:
        replacing = replaced
    else:
        replacing = [face for face in set(replaced) if not numbered[face]]
    if any(count > task.rack[face] for face, count in Counter(replacing).items()):
        return None
    melds = []
    origins: dict[int, list[int]] = {}
    for index, meld in enumerate(position.table):
        stood = tuple([kept.get(tile, tile.face_index) for tile in meld.tiles])
        start = task.table[index].start
        melds.append(FaceMeld(stood if start else tuple(sorted(stood)), start))
        for face in stood:
            if face != JOKER_FACE:
                origins.setdefault(face, []).append(index)
    return _Case(
        task=replace(task, table=tuple(melds)).changed(loose=replacing, unrack=replacing),
        extra=task.worth(replacing),
        stands_for=kept,
        jokers_from=tuple([index for (index, _), taken in zip(jokers, taking, strict=True) if taken]),
        origins=Origins(
            reuse=ruleset.joker_reuse,
            kept=frozenset([(index, kept[tile]) for index, tile in jokers if tile in kept]),
            melds=origins,
            sizes=[len(meld.tiles) for meld in position.table],
            replacing=Counter(replacing),
        ),
    )
