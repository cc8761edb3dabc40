"""From what the search decided to melds: which table melds stay as they are, and how the rest is dealt.

A layout says how many tiles of each face lie in runs and in groups, where jokers fill a slot of a run, and
how many jokers are free. Melds of the table that fit into it are taken out of it unchanged, one after the
other, as long as what remains can still be dealt; then the remainder is dealt, and jokers that are left are
parked: at the end of a run or in a group of three.
Melds are written by faces here (a joker is face 52); tiles come in `p2prummi.solver.plays`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.rules.melds import Run
from p2prummi.rules.tiles import HIGHEST_NUMBER, JOKER_FACE
from p2prummi.solver.groups import deal_groups, jokers_needed
from p2prummi.solver.steps import EMPTY, may_end, next_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.rules.melds import Meld


@dataclass(frozen=True, slots=True)
class FaceMeld:
    """A meld by its faces, 52 for a joker; a run in order, `start` being the number of its first place."""

    faces: tuple[int, ...]
    start: int = 0

    @property
    def is_run(self) -> bool:
        """Whether it is a run."""
        return self.start > 0

    @property
    def room(self) -> int:
        """How many more jokers it takes."""
        return (HIGHEST_NUMBER if self.is_run else 4) - len(self.faces)

    @property
    def worth(self) -> int:
        """The worth of the meld, jokers counting the tiles that they stand for."""
        if self.is_run:
            return len(self.faces) * (2 * self.start + len(self.faces) - 1) // 2
        return len(self.faces) * (self.faces[0] % HIGHEST_NUMBER + 1)

    @property
    def joker_worth(self) -> int:
        """What one more joker would stand for."""
        if not self.is_run:
            return self.faces[0] % HIGHEST_NUMBER + 1
        end = self.start + len(self.faces)
        return end if end <= HIGHEST_NUMBER else self.start - 1

    def with_joker(self) -> FaceMeld:
        """The meld with one more joker: a run's at its high end, or else at its low end."""
        if not self.is_run:
            return FaceMeld((*self.faces, JOKER_FACE))
        if self.start + len(self.faces) <= HIGHEST_NUMBER:
            return FaceMeld((*self.faces, JOKER_FACE), self.start)
        return FaceMeld((JOKER_FACE, *self.faces), self.start - 1)


def face_meld(meld: Meld) -> FaceMeld:
    """A meld by its faces."""
    faces = tuple([tile.face_index for tile in meld.tiles])
    return FaceMeld(faces, meld.start if isinstance(meld, Run) else 0)


class Layout:
    """Tiles in runs and in groups, and jokers; melds can be taken out, and the rest be dealt.

    `in_runs` and `jokers_in_runs` go by face index, `in_groups` by number less one and colour.
    """

    def __init__(
        self, in_runs: list[int], jokers_in_runs: list[int], in_groups: list[list[int]], jokers: int
    ) -> None:
        self.in_runs, self.jokers_in_runs, self.in_groups = in_runs, jokers_in_runs, in_groups
        self.free_jokers = jokers - sum(jokers_in_runs)
        for counts in in_groups:
            if any(counts):
                self.free_jokers -= jokers_needed((counts[0], counts[1], counts[2], counts[3]))

    def take_out(self, meld: FaceMeld) -> bool:
        """Take a meld out as it is, if what remains can still be dealt; whether it could be."""
        return self._take_run(meld) if meld.is_run else self._take_group(meld)

    def _take_group(self, meld: FaceMeld) -> bool:
        faces = [face for face in meld.faces if face != JOKER_FACE]
        counts = self.in_groups[faces[0] % HIGHEST_NUMBER]
        for face in faces:
            if not counts[face // HIGHEST_NUMBER]:
                return False
        rest = counts[:]
        for face in faces:
            rest[face // HIGHEST_NUMBER] -= 1
        needed_before = jokers_needed((counts[0], counts[1], counts[2], counts[3]))
        needed = jokers_needed((rest[0], rest[1], rest[2], rest[3]))
        free = self.free_jokers + needed_before - needed - (len(meld.faces) - len(faces))
        if free < 0:
            return False
        self.free_jokers = free
        self.in_groups[faces[0] % HIGHEST_NUMBER] = rest
        return True

    def _take_run(self, meld: FaceMeld) -> bool:
        colour = next(face for face in meld.faces if face != JOKER_FACE) // HIGHEST_NUMBER
        lowest = colour * HIGHEST_NUMBER
        in_runs, jokers_in_runs, free = self.in_runs, self.jokers_in_runs, self.free_jokers
        taken = []
        jokers_taken = []
        for place, face in enumerate(meld.faces, lowest + meld.start - 1):
            if face != JOKER_FACE:
                if not in_runs[place]:
                    return False
                taken.append(place)
            elif jokers_in_runs[place]:
                jokers_taken.append(place)
            elif free:
                free -= 1
            else:
                return False
        slots = [
            tiles + jokers
            for tiles, jokers in zip(
                in_runs[lowest : lowest + HIGHEST_NUMBER],
                jokers_in_runs[lowest : lowest + HIGHEST_NUMBER],
                strict=True,
            )
        ]
        for place in taken:
            slots[place - lowest] -= 1
        for place in jokers_taken:
            slots[place - lowest] -= 1
        if not _can_be_dealt(slots):
            return False
        for place in taken:
            in_runs[place] -= 1
        for place in jokers_taken:
            jokers_in_runs[place] -= 1
        self.free_jokers = free
        return True

    def deal(self) -> list[FaceMeld]:
        """What is left, as melds; the free jokers are not in them."""
        melds = []
        for number, counts in enumerate(self.in_groups):
            if any(counts):
                four = (counts[0], counts[1], counts[2], counts[3])
                for colours, jokers in deal_groups(four, jokers_needed(four)):
                    faces = [colour * HIGHEST_NUMBER + number for colour in sorted(colours)]
                    melds.append(FaceMeld((*faces, *[JOKER_FACE] * jokers)))
        for lowest in range(0, JOKER_FACE, HIGHEST_NUMBER):
            if any(self.in_runs[lowest : lowest + HIGHEST_NUMBER]):
                melds += self._deal_runs(lowest)
        return melds

    def _deal_runs(self, lowest: int) -> list[FaceMeld]:
        done: list[tuple[list[int], int]] = []
        # Runs by their faces and the number of their first place.
        going_on: list[tuple[list[int], int]] = []
        for number in range(1, HIGHEST_NUMBER + 1):
            face = lowest + number - 1
            tiles, jokers = self.in_runs[face], self.jokers_in_runs[face]
            slots = tiles + jokers
            # Short runs must go on; of two long ones the shorter does, so that no run grows needlessly.
            going_on.sort(key=lambda run: len(run[0]))
            done += going_on[slots:]
            going_on = going_on[:slots]
            going_on += [([], number) for _ in range(slots - len(going_on))]
            # Tiles go first to runs that hold none.
            going_on.sort(key=lambda run: any(each != JOKER_FACE for each in run[0]))
            for index, run in enumerate(going_on):
                run[0].append(face if index < tiles else JOKER_FACE)
        done += going_on
        return [FaceMeld(tuple(faces), start) for faces, start in done]


def _can_be_dealt(slots: Sequence[int]) -> bool:
    """Whether runs of one colour can fill just these slots, by number."""
    state = EMPTY
    for filled in slots:
        state = next_state(state, filled)
        if state < 0:
            return False
    return may_end(state)


def park(melds: list[FaceMeld], jokers: int) -> int:
    """Add free jokers to melds that have room, where they are worth most; how many found none."""
    while jokers:
        roomy = [index for index, meld in enumerate(melds) if meld.room]
        if not roomy:
            break
        best = max(roomy, key=lambda index: melds[index].joker_worth)
        melds[best] = melds[best].with_joker()
        jokers -= 1
    return jokers
