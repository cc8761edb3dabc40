"""The best turn by trying every table that some of the rack's tiles could make: slow, and plainly right.

Whether a turn is legal is asked of the rules, whose joker rules have a brute force of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from p2prummi.rules import Group, Meld, Play, Ruleset, Run, Tile, judge, tiles_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

JOKER = 52
FaceMeld = tuple[type[Group | Run], tuple[int, ...]]


def best_worth(
    ruleset: Ruleset,
    table: tuple[Meld, ...],
    rack: Sequence[Tile],
    weights: Sequence[int],
    joker_weight: int,
) -> int:
    """The most that an opened player can lay; 0 where nothing can be laid."""
    must = Counter(tile.face_index for tile in tiles_of(table))
    may = Counter(tile.face_index for tile in rack)
    melds = list(_melds(must + may))
    best = 0
    for cover in _covers(must, may, melds):
        laid = Counter(face for _, faces in cover for face in faces) - must
        worth = sum(
            count * (joker_weight if face == JOKER else weights[face % 13 + 1])
            for face, count in laid.items()
        )
        if worth > best and _is_legal(ruleset, table, rack, cover):
            best = worth
    return best


def _melds(counts: Counter[int]) -> Iterator[FaceMeld]:
    for number in range(13):
        colours = [face for face in range(number, JOKER, 13) if counts[face]]
        for size in (3, 4):
            for jokers in range(min(counts[JOKER], size - 1) + 1):
                for chosen in combinations(colours, size - jokers):
                    yield Group, (*chosen, *[JOKER] * jokers)
    for lowest in range(0, JOKER, 13):
        for start in range(11):
            for end in range(start + 3, 14):
                faces = range(lowest + start, lowest + end)
                for jokers in range(min(counts[JOKER], len(faces) - 1) + 1):
                    for replaced in combinations(faces, jokers):
                        if all(counts[face] for face in faces if face not in replaced):
                            yield Run, tuple(JOKER if face in replaced else face for face in faces)


def _covers(must: Counter[int], may: Counter[int], melds: list[FaceMeld]) -> Iterator[list[FaceMeld]]:
    """Every choice of melds that uses all of `must` and some of `may`."""
    face = min((face for face, count in must.items() if count), default=None)
    if face is None:
        face = min((face for face, count in may.items() if count), default=None)
        if face is None:
            yield []
            return
        without = Counter(may)
        del without[face]
        yield from _covers(must, without, melds)
    there = must + may
    for meld in melds:
        if face not in meld[1] or not Counter(meld[1]) <= there:
            continue
        must_left, may_left = Counter(must), Counter(may)
        for used in meld[1]:
            if must_left[used]:
                must_left[used] -= 1
            else:
                may_left[used] -= 1
        for others in _covers(+must_left, +may_left, melds):
            yield [meld, *others]


def _is_legal(
    ruleset: Ruleset, table: tuple[Meld, ...], rack: Sequence[Tile], cover: Sequence[FaceMeld]
) -> bool:
    piles: dict[int, list[Tile]] = defaultdict(list)
    for tile in (*reversed(rack), *tiles_of(table)):
        piles[tile.face_index].append(tile)
    melds = []
    for kind, faces in cover:
        tiles = [piles[face].pop() for face in faces]
        if kind is Group:
            tiles.sort(key=lambda tile: tile.canonical_key)
        melds.append(kind(tuple(tiles)))
    play = Play(tuple(melds))
    return judge(play, ruleset=ruleset, table=table, opened=True, pool_left=1, rack=rack).legal
