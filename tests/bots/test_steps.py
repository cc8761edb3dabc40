"""Single steps: what each kind does, that any number of them is legal, and what they leave alone."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.bots import PlayerView
from p2prummi.bots.steps import piles_of, steps_from, table_after
from p2prummi.rules import Colour, Play, parse_meld, parse_tiles
from tests.bots.views import views


def steps(table: str, rack: str) -> set[str]:
    """What each step makes of the one meld on the table."""
    meld = parse_meld(table)
    tiles = parse_tiles(rack, meld.tiles)
    found = list(steps_from((meld,), tiles))
    for step in found:
        # What another meld gives is not laid.
        assert set(step.laid) <= set(tiles)
        on_table = {tile for after in step.after for tile in after.tiles}
        assert on_table == {*meld.tiles, *step.laid}
    return {" ".join(map(str, step.after)) for step in found}


@pytest.mark.parametrize(
    ("table", "rack", "made"),
    [
        ("[R5 R6 R7]", "R4 R8 R9 K8", {"[R4 R5 R6 R7]", "[R5 R6 R7 R8]"}),
        ("[R5 R6 J]", "R7 R8", {"[R5 R6 J R8]"}),
        ("[J R2 R3]", "R4", {"[J R2 R3 R4]"}),
        ("[R11 R12 R13]", "R1 R10", {"[R10 R11 R12 R13]"}),
        ("[R4 R5 R6 R7 R8]", "R6", {"[R4 R5 R6] [R6 R7 R8]"}),
        ("[R4 R5 R6 R7]", "R5", set()),
        ("[R4 R5 R6 R7]", "R5 R6", {"[R5 R6 R7] [R4 R5 R6]", "[R4 R5 R6] [R5 R6 R7]"}),
        ("[R4 R5 R6 J J J]", "R6", {"[R4 R5 R6] run[R6 J J J]"}),
        ("[R4 R5 J J J J]", "R6", set()),
        ("[K9 B9 O9]", "R9 K9", {"[K9 B9 R9 O9]"}),
        ("[K9 B9 J]", "R9", {"[K9 B9 R9 J]"}),
        ("[K9 B9 R9 J]", "O9", set()),
        ("[K9 B9 R9 O9]", "K7 K8", {"[B9 R9 O9] [K7 K8 K9]"}),
        ("[K9 B9 R9 J]", "K7 K8", set()),
        ("[K9 B9 O9]", "K7 K8", set()),
        ("[R4 R5 R6 R7]", "K4 B4", {"[R5 R6 R7] [K4 B4 R4]"}),
        ("[R8 R9 R10 R11]", "R12 R13", {"[R8 R9 R10 R11 R12]", "[R8 R9 R10] [R11 R12 R13]"}),
        ("[R4 R5 R6 R7]", "R1 R2 R3", {"[R3 R4 R5 R6 R7]", "[R5 R6 R7] [R2 R3 R4]"}),
        ("[R4 R5 R6 R7]", "R8 R9 R3", {"[R4 R5 R6 R7 R8]", "[R3 R4 R5 R6 R7]", "[R4 R5 R6] [R7 R8 R9]"}),
        ("[R1 R2 R3 R4 R5 R6 R7]", "K4 O4", {"[R1 R2 R3] [R5 R6 R7] [K4 R4 O4]"}),
        ("[R1 R2 R3 R4 R5 R6]", "K4 O4", set()),
        ("[R1 J J R4]", "K1 O1", {"run[J J R4] [K1 R1 O1]"}),
        ("run[J J J R4]", "K4 O4", set()),
        ("[R4 R5 R6 J]", "K7 O7", set()),
    ],
)
def test_each_kind_of_step(table: str, rack: str, made: set[str]) -> None:
    assert steps(table, rack) == made


def test_of_two_equal_tiles_one_is_laid() -> None:
    assert len(list(steps_from((parse_meld("[R5 R6 R7]"),), parse_tiles("R8 R8")))) == 1


def test_of_equal_tiles_the_lowest_copy_is_laid_and_never_a_joker() -> None:
    first, second, joker = parse_tiles("R8 R8 J")
    assert piles_of([first, joker, second]) == piles_of([second, first]) == {(Colour.RED, 8): first}


@given(view=views(), seed=st.integers(0, 2**32), count=st.integers(1, 12))
@settings(max_examples=200)
def test_any_number_of_steps_is_legal(view: PlayerView, seed: int, count: int) -> None:
    if not view.has_opened:
        return
    rng, table, rack, laid = random.Random(seed), view.table, list(view.rack), 0
    for _ in range(count):
        found = list(islice(steps_from(table, rack), 200))
        if not found:
            break
        step = rng.choice(found)
        table = table_after(table, step)
        rack = [tile for tile in rack if tile not in step.laid]
        laid += len(step.laid)
    if laid:
        judgement = view.judge(Play(melds=table))
        assert judgement.faults == ()
        assert Counter(judgement.laid) == Counter(view.rack) - Counter(rack)
