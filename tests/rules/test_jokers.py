"""Jokers that lay on the table, case by case; `test_jokers_brute_force.py` compares with a second opinion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2prummi.rules import jokers
from p2prummi.rules.jokers import joker_faults, jokers_agree
from p2prummi.rules.matching import reachable
from tests.rules.positions import codes, judged, rules, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2prummi.rules import Ruleset
    from p2prummi.rules.matching import Cell, Ways

NOT_REPLACED = "joker_not_replaced"
NOT_ON_TABLE = "joker_tile_not_on_table"
NOT_NEW = "joker_not_in_new_meld"
FEW_RACK_TILES = "joker_without_rack_tiles"
BACK = "joker_back_in_its_meld"
CONFLICT = "joker_rules_conflict"


def ruled(swap: str, reuse: str) -> Ruleset:
    return rules("official", f"joker_swap_from={swap}", f"joker_reuse={reuse}")


# Rows: joker_swap_from, joker_reuse, table, rack, table after, what is wrong.
FOUND_BY_BRUTE_FORCE = [
    pytest.param(
        "rack",
        "any_meld",
        "[R7 B7 J J]",
        "K7 K7 K5 K6 R1 R2 O1 O2",
        "[R7 B7 K7] [R1 R2 J] [O1 O2 J] [K5 K6 K7]",
        [NOT_REPLACED],
        id="two equal tiles free only one joker of a group",
    ),
    pytest.param(
        "rack",
        "any_meld",
        "[R7 B7 J J]",
        "K7 O7 R1 R2 O1 O2",
        "[R7 B7 K7 O7] [R1 R2 J] [O1 O2 J]",
        [],
        id="two tiles free two jokers of a group",
    ),
    pytest.param(
        "rack",
        "new_meld_with_two_rack_tiles",
        "[R4 R5 J]",
        "R3 R6 R7",
        "[R3 R4 R5] [R6 R7 J]",
        [CONFLICT],
        id="the tile that frees is none of the two rack tiles",
    ),
    pytest.param(
        "rack",
        "new_meld",
        "[R4 R5 J]",
        "R3 R6 R7",
        "[R3 R4 R5] [R6 R7 J]",
        [],
        id="unless none are asked for",
    ),
    pytest.param(
        "rack",
        "new_meld",
        "[K9 B9 O9 R9] [R4 R5 J]",
        "R6 R10 R11",
        "[R9 R10 R11] [K9 B9 O9 J] [R4 R5 R6]",
        [NOT_NEW],
        id="a group that loses a tile is not made new by a joker",
    ),
    pytest.param(
        "rack",
        "other_meld",
        "[K9 B9 O9 R9] [R4 R5 J]",
        "R6 R10 R11",
        "[R9 R10 R11] [K9 B9 O9 J] [R4 R5 R6]",
        [],
        id="but another meld it is",
    ),
    pytest.param(
        "rack",
        "any_meld",
        "[R4 R5 J]",
        "K1 K2 K3",
        "[J R4 R5] [K1 K2 K3]",
        [NOT_REPLACED],
        id="from one end of a run to the other is taken",
    ),
    pytest.param(
        "rack_or_table", "any_meld", "[R4 R5 J]", "R6", "[R4 R5 R6 J]", [], id="back in its meld, any_meld"
    ),
    pytest.param(
        "rack_or_table",
        "other_meld",
        "[R4 R5 J]",
        "R6",
        "[R4 R5 R6 J]",
        [BACK],
        id="back in its meld, other_meld",
    ),
]
# What each word of the rules asks for, beyond the lines above.
BY_THE_RULES = [
    pytest.param("rack", "new_meld", "[R7 B7 J]", "O7", "[R7 O7 B7 J]", [], id="kept, its meaning narrower"),
    pytest.param(
        "rack",
        "new_meld",
        "[R4 R5 J]",
        "R3 R7",
        "[R3 R4 R5 J R7]",
        [],
        id="kept, its meld growing at both ends",
    ),
    pytest.param(
        "rack",
        "new_meld",
        "[R7 B7 J J]",
        "K7 R1 R2",
        "[R7 B7 K7 J] [J R1 R2]",
        [],
        id="one joker of a group freed, the other kept",
    ),
    pytest.param(
        "rack",
        "any_meld",
        "[R4 J R6] [R4 J R6]",
        "R5 K1 K2",
        "[R4 R5 R6] [R4 J R6] [K1 K2 J]",
        [],
        id="one of two equal jokers freed, whichever",
    ),
    pytest.param(
        "rack",
        "any_meld",
        "[R5 J R7] [J R7 R8]",
        "R6 R8 R9 K1 K2 B1 B2",
        "[R5 R6 R7 R8] [R7 R8 R9] [K1 K2 J] [B1 B2 J]",
        [NOT_REPLACED],
        id="rack: two jokers need two tiles",
    ),
    pytest.param(
        "rack_or_table",
        "any_meld",
        "[R5 J R7] [J R7 R8]",
        "R6 R8 R9 K1 K2 B1 B2",
        "[R5 R6 R7 R8] [R7 R8 R9] [K1 K2 J] [B1 B2 J]",
        [],
        id="rack_or_table: one tile serves two jokers",
    ),
    pytest.param(
        "rack_or_table",
        "any_meld",
        "[R5 J R7 R8]",
        "R9 R4 R3 K1 K2",
        "[R3 R4 R5] [R7 R8 R9] [K1 K2 J]",
        [NOT_ON_TABLE],
        id="rack_or_table: no such tile on the table",
    ),
    pytest.param(
        "rack",
        "any_meld",
        "[R5 J R7 R8] [K6 B6 R6]",
        "R9 R4 R3 K1 K2",
        "[R3 R4 R5] [R7 R8 R9] [K1 K2 J] [K6 B6 R6]",
        [NOT_REPLACED],
        id="rack: a tile that lay there before doesn't free",
    ),
    pytest.param(
        "rack_or_table",
        "any_meld",
        "[R5 J R7 R8] [K6 B6 R6]",
        "R9 R4 R3 K1 K2",
        "[R3 R4 R5] [R7 R8 R9] [K1 K2 J] [K6 B6 R6]",
        [],
        id="rack_or_table: it does, wherever it lies",
    ),
    pytest.param(
        "free", "new_meld", "[R5 J R7 R8]", "R9 R4 R3 K1 K2", "[R3 R4 R5] [R7 R8 R9] [K1 K2 J]", [], id="free"
    ),
    pytest.param(
        "rack_or_table",
        "new_meld_with_two_rack_tiles",
        "[R4 R5 J] [K6 B6 R6]",
        "R3 R6 R7",
        "[R3 R4 R5] [R6 R7 J] [K6 B6 R6]",
        [],
        id="a tile on the table replaces, so the laid one counts",
    ),
    pytest.param(
        "rack_or_table",
        "new_meld_with_two_rack_tiles",
        "[R5 J R7] [J R7 R8]",
        "R6 R6 R9 K6 K1 K2",
        "[R5 R6 R7] [R7 R8 R9] [K6 R6 J] [K1 K2 J]",
        [],
        id="one laid tile serves two jokers, so its twin counts",
    ),
    pytest.param(
        "rack",
        "new_meld_with_two_rack_tiles",
        "[R5 J R7] [J R7 R8]",
        "R6 R6 R9 K6 K1 K2",
        "[R5 R6 R7] [R7 R8 R9] [K6 R6 J] [K1 K2 J]",
        [CONFLICT],
        id="rack: both twins are needed to free",
    ),
    pytest.param(
        "free",
        "other_meld",
        "[R4 R5 J]",
        "K1 K2 K3",
        "[J R4 R5] [K1 K2 K3]",
        [BACK],
        id="at the other end it is back in its meld too",
    ),
    pytest.param(
        "free",
        "other_meld",
        "[R2 R3 J] [J R4 R5]",
        "K1 K2 K3",
        "[J R2 R3 R4 R5 J] [K1 K2 K3]",
        [BACK, BACK],
        id="two melds joined: each joker is beside the tiles of its own",
    ),
    pytest.param(
        "free",
        "new_meld_with_two_rack_tiles",
        "[R4 R5 J]",
        "R3 R6 R7",
        "[R3 R4 R5] [R6 R7 J]",
        [],
        id="free: no tile replaces",
    ),
    pytest.param(
        "rack",
        "new_meld_with_two_rack_tiles",
        "[R4 R5 J] [K3 K4 K5 K6]",
        "R6 B3",
        "[R4 R5 R6] [K4 K5 K6] [K3 B3 J]",
        [FEW_RACK_TILES],
        id="one rack tile is not two",
    ),
    pytest.param(
        "rack",
        "new_meld_with_two_rack_tiles",
        "[R4 R5 J] [K3 K4 K5 K6]",
        "R6 B3 J",
        "[R4 R5 R6] [K4 K5 K6] [K3 B3 J J]",
        [],
        id="a joker from the rack is a rack tile",
    ),
    pytest.param(
        "rack",
        "new_meld",
        "[R4 R5 J] [K3 K4 K5 K6 K7]",
        "R6",
        "[R4 R5 R6] [J K3 K4 K5 K6 K7]",
        [NOT_NEW],
        id="added to a meld is in no new one",
    ),
    pytest.param(
        "free",
        "new_meld",
        "[K5 J K7 J]",
        "K6 K4 R9",
        "[K4 K5 K6 K7] run[R9 J J]",
        [],
        id="two jokers of one meld may go together",
    ),
    pytest.param(
        "free",
        "other_meld",
        "run[J K5 J]",
        "K3 K4",
        "run[K3 K4 K5 J J]",
        [BACK],
        id="both back beside the tile of their meld",
    ),
]


@pytest.mark.parametrize(("swap", "reuse", "table", "rack", "after", "wrong"), FOUND_BY_BRUTE_FORCE)
def test_what_brute_force_found(
    swap: str, reuse: str, table: str, rack: str, after: str, wrong: list[str]
) -> None:
    assert codes(judged(after, table=table, rack=rack, ruleset=ruled(swap, reuse))) == wrong


@pytest.mark.parametrize(("swap", "reuse", "table", "rack", "after", "wrong"), BY_THE_RULES)
def test_by_the_rules(swap: str, reuse: str, table: str, rack: str, after: str, wrong: list[str]) -> None:
    assert codes(judged(after, table=table, rack=rack, ruleset=ruled(swap, reuse))) == wrong


def test_the_witness_frees_no_joker() -> None:
    after, rack = "[R7 R8 R9 R10 R11] [K1 K2 J]", "R9 R10 R11 K1 K2"
    for swap, wrong in (("rack", [NOT_REPLACED]), ("rack_or_table", []), ("free", [])):
        ruleset = rules("nl-digitaal", f"joker_swap_from={swap}")
        judgement = judged(after, table="[R7 R8 J]", rack=rack, ruleset=ruleset, opened=False)
        assert (codes(judgement), judgement.points) == (wrong, 30)


def test_jokers_of_one_group_stand_for_different_colours_after_the_turn_too() -> None:
    """Two jokers that both stood for K7 can't both be kept in one group."""
    before = table_of("[B7 R7 O7 J] [B7 R7 O7 J]")
    after = table_of("[B7 O7 J J] [B7 R7 O7] [R6 R7 R8]")
    assert not jokers_agree(ruled("rack", "any_meld"), before, after)
    assert jokers_agree(ruled("free", "any_meld"), before, after)
    # Nor can they with a third joker, which is kept, between them.
    before = table_of("[B7 R7 O7 J] [K1 K2 J] [B7 R7 O7 J]")
    after = table_of("[B7 O7 J J] [K1 K2 J] [B7 R7 O7] [R6 R7 R8]")
    assert not jokers_agree(ruled("rack", "any_meld"), before, after)


def test_a_fault_names_the_jokers_meld_and_the_tiles_wanted() -> None:
    before = table_of("[R7 B7 J] [K1 K2 J]")
    (fault,) = joker_faults(ruled("rack", "any_meld"), before, table_of("[K7 R7 B7 J] [R1 K1 B1] [K2 B2 J]"))
    assert "[K1 K2 J]" in fault.text
    assert "K3" in fault.text
    (fault,) = joker_faults(
        ruled("rack", "any_meld"), before, table_of("[K1 K2 J] [B6 B7 B8] [R6 R7 R8] [O1 O2 J]")
    )
    assert "[B7 R7 J]" in fault.text
    assert "K7/O7" in fault.text


def test_jokers_are_judged_only_where_all_tiles_are_there() -> None:
    table = "[R4 R5 J] [K1 K2 K3]"
    assert codes(judged("[K1 J K3] [O1 O2 O3]", table=table, rack="O1 O2 O3")) == ["table_tile_missing"] * 3
    assert codes(judged("[R4 R5] [K1 K2 J] [K3 O3 B3]", table=table, rack="O3 B3")) == ["meld_too_short"]


def test_three_jokers_of_one_meld_make_no_new_one() -> None:
    table, rack = "group[R5 J J J]", "K5 B5 K9 K12"
    for after, wrong in (("run[K9 J J J]", [NOT_NEW]), ("[K9 J J K12] [R5 K5 B5 J]", [])):
        ruleset = rules("official", "copies=3", "jokers=4", "joker_swap_from=free", "joker_reuse=new_meld")
        whole = after if wrong == [] else f"{after} [R5 K5 B5]"
        assert codes(judged(whole, table=table, rack=rack, ruleset=ruleset)) == wrong


def test_both_rules_broken_are_both_named() -> None:
    after = "[R4 R5 R3] [J K4 K5 K6]"
    judgement = judged(after, table="[R4 R5 J] [K4 K5 K6]", rack="R3")
    assert codes(judgement) == [NOT_REPLACED, FEW_RACK_TILES]


@pytest.mark.parametrize(
    ("swap", "before", "after"),
    [
        pytest.param(
            "rack",
            "[K6 B6 R6 O6] [K2 R2 J] [K1 B1 J] [B4 R4 J] [K4 K5 K6] [K6 B6 R6 J] [O3 O4 O5] [K4 B4 R4]",
            "[K6 B6 R6 O6] [K5 B5 O5 J] [R2 R3 R4] [K1 K2 K3 K4] [K3 B3 O3] [K4 J K6] run[J J R6] "
            "[K3 B3 R3 O3] [R1 R2 R3 R4] [R4 R5 R6] [K2 B2 R2 O2] [O4 O5 O6] [B3 B4 B5] [O4 O5 O6] "
            "[K1 B1 O1] [B4 B5 B6] [K4 K5 K6]",
            id="a hundred if each way to match the jokers were followed to its end",
        ),
        pytest.param(
            "free",
            "group[R11 J J J] [K9 B9 O9 J] [K6 B6 O6] [K7 K8 K9] [R6 R7 R8] [K13 B13 R13] [K7 B7 O7]",
            "run[J O12 J] [K7 K8 K9] [O3 O4 O5] [K6 R6 O6 J] [B5 B6 B7 B8 B9] [K9 B9 R9 O9] [K8 R8 O8 J] "
            "[R9 R10 R11 R12] [R8 R9 R10] [K13 B13 R13 O13] [K6 K7 K8] [K7 B7 R7 O7] [O4 O5 O6 O7 O8] "
            "[B7 B8 B9]",
            id="a hundred if the same question were asked twice",
        ),
    ],
)
def test_few_questions_are_asked_of_the_number_tiles(
    swap: str, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table can be made to offer many ways to match its jokers; judging it must stay quick."""
    asked = []

    def counted(cells: Sequence[Cell], faces: Iterable[Ways]) -> bool:
        asked.append(cells)
        return reachable(cells, faces)

    monkeypatch.setattr(jokers, "reachable", counted)
    ruleset = rules(
        "official",
        "copies=3",
        "jokers=4",
        f"joker_swap_from={swap}",
        "joker_reuse=new_meld_with_two_rack_tiles",
    )
    assert not jokers_agree(ruleset, table_of(before), table_of(after))
    assert 0 < len(asked) < 30
