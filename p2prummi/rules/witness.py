"""The witness of an opening: which melds, made of the tiles laid alone, a lay opens with.

Players don't name it; the program finds it and the turn carries it. Without `opening_then_table` it is the
new melds of the turn. With it, it is any choice of melds from the tiles laid that makes the turn legal, and
they need not lie on the table any more after the turn. Fewer witness tiles are never worse: what isn't in
the witness still counts as laid. So only choices are tried from which no meld can be spared. What a witness
must hold is judged in `judging.py`. Source: protocol/spec/rules.md, "The opening".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from p2prummi.rules.fields import OpeningJoker
from p2prummi.rules.jokers import jokers_agree
from p2prummi.rules.melds import Group, Run
from p2prummi.rules.opening import GROUP_FORMS, find_opening
from p2prummi.rules.tiles import FACES, HIGHEST_NUMBER, JOKER_FACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Form:
    """A meld by its faces, in canonical order; equal for melds that differ in copies only."""

    kind: type[Group | Run]
    faces: tuple[int, ...]

    @property
    def value(self) -> int:
        """The worth of the meld."""
        place, face = next((place, face) for place, face in enumerate(self.faces) if face != JOKER_FACE)
        number = FACES[face].number
        if self.kind is Group:
            return number * len(self.faces)
        start = number - place
        return len(self.faces) * (2 * start + len(self.faces) - 1) // 2


def form_counts(melds: Iterable[Meld]) -> Counter[Form]:
    """How often each meld is there, equal tiles being interchangeable."""
    return Counter(_form(meld) for meld in melds)


def _form(meld: Meld) -> Form:
    return Form(type(meld), tuple(tile.face_index for tile in meld.tiles))


def find_witness(
    ruleset: Ruleset, table: Sequence[Meld], melds: Sequence[Meld], laid: Sequence[Tile]
) -> tuple[Meld, ...]:
    """A witness that makes a first lay legal, or, where there is none, the one to show what is missing.

    `melds` are those after the turn.
    """
    new = _from_laid(form_counts(melds) - form_counts(table), laid)
    if not ruleset.opening_then_table:
        return new
    fallback = find_opening(ruleset, laid) or new
    tiles, after = ({tile for meld in side for tile in meld.tiles} for side in (table, melds))
    if not tiles <= after:
        return fallback
    if any(tile.is_joker for meld in (*table, *fallback) for tile in meld.tiles) and jokers_agree(
        ruleset, table, melds
    ):
        for forms in _choices(ruleset, form_counts(new), laid):
            witness = _from_laid(Counter(forms), laid)
            if jokers_agree(ruleset, (*table, *witness), melds):
                return witness
    return fallback


def _from_laid(forms: Counter[Form], laid: Iterable[Tile]) -> tuple[Meld, ...]:
    """The melds of these forms that can be made of the tiles laid, each tile once."""
    piles = defaultdict(list)
    for tile in laid:
        piles[tile.face_index].append(tile)
    melds: list[Meld] = []
    for form in forms.elements():
        if all(len(piles[face]) >= count for face, count in Counter(form.faces).items()):
            tiles = tuple(piles[face].pop(0) for face in form.faces)
            melds.append(form.kind(tiles))
    return tuple(melds)


def _choices(ruleset: Ruleset, new: Counter[Form], laid: Sequence[Tile]) -> Iterator[tuple[Form, ...]]:
    """All choices of melds from the tiles laid that open and can spare no meld; the new melds first."""
    counts = Counter(tile.face_index for tile in laid)
    if ruleset.opening_joker is OpeningJoker.FORBIDDEN:
        del counts[JOKER_FACE]
    target = max(ruleset.opening_points, 1)
    possible = (form for form in possible_forms(counts) if form not in new)
    forms = [*new, *sorted(possible, key=lambda form: -form.value)]

    def extend(
        first: int, left: Counter[int], chosen: tuple[Form, ...], worth: int
    ) -> Iterator[tuple[Form, ...]]:
        for index in range(first, len(forms)):
            form = forms[index]
            needed = Counter(form.faces)
            if not needed <= left:
                continue
            total, more = worth + form.value, (*chosen, form)
            if total < target:
                yield from extend(index, left - needed, more, total)
            elif all(total - each.value < target for each in more):
                yield more

    return extend(0, counts, (), 0)


def possible_forms(counts: Counter[int]) -> Iterator[Form]:
    """Every meld that can be made of so many tiles of each face."""
    jokers = counts[JOKER_FACE]
    for number in range(1, HIGHEST_NUMBER + 1):
        for colours, used in GROUP_FORMS:
            faces = [colour * HIGHEST_NUMBER + number - 1 for colour in colours]
            if used <= jokers and all(counts[face] for face in faces):
                yield Form(Group, (*faces, *[JOKER_FACE] * used))
    for lowest in range(0, JOKER_FACE, HIGHEST_NUMBER):
        for start, end in combinations(range(HIGHEST_NUMBER + 1), 2):
            if end - start >= 3:
                yield from _runs(range(lowest + start, lowest + end), counts, jokers)


def _runs(faces: range, counts: Counter[int], jokers: int) -> Iterator[Form]:
    """Every run over these faces: jokers where there is no tile, and anywhere else as well."""
    missing = [face for face in faces if not counts[face]]
    present = [face for face in faces if counts[face]]
    for spared in range(min(jokers - len(missing), len(present) - 1) + 1):
        for also in combinations(present, spared):
            yield Form(Run, tuple(JOKER_FACE if face in missing or face in also else face for face in faces))
