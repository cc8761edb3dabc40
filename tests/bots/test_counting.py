"""Counting tiles: what a seat has not seen, and what of that a table lets in."""

from __future__ import annotations

import pytest
from hypothesis import given

from p2prummi.bots import PlayerView
from p2prummi.bots.counting import let_in, unseen_tiles
from p2prummi.rules import parse_tiles, tiles_of
from tests.bots.views import melds_of, views


@given(view=views())
def test_every_tile_is_on_the_table_on_the_rack_or_unseen(view: PlayerView) -> None:
    unseen = unseen_tiles(view)
    both = sorted([*unseen, *tiles_of(view.table), *view.rack], key=lambda tile: tile.canonical_key)
    assert both == sorted(view.ruleset.tile_set.tiles, key=lambda tile: tile.canonical_key)


@pytest.mark.parametrize(
    ("table", "unseen", "count"),
    [
        pytest.param("[R5 R6 R7]", "R4 R8 R8 K8 R3", 3, id="both-ends-of-a-run"),
        pytest.param("[K8 B8 O8]", "R8 R8 K8 R9", 2, id="the-colour-that-a-group-lacks"),
        pytest.param("[R3 R4 R5 R6 R7]", "R5 R1", 1, id="into-a-long-run"),
        pytest.param("[K8 B8 R8 O8]", "K9 K10 B8", 0, id="two-tiles-together-do-not-count"),
        pytest.param("[R5 R6 R7]", "J J K1", 2, id="jokers"),
        pytest.param("", "R5 R6 R7", 0, id="an-empty-table"),
    ],
)
def test_a_table_lets_in_what_makes_a_step_by_itself(table: str, unseen: str, count: int) -> None:
    assert let_in(melds_of(table), parse_tiles(unseen)) == count
