"""Turns: every fault for itself, all at once, and what the answer says besides."""

from __future__ import annotations

import pytest

from p2prummi.rules import (
    DraftMeld,
    Draw,
    Judgement,
    Pass,
    Play,
    Tile,
    TurnFaultCode,
    judge,
    judge_draft,
    parse_tiles,
    tiles_of,
)
from tests.rules.positions import codes, every_preset, judged, rules, shown, table_of


def wire(
    after: str, *, table: str = "", opened: bool = True, opening: str | None = None, preset: str = "official"
) -> Judgement:
    """A turn as it travels: the table's tiles come first in the copies of the table after."""
    return judge(
        Play(table_of(after), None if opening is None else table_of(opening)),
        ruleset=rules(preset),
        table=table_of(table),
        opened=opened,
        pool_left=10,
    )


def wire_codes(judgement: Judgement) -> list[str]:
    return sorted(fault.code.value for fault in judgement.faults)


@every_preset
@pytest.mark.parametrize(
    ("table", "rack", "after"),
    [
        pytest.param("[R4 R5 R6 R7 R8]", "R6", "[R4 R5 R6] [R6 R7 R8]", id="splitting a run"),
        pytest.param("[K4 B4 R4 O4]", "B3 B5", "[K4 R4 O4] [B3 B4 B5]", id="borrowing from a group"),
        pytest.param(
            "[O1 O2 O3 O4] [K1 B1 R1 O1]", "B1", "[O2 O3 O4] [K1 B1 O1] [R1 B1 O1]", id="splitting a group"
        ),
        pytest.param(
            "[B8 B9 B10]", "B11 K8 R8", "[B9 B10 B11] [B8 K8 R8]", id="growing a run, using its end"
        ),
        pytest.param(
            "[O5 O6 O7] [R5 R6 R7] [K5 K6 K7 K8 K9]",
            "B5 K10",
            "[K5 B5 O5 R5] [K6 O6 R6] [K7 O7 R7] [K8 K9 K10]",
            id="double split",
        ),
    ],
)
def test_rearrangements_that_every_text_allows(preset: str, table: str, rack: str, after: str) -> None:
    judgement = judged(after, table=table, rack=rack, ruleset=rules(preset))
    assert (codes(judgement), judgement.points) == ([], 0)


@pytest.mark.parametrize(
    ("table", "rack", "after", "expected"),
    [
        ("[B5 B6 B7]", "B4", "[B4 B5 B6] [B7]", ["meld_too_short"]),
        ("[R4 R5 R6 R7 R8]", "R6", "[R4 R5] [R6 R7 R8] [R6]", ["meld_too_short"] * 2),
        ("[R4 R5 R6]", "R1", "[R4 R5 R6]", ["nothing_laid"]),
        ("[R4 R5 R6 R7]", "K1 K2 K3", "[R4 R5 R6] [K1 K2 K3]", ["table_tile_missing"]),
        ("[R4 R5 R6]", "R8", "[R4 R5 R6 R7]", ["tile_not_on_rack"]),
        ("[R4 R5 R6 J]", "K1 K2 K3", "[R4 R5 R6] [K1 K2 K3]", ["joker_not_used"]),
        (
            "[R4 R5 R6 R7] [K1 K2 K3]",
            "B9",
            "[R4 R5 R6] [K1 K2 B3] [O1 O2]",
            ["meld_too_short", "not_a_meld"] + ["table_tile_missing"] * 2 + ["tile_not_on_rack"] * 3,
        ),
    ],
)
def test_all_faults_at_once(table: str, rack: str, after: str, expected: list[str]) -> None:
    judgement = judged(after, table=table, rack=rack)
    assert codes(judgement) == expected
    assert judgement.play is None
    assert not judgement.legal


def test_a_fault_says_which_meld() -> None:
    judgement = judged("[R4 R5 R6] [K1] [B1 B2 B3]", rack="R4 R5 R6 K1 B1 B2 B3")
    assert [(fault.code, fault.meld) for fault in judgement.faults] == [(TurnFaultCode.MELD_TOO_SHORT, 1)]
    assert judgement.faults[0].text == "[K1] is too short: a meld has at least three tiles."


def test_a_rack_with_a_tile_that_does_not_exist() -> None:
    judgement = judge_draft(
        [DraftMeld(parse_tiles("R4 R5 R6"))],
        ruleset=rules(),
        table=(),
        opened=True,
        rack=[*parse_tiles("R4 R5 R6"), Tile(None, 0, 2)],
    )
    assert [fault.text for fault in judgement.faults] == ["There is one J too many: the set holds 2 of it."]


def test_the_tiles_laid_are_in_canonical_order() -> None:
    judgement = judged("[O4 J O6] [K1 B1 R1]", rack="O4 J O6 R1 B1 K1")
    assert list(map(str, judgement.laid)) == ["K1", "B1", "R1", "O4", "O6", "J"]


def test_on_the_wire_a_tile_lies_in_one_place() -> None:
    melds = (*table_of("[R4 R5 R6]"), *table_of("[R5 K5 B5]"))
    judgement = judge(Play(melds), ruleset=rules(), table=(), opened=True, pool_left=1)
    assert wire_codes(judgement) == ["tile_twice"]


def test_on_the_wire_the_other_copy_is_another_tile() -> None:
    table = table_of("[R7 B7 K7]")
    other = table_of("[R7 B7 K7]", taken=parse_tiles("R7"))
    judgement = judge(Play(other), ruleset=rules(), table=table, opened=True, pool_left=1)
    assert wire_codes(judgement) == ["table_tile_missing"]
    assert list(map(str, judgement.laid)) == ["R7"]


def test_no_rack_no_question_of_ownership() -> None:
    assert wire("[R7 B7 K7]").legal
    held = judge(
        Play(table_of("[R7 B7 K7]")),
        ruleset=rules(),
        table=(),
        opened=True,
        pool_left=1,
        rack=parse_tiles("R7 B7"),
    )
    assert wire_codes(held) == ["tile_not_on_rack"]


OPEN = "[R10 R11 R12]"


@pytest.mark.parametrize(
    ("after", "opening", "preset", "expected", "points"),
    [
        (OPEN, OPEN, "official", [], 33),
        (OPEN, None, "official", ["opening_differs", "opening_missing"], 0),
        (OPEN, "", "official", ["opening_differs", "opening_missing"], 0),
        (OPEN, None, "nl-digitaal", ["opening_missing"], 0),
        ("[R9 K9 B9]", "[R9 K9 B9]", "official", ["opening_too_low"], 27),
        ("[R9 K9 B9]", "[R9 K9 B9]", "nl-digitaal", ["opening_too_low"], 27),
        ("[R9 K9 B9 J]", "[R9 K9 B9 J]", "nl-klassiek", ["opening_joker"], 36),
        ("[R9 K9 B9 J]", "[R9 K9 B9 J]", "nl-digitaal", ["opening_joker"], 36),
        (OPEN, "[R10 R11 R12 R13]", "official", ["opening_differs", "opening_not_from_rack"], 46),
        (OPEN, "[R10 R11 R12 R13]", "nl-digitaal", ["opening_not_from_rack"], 46),
        (f"{OPEN} [K1 K2 K3]", OPEN, "official", ["opening_differs"], 33),
        (f"{OPEN} [K1 K2 K3]", OPEN, "nl-digitaal", [], 33),
        ("[R10 R11 R12 R13]", OPEN, "official", ["opening_differs"], 33),
        ("[R10 R11 R12 R13]", OPEN, "nl-digitaal", [], 33),
        ("[R10 K10 B10] [R11 K11 B11] [R12 K12 B12]", OPEN, "nl-digitaal", [], 33),
        ("[R10 K10 B10] [R11 K11 B11] [R12 K12 B12]", OPEN, "official", ["opening_differs"], 33),
    ],
)
def test_openings_on_the_wire(
    after: str, opening: str | None, preset: str, expected: list[str], points: int
) -> None:
    judgement = wire(after, opened=False, opening=opening, preset=preset)
    assert (wire_codes(judgement), judgement.points) == (expected, points)


@pytest.mark.parametrize("preset", ["official", "nl-digitaal"])
def test_a_witness_uses_each_tile_once(preset: str) -> None:
    judgement = judge(
        Play(table_of("[R10 R11 R12]"), (*table_of("[R10 R11 R12]"), *table_of("[R10 R11 R12]"))),
        ruleset=rules(preset),
        table=(),
        opened=False,
        pool_left=1,
    )
    assert "opening_not_from_rack" in wire_codes(judgement)


@pytest.mark.parametrize("preset", ["official", "nl-digitaal"])
def test_a_witness_is_not_of_the_table(preset: str) -> None:
    judgement = wire(
        "[R10 R11 R12 R13]", table="[R10 R11 R12]", opened=False, opening="[R10 R11 R12]", preset=preset
    )
    assert {"opening_not_from_rack", "not_opened_manipulation"} <= set(wire_codes(judgement))


def test_who_has_opened_names_no_opening() -> None:
    judgement = wire(OPEN, opening=OPEN)
    assert (wire_codes(judgement), judgement.points) == (["already_opened"], 0)


def test_the_table_is_untouched_in_other_copies_too() -> None:
    """Equal tiles are interchangeable: an opening may lay R10 where the table's R10 was."""
    table = table_of("[R10 B10 K10]")
    swapped = (*table_of("[R10 B10 K10]", taken=parse_tiles("R10")), *table_of("[R10 R11 R12]"))
    witness = table_of("[R10 R11 R12]", taken=parse_tiles("R10"))
    judgement = judge(Play(swapped, witness), ruleset=rules(), table=table, opened=False, pool_left=1)
    assert wire_codes(judgement) == []


def test_a_draft_finds_its_witness() -> None:
    judgement = judged("[R10 R11 R12] [B4 B5 B6]", table="[B4 B5 B6]", rack="R10 R11 R12", opened=False)
    assert judgement.play is not None
    assert shown(judgement.play.opening or ()) == ["[R10 R11 R12]"]


def test_a_draft_listed_in_another_order_finds_it_too() -> None:
    judgement = judged("[R10 R11 R12] [R10 B10 K10]", table="[R10 B10 K10]", rack="R10 R11 R12", opened=False)
    assert judgement.legal
    assert judgement.play is not None
    assert set(tiles_of(judgement.play.opening or ())) == set(judgement.laid)


def test_a_draft_may_name_its_opening() -> None:
    rack = "R10 R11 R12 K1 K2 K3"
    after = "[R10 R11 R12] [K1 K2 K3]"
    whole = judged(after, rack=rack, opened=False, opening=after)
    assert (whole.legal, whole.points) == (True, 39)
    part = judged(after, rack=rack, opened=False, opening="[R10 R11 R12]")
    assert codes(part) == ["opening_differs"]
    broken = judged(after, rack=rack, opened=False, opening="[R10 R11]")
    assert codes(broken) == ["meld_too_short", "opening_differs", "opening_missing"]
    assert all(fault.meld is None for fault in broken.faults)
    opened = judged(after, rack=rack, opened=True, opening="[R10 R11 R12]")
    assert codes(opened) == ["already_opened"]


def test_points_show_while_the_opening_grows() -> None:
    rack = "R9 K9 B9 R1 R2 R3"
    for after, points in (("", 0), ("[R9 K9]", 0), ("[R9 K9 B9]", 27), ("[R9 K9 B9] [R1 R2 R3]", 33)):
        judgement = judged(after, rack=rack, opened=False)
        assert (judgement.points, judgement.legal) == (points, points >= 30)


def test_manipulation_before_opening_is_named_beside_all_else() -> None:
    judgement = judged("[R9 K9 B9 O9] [R4 R5]", table="[R9 K9 B9] [R4 R5 R6]", rack="O9 K1", opened=False)
    assert codes(judgement) == [
        "meld_too_short",
        "not_opened_manipulation",
        "opening_missing",
        "table_tile_missing",
    ]


def test_draws_and_passes_lay_nothing() -> None:
    for turn, pool_left in ((Draw(), 1), (Pass(), 0)):
        assert judge(turn, ruleset=rules(), table=(), opened=False, pool_left=pool_left) == Judgement(
            faults=()
        )


def test_a_joker_turned_before_opening_is_one_fault() -> None:
    """What jokers stood for is asked only once the table is open to the player."""
    judgement = judged("[J R10 R11] [K11 K12 K13]", table="[R10 R11 J]", rack="K11 K12 K13", opened=False)
    assert codes(judgement) == ["not_opened_manipulation"]


def test_a_tile_too_many_says_how_many_there_are() -> None:
    large = rules("official", "copies=3", "jokers=4")
    for rack, text in (("R5 R5 R5 R5", "one R5 too many: the set holds 3"), ("J J J J J", "the set holds 4")):
        judgement = judged("[K1 K2 K3]", rack=f"K1 K2 K3 {rack}", ruleset=large)
        assert codes(judgement) == ["no_such_tile"]
        assert text in judgement.faults[0].text
