"""Jokers that lay on the table, judged on the two ends of a turn.

Each joker that lay on the table before is matched with one on the table after. It is *kept* if it stands for
what it stood for, and *taken* otherwise: then the ruleset's `joker_swap_from` and `joker_reuse` ask for
more. What a joker stood for is read off the table before the turn; jokers of one group stand for different
colours, before and after alike. A turn is legal if one matching of equal tiles, jokers too, satisfies all
jokers at once.

The search tries the few ways to match the jokers, at most four; what they need of the number tiles is left
to `p2prummi.rules.matching`. Source: protocol/spec/rules.md, "Jokers on the table".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from p2prummi.rules.faults import TurnFaultCode, fault
from p2prummi.rules.fields import JokerReuse, JokerSwapFrom
from p2prummi.rules.matching import Cell, reachable
from p2prummi.rules.tiles import FACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from p2prummi.rules.faults import TurnFault
    from p2prummi.rules.matching import Ways
    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset

_LAID, _REPLACING, _ELSEWHERE = -1, -2, -3
"""Where a tile came from: the rack, the rack to replace a joker, or (and below) a meld with nothing else."""
_REUSE_FAULTS = {
    JokerReuse.NEW_MELD: TurnFaultCode.JOKER_NOT_IN_NEW_MELD,
    JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES: TurnFaultCode.JOKER_WITHOUT_RACK_TILES,
    JokerReuse.OTHER_MELD: TurnFaultCode.JOKER_BACK_IN_ITS_MELD,
}


@dataclass(frozen=True, slots=True)
class _Joker:
    """A joker in the meld of that index, and the faces that it may stand for there."""

    meld: int
    faces: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Matched:
    """Some jokers matched: what is settled by them and what is left for the others.

    `places` are pairs (meld before, meld after) of all of them, `taken` those of the ones that answer for
    being taken. `stood_for` and `kept` are the faces already spoken for, by meld before and by meld after.
    """

    slots: tuple[_Joker, ...]
    places: tuple[tuple[int, int], ...] = ()
    taken: tuple[tuple[int, int], ...] = ()
    replaced: tuple[int, ...] = ()
    stood_for: frozenset[tuple[int, int]] = frozenset()
    kept: frozenset[tuple[int, int]] = frozenset()


class _Case:
    """The two ends of a turn as face indexes: number tiles by meld, jokers, and the number tiles laid."""

    def __init__(self, before: Sequence[Meld], after: Sequence[Meld]) -> None:
        self.before = [_numbered(meld) for meld in before]
        self.after = [_numbered(meld) for meld in after]
        self.jokers = [joker for index, meld in enumerate(before) for joker in _jokers(index, meld)]
        self.slots = [slot for index, meld in enumerate(after) for slot in _jokers(index, meld)]
        self.slots_by_meld = Counter(slot.meld for slot in self.slots)
        self.on_table = Counter(face for faces in self.after for face in faces)
        self.before_melds: dict[int, list[int]] = {face: [] for face in self.on_table}
        for index, faces in enumerate(self.before):
            for face in faces:
                self.before_melds[face].append(index)

    def laid(self, face: int) -> int:
        """How many tiles of a face were laid."""
        return self.on_table[face] - len(self.before_melds.get(face, ()))

    def culprits(self, swap: JokerSwapFrom, reuse: JokerReuse) -> list[_Joker]:
        """A smallest choice of jokers without whose faults the turn would be legal."""
        everyone = range(len(self.jokers))
        return next(
            [self.jokers[joker] for joker in exempt]
            for count in range(len(everyone) + 1)
            for exempt in combinations(everyone, count)
            if _Search(self, swap, reuse, frozenset(exempt)).succeeds()
        )


def _numbered(meld: Meld) -> frozenset[int]:
    return frozenset(tile.face_index for tile in meld.tiles if not tile.is_joker)


def _jokers(index: int, meld: Meld) -> list[_Joker]:
    return [
        _Joker(index, frozenset(face.face_index for face in meld.faces_of(tile)))
        for tile in meld.tiles
        if tile.is_joker
    ]


def jokers_agree(ruleset: Ruleset, before: Sequence[Meld], after: Sequence[Meld]) -> bool:
    """Whether nothing is wrong with the jokers of a turn that keeps all tiles of the table before."""
    swap, reuse = ruleset.joker_swap_from, ruleset.joker_reuse
    return _Search(_Case(before, after), swap, reuse, frozenset()).succeeds()


def joker_faults(ruleset: Ruleset, before: Sequence[Meld], after: Sequence[Meld]) -> list[TurnFault]:
    """What is wrong with the jokers of a turn that keeps all tiles of the table before on the table after."""
    if jokers_agree(ruleset, before, after):
        return []
    case, swap, reuse = _Case(before, after), ruleset.joker_swap_from, ruleset.joker_reuse
    from_rack = swap is JokerSwapFrom.RACK
    code = TurnFaultCode.JOKER_NOT_REPLACED if from_rack else TurnFaultCode.JOKER_TILE_NOT_ON_TABLE
    faults = [
        fault(
            code,
            meld=str(before[joker.meld]),
            tiles="/".join(str(FACES[face]) for face in sorted(joker.faces)),
        )
        for joker in case.culprits(swap, JokerReuse.ANY_MELD)
    ]
    faults += [
        fault(_REUSE_FAULTS[reuse], meld=str(before[joker.meld]))
        for joker in case.culprits(JokerSwapFrom.FREE, reuse)
    ]
    if not faults:
        faults = [
            fault(TurnFaultCode.JOKER_RULES_CONFLICT, meld=str(before[joker.meld]))
            for joker in case.culprits(swap, reuse)
        ]
    # Jokers of one meld with the same fault are said once.
    return list(dict.fromkeys(faults))


class _Search:
    """One exact search for a matching that satisfies all jokers of a case but those exempt."""

    def __init__(self, case: _Case, swap: JokerSwapFrom, reuse: JokerReuse, exempt: frozenset[int]) -> None:
        self.case, self.swap, self.reuse, self.exempt = case, swap, reuse, exempt
        self.answers: dict[object, bool] = {}

    def succeeds(self) -> bool:
        """Whether there is such a matching."""
        return self._succeeds_from(0, _Matched(tuple(self.case.slots)))

    def _succeeds_from(self, joker: int, matched: _Matched) -> bool:
        if joker == len(self.case.jokers):
            return self._tiles_agree(matched)
        return any(self._succeeds_from(joker + 1, further) for further in self._matches(joker, matched))

    def _matches(self, joker: int, matched: _Matched) -> Iterator[_Matched]:
        """All ways to match one more joker, those that keep it first."""
        was = self.case.jokers[joker]
        faces = [face for face in was.faces if (was.meld, face) not in matched.stood_for]
        slots = dict.fromkeys(matched.slots)
        for slot in slots:
            for face in faces:
                if face in slot.faces and (slot.meld, face) not in matched.kept:
                    kept = matched.kept | {(slot.meld, face)}
                    yield replace(_placed(matched, was, face, slot), kept=kept)
        for slot in slots:
            for face in faces:
                if joker in self.exempt:
                    yield _placed(matched, was, face, slot)
                elif self._replaceable(face, matched):
                    further = replace(
                        _placed(matched, was, face, slot),
                        taken=(*matched.taken, (was.meld, slot.meld)),
                        replaced=(*matched.replaced, face),
                    )
                    if self._may_agree(further):
                        yield further

    def _replaceable(self, face: int, matched: _Matched) -> bool:
        """Whether a tile of that face may replace one more joker."""
        if self.swap is JokerSwapFrom.RACK:
            return matched.replaced.count(face) < self.case.laid(face)
        return self.swap is JokerSwapFrom.FREE or self.case.on_table[face] > 0

    def _may_agree(self, matched: _Matched) -> bool:
        """Whether the number tiles could agree if all jokers still came from where they do no harm."""
        if self.reuse in (JokerReuse.ANY_MELD, JokerReuse.OTHER_MELD):
            return True
        melds = frozenset(after for _, after in matched.taken)
        laid = len(self.case.slots) - len(self.case.jokers)
        harmless = frozenset(
            ((_ELSEWHERE - joker, meld), 1)
            for meld in melds
            for joker in range(max(1, self.case.slots_by_meld[meld] - laid))
        )
        return self._new_melds(melds, harmless, frozenset(self._replacing(matched).items()))

    def _tiles_agree(self, matched: _Matched) -> bool:
        """Whether some matching of the number tiles puts every taken joker into a meld that it may go to."""
        if self.reuse is JokerReuse.ANY_MELD:
            return True
        if self.reuse is JokerReuse.OTHER_MELD:
            return self._other_melds(matched)
        melds = frozenset(after for _, after in matched.taken)
        jokers_from = Counter(place for place in matched.places if place[1] in melds)
        replacing = self._replacing(matched)
        return self._new_melds(melds, frozenset(jokers_from.items()), frozenset(replacing.items()))

    def _replacing(self, matched: _Matched) -> Counter[int]:
        """How many of the tiles laid, by face, are needed to replace jokers."""
        if self.swap is JokerSwapFrom.RACK:
            return Counter(matched.replaced)
        if self.swap is JokerSwapFrom.FREE:
            return Counter()
        # One tile serves several jokers, and one that lay there before spares the laid ones.
        return Counter(face for face in set(matched.replaced) if not self.case.before_melds[face])

    def _new_melds(
        self,
        melds: frozenset[int],
        jokers_from: frozenset[tuple[tuple[int, int], int]],
        replacing: frozenset[tuple[int, int]],
    ) -> bool:
        """Whether the taken jokers' melds are new: at most two tiles from one meld, enough from the rack.

        Many ways to match the jokers ask the same of the number tiles, so the answers are kept.
        """
        question = (melds, jokers_from, replacing)
        if question not in self.answers:
            self.answers[question] = self._are_new(melds, dict(jokers_from), dict(replacing))
        return self.answers[question]

    def _are_new(
        self, melds: Iterable[int], jokers_from: Mapping[tuple[int, int], int], replacing: Mapping[int, int]
    ) -> bool:
        rack_tiles = 2 if self.reuse is JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES else 0
        cells: list[Cell] = []
        cell_of: dict[tuple[int, int], int] = {}
        for meld in melds:
            jokers = {old: count for (old, new), count in jokers_from.items() if new == meld}
            shared = Counter(old for face in self.case.after[meld] for old in self.case.before_melds[face])
            shared.update(jokers)
            for old, count in shared.items():
                if count > 2:
                    cell_of[old, meld] = len(cells)
                    cells.append(Cell(most=2 - jokers.get(old, 0)))
            laid_jokers = self.case.slots_by_meld[meld] - sum(jokers.values())
            cell_of[_LAID, meld] = len(cells)
            cells.append(Cell(least=rack_tiles - laid_jokers))
        faces = frozenset().union(*(self.case.after[meld] for meld in melds))
        choices = [self._ways(face, melds, replacing.get(face, 0), cell_of) for face in sorted(faces)]
        return reachable(cells, choices)

    def _ways(
        self, face: int, melds: Iterable[int], replacing: int, cell_of: Mapping[tuple[int, int], int]
    ) -> Ways:
        """The ways in which tiles of a face come to lie in those of the melds that hold it."""
        holding = [meld for meld in melds if face in self.case.after[meld]]
        return [
            frozenset(
                cell_of[origin, meld]
                for origin, meld in zip(chosen, holding, strict=True)
                if (origin, meld) in cell_of
            )
            for chosen in set(permutations(self._origins(face, replacing), len(holding)))
        ]

    def _origins(self, face: int, replacing: int = 0) -> list[int]:
        """Where tiles of a face come from: melds before, the rack to replace a joker, or just the rack."""
        laid = self.case.laid(face)
        return [*self.case.before_melds[face], *[_REPLACING] * replacing, *[_LAID] * (laid - replacing)]

    def _other_melds(self, matched: _Matched) -> bool:
        """Whether no taken joker lies beside all the other tiles of its old meld."""
        jokers_from = Counter(matched.places)
        jokers_of = Counter(before for before, _ in matched.places)
        pairs = [
            (old, new)
            for old, new in sorted(set(matched.taken))
            if jokers_from[old, new] == jokers_of[old] and self.case.before[old] <= self.case.after[new]
        ]
        melds = sorted({new for _, new in pairs})
        choices: list[Ways] = []
        for face in sorted(frozenset().union(*(self.case.before[old] for old, _ in pairs))):
            holding = [meld for meld in melds if face in self.case.after[meld]]
            choices.append(
                [
                    frozenset(
                        index
                        for index, (old, new) in enumerate(pairs)
                        if face in self.case.before[old] and chosen[holding.index(new)] != old
                    )
                    for chosen in set(permutations(self._origins(face), len(holding)))
                ]
            )
        return reachable([Cell(least=1)] * len(pairs), choices)


def _placed(matched: _Matched, was: _Joker, face: int, slot: _Joker) -> _Matched:
    """The match with one more joker in a slot, what it stood for being settled."""
    place = matched.slots.index(slot)
    return replace(
        matched,
        slots=matched.slots[:place] + matched.slots[place + 1 :],
        places=(*matched.places, (was.meld, slot.meld)),
        stood_for=matched.stood_for | {(was.meld, face)},
    )
