"""Counts within bounds: the search against going through every combination of ways."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.rules.matching import Cell, reachable

cells = st.lists(
    st.integers(-1, 2).map(lambda most: Cell(most=most))
    | st.integers(-1, 2).map(lambda least: Cell(least=least)),
    min_size=1,
    max_size=4,
)


def by_trying(bounds: list[Cell], faces: list[list[frozenset[int]]]) -> bool:
    for choice in product(*faces):
        counts = [sum(index in way for way in choice) for index in range(len(bounds))]
        if all(
            count >= cell.least and (cell.most is None or count <= cell.most)
            for count, cell in zip(counts, bounds, strict=True)
        ):
            return True
    return False


@settings(max_examples=300)
@given(cells, st.data())
def test_the_search_agrees_with_trying_everything(bounds: list[Cell], data: st.DataObject) -> None:
    way = st.frozensets(st.integers(0, len(bounds) - 1))
    faces = data.draw(st.lists(st.lists(way, min_size=1, max_size=4), max_size=4))
    assert reachable(bounds, faces) == by_trying(bounds, faces)


def test_wanted_and_bounded_counts() -> None:
    bounds = [Cell(most=1), Cell(least=1)]
    assert reachable(bounds, [[frozenset({0}), frozenset({1})], [frozenset({0})]])
    assert not reachable(bounds, [[frozenset({0})], [frozenset({0}), frozenset({0, 1})]])
