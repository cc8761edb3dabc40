"""The same questions asked of an integer program (HiGHS, through scipy): written apart from the solver.

Every meld that the tiles could form is a whole variable: how often it lies on the table. Jokers are tiles
like others, each at a place of its own in a meld. Runs of up to five tiles are enough, longer ones being
several; with three jokers and more, runs of up to seven, since a part of a run can't be jokers alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from p2prummi.rules import Meld, Tile

JOKER = 52


@dataclass(frozen=True)
class Answer:
    """The optimum, and the fewest melds of the table that any optimal arrangement changes."""

    value: int
    changed: int | None = None


def possible_melds(counts: Counter[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every meld that these tiles could form, as faces, and what it is worth."""
    jokers = counts[JOKER]
    for number in range(13):
        colours = [face for face in range(number, JOKER, 13) if counts[face]]
        for size in (3, 4):
            for used in range(min(jokers, size - 1) + 1):
                for chosen in combinations(colours, size - used):
                    yield (*chosen, *[JOKER] * used), (number + 1) * size
    longest = 5 if jokers < 3 else 7
    for lowest in range(0, JOKER, 13):
        for size in range(3, longest + 1):
            for start in range(14 - size):
                faces = range(lowest + start, lowest + start + size)
                missing = [face for face in faces if not counts[face]]
                others = [face for face in faces if counts[face]]
                for more in range(min(jokers - len(missing), len(others) - 1) + 1):
                    for replaced in combinations(others, more):
                        kept = [face for face in others if face not in replaced]
                        worth = sum(range(start + 1, start + size + 1))
                        yield (*kept, *[JOKER] * (size - len(kept))), worth


def faces_of(tiles: Iterable[Tile]) -> list[int]:
    return [tile.face_index for tile in tiles]


def best_lay(
    table: Sequence[Meld],
    rack: Iterable[Tile],
    weights: Sequence[int],
    joker_weight: int,
    *,
    with_changes: bool = False,
) -> Answer:
    """The most that can be laid, jokers moving freely; `weights` by number."""
    on_table = Counter(face for meld in table for face in faces_of(meld.tiles))
    on_rack = Counter(faces_of(rack))
    melds = list({faces: None for faces, _ in possible_melds(on_table + on_rack)})
    if not melds:
        return Answer(0, 0)
    laid_faces = sorted(on_rack)
    gains = [joker_weight if face == JOKER else weights[face % 13 + 1] for face in laid_faces]
    # Variables: how often each meld lies there, how many of each face are laid, which table melds are kept.
    kept = [tuple(faces_of(meld.tiles)) for meld in table] if with_changes else []
    columns = [*melds, *[(face,) for face in laid_faces], *kept]
    signs = [*[1] * len(melds), *[-1] * len(laid_faces), *[1] * len(kept)]
    matrix = _matrix(columns, signs)
    most = [*[9] * len(melds), *[on_rack[face] for face in laid_faces], *[1] * len(kept)]
    demand = np.array([on_table[face] for face in range(53)], dtype=float)
    objective = np.zeros(len(columns))
    objective[len(melds) : len(melds) + len(laid_faces)] = gains
    constraints = [LinearConstraint(matrix, demand, demand)]
    value = _solve(objective, constraints, most) or 0
    if not with_changes:
        return Answer(value)
    constraints.append(LinearConstraint(csc_array(objective.reshape(1, -1)), value, np.inf))
    keeping = np.zeros(len(columns))
    keeping[len(melds) + len(laid_faces) :] = 1
    return Answer(value, len(table) - (_solve(keeping, constraints, most) or 0))


def best_opening(
    rack: Iterable[Tile], points: int, weights: Sequence[int], joker_weight: int, *, fewest: bool
) -> int | None:
    """The most that an opening lays by weight, or the fewest tiles of one; None where there is none."""
    on_rack = Counter(faces_of(rack))
    # A group and a run of the same tiles may be worth different points, with jokers.
    melds = sorted(set(possible_melds(on_rack)))
    if not melds:
        return None
    columns = [faces for faces, _ in melds]
    matrix = _matrix(columns, [1] * len(columns))
    constraints = [
        LinearConstraint(matrix, 0, np.array([on_rack[face] for face in range(53)], dtype=float)),
        LinearConstraint(csc_array(np.array([[worth for _, worth in melds]], dtype=float)), points, np.inf),
    ]
    if fewest:
        sizes = np.array([len(faces) for faces in columns], dtype=float)
        found = _solve(-sizes, constraints, [9] * len(columns), may_fail=True)
        return None if found is None else -found
    gains = [
        sum(joker_weight if face == JOKER else weights[face % 13 + 1] for face in faces) for faces in columns
    ]
    return _solve(np.array(gains, dtype=float), constraints, [9] * len(columns), may_fail=True)


def _matrix(columns: Sequence[Sequence[int]], signs: Sequence[int]) -> csc_array:
    rows = [face for faces in columns for face in faces]
    places = [place for place, faces in enumerate(columns) for _ in faces]
    values = [float(sign) for faces, sign in zip(columns, signs, strict=True) for _ in faces]
    return csc_array((values, (rows, places)), shape=(53, len(columns)))


def _solve(
    objective: np.ndarray, constraints: list[LinearConstraint], most: Sequence[int], *, may_fail: bool = False
) -> int | None:
    found = milp(
        -objective,
        constraints=constraints,
        integrality=np.ones(len(objective)),
        bounds=Bounds(0, np.array(most, dtype=float)),
        options={"mip_rel_gap": 0.0},
    )
    if found.x is None and may_fail:
        return None
    assert found.success, found.message
    return round(float(objective @ found.x))
