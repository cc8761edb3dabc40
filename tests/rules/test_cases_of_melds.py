"""Situations of tests/data/cases.json in single melds: jokers in them, groups and runs that are none."""

from __future__ import annotations

import pytest

from p2prummi.rules import holds_opening, parse_meld, parse_tiles
from tests.rules.positions import codes, every_preset, judged, rules


@every_preset
def test_a01_joker_beyond_13(preset: str) -> None:
    meld = parse_meld("[R12 R13 J]")
    assert (str(meld), meld.value) == ("[J R12 R13]", 36)
    assert judged("[R12 R13 J]", rack="R12 R13 J", ruleset=rules(preset)).legal


def test_a02_joker_below_1() -> None:
    meld = parse_meld("[J R1 R2]")
    assert (str(meld), meld.value) == ("[R1 R2 J]", 6)
    assert {str(face) for face in meld.faces_of(meld.tiles[2])} == {"R3"}


def test_a04_jokers_at_both_ends() -> None:
    meld = parse_meld("[J B5 B6 J]")
    assert (str(meld), meld.value) == ("[J B5 B6 J]", 22)


MELDS_THAT_ARE_NONE = [
    ("A05", "R13 O13 K13 K13", "duplicate_colour"),
    ("A06", "R13 O13 R13 J", "duplicate_colour"),
    ("A07", "K5 B5 O5 R5 J", "group_too_large"),
    ("A08", "O11 K12 B13", "not_a_meld"),
    ("A12", "R12 R13 R1", "run_wraps"),
    ("A12", "R13 R1 R2", "run_wraps"),
    ("A15", "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 J", "run_too_long"),
]


@every_preset
@pytest.mark.parametrize(("case", "tiles", "code"), MELDS_THAT_ARE_NONE)
def test_melds_that_are_none(preset: str, case: str, tiles: str, code: str) -> None:
    assert codes(judged(f"[{tiles}]", rack=tiles, ruleset=rules(preset))) == [code]


def test_a09_one_number_and_two_jokers() -> None:
    rack = "R10 J J"
    assert "ambiguous_meld" in codes(judged("[R10 J J]", rack=rack, opened=False))
    for after, points in (("group[R10 J J]", 30), ("run[R10 J J]", 33)):
        judgement = judged(after, rack=rack, opened=False)
        assert (judgement.legal, judgement.points) == (True, points)
    lowest = judged("run[J J R10]", rack=rack, opened=False)
    assert (codes(lowest), lowest.points) == (["opening_too_low"], 27)


def test_a10_joker_shown_out_of_order() -> None:
    assert str(parse_meld("[R1 R2 R4 R5 J]")) == "[R1 R2 J R4 R5]"


def test_a11_run_given_in_another_order() -> None:
    assert str(parse_meld("[R6 R8 R7]")) == "[R6 R7 R8]"


def test_a13_no_number_tile() -> None:
    ruleset = rules("official", "copies=3", "jokers=4")
    for after in ("[J J J]", "run[J J J]", "group[J J J]"):
        assert codes(judged(after, rack="J J J R5", ruleset=ruleset)) == ["no_number_tile"]


def test_a14_one_joker_read_as_two() -> None:
    assert not judged("run[R5 J J]", rack="R5 J").legal
    assert not holds_opening(rules("official", "opening_points=0"), parse_tiles("R5 J"))


def test_a15_full_run() -> None:
    run = "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13"
    assert codes(judged(f"[{run} J]", table=f"[{run}]", rack="J")) == ["run_too_long"]
