"""Turns that free one joker of the table, of a kind that is asked for (`tests.rules.swap_kinds`).

- No number tile lies twice in what is built here, and no other tile is one that the joker may have stood for.
  So equal tiles offer no second reading, and the kind alone says what is wrong with it.
- `strangers` are melds to put beside it: of its own tiles again, or (`apart`) of other faces only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st

from p2prummi.rules import Colour, Tile, meld_from
from tests.rules.random_tables import JOKER, copied
from tests.rules.swap_kinds import Holder, Kind, Replaced, Reused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hypothesis.strategies import DrawFn

    from p2prummi.rules import Face, Meld, MeldKind, TileSet

Faces: TypeAlias = "tuple[Face, ...]"
Shape: TypeAlias = "tuple[MeldKind, Faces]"
"""A meld without copies."""


@dataclass(frozen=True, slots=True)
class Swap:
    """The melds that the turn finds and those that it leaves; `used` are all faces that bear upon it."""

    before: tuple[Shape, ...] = ()
    after: tuple[Shape, ...] = ()
    used: frozenset[Face] = frozenset()

    @property
    def jokers(self) -> int:
        """How many jokers lie there after it."""
        return sum(face.is_joker for _, faces in self.after for face in faces)

    def beside(self, other: Swap) -> Swap:
        """Both turns at once."""
        return Swap(self.before + other.before, self.after + other.after, self.used | other.used)

    def fits(self, tile_set: TileSet) -> bool:
        """Whether the set has all these tiles."""
        counts = Counter(face for _, faces in self.after for face in faces)
        return all(Tile(face.colour, face.number, count - 1) in tile_set for face, count in counts.items())


def table_of(shapes: Iterable[Shape]) -> tuple[Meld, ...]:
    """The melds as they lie, equal tiles becoming copies in their order."""
    used: Counter[Face] = Counter()
    return tuple(meld_from(copied(faces, used), kind) for kind, faces in shapes)


def run_faces(colour: Colour, start: int, length: int) -> Faces:
    return tuple(Tile(colour, number) for number in range(start, start + length))


def runs(length: int, containing: Face | None = None) -> list[Shape]:
    """All runs of so many tiles, or those that hold a face."""
    found = [run_faces(colour, start, length) for colour in Colour for start in range(1, 15 - length)]
    return [("run", faces) for faces in found if containing is None or containing in faces]


def groups(size: int, containing: Face | None = None) -> list[Shape]:
    """All groups of so many number tiles, or those that hold a face."""
    found = [
        tuple(Tile(colour, number) for colour in colours)
        for number in range(1, 14)
        for colours in combinations(Colour, size)
    ]
    return [("group", faces) for faces in found if containing is None or containing in faces]


def meanings(shape: Shape, place: int) -> frozenset[Face]:
    """What a joker may stand for that lies in place of one tile of a meld."""
    kind, faces = shape
    if kind == "run":
        return frozenset({faces[place]})
    rest = faces[:place] + faces[place + 1 :]
    return frozenset(Tile(colour, faces[0].number) for colour in Colour).difference(rest)


def with_joker(shape: Shape, place: int) -> Shape:
    kind, faces = shape
    return kind, (*faces[:place], JOKER, *faces[place + 1 :])


@dataclass(slots=True)
class _Builder:
    """A turn being put together: its melds, and the faces that nothing else may use any more."""

    draw: DrawFn
    kind: Kind
    jokers: int
    before: list[Shape] = field(default_factory=list)
    after: list[Shape] = field(default_factory=list)
    used: set[Face] = field(default_factory=set)
    anything_laid: bool = False

    def pick(self, shapes: Iterable[Shape], besides: Iterable[Face] = ()) -> Shape:
        """One of the shapes whose faces are unused but for some; they are used from now on."""
        besides = frozenset(besides)
        free = [shape for shape in shapes if self.used.isdisjoint(besides.symmetric_difference(shape[1]))]
        if not free:
            reject()
        shape = self.draw(st.sampled_from(free))
        self.used.update(shape[1])
        return shape

    def lay(self, shapes: Iterable[Shape], besides: Iterable[Face] = ()) -> None:
        """A meld of tiles from the rack, but for some that were there."""
        self.after.append(self.pick(shapes, besides))
        self.anything_laid = True

    def stand(self, shape: Shape) -> None:
        """A meld that is there before and after."""
        self.before.append(shape)
        self.after.append(shape)

    def give(self, *faces: Face) -> None:
        """A meld of the table that loses one face, or two that follow each other, and is a meld still."""
        shapes = [
            shape
            for shape in runs(3 + len(faces))
            if faces in (shape[1][: len(faces)], shape[1][-len(faces) :])
        ]
        if len(faces) == 1:
            shapes += groups(4, faces[0])
        kind, whole = self.pick(shapes, faces)
        self.before.append((kind, whole))
        self.after.append((kind, tuple(face for face in whole if face not in faces)))

    def put(self, shape: Shape, laid: bool) -> None:
        """A meld after the turn."""
        self.after.append(shape)
        self.anything_laid |= laid


@st.composite
def swaps(draw: DrawFn, kind: Kind, jokers: int) -> Swap:
    """A turn of that kind, with no more jokers than given, `kind.jokers_least` or more."""
    builder = _Builder(draw, kind, jokers)
    stood_for = _free_from_group(builder) if kind.holder.startswith("in a group") else _free_from_run(builder)
    _replace(builder, stood_for)
    _reuse(builder, stood_for)
    if not builder.anything_laid:
        builder.lay(runs(3) + groups(3))
    before, after = (tuple(draw(st.permutations(melds))) for melds in (builder.before, builder.after))
    return Swap(before, after, frozenset(builder.used))


@st.composite
def swaps_of_two(draw: DrawFn, laid: int) -> Swap:
    """Two jokers that stood for one face, in a run and in a group, freed by one or two tiles laid there.

    Each goes into a new meld with two tiles from the rack.
    """
    builder = _Builder(draw, Kind(Holder.RUN_INSIDE, Replaced.RACK, Reused.TWO_RACK_TILES), 2)
    run = builder.pick(runs(draw(st.integers(3, 6))))
    place = draw(st.integers(0, len(run[1]) - 1))
    stood_for = run[1][place]
    group = builder.pick(groups(4, stood_for), [stood_for])
    builder.before += [with_joker(run, place), with_joker(group, group[1].index(stood_for))]
    left = group[1] if laid == 2 else tuple(face for face in group[1] if face != stood_for)
    builder.after += [run, ("group", left)]
    for _ in range(2):
        builder.after.append(with_joker(*_new_meld(builder, [*runs(3), *groups(3)])))
    return Swap(tuple(builder.before), tuple(builder.after), frozenset(builder.used))


def _free_from_run(builder: _Builder) -> Face:
    """The run before, and what becomes of it; gives the face that the joker stood for."""
    kind, draw = builder.kind, builder.draw
    spans = [
        (start, length, place)
        for length in range(3, 9)
        for start in range(1, 15 - length)
        for place in range(length)
        if _run_fits(kind, start, length, place)
    ]
    start, length, place = draw(st.sampled_from(spans))
    colour = draw(st.sampled_from(Colour))
    whole = run_faces(colour, start, length)
    jokers = {place}
    if kind.holder is Holder.RUN_OF_MORE_JOKERS:
        others = [each for each in range(length) if each != place]
        # No more than three, so that no three of them are left by themselves, which would be no run.
        most = min(builder.jokers, length - 1, 3) - 1
        jokers |= draw(st.sets(st.sampled_from(others), min_size=1, max_size=most))
    lying = tuple(JOKER if each in jokers else face for each, face in enumerate(whole))
    builder.before.append(("run", lying))
    builder.used.update(whole)
    if kind.in_place:
        filled = (*lying[:place], whole[place], *lying[place + 1 :])
        _leave_run(builder, filled, run_faces(colour, start - 1, 1) if start > 1 else (), start + length)
    elif kind.reused is Reused.OWN_MELD:
        rest = lying[:place] + lying[place + 1 :]
        builder.put(("run", (*rest, JOKER) if place == 0 else (JOKER, *rest)), laid=False)
    else:
        left = run_faces(colour, start + place - 3, max(0, 3 - place)) if place else ()
        after = length - 1 - place
        right = run_faces(colour, start + length, max(0, 3 - after)) if after else ()
        for part in ((*left, *lying[:place]), (*lying[place + 1 :], *right)):
            if part:
                builder.put(("run", part), laid=bool(left or right))
        builder.used.update(left + right)
    return whole[place]


def _leave_run(builder: _Builder, filled: Faces, below: Faces, above: int) -> None:
    """The run whose joker is replaced in its place, the joker at one of its ends where it stays there."""
    if builder.kind.reused is Reused.OWN_MELD:
        ends = [(JOKER, *filled)] * bool(below) + [(*filled, JOKER)] * (above <= 13)
        filled = builder.draw(st.sampled_from(ends))
    builder.put(("run", filled), laid=builder.kind.replaced is Replaced.RACK)


def _run_fits(kind: Kind, start: int, length: int, place: int) -> bool:
    """Whether a joker lies at that place in a run of that kind, and what it leaves can be made good."""
    end = start + length - 1
    wanted = {
        Holder.RUN_FIRST: place == 0,
        Holder.RUN_INSIDE: 0 < place < length - 1,
        Holder.RUN_LAST: place == length - 1,
    }
    if not wanted.get(kind.holder, True):
        return False
    if kind.in_place:
        return kind.reused is not Reused.OWN_MELD or start > 1 or end < 13
    if kind.reused is Reused.OWN_MELD:
        return (place == 0 and end < 13) or (place == length - 1 and start > 1)
    left, right = place, length - 1 - place
    return (not left or start + place - 3 >= 1) and (not right or start + place + 3 <= 13)


def _free_from_group(builder: _Builder) -> Face:
    """The group before, and what becomes of it; gives a face that the joker may have stood for."""
    kind, draw = builder.kind, builder.draw
    jokers, size = 1, 3 if kind.holder is Holder.GROUP_OF_THREE else 4
    if kind.holder is Holder.GROUP_OF_MORE_JOKERS:
        jokers = draw(st.integers(2, min(3, builder.jokers)))
        size = draw(st.integers(max(3, jokers + 1), 4)) if kind.in_place else 4
    number = draw(st.integers(1, 13))
    colours = sorted(draw(st.sets(st.sampled_from(Colour), min_size=size - jokers, max_size=size - jokers)))
    numbered = tuple(Tile(colour, number) for colour in colours)
    builder.before.append(("group", (*numbered, *[JOKER] * jokers)))
    everyone = [Tile(colour, number) for colour in Colour]
    stood_for = draw(st.sampled_from([face for face in everyone if face not in numbered]))
    builder.used.update(everyone)
    if kind.in_place:
        left = (*numbered, stood_for, *[JOKER] * (jokers - 1))
        builder.put(("group", left), laid=kind.replaced is Replaced.RACK)
    elif size == 4:
        builder.put(("group", (*numbered, *[JOKER] * (jokers - 1))), laid=False)
    else:
        # Two tiles are no group any more, so each becomes part of a run.
        for face in numbered:
            builder.lay(runs(3, face), [face])
    return stood_for


def _replace(builder: _Builder, stood_for: Face) -> None:
    """Where the tile that the joker stood for comes from, or lies."""
    match builder.kind.replaced:
        case Replaced.TABLE:
            builder.give(stood_for)
        case Replaced.TABLE_ELSEWHERE:
            builder.stand(builder.pick(runs(3, stood_for) + groups(3, stood_for), [stood_for]))
        case Replaced.RACK_ELSEWHERE if builder.kind.reused is not Reused.REPLACING_TILE:
            builder.lay(runs(3, stood_for) + groups(3, stood_for), [stood_for])


def _reuse(builder: _Builder, stood_for: Face) -> None:
    """Where the joker goes."""
    match builder.kind.reused:
        case Reused.OLD_MELD:
            _join_old_meld(builder)
        case Reused.REPLACING_TILE:
            shape, place = _new_meld(builder, runs(3, stood_for) + groups(3, stood_for), stood_for)
            builder.put(with_joker(shape, place), laid=True)
        case Reused.TWO_RACK_TILES | Reused.ONE_RACK_TILE | Reused.NO_RACK_TILE as reused:
            shape, place = _new_meld(builder, [*runs(3), *runs(4), *groups(3), *groups(4)])
            others = [face for index, face in enumerate(shape[1]) if index != place]
            laid = {Reused.ONE_RACK_TILE: 1, Reused.NO_RACK_TILE: 0}.get(reused, 2)
            _give_to_new_meld(builder, builder.draw(st.permutations(others))[laid:])
            builder.put(with_joker(shape, place), laid=laid > 0)


def _new_meld(builder: _Builder, shapes: Iterable[Shape], replacing: Face | None = None) -> tuple[Shape, int]:
    """A new meld and the joker's place in it, which none of the used faces, but one, may be or stand for."""
    used = builder.used - {replacing}
    options = [
        (shape, place)
        for shape in shapes
        for place, face in enumerate(shape[1])
        if face != replacing and used.isdisjoint(shape[1]) and builder.used.isdisjoint(meanings(shape, place))
    ]
    if not options:
        reject()
    shape, place = builder.draw(st.sampled_from(options))
    builder.used.update(shape[1])
    return shape, place


def _give_to_new_meld(builder: _Builder, faces: Sequence[Face]) -> None:
    """Each tile comes from a meld of its own, or two that follow each other from one."""
    left = sorted(faces, key=lambda face: face.face_index)
    while left:
        follow = len(left) > 1 and left[1].face_index == left[0].face_index + 1 and left[0].number < 13
        count = 2 if follow and builder.draw(st.booleans()) else 1
        builder.give(*left[:count])
        del left[:count]


def _join_old_meld(builder: _Builder) -> None:
    """A meld of the table with the joker: longer, in the gap between two, or in place of a tile that left."""
    ways: list[Callable[[_Builder], None]] = [_lengthen, _bridge, _take_the_place_of_a_tile]
    builder.draw(st.sampled_from(ways))(builder)


def _lengthen(builder: _Builder) -> None:
    kind, faces = builder.pick([*runs(4), *groups(4)])
    place = builder.draw(st.sampled_from([0, 3])) if kind == "run" else builder.draw(st.integers(0, 3))
    builder.before.append((kind, faces[:place] + faces[place + 1 :]))
    builder.after.append(with_joker((kind, faces), place))


def _bridge(builder: _Builder) -> None:
    kind, faces = builder.pick(runs(7))
    builder.before += [(kind, faces[:3]), (kind, faces[4:])]
    builder.after.append(with_joker((kind, faces), 3))


def _take_the_place_of_a_tile(builder: _Builder) -> None:
    kind, faces = builder.pick(groups(4))
    place = builder.draw(st.integers(0, 3))
    builder.before.append((kind, faces))
    builder.after.append(with_joker((kind, faces), place))
    builder.lay(runs(3, faces[place]), [faces[place]])


@st.composite
def strangers(draw: DrawFn, swap: Swap, tile_set: TileSet, *, apart: bool) -> Swap:
    """Up to three melds that lie there all the time, some with jokers; `apart`: of other faces, without."""
    there = Counter(face for _, faces in swap.after for face in faces)
    found: list[Shape] = []
    for _ in range(draw(st.integers(0, 3))):
        kind, faces = draw(st.sampled_from([*runs(3), *runs(5), *groups(3), *groups(4)]))
        if not apart and draw(st.booleans()):
            kind, faces = with_joker((kind, faces), draw(st.integers(0, len(faces) - 1)))
        if apart and not swap.used.isdisjoint(faces):
            continue
        most = dict.fromkeys(faces, 1 if apart else tile_set.copies) | {JOKER: tile_set.jokers}
        if all(there[face] < most[face] for face in faces):
            there.update(faces)
            found.append((kind, faces))
    return Swap(tuple(found), tuple(found))
