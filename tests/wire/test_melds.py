"""Melds as they travel: one form each, the way back, and every other form refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode
from p2prummi.rules import Group, Meld, MeldError, Run, TileSet
from p2prummi.rules.melds import parse_meld
from p2prummi.wire.events import WireMeld
from p2prummi.wire.melds import meld_from_wire, meld_to_wire, table_from_wire, table_to_wire
from tests.wire.samples import refusal_of

SMALL = TileSet(2, 2)
LARGE = TileSet(3, 4)
GROUP, RUN = 0, 1

FORMS: list[tuple[str, TileSet, WireMeld]] = [
    ("[K1 B1 R1]", SMALL, (GROUP, (0, 13, 26))),
    ("[O13 R13 B13 K13]", SMALL, (GROUP, (12, 25, 38, 51))),
    ("[R7 J B7]", SMALL, (GROUP, (19, 32, 104))),
    ("group[R7 J J]", SMALL, (GROUP, (32, 104, 105))),
    ("run[R7 J J]", SMALL, (RUN, (32, 104, 105))),
    ("[J R4 R5]", SMALL, (RUN, (104, 29, 30))),
    ("[R4 J R6]", SMALL, (RUN, (29, 104, 31))),
    ("[K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13]", SMALL, (RUN, tuple(range(13)))),
    ("[R7 B7 J]", LARGE, (GROUP, (19, 32, 156))),
    ("run[R4 J J J]", LARGE, (RUN, (29, 156, 157, 158))),
]

BAD: dict[str, WireMeld] = {
    "a group not in the order of colours": (GROUP, (13, 0, 26)),
    "a group with its joker first": (GROUP, (104, 13, 26)),
    "a group with its jokers in the wrong order": (GROUP, (32, 105, 104)),
    "a group with a colour twice": (GROUP, (0, 52, 26)),
    "a group of two numbers": (GROUP, (0, 14, 26)),
    "a group of five": (GROUP, (0, 13, 26, 39, 104)),
    "a group said to be a run": (RUN, (0, 13, 26)),
    "a run that descends": (RUN, (31, 30, 29)),
    "a run with a gap": (RUN, (29, 30, 32)),
    "a run of two colours": (RUN, (11, 12, 13)),
    "a run beyond 13": (RUN, (11, 12, 104)),
    "a run below 1": (RUN, (104, 0, 1)),
    "a run said to be a group": (GROUP, (29, 30, 31)),
    "two tiles": (RUN, (29, 30)),
    "jokers alone": (GROUP, (104, 105, 104)),
    "a tile that the set does not hold": (RUN, (29, 30, 106)),
    "a tile of the larger set": (GROUP, (19, 32, 156)),
}


@pytest.mark.parametrize(("text", "tile_set", "wire"), FORMS, ids=[text for text, _, _ in FORMS])
def test_each_meld_has_its_one_form(text: str, tile_set: TileSet, wire: WireMeld) -> None:
    meld = parse_meld(text)
    assert meld_to_wire(meld, tile_set) == wire
    assert meld_from_wire(wire, tile_set) == meld


@pytest.mark.parametrize("wire", BAD.values(), ids=BAD)
def test_any_other_form_is_refused(wire: WireMeld) -> None:
    assert refusal_of(meld_from_wire, wire, SMALL).code is FaultCode.ILLEGAL_TURN


def test_a_table_keeps_the_order_of_its_melds() -> None:
    melds = (parse_meld("[R4 R5 R6]"), parse_meld("[K1 B1 R1]"))
    wires = table_to_wire(melds, SMALL)
    assert wires == ((RUN, (29, 30, 31)), (GROUP, (0, 13, 26)))
    assert table_from_wire(wires, SMALL) == melds


def test_an_empty_table_travels() -> None:
    assert table_from_wire(table_to_wire((), SMALL), SMALL) == ()


@pytest.mark.parametrize(
    "wires",
    [
        ((RUN, (29, 30, 31)), (RUN, (30, 31, 32))),
        ((GROUP, (0, 13, 26)), (RUN, (29, 30, 106))),
    ],
    ids=["a tile in two melds", "a bad meld after a good one"],
)
def test_a_table_with_a_fault_is_refused(wires: tuple[WireMeld, ...]) -> None:
    assert refusal_of(table_from_wire, wires, SMALL).code is FaultCode.ILLEGAL_TURN


@given(
    st.sampled_from([SMALL, LARGE]),
    st.tuples(st.integers(0, 1), st.lists(st.integers(0, 159), min_size=3, max_size=13).map(tuple)),
)
def test_any_numbers_give_a_meld_or_a_refusal(tile_set: TileSet, wire: WireMeld) -> None:
    try:
        meld: Meld = (Group, Run)[wire[0]](tuple(tile_set.tiles[number] for number in wire[1]))
    except (MeldError, IndexError):
        assert refusal_of(meld_from_wire, wire, tile_set).code is FaultCode.ILLEGAL_TURN
        return
    assert meld_from_wire(wire, tile_set) == meld
    assert meld_to_wire(meld, tile_set) == wire
