"""Jokers freed from the table in every way: what a ruleset's fields allow is legal, all else has a fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from p2prummi.rules import PRESETS, Meld, Play, Ruleset, judge, laid_tiles, tiles_of, with_settings
from tests.rules.positions import codes
from tests.rules.swap_kinds import KINDS, PAIRS, Kind, Replaced, Reused, faults_of
from tests.rules.swaps import Swap, groups, runs, strangers, swaps, swaps_of_two, table_of
from tests.strategies import LARGE_SET, SMALL_SET, rulesets, tile_sets

if TYPE_CHECKING:
    from p2prummi.rules import JokerReuse, JokerSwapFrom, TileSet


def ruled(swap: JokerSwapFrom, reuse: JokerReuse, tile_set: TileSet) -> Ruleset:
    """The default rules with these two fields, and the set."""
    fields = (f"copies={tile_set.copies}", f"jokers={tile_set.jokers}")
    return with_settings(PRESETS["official"], (*fields, f"joker_swap_from={swap}", f"joker_reuse={reuse}"))


def judged(
    ruleset: Ruleset,
    before: tuple[Meld, ...],
    after: tuple[Meld, ...],
    opening: tuple[Meld, ...] | None = None,
) -> list[str]:
    """The codes of a turn by a player who holds just what is laid, and has opened if it names no opening."""
    rack = laid_tiles(before, tiles_of(after))
    turn, opened = Play(after, opening), opening is None
    return codes(judge(turn, ruleset=ruleset, table=before, opened=opened, pool_left=1, rack=rack))


def allowed(swap: JokerSwapFrom, reuse: JokerReuse) -> list[Kind]:
    return [kind for kind in KINDS if not faults_of(kind, swap, reuse)]


@pytest.mark.parametrize("kind", KINDS, ids=", ".join)
@settings(max_examples=4)
@given(st.data(), tile_sets)
def test_each_kind_of_swap_is_judged_by_the_two_fields(
    kind: Kind, data: st.DataObject, tile_set: TileSet
) -> None:
    """One turn, under all rules: legal where they allow that kind, and otherwise with just their fault."""
    core = data.draw(swaps(kind, tile_set.jokers))
    turn = core.beside(data.draw(strangers(core, tile_set, apart=True)))
    before, after = table_of(turn.before), table_of(turn.after)
    for swap, reuse in PAIRS:
        found = judged(ruled(swap, reuse, tile_set), before, after)
        assert found == faults_of(kind, swap, reuse), (swap, reuse)


@pytest.mark.parametrize(("swap", "reuse"), PAIRS)
@settings(max_examples=12)
@given(st.data(), st.sampled_from(KINDS))
def test_the_turn_that_opens_may_free_a_joker_too_where_it_goes_on(
    swap: JokerSwapFrom, reuse: JokerReuse, data: st.DataObject, kind: Kind
) -> None:
    """Beside an opening of 30 points or more the swap is judged as ever, or is refused as a whole."""
    core = data.draw(swaps(kind, SMALL_SET.jokers))
    openings = [
        shape
        for shape in [*runs(3), *groups(3), *groups(4)]
        if sum(face.number for face in shape[1]) >= 30 and core.used.isdisjoint(shape[1])
    ]
    assume(openings)
    turn = core.beside(Swap(after=(data.draw(st.sampled_from(openings)),)))
    before, after = table_of(turn.before), table_of(turn.after)
    ruleset = ruled(swap, reuse, SMALL_SET)
    goes_on = replace(ruleset, opening_then_table=True)
    assert judged(goes_on, before, after, after[-1:]) == faults_of(kind, swap, reuse)
    assert judged(ruleset, before, after, after[-1:]) == ["not_opened_manipulation"]


@pytest.mark.parametrize("laid", [1, 2])
@settings(max_examples=8)
@given(st.data(), tile_sets)
def test_only_a_tile_on_the_table_replaces_two_jokers(
    laid: int, data: st.DataObject, tile_set: TileSet
) -> None:
    """From the rack each joker needs a tile of its own; where any on the table will do, one is enough."""
    core = data.draw(swaps_of_two(laid))
    turn = core.beside(data.draw(strangers(core, tile_set, apart=True)))
    before, after = table_of(turn.before), table_of(turn.after)
    for swap, reuse in PAIRS:
        wrong = ["joker_not_replaced"] if (laid, swap) == (1, "rack") else []
        assert judged(ruled(swap, reuse, tile_set), before, after) == wrong, (swap, reuse)


def test_each_ruleset_allows_some_kinds_and_refuses_others_with_each_of_its_faults() -> None:
    """The kinds leave nothing out: every value of either field has its fault, and both may be broken."""
    for swap, reuse in PAIRS:
        kinds = allowed(swap, reuse)
        assert {kind.holder for kind in kinds} == {kind.holder for kind in KINDS}
        assert (len(kinds) == len(KINDS)) == ((swap, reuse) == ("free", "any_meld"))
    faults = Counter(code for kind in KINDS for pair in PAIRS for code in faults_of(kind, *pair))
    assert set(faults) == {
        "joker_not_replaced",
        "joker_tile_not_on_table",
        "joker_not_in_new_meld",
        "joker_without_rack_tiles",
        "joker_back_in_its_meld",
        "joker_rules_conflict",
    }
    assert {kind.replaced for kind in KINDS} == set(Replaced)
    assert {kind.reused for kind in KINDS} == set(Reused)


@pytest.mark.parametrize("tile_set", [SMALL_SET, LARGE_SET], ids=["106", "160"])
@pytest.mark.parametrize(("swap", "reuse"), PAIRS)
@settings(max_examples=12)
@given(st.data())
def test_swaps_that_the_fields_allow_are_allowed(
    swap: JokerSwapFrom, reuse: JokerReuse, tile_set: TileSet, data: st.DataObject
) -> None:
    """One joker or two, freed and used as the fields allow, whatever else lies there and is ruled."""
    ruleset = data.draw(
        rulesets(
            joker_swap_from=swap,
            joker_reuse=reuse,
            copies=tile_set.copies,
            jokers=tile_set.jokers,
            players=(2, 4),
            teams=None,
        )
    )
    assert_allowed(data, ruleset)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=12)
@given(st.data())
def test_swaps_that_a_preset_allows_are_allowed(preset: str, data: st.DataObject) -> None:
    assert_allowed(data, PRESETS[preset])


def assert_allowed(data: st.DataObject, ruleset: Ruleset) -> None:
    kinds = allowed(ruleset.joker_swap_from, ruleset.joker_reuse)
    turn = Swap()
    for _ in range(data.draw(st.integers(1, 2))):
        left = ruleset.jokers - turn.jokers
        fitting = [kind for kind in kinds if kind.jokers_least <= left]
        if fitting:
            kind = data.draw(st.sampled_from(fitting))
            event(f"{kind.replaced}, {kind.reused}")
            turn = turn.beside(data.draw(swaps(kind, left)))
    turn = turn.beside(data.draw(strangers(turn, ruleset.tile_set, apart=False)))
    assume(turn.fits(ruleset.tile_set))
    assert judged(ruleset, table_of(turn.before), table_of(turn.after)) == []
