"""The parts of the search by themselves: groups, steps of runs, bounds and prices, patches."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, count, product

import pytest

from p2prummi.solver.groups import deal_groups, group_count, jokers_needed, options, options_towards
from p2prummi.solver.hunt import Hunt, Way
from p2prummi.solver.keeping import has_lone_tile, patches
from p2prummi.solver.layout import FaceMeld, face_meld, park
from p2prummi.solver.limit import TimeUp
from p2prummi.solver.prices import Descent, Pricing, plain
from p2prummi.solver.prospects import SCALE_BITS
from p2prummi.solver.search import DESCENTS, Search, Side
from p2prummi.solver.steps import EMPTY, may_end, next_state
from tests.solver.positions import read_positions, table_of
from tests.solver.random_positions import LARGE, dense, ordinary

JOKER = 52


def groups_by_force(counts: tuple[int, ...], jokers: int) -> bool:
    if not any(counts):
        return jokers == 0
    for size in range(1, 5):
        for colours in combinations(range(4), size):
            if all(counts[colour] for colour in colours):
                rest = tuple(count - (colour in colours) for colour, count in enumerate(counts))
                for used in range(max(0, 3 - size), min(jokers, 4 - size) + 1):
                    if groups_by_force(rest, jokers - used):
                        return True
    return False


@pytest.mark.parametrize("jokers", range(5))
def test_groups_exist_just_where_some_can_be_dealt(jokers: int) -> None:
    for black, blue, red, orange in product(range(4), repeat=4):
        counts = (black, blue, red, orange)
        exist = group_count(counts, jokers) >= 0
        assert exist == groups_by_force(counts, jokers), counts
        if exist:
            dealt = deal_groups(counts, jokers)
            assert sum(used for _, used in dealt) == jokers
            assert Counter(colour for colours, _ in dealt for colour in colours) == Counter(
                {colour: count for colour, count in enumerate(counts) if count}
            )
            for colours, used in dealt:
                assert 3 <= len(colours) + used <= 4
                assert len(set(colours)) == len(colours) > 0


def test_an_option_takes_the_fewest_jokers() -> None:
    for black, blue, red, orange, jokers in options((3, 1, 0, 2), 4):
        counts = (black, blue, red, orange)
        assert jokers == jokers_needed(counts)
        assert jokers == 0 or not groups_by_force(counts, jokers - 1)


def test_the_option_like_the_groups_on_the_table_is_tried_first() -> None:
    # Of equal hopes the last option is taken first.
    assert options_towards((1, 1, 1, 1), 0, (1, 0, 1, 1))[-1] == (1, 0, 1, 1, 0)
    assert set(options_towards((1, 1, 1, 1), 0, (1, 0, 1, 1))) == set(options((1, 1, 1, 1), 0))


@pytest.mark.parametrize("seed", range(20))
def test_runs_fill_slots_just_where_the_states_say_so(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        slots = [rng.choice((0, 1, 1, 2, 3)) for _ in range(6)]
        state = EMPTY
        for filled in slots:
            state = next_state(state, filled) if state >= 0 else -1
        assert (state >= 0 and may_end(state)) == runs_by_force(tuple(slots)), slots


def runs_by_force(slots: tuple[int, ...]) -> bool:
    first = next((place for place, filled in enumerate(slots) if filled), None)
    if first is None:
        return True
    for end in range(first + 3, len(slots) + 1):
        if all(slots[first:end]):
            rest = tuple(filled - (first <= place < end) for place, filled in enumerate(slots))
            if runs_by_force(rest):
                return True
    return False


def sides(seed: int) -> list[Side]:
    rng = random.Random(seed)
    table, rack = (dense if seed % 3 == 0 else ordinary)(rng, LARGE)
    on_table = Counter(tile.face_index for meld in table for tile in meld.tiles)
    there = on_table + Counter(tile.face_index for tile in rack)
    must, may = ([counts[face] for face in range(JOKER)] for counts in (on_table, there))
    weights = rng.choice(((0, *[1] * 13), tuple(range(14))))
    jokers = rng.choice((0, there[JOKER]))
    nothing = [(0, 0, 0, 0)] * 13
    if jokers < there[JOKER] and any(face == JOKER for face in on_table):
        jokers = there[JOKER]
    return [Side(must, may, jokers, weights, nothing, is_turned=turned) for turned in (False, True)]


@pytest.mark.parametrize("seed", range(30))
def test_both_ends_and_all_prices_lead_to_the_same_optimum_below_the_bound(seed: int) -> None:
    values: set[int | None] = set()
    for side in sides(seed):
        first = side.pricing
        if first is None:
            values.add(None)
            continue
        assert first == plain(side.prospects)
        for pricing in (first, *priced(side, is_turned=False), *priced(side, is_turned=True)):
            hunt = Hunt(side.prospects, side.stages, side.choices, pricing, 0)
            hunt.go_on(10**6, lambda: False)
            assert hunt.is_over
            value = None if hunt.way is None else hunt.way.value
            assert value is None or value <= pricing.bound >> SCALE_BITS
            values.add(value)
    assert len(values) == 1


def gone_down(side: Side) -> Descent:
    descent = Descent(side.prospects, side.stages)
    for rounds, step, shrink in DESCENTS:
        descent.go_down(rounds, step, shrink, lambda: False)
    return descent


def priced(side: Side, *, is_turned: bool) -> list[Pricing]:
    """At prices from this side or, turned round, from the other one."""
    if not is_turned:
        return [side.priced(gone_down(side), is_turned=False)]
    prospects = side.prospects
    other = Side(
        [count for each in prospects for count in each.on_table[1:]],
        [count for each in prospects for count in each.there[1:]],
        prospects[0].jokers,
        tuple(weight >> SCALE_BITS for weight in prospects[0].weights),
        [(0, 0, 0, 0)] * 13,
        is_turned=True,
    )
    return [side.priced(gone_down(other), is_turned=True)]


def hard_sides() -> list[Side]:
    found = []
    for position in read_positions()[::10]:
        on_table = Counter(tile.face_index for meld in position.table for tile in meld.tiles)
        there = on_table + Counter(tile.face_index for tile in position.rack)
        must, may = ([counts[face] for face in range(JOKER)] for counts in (on_table, there))
        nothing = [(0, 0, 0, 0)] * 13
        found.append(Side(must, may, there[JOKER], tuple(range(14)), nothing, is_turned=True))
    return found


def test_prices_tighten_the_bound_where_they_are_worth_it() -> None:
    tightened_much = 0
    for side in hard_sides():
        assert side.pricing is not None
        descent = gone_down(side)
        bound = side.priced(descent, is_turned=False).bound
        # What the descent says of its best prices holds for them made whole, all but some fractions.
        assert bound <= descent.bound + 64
        tightened_much += bound < side.pricing.bound * 0.95
    assert tightened_much >= 9


def test_no_group_has_a_price_below_nothing() -> None:
    for side in [*hard_sides(), *[each for seed in range(10) for each in sides(seed)]]:
        if side.pricing is None:
            continue
        prices, joker = gone_down(side).prices()
        assert joker >= 0
        for stage, choice in zip(side.stages, side.choices, strict=True):
            for *counts, jokers in choice:
                tiles = sum(count * prices[colour][stage] for colour, count in enumerate(counts))
                assert tiles + jokers * joker >= 0


@pytest.mark.parametrize("tile", [-7.3, -0.4, 0.0])
def test_prices_are_mended_when_they_are_made_whole(tile: float) -> None:
    for side in hard_sides()[1:3]:
        descent = Descent(side.prospects, side.stages)
        descent.best = ([[tile, 2.2, 0.1, tile] for _ in range(14)], 0.0)
        prices, joker = descent.prices()
        for stage, choice in zip(side.stages, side.choices, strict=True):
            for *counts, jokers in choice:
                tiles = sum(count * prices[colour][stage] for colour, count in enumerate(counts))
                assert tiles + jokers * joker >= 0


def test_the_clock_is_looked_at_in_every_round_of_a_descent() -> None:
    looks = count()
    descent = Descent(hard_sides()[1].prospects, hard_sides()[1].stages)
    with pytest.raises(TimeUp):
        descent.go_down(10, 1.2, 0.7, lambda: next(looks) == 7)
    assert next(looks) == 8


def begun_hunt() -> Hunt:
    """A hunt that is not over, and has a way below the optimum within reach."""
    side = hard_sides()[7]
    assert side.pricing is not None
    hunt = side.hunt(side.pricing, 0)
    hunt.go_on(40, lambda: False)
    assert not hunt.is_over
    return hunt


def test_a_dive_comes_to_a_way_from_the_deepest_node_within_so_many_options() -> None:
    hunt = begun_hunt()
    way = hunt.dive(600)
    assert way is not None
    assert not way.is_best
    assert hunt.dive(0) is None
    deepest = hunt.depth
    assert deepest > 0
    hunt.go_on(10**6, lambda: False)
    assert hunt.way is not None
    assert way.value <= hunt.way.value
    assert hunt.depth == hunt.last > deepest


def test_a_hunt_that_leaves_what_is_below_a_value_comes_to_the_same() -> None:
    whole, hunt = begun_hunt(), begun_hunt()
    whole.go_on(10**6, lambda: False)
    assert whole.way is not None
    hunt.leave_below(whole.way.value)
    assert min(hunt.queue) >= whole.way.value
    hunt.go_on(10**6, lambda: False)
    assert hunt.way is not None
    assert (hunt.way.value, hunt.opened) == (whole.way.value, whole.opened)
    assert all(hope >= whole.way.value for hope in hunt.queue)


def hard_search() -> Search:
    """One that takes the hunts from both ends several turns, and dives in between."""
    position = read_positions()[164]
    on_table = Counter(tile.face_index for meld in position.table for tile in meld.tiles)
    there = on_table + Counter(tile.face_index for tile in position.rack)
    must, may = ([counts[face] for face in range(JOKER)] for counts in (on_table, there))
    return Search(must, may, there[JOKER], tuple(range(14)), [(0, 0, 0, 0)] * 13)


def test_a_search_knows_the_best_way_that_its_dives_came_to(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = iter(
        [Way(5, [], False), None, Way(3, [], False), Way(9, [], False), Way(9, [(0, 0, 0, 0, 0)], False)]
    )
    monkeypatch.setattr(Hunt, "dive", lambda hunt, options_most: next(ways))
    search = hard_search()
    side = hard_sides()[7]
    assert side.pricing is not None
    hunt = side.hunt(side.pricing, 0)
    known = []
    for _ in range(5):
        search._dive(side, hunt)
        assert search.known is not None
        known.append(search.known[0])
    assert [way.value for way in known] == [5, 5, 5, 9, 9]
    assert known[-1].taken == []


def test_a_search_that_is_cut_short_has_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = hard_search().best(0, lambda: False)
    assert whole is not None
    search = hard_search()

    def is_time_up() -> bool:
        if search.known is None:
            return False
        # From now on nothing new turns up.
        monkeypatch.setattr(Hunt, "dive", lambda hunt, options_most: None)
        return True

    way = search.best(0, is_time_up)
    assert way is not None
    assert search.known is not None
    assert way is search.known[0]
    assert 0 < way.value <= whole.value
    assert not way.is_best
    assert search.layout(way).deal()


def test_patches_are_of_melds_that_share_faces() -> None:
    table = [face_meld(meld) for meld in table_of("[R4 R5 R6]", "[K9 B9 R9]", "[O1 O2 O3]")]
    after = [face_meld(meld) for meld in table_of("[R3 R4 R5]", "[R6 R7 R8]", "[O1 O2 O3]")]
    found = {tuple(sorted(patch.before)): patch for patch in patches(table, [0, 1, 2], after)}
    assert set(found) == {(0,), (1,), (2,)}
    assert len(found[0,].after) == 2
    assert found[2,].is_unchanged(table)
    assert not found[0,].is_unchanged(table)
    assert not found[1,].is_unchanged(table)


@pytest.mark.parametrize("jokers", range(3))
def test_a_tile_alone_is_told_and_nothing_else(jokers: int) -> None:
    rng = random.Random(jokers)
    for _ in range(300):
        counts = [0] * 53
        for _ in range(rng.randint(1, 12)):
            counts[rng.choice((rng.randrange(52), rng.randrange(6) + 13 * rng.randrange(4)))] = 1
        counts[JOKER] = jokers
        faces = [face for face in range(JOKER) if counts[face]]
        is_alone = any(not could_lie(face, counts) for face in faces)
        assert has_lone_tile(counts) == is_alone


def could_lie(face: int, counts: list[int]) -> bool:
    lowest, number = face // 13 * 13, face % 13
    windows = [
        range(lowest + start, lowest + start + 3) for start in range(11) if start <= number < start + 3
    ]
    in_run = any(sum(not counts[each] for each in window) <= counts[JOKER] for window in windows)
    return in_run or sum(counts[each] for each in range(number, JOKER, 13)) + counts[JOKER] >= 3


def test_jokers_are_parked_where_they_are_worth_most_and_some_find_no_room() -> None:
    melds = [FaceMeld((0, 13, 26)), FaceMeld((10, 11, 12), 11), FaceMeld((5, 18, 31, 44))]
    assert park(melds, 1) == 0
    assert melds[1] == FaceMeld((JOKER, 10, 11, 12), 10)
    assert park([FaceMeld((5, 18, 31, 44))], 2) == 2
