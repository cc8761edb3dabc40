"""The solver's one door: from a table, a rack and a ruleset to a solution."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.rules.faults import TurnFaultCode, fault
from p2prummi.rules.judging import judge, laid_tiles, tiles_of
from p2prummi.rules.tiles import JOKER_FACE
from p2prummi.rules.turns import Play
from p2prummi.solver.arranging import TILES_WEIGHTS, VALUE_WEIGHTS, Task, counts_of
from p2prummi.solver.layout import face_meld
from p2prummi.solver.limit import TimeUp, collections_put_off, times_out
from p2prummi.solver.opened import best_turn
from p2prummi.solver.opening import fewest, most, some_opening, witnesses
from p2prummi.solver.plays import TilePiles
from p2prummi.solver.prospects import prospect
from p2prummi.solver.solution import ImpossiblePosition, Objective, OpeningChoice, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile
    from p2prummi.solver.layout import FaceMeld
    from p2prummi.solver.limit import IsTimeUp


def solve(
    ruleset: Ruleset,
    table: Sequence[Meld],
    rack: Collection[Tile],
    *,
    opened: bool,
    objective: Objective = Objective.TILES,
    joker_value: int = 30,
    opening: OpeningChoice = OpeningChoice.FEWEST,
    clock: Callable[[], float] | None = None,
    deadline: float | None = None,
) -> Solution:
    """The best turn for a rack on a table; what that is: the docstring of `p2prummi.solver`.

    `deadline` is by `clock`, in its seconds; without them the search takes as long as it takes. Raises
    ImpossiblePosition for tiles that can't be there.
    """
    table, rack = tuple(table), tuple(rack)
    _require_possible(ruleset, table, rack)

    with nullcontext() if deadline is None else collections_put_off():
        case = _Case(ruleset, objective, joker_value, times_out(clock, deadline))
        try:
            if opened:
                return case.opened(table, rack)
            if ruleset.opening_then_table:
                return case.whole_turn(table, rack)
            return case.opening(table, rack, opening)
        finally:
            # Other positions have other prospects, and the garbage collector would go through these.
            prospect.cache_clear()


@dataclass(frozen=True, slots=True)
class _Case:
    """What is asked, and by which rules."""

    ruleset: Ruleset
    objective: Objective
    joker_value: int
    is_time_up: IsTimeUp

    @property
    def weights(self) -> tuple[int, ...]:
        """What a number tile counts for the objective, by its number."""
        return TILES_WEIGHTS if self.objective is Objective.TILES else VALUE_WEIGHTS

    @property
    def joker_weight(self) -> int:
        """What a joker counts for the objective."""
        return 1 if self.objective is Objective.TILES else self.joker_value

    def worth(self, tiles: Collection[Tile]) -> int:
        """What laying these tiles counts for the objective."""
        weights, joker_weight = self.weights, self.joker_weight
        return sum([joker_weight if tile.is_joker else weights[tile.number] for tile in tiles])

    def opened(self, table: tuple[Meld, ...], rack: tuple[Tile, ...]) -> Solution:
        """The best turn of who has opened."""
        task = Task(
            table=tuple([face_meld(meld) for meld in table]),
            rack=counts_of([tile.face_index for tile in rack]),
            weights=self.weights,
            joker_weight=self.joker_weight,
        )
        found = best_turn(self.ruleset, task, table, rack, self.is_time_up)
        return self._solution(table, found.melds, None, changed=found.changed, is_optimal=found.is_best)

    def opening(self, table: tuple[Meld, ...], rack: tuple[Tile, ...], choice: OpeningChoice) -> Solution:
        """The best opening, which leaves the table alone."""
        try:
            if choice is OpeningChoice.FEWEST:
                found = fewest(self.ruleset, rack, self.is_time_up)
            else:
                found = most(self.ruleset, rack, self.weights, self.joker_weight, self.is_time_up)
        except TimeUp:
            return self._solution(table, table, None, changed=0, is_optimal=False)
        if found is None:
            return self._solution(table, table, None, changed=0, is_optimal=True)
        piles = TilePiles((), rack)
        melds = tuple([piles.meld(each) for each in found[0]])
        return self._solution(table, (*table, *melds), melds, changed=0, is_optimal=found[1])

    def whole_turn(self, table: tuple[Meld, ...], rack: tuple[Tile, ...]) -> Solution:
        """The best turn that opens and goes on with the table."""
        bound = self.opened(table, rack)
        best, is_optimal = None, True
        try:
            best = self._with_opening(bound, table, rack)
            if best is not None and (bound.is_optimal or self.is_time_up()):
                return best
            for witness in witnesses(self.ruleset, rack, bound.laid, self.is_time_up):
                found = self._turn_from(witness, table, rack)
                if best is None or self.worth(found.laid) > self.worth(best.laid):
                    best = found
                is_optimal = is_optimal and found.is_optimal
                if bound.is_optimal and self.worth(best.laid) == self.worth(bound.laid):
                    is_optimal = True
                    break
                if self.is_time_up():
                    is_optimal = False
                    break
        except TimeUp:
            is_optimal = False
        if best is None:
            return self._solution(table, table, None, changed=0, is_optimal=is_optimal)
        return replace(best, is_optimal=is_optimal)

    def _with_opening(
        self, turn: Solution, table: tuple[Meld, ...], rack: tuple[Tile, ...]
    ) -> Solution | None:
        """The turn of who had opened with an opening from what it lays, if that makes it legal.

        Raises TimeUp.
        """
        found = some_opening(self.ruleset, turn.laid, self.is_time_up)
        if turn.play is None or found is None:
            return None
        piles = TilePiles((), turn.laid)
        play = Play(turn.play.melds, tuple([piles.meld(each) for each in found]))
        judgement = judge(play, ruleset=self.ruleset, table=table, opened=False, pool_left=0, rack=rack)
        return replace(turn, play=play, points=judgement.points) if judgement.legal else None

    def _turn_from(
        self, witness: Sequence[FaceMeld], table: tuple[Meld, ...], rack: tuple[Tile, ...]
    ) -> Solution:
        """The best turn that begins with an opening, or just that opening where the time is up."""
        piles = TilePiles((), rack)
        melds = tuple([piles.meld(each) for each in witness])
        ground = (*table, *melds)
        if self.is_time_up():
            return self._solution(table, ground, melds, changed=0, is_optimal=False)
        used = frozenset(tiles_of(melds))
        rest = self.opened(ground, tuple([tile for tile in rack if tile not in used]))
        after = ground if rest.play is None else rest.play.melds
        changed = (Counter(table) - Counter(after)).total()
        return self._solution(table, after, melds, changed=changed, is_optimal=rest.is_optimal)

    def _solution(
        self,
        table: tuple[Meld, ...],
        after: tuple[Meld, ...],
        opening: tuple[Meld, ...] | None,
        *,
        changed: int,
        is_optimal: bool,
    ) -> Solution:
        # Melds that are kept are the same objects before and after.
        before, there = set(map(id, table)), set(map(id, after))
        gone = [meld for meld in table if id(meld) not in there]
        laid = laid_tiles(gone, tiles_of([meld for meld in after if id(meld) not in before]))
        return Solution(
            play=Play(after, opening) if laid else None,
            laid=laid,
            tiles=len(laid),
            value=sum([self.joker_value if tile.is_joker else tile.number for tile in laid]),
            points=sum([meld.value for meld in opening or ()]),
            changed=changed if laid else 0,
            is_optimal=is_optimal,
        )


def _require_possible(ruleset: Ruleset, table: Sequence[Meld], rack: Collection[Tile]) -> None:
    """Refuse tiles that the set does not hold, or that are there twice."""
    tile_set = ruleset.tile_set
    tiles = [*tiles_of(table), *rack]
    most = [tile_set.copies] * JOKER_FACE + [tile_set.jokers]
    places = [(tile.face_index, tile.copy) for tile in tiles]
    if len(set(places)) == len(places) and all([copy < most[face] for face, copy in places]):  # noqa: C419 - faster
        return
    faults = []
    for tile, count in Counter(tiles).items():
        if tile not in tile_set:
            copies = tile_set.jokers if tile.is_joker else tile_set.copies
            faults.append(fault(TurnFaultCode.NO_SUCH_TILE, tile=str(tile), count=copies))
        if count > 1:
            faults.append(fault(TurnFaultCode.TILE_TWICE, tile=str(tile)))
    raise ImpossiblePosition(faults)
