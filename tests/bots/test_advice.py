"""Advice: the words for each kind of turn, whose figures they are made of."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.bots import INCLUDED, PlayerView, decide
from p2prummi.bots.advice import Reason, explain
from p2prummi.rules import PRESETS, Draw, Meld, Pass, Play, Tile, parse_meld, parse_tiles
from tests.bots.views import melds_of, view_of, views

if TYPE_CHECKING:
    from collections.abc import Iterable


@pytest.mark.parametrize(
    ("table", "rack", "after", "words"),
    [
        ("", "R10 R11 R12 K1", "[R10 R11 R12]", "lay [R10 R11 R12]: opens with 33"),
        ("[R5 R6 R7]", "K1 K2 K3 B1", "[R5 R6 R7];[K1 K2 K3]", "lay [K1 K2 K3]: lays 3 tiles"),
        ("[R5 R6 R7]", "K1 K2 K3", "[R5 R6 R7];[K1 K2 K3]", "lay [K1 K2 K3]: goes out"),
        ("[R5 R6 R7];[R5 R6 R7]", "R8 K1", "[R5 R6 R7 R8];[R5 R6 R7]", "add R8 to 2: lays 1 tile"),
        ("[B1 B2 B3];[R5 R6 R7]", "R8 K1", "[B1 B2 B3];[R5 R6 R7 R8]", "add R8 to 2: lays 1 tile"),
        ("[R5 R6 R7]", "R8 R9 K1", "[R5 R6 R7 R8 R9]", "add R8 R9 to 1: lays 2 tiles"),
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
    assert (advice.reason, advice.laid, advice.points) == (Reason.WAITS, (), 0)
    assert (advice.changed, advice.made) == ((), ())


MELD = r"(?:run|group)?\[[^\]]*\]"
LAYING = re.compile(
    rf"(?:lay (?P<new>{MELD}(?: {MELD})*)"
    rf"|add (?P<added>[^:]*) to (?P<place>\d+)"
    rf"|with (?P<laid>[^:]*) make of melds? (?P<places>[\d, and]*) (?P<made>{MELD}(?: {MELD})*))"
    r": (?:(?P<out>goes out)|opens with (?P<points>\d+)|lays (?P<count>\d+) tiles?)"
)


def melds_in(words: str) -> Counter[str]:
    return Counter(re.findall(MELD, words))


def faces_of(tiles: Iterable[Tile]) -> Counter[str]:
    return Counter(map(str, tiles))


def require_true(words: str, view: PlayerView, turn: Play) -> None:
    """Follow the words on the view's table, and come to the turn's."""
    said = LAYING.fullmatch(words)
    assert said, words
    left = [str(meld) for meld in view.table]
    on_table = {tile for meld in view.table for tile in meld.tiles}
    laid = faces_of({tile for meld in turn.melds for tile in meld.tiles} - on_table)
    after = Counter(map(str, turn.melds))
    if said["new"]:
        assert Counter(left) + melds_in(said["new"]) == after
        assert faces_of(tile for meld in melds_in(said["new"]).elements() for tile in tiles_in(meld)) == laid
    elif said["added"]:
        assert Counter(said["added"].split()) == laid
        changed = view.table[int(said["place"]) - 1]
        (made,) = (after - (Counter(left) - Counter([str(changed)]))).elements()
        assert faces_of(tiles_in(made)) == faces_of(changed.tiles) + laid
        assert after - Counter([made]) == Counter(left) - Counter([str(changed)])
    else:
        assert Counter(said["laid"].split()) == laid
        places = [int(number) - 1 for number in re.findall(r"\d+", said["places"])]
        taken = Counter(left[place] for place in places)
        assert Counter(left) - taken + melds_in(said["made"]) == after
        # And no meld is named that stays.
        assert not taken & melds_in(said["made"])
    if said["out"]:
        assert laid.total() == len(view.rack)
    elif said["points"]:
        assert not view.has_opened
        assert turn.opening is not None
        assert int(said["points"]) == sum(meld.value for meld in turn.opening) >= view.ruleset.opening_points
    else:
        assert view.has_opened
        assert int(said["count"]) == laid.total() < len(view.rack)


def tiles_in(text: str) -> tuple[Tile, ...]:
    meld: Meld = parse_meld(text)
    return meld.tiles


@given(view=views(racks_max=20), name=st.sampled_from(sorted(INCLUDED)), seed=st.integers(0, 2**32))
@settings(max_examples=150)
def test_the_words_are_true(view: PlayerView, name: str, seed: int) -> None:
    turn = decide(INCLUDED[name](), view, random.Random(seed)).turn
    words = explain(view, turn).words
    if isinstance(turn, Play):
        require_true(words, view, turn)
    else:
        verb = "draw" if view.game.pool_left else "pass"
        assert words == f"{verb}: there is nothing better to do"
