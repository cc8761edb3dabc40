"""What holds of all turns: rearranging is allowed, order doesn't matter, each kind of wrong is refused.

All of it by rules and tables of either set. Jokers that are freed: `test_swaps.py`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from p2prummi.rules import (
    DraftMeld,
    Meld,
    Play,
    Ruleset,
    Run,
    Tile,
    judge,
    judge_draft,
    laid_tiles,
    meld_from,
    tiles_of,
)
from tests.rules.positions import codes
from tests.strategies import JOKER, rulesets, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn


Table: TypeAlias = "tuple[Meld, ...]"


@st.composite
def ruled_tables(
    draw: DrawFn, count: int, least: int = 0, most: int = 6
) -> tuple[Ruleset, tuple[Table, ...]]:
    """Any ruleset, and as many tables of its set."""
    ruleset = draw(rulesets())
    return ruleset, tuple(draw(tables(ruleset.tile_set, least=least, most=most)) for _ in range(count))


def drafts(melds: Sequence[Meld]) -> list[DraftMeld]:
    return [DraftMeld(meld.tiles, meld.kind) for meld in melds]


def judged(ruleset: Ruleset, table: tuple[Meld, ...], after: Sequence[Meld], **more: Any) -> list[str]:
    """The codes of a turn by a player who has opened and holds just what is laid."""
    laid = laid_tiles(table, tiles_of(after))
    return codes(
        judge_draft(drafts(after), ruleset=ruleset, table=table, opened=True, rack=more.get("rack", laid))
    )


def cut(meld: Meld, place: int) -> list[tuple[Tile, ...]]:
    """A run in two parts, where both are long enough and have a number tile; else the meld as it is."""
    parts = [meld.tiles[:place], meld.tiles[place:]]
    long_enough = all(len(part) >= 3 and not all(tile.is_joker for tile in part) for part in parts)
    return parts if isinstance(meld, Run) and long_enough else [meld.tiles]


@settings(max_examples=30)
@given(ruled_tables(1), st.data())
def test_keeping_every_jokers_meaning_is_always_allowed(
    ruled: tuple[Ruleset, tuple[Table]], data: st.DataObject
) -> None:
    """Backwards: from the table after, runs are cut and melds taken off; what is left was there before."""
    ruleset, (after,) = ruled
    before: list[Meld] = []
    for meld in after:
        if data.draw(st.integers(0, 3)) == 0:
            continue
        parts = cut(meld, data.draw(st.integers(0, len(meld.tiles))))
        kept = [part for part in parts if len(parts) == 1 or data.draw(st.integers(0, 3))]
        before += [meld_from(part, meld.kind) for part in kept]
    assume(laid_tiles(before, tiles_of(after)))
    assert judged(ruleset, tuple(before), after) == []


@settings(max_examples=30)
@given(ruled_tables(2), st.randoms(use_true_random=False))
def test_the_order_of_melds_does_not_matter(ruled: tuple[Ruleset, tuple[Table, Table]], random: Any) -> None:
    ruleset, (before, after) = ruled
    opened = random.random() < 0.7
    shuffled_before, shuffled_after = list(before), list(after)
    random.shuffle(shuffled_before)
    random.shuffle(shuffled_after)
    rack = laid_tiles(before, tiles_of(after))
    answers = [
        judge_draft(drafts(new), ruleset=ruleset, table=tuple(old), opened=opened, rack=rack)
        for old, new in ((before, after), (shuffled_before, shuffled_after))
    ]
    assert codes(answers[0]) == codes(answers[1])
    assert answers[0].laid == answers[1].laid


@settings(max_examples=30)
@given(ruled_tables(1, least=1, most=5), st.data())
def test_a_table_tile_that_is_gone_is_missed(
    ruled: tuple[Ruleset, tuple[Table]], data: st.DataObject
) -> None:
    ruleset, (table,) = ruled
    place = data.draw(st.integers(0, len(table) - 1))
    after = [DraftMeld(meld.tiles, meld.kind) for meld in table]
    gone = data.draw(st.sampled_from(table[place].tiles))
    after[place] = replace(after[place], tiles=tuple(tile for tile in table[place].tiles if tile != gone))
    found = codes(judge_draft(after, ruleset=ruleset, table=table, opened=True, rack=()))
    assert ("joker_not_used" if gone.is_joker else "table_tile_missing") in found
    if len(table[place].tiles) == 3:
        assert "meld_too_short" in found


@settings(max_examples=30)
@given(ruled_tables(1, least=3, most=5), st.data())
def test_a_meld_of_three_that_is_cut_is_too_short(
    ruled: tuple[Ruleset, tuple[Table]], data: st.DataObject
) -> None:
    """All tiles are there, and a good meld is laid besides: the two parts are all that is wrong."""
    ruleset, (melds,) = ruled
    *others, laid = melds
    short = [meld for meld in others if len(meld.tiles) == 3]
    assume(short)
    meld = data.draw(st.sampled_from(short))
    place = data.draw(st.integers(1, 2))
    parts = [DraftMeld(part, meld.kind) for part in (meld.tiles[:place], meld.tiles[place:])]
    whole = [DraftMeld(each.tiles, each.kind) for each in melds if each is not meld]
    judgement = judge_draft(whole + parts, ruleset=ruleset, table=tuple(others), opened=True, rack=laid.tiles)
    assert {fault.meld for fault in judgement.faults} == {len(whole), len(whole) + 1}
    assert codes(judgement).count("meld_too_short") == 2


@settings(max_examples=30)
@given(ruled_tables(1, least=2, most=5), st.data())
def test_a_tile_that_is_not_on_the_rack_is_refused(
    ruled: tuple[Ruleset, tuple[Table]], data: st.DataObject
) -> None:
    ruleset, (after,) = ruled
    laid = after[-1].tiles
    place = data.draw(st.integers(0, len(laid) - 1))
    found = judged(ruleset, after[:-1], after, rack=laid[:place] + laid[place + 1 :])
    assert found == ["tile_not_on_rack"]


@settings(max_examples=30)
@given(ruled_tables(1, least=1, most=5), st.data())
def test_before_opening_the_table_is_untouchable(
    ruled: tuple[Ruleset, tuple[Table]], data: st.DataObject
) -> None:
    """A fourth tile is added to a meld, and nothing opens."""
    ruleset, (table,) = ruled
    ruleset = replace(ruleset, opening_points=max(1, ruleset.opening_points))
    meld = data.draw(st.sampled_from(table))
    assume(isinstance(meld, Run) and meld.start > 1)
    assert isinstance(meld, Run)
    used = Counter(tile.face for tile in tiles_of(table))
    face = Tile(meld.colour, meld.start - 1)
    assume(used[face] < ruleset.copies)
    added = Tile(face.colour, face.number, used[face])
    after = [Run((added, *each.tiles)) if each is meld else each for each in table]
    judgement = judge_draft(drafts(after), ruleset=ruleset, table=table, opened=False, rack=[added])
    assert codes(judgement) == ["not_opened_manipulation", "opening_missing"]


@settings(max_examples=30)
@given(ruled_tables(2), st.booleans())
def test_a_legal_draft_is_legal_as_it_travels(
    ruled: tuple[Ruleset, tuple[Table, Table]], opened: bool
) -> None:
    ruleset, (before, new) = ruled
    used = Counter(tile.face for tile in tiles_of(before))
    wanted = used + Counter(tile.face for tile in tiles_of(new))
    assume(all(wanted[face] <= (ruleset.jokers if face == JOKER else ruleset.copies) for face in wanted))
    moved = [
        type(meld)(tuple(Tile(tile.colour, tile.number, tile.copy + used[tile.face]) for tile in meld.tiles))
        for meld in new
    ]
    after = (*before, *moved)
    judgement = judge_draft(drafts(after), ruleset=ruleset, table=before, opened=opened, rack=tiles_of(moved))
    if judgement.play is None:
        assert judgement.faults
        return
    assert isinstance(judgement.play, Play)
    again = judge(
        judgement.play, ruleset=ruleset, table=before, opened=opened, pool_left=1, rack=tiles_of(moved)
    )
    assert (again.faults, again.laid, again.points) == ((), judgement.laid, judgement.points)
