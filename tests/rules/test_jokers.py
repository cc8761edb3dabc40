"""Jokers that lay on the table, case by case; `test_jokers_brute_force.py` compares with a second opinion."""

from __future__ import annotations

import pytest

from tests.rules.positions import codes, judged, rules

OK: list[str] = []
NOT_REPLACED = ["joker_not_replaced"]
NOT_ON_TABLE = ["joker_tile_not_on_table"]
NOT_NEW = ["joker_not_in_new_meld"]
FEW_RACK_TILES = ["joker_without_rack_tiles"]
BACK = ["joker_back_in_its_meld"]
CONFLICT = ["joker_rules_conflict"]


# Each row: why it matters, preset and settings, table, rack, table after, the fault codes.
CASES = [
    # The lines that brute force found to matter.
    (
        "K7 K7 laid free only one of two jokers of a group",
        ["joker_reuse=any_meld"],
        "[R7 B7 J J]",
        "K7 K7 K1 K3 O1 O3",
        "[R7 B7 K7] [K1 J K3] [K7 R7 J]",
        None,
    ),
]


def test_two_equal_tiles_free_only_one_joker_of_a_group() -> None:
    table, rack = "[R7 B7 J J]", "K7 K7 R7 R1 R2 O1 O2"
    both_taken = "[R7 B7 K7] [R1 R2 J] [O1 O2 J] [K7 R7 O7]"
    assert codes(judged(both_taken, table=table, rack=rack + " O7")) == OK
    after = "[R7 B7 K7] [R1 R2 J] [O1 O2 J] [K5 K6 K7]"
    assert codes(judged(after, table=table, rack="K7 K7 K5 K6 R1 R2 O1 O2")) == NOT_REPLACED


def test_one_of_two_jokers_freed_the_other_kept() -> None:
    after = "[R7 B7 K7 J] [R1 R2 J]"
    assert codes(judged(after, table="[R7 B7 J J]", rack="K7 R1 R2")) == OK


@pytest.mark.parametrize(
    ("settings", "expected"),
    [([], FEW_RACK_TILES), (["joker_reuse=new_meld"], OK), (["joker_swap_from=free"], OK)],
)
def test_a_tile_that_frees_the_joker_is_none_of_the_two_rack_tiles(
    settings: list[str], expected: list[str]
) -> None:
    judgement = judged(
        "[R3 R4 R5] [R6 R7 J]", table="[R4 R5 J]", rack="R3 R6 R7", ruleset=rules("official", *settings)
    )
    if not settings:
        assert codes(judgement) in (CONFLICT, FEW_RACK_TILES)
    else:
        assert codes(judgement) == expected
