"""Advice: the words for each kind of turn, whose figures they are made of."""

from __future__ import annotations

import pytest

from p2prummi.bots.advice import Reason, explain
from p2prummi.rules import PRESETS, Draw, Pass, Play, parse_tiles
from tests.bots.views import melds_of, view_of


@pytest.mark.parametrize(
    ("table", "rack", "after", "words"),
    [
        ("", "R10 R11 R12 K1", "[R10 R11 R12]", "lay [R10 R11 R12]: opens with 33"),
        ("[R5 R6 R7]", "K1 K2 K3 B1", "[R5 R6 R7];[K1 K2 K3]", "lay [K1 K2 K3]: lays 3 tiles"),
        ("[R5 R6 R7]", "K1 K2 K3", "[R5 R6 R7];[K1 K2 K3]", "lay [K1 K2 K3]: goes out"),
        ("[B1 B2 B3];[R5 R6 R7]", "R8 K1", "[B1 B2 B3];[R5 R6 R7 R8]", "add R8 to 2: lays 1 tile"),
        (
            "[R4 R5 R6 R7 R8]",
            "R6 K1",
            "[R4 R5 R6];[R6 R7 R8]",
            "with R6 make of meld 1 [R4 R5 R6] [R6 R7 R8]: lays 1 tile",
        ),
        (
            "[R4 R5 R6 R7];[K1 K2 K3];[K7 B7 O7]",
            "R3 B5",
            "[R3 R4 R5 R6];[K1 K2 K3];[K7 B7 R7 O7]",
            "with R3 make of melds 1 and 3 [R3 R4 R5 R6] [K7 B7 R7 O7]: lays 1 tile",
        ),
    ],
)
def test_the_words_of_a_lay(table: str, rack: str, after: str, words: str) -> None:
    lying = melds_of(table)
    view = view_of(
        PRESETS["official"],
        parse_tiles(rack, [tile for meld in lying for tile in meld.tiles]),
        opened=bool(table),
        table=lying,
    )
    new = melds_of(after)
    turn = Play(melds=new, opening=None if table else new)
    assert explain(view, turn).words == words


def test_equal_tiles_in_other_copies_change_no_meld() -> None:
    lying = melds_of("[R5 R6 R7];[K5 B5 R5]")
    view = view_of(
        PRESETS["official"],
        parse_tiles("O5 K1", [tile for meld in lying for tile in meld.tiles]),
        opened=True,
        table=lying,
    )
    first, second = melds_of("[K5 B5 R5 O5];[R5 R6 R7]")
    assert explain(view, Play(melds=(second, first))).words == "add O5 to 2: lays 1 tile"


def test_the_words_of_a_turn_that_lays_nothing() -> None:
    view = view_of(PRESETS["official"], parse_tiles("R8 K1"), opened=True)
    assert explain(view, Draw()).words == "draw: there is nothing better to do"
    advice = explain(view, Pass())
    assert advice.words == "pass: there is nothing better to do"
    assert (advice.reason, advice.laid, advice.made) == (Reason.WAITS, (), ())
