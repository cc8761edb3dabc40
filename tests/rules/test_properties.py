"""What holds of all turns: rearranging is allowed, order doesn't matter, each kind of wrong is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from p2prummi.rules import (
    Colour,
    DraftMeld,
    JokerReuse,
    JokerSwapFrom,
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
from tests.strategies import JOKER, SMALL_SET, rulesets, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

BLACK, BLUE, RED = Colour.BLACK, Colour.BLUE, Colour.RED
SMALL = {"copies": 2, "jokers": 2, "players": (2, 4), "teams": None}
small_rulesets = rulesets(**SMALL)


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
@given(small_rulesets, tables(most=6), st.data())
def test_keeping_every_jokers_meaning_is_always_allowed(
    ruleset: Ruleset, after: tuple[Meld, ...], data: st.DataObject
) -> None:
    """Backwards: from the table after, runs are cut and melds taken off; what is left was there before."""
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
@given(small_rulesets, tables(most=6), tables(most=6), st.randoms(use_true_random=False))
def test_the_order_of_melds_does_not_matter(
    ruleset: Ruleset, before: tuple[Meld, ...], after: tuple[Meld, ...], random: Any
) -> None:
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


@settings(max_examples=40)
@given(small_rulesets, st.data())
def test_a_swap_that_the_rules_allow_is_allowed(ruleset: Ruleset, data: st.DataObject) -> None:
    """A joker is freed by a tile from the rack and laid with two other tiles from the rack in a new meld."""
    number = data.draw(st.integers(1, 11))
    table = (Run((Tile(None, 0), *(Tile(RED, number + step) for step in (1, 2)))),)
    freed = Run(tuple(Tile(RED, number + step) for step in range(3)))
    other = data.draw(st.integers(1, 13))
    joined = meld_from((Tile(BLACK, other), Tile(BLUE, other), Tile(None, 0)))
    assert judged(ruleset, table, (freed, joined)) == []


@settings(max_examples=40)
@given(small_rulesets, st.data())
def test_a_swap_needs_its_tile_unless_free(ruleset: Ruleset, data: st.DataObject) -> None:
    """The joker leaves its run for a new meld, and nothing takes its place."""
    number = data.draw(st.integers(1, 10))
    table = (Run((Tile(None, 0), *(Tile(RED, number + step) for step in (1, 2, 3)))),)
    rest = Run(table[0].tiles[1:])
    # With its own number the joker would go on standing for what it stood for.
    other = data.draw(st.integers(1, 13).filter(lambda each: each != number))
    joined = meld_from((Tile(BLACK, other), Tile(BLUE, other), Tile(None, 0)))
    found = judged(ruleset, table, (rest, joined))
    expected = {
        JokerSwapFrom.RACK: ["joker_not_replaced"],
        JokerSwapFrom.RACK_OR_TABLE: ["joker_tile_not_on_table"],
        JokerSwapFrom.FREE: [],
    }
    assert found == expected[ruleset.joker_swap_from]


@settings(max_examples=40)
@given(small_rulesets, st.data())
def test_a_swap_back_into_a_meld_of_the_table(ruleset: Ruleset, data: st.DataObject) -> None:
    """The joker, freed by a tile from the rack, is added to another meld that lay there."""
    number = data.draw(st.integers(1, 11))
    run = Run(tuple(Tile(BLACK, step) for step in range(2, 5)))
    table = (Run((Tile(None, 0), *(Tile(RED, number + step) for step in (1, 2)))), run)
    freed = Run(tuple(Tile(RED, number + step) for step in range(3)))
    longer = Run((*run.tiles, Tile(None, 0)))
    expected = {
        JokerReuse.NEW_MELD: ["joker_not_in_new_meld"],
        JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES: ["joker_without_rack_tiles"],
        JokerReuse.OTHER_MELD: [],
        JokerReuse.ANY_MELD: [],
    }
    assert judged(ruleset, table, (freed, longer)) == expected[ruleset.joker_reuse]


@settings(max_examples=30)
@given(small_rulesets, tables(least=1, most=5), st.data())
def test_a_table_tile_that_is_gone_is_missed(
    ruleset: Ruleset, table: tuple[Meld, ...], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(table) - 1))
    after = [DraftMeld(meld.tiles, meld.kind) for meld in table]
    gone = data.draw(st.sampled_from(table[place].tiles))
    after[place] = replace(after[place], tiles=tuple(tile for tile in table[place].tiles if tile != gone))
    found = codes(judge_draft(after, ruleset=ruleset, table=table, opened=True, rack=()))
    assert ("joker_not_used" if gone.is_joker else "table_tile_missing") in found
    if len(table[place].tiles) == 3:
        assert "meld_too_short" in found


@settings(max_examples=30)
@given(small_rulesets, tables(least=2, most=5))
def test_a_tile_that_is_not_on_the_rack_is_refused(ruleset: Ruleset, after: tuple[Meld, ...]) -> None:
    laid = after[-1].tiles
    found = judged(ruleset, after[:-1], after, rack=laid[1:])
    assert found == ["tile_not_on_rack"]


@settings(max_examples=30)
@given(small_rulesets, tables(least=1, most=5), st.data())
def test_before_opening_the_table_is_untouchable(
    ruleset: Ruleset, table: tuple[Meld, ...], data: st.DataObject
) -> None:
    """A fourth tile is added to a meld, and nothing opens."""
    ruleset = replace(ruleset, opening_points=max(1, ruleset.opening_points))
    meld = data.draw(st.sampled_from(table))
    assume(isinstance(meld, Run) and meld.start > 1)
    assert isinstance(meld, Run)
    used = Counter(tile.face for tile in tiles_of(table))
    face = Tile(meld.colour, meld.start - 1)
    assume(used[face] < 2)
    added = Tile(face.colour, face.number, used[face])
    after = [Run((added, *each.tiles)) if each is meld else each for each in table]
    judgement = judge_draft(drafts(after), ruleset=ruleset, table=table, opened=False, rack=[added])
    assert codes(judgement) == ["not_opened_manipulation", "opening_missing"]


@settings(max_examples=30)
@given(small_rulesets, tables(most=6), tables(most=6), st.booleans())
def test_a_legal_draft_is_legal_as_it_travels(
    ruleset: Ruleset, before: tuple[Meld, ...], new: tuple[Meld, ...], opened: bool
) -> None:
    used = Counter(tile.face for tile in tiles_of(before))
    wanted = used + Counter(tile.face for tile in tiles_of(new))
    assume(all(wanted[face] <= (SMALL_SET.jokers if face == JOKER else 2) for face in wanted))
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
