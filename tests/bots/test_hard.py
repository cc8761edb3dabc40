"""The level hard: always legal, goes out when it can, and else lays the least; and when it lays more."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.bots import Hard, PlayerView, decide, feeding
from p2prummi.bots.feeding import threats
from p2prummi.bots.holding import least_of
from p2prummi.bots.solving import best_for
from p2prummi.rules import PRESETS, Draw, Game, Play, Turn, parse_tiles
from tests.bots.engine import play_round
from tests.bots.views import RULESETS, SEATS, melds_of, views
from tests.bots.views import view_of as table_view


def view_of(
    rack: str,
    table: str,
    *,
    rules: str = "da-online",
    others: int = 9,
    pool_left: int = 30,
    opened: bool = True,
) -> PlayerView:
    melds = melds_of(table)
    tiles = parse_tiles(rack, [tile for meld in melds for tile in meld.tiles])
    game = Game(
        ruleset=PRESETS[rules],
        players=2,
        table=melds,
        opened=(opened, True),
        rack_sizes=(len(tiles), others),
        pool_left=pool_left,
        to_move=0,
        drawn_last=(None, None),
    )
    return PlayerView(seat=0, rack=tiles, game=game)


def chosen(view: PlayerView) -> Turn:
    decision = decide(Hard(), view, random.Random(1))
    assert decision.complaint == ""
    return decision.turn


def laid(view: PlayerView) -> str:
    """What hard lays, in canonical order."""
    return " ".join(map(str, view.judge(chosen(view)).laid))


@given(view=views(racks_max=14), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_every_answer_is_legal_and_repeats(view: PlayerView, seed: int) -> None:
    decision = decide(Hard(), view, random.Random(seed))
    assert decision.complaint == ""
    assert decide(Hard(), view, random.Random(seed)) == decision


@given(view=views(racks_max=14))
@settings(max_examples=60)
def test_the_least_of_a_play_is_legal_and_lays_no_more(view: PlayerView) -> None:
    play = best_for(view).play
    if play is not None and view.has_opened:
        least = view.judge(least_of(view, play))
        assert least.faults == ()
        assert least.laid
        assert set(least.laid) <= set(view.judge(play).laid)


def test_a_rack_that_can_go_goes_jokers_and_all() -> None:
    assert laid(view_of("R8 K1 K2 J", "[R5 R6 R7]")) == "K1 K2 R8 J"


def test_of_single_tiles_the_highest_is_laid_alone() -> None:
    assert laid(view_of("R4 R8 K1 K2 K3 O12", "[R5 R6 R7]")) == "R8"


def test_a_tile_goes_where_the_fewest_tiles_fit_that_nobody_has_seen() -> None:
    # In the run it would make room for R9, in the group for nothing.
    play = chosen(view_of("R8 O1", "[R5 R6 R7];[K8 B8 O8]"))
    assert isinstance(play, Play)
    assert [str(meld) for meld in play.melds] == ["[R5 R6 R7]", "[K8 B8 R8 O8]"]


@pytest.mark.parametrize(
    ("seen", "made"),
    [("[K9 B9 R9]", "[R5 R6 R7 R8]"), ("[K7 B7 R7]", "[R8 R9 R10 R11]")],
)
def test_room_for_tiles_that_have_all_been_seen_is_room_for_nothing(seen: str, made: str) -> None:
    # R8 makes room for R9 or for R7, of which one copy lies on the table anyway.
    play = chosen(view_of("R8 O1", f"[R9 R10 R11];[R5 R6 R7];{seen}"))
    assert isinstance(play, Play)
    assert made in map(str, play.melds)


def test_of_melds_the_smallest_is_laid_alone() -> None:
    assert laid(view_of("K1 K2 K3 O1 O2 O3 O4 R12", "[R5 R6 R7]")) == "K1 K2 K3"


def test_of_equally_small_melds_that_of_the_highest_value_is_laid() -> None:
    assert laid(view_of("K1 K2 K3 O10 O11 O12 R12", "[R5 R6 R7]")) == "O10 O11 O12"


def test_with_nothing_to_lay_it_draws() -> None:
    assert chosen(view_of("K1 B8", "[R5 R6 R7]")) == Draw()
    assert chosen(view_of("K1 K2 K3", "", opened=False)) == Draw()


def test_a_joker_is_kept_even_for_a_draw() -> None:
    assert chosen(view_of("J K1 B8", "[R5 R6 R7]")) == Draw()


def test_a_joker_in_the_best_play_does_not_hinder_one_without() -> None:
    assert laid(view_of("J R9 K13 B2", "[R4 R5 R6 R7 R8];[B5 B6 B7]")) == "R9"


def test_where_only_a_rearrangement_helps_it_is_made() -> None:
    assert laid(view_of("O1 R12", "[K1 K2 K3 K4];[B1 B2 B3 B4]")) == "O1"


def test_a_meld_of_the_rack_comes_before_a_rearrangement() -> None:
    assert laid(view_of("O1 R12 R5 R6 R7", "[K1 K2 K3 K4];[B1 B2 B3 B4]")) == "R5 R6 R7"


def test_two_tiles_are_laid_where_one_alone_will_not_do() -> None:
    assert laid(view_of("K7 K8 R1 R2 R3 O5", "[K9 B9 R9 O9]")) == "R1 R2 R3"
    assert laid(view_of("K7 K8 R1 O5", "[K9 B9 R9 O9]")) == "K7 K8"


def test_the_least_of_a_play_leaves_out_what_its_melds_can_do_without() -> None:
    view = view_of("R1 O1 K5 R12", "[K1 K2 K3 K4];[B1 B2 B3 B4]")
    played = melds_of("[K1 B1 R1 O1];[K2 K3 K4 K5];[B2 B3 B4]")
    least = least_of(view, Play(melds=played))
    assert [str(meld) for meld in least.melds] == ["[K1 B1 O1]", "[K2 K3 K4]", "[B2 B3 B4]"]


@pytest.mark.parametrize(
    ("lying", "rack", "played", "left"),
    [
        pytest.param("[R5 R6 R7 R8]", "R9", "[R5 R6 R7 R8 R9]", "[R5 R6 R7 R8]", id="a-run-of-four-stays"),
        pytest.param("[R5 R6 J]", "R8", "[R5 R6 J R8]", "[R5 R6 J]", id="a-joker-is-as-good-as-a-tile"),
        pytest.param("group[R5 O5 J]", "K5", "[K5 R5 O5 J]", "[R5 O5 J]", id="in-a-group-too"),
    ],
)
def test_what_the_table_needs_for_its_own_stays(lying: str, rack: str, played: str, left: str) -> None:
    view = view_of(f"O1 {rack} R12", f"[K1 K2 K3 K4];[B1 B2 B3 B4];{lying}", rules="official")
    rearranged = "[K1 B1 O1];[K2 K3 K4];[B2 B3 B4]"
    play = Play(melds=melds_of(f"{rearranged};{played}"))
    assert view.judge(play).faults == ()
    assert least_of(view, play).melds == melds_of(f"{rearranged};{left}")


def test_a_rearrangement_is_made_without_the_tiles_that_could_join_it() -> None:
    groups_or_runs = "[K7 K8 K9];[R7 R8 R9];[O7 O8 O9]"
    view = view_of("O1 B7 R12", f"[K1 K2 K3 K4];[B1 B2 B3 B4];{groups_or_runs}")
    assert best_for(view).tiles == 2
    assert laid(view) == "O1"


def test_the_least_of_a_play_leaves_out_both_ends_of_a_run() -> None:
    view = view_of("O1 R4 R8 R12", "[K1 K2 K3 K4];[B1 B2 B3 B4];[R5 R6 R7]")
    played = melds_of("[K1 B1 O1];[K2 K3 K4];[B2 B3 B4];[R4 R5 R6 R7 R8]")
    least = least_of(view, Play(melds=played))
    assert [str(meld) for meld in least.melds] == ["[K1 B1 O1]", "[K2 K3 K4]", "[B2 B3 B4]", "[R5 R6 R7]"]


def test_jokers_alone_are_not_left_as_a_meld() -> None:
    table = melds_of("run[R4 J J J]")
    rack = parse_tiles("R5 R6 K9")
    view = table_view(RULESETS["160 tiles"], rack, opened=True, table=table)
    play = Play(melds=melds_of("[R4 R5 R6];group[K9 J J J]"))
    assert least_of(view, play).melds == play.melds


def test_the_own_rack_is_no_threat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "NEARLY_OUT_TILES", 6)
    assert laid(view_of("R4 R8 K1 K2 K3 O12", "[R5 R6 R7]", others=9)) == "R8"


@pytest.mark.parametrize(("others", "tiles"), [(3, "R8"), (2, "K1 K2 K3 R4 R8")])
def test_beside_a_rack_that_is_nearly_empty_all_is_laid(others: int, tiles: str) -> None:
    assert laid(view_of("R4 R8 K1 K2 K3 O12", "[R5 R6 R7]", others=others)) == tiles


def test_who_is_nearly_out_is_not_fed_where_that_costs_more_than_the_tile_is_worth() -> None:
    table = (
        "[K12 R12 O12];[O7 O8 O9 O10 O11];[K13 B13 O13 J];[K6 B6 R6 O6];[O6 O7 O8];[R1 R2 R3];[K5 R5 O5];"
        "[B4 R4 O4];[K4 B4 R4];[O11 O12 O13];[R6 R7 R8 R9];[K10 R10 O10];[O1 O2 O3];[K3 K4 K5 K6];"
        "[K3 B3 R3];[K2 B2 R2]"
    )
    view = view_of("B11 B9 B1 B11 O2 B7", table, rules="official", others=2)
    assert best_for(view).tiles == 2
    assert laid(view) == "O2"


@pytest.mark.parametrize(
    ("others_in_rack", "placed"),
    [
        # Half of the unseen tiles fit, or a tenth: 1 - 0.3 * (1 - 0.5 ** 2), or 1 - 0.3 * (1 - 0.1 ** 2).
        pytest.param("K13 K13 O13", "R10", id="43-at-0.775-against-49-at-0.703"),
        pytest.param("K13 K13 O13 O13 B13 K1", "B4", id="70-at-0.775-against-76-at-0.703"),
    ],
)
def test_what_is_left_counts_by_how_likely_somebody_goes_out(
    monkeypatch: pytest.MonkeyPatch, others_in_rack: str, placed: str
) -> None:
    high, low = melds_of("[R7 R8 R9];[B1 B2 B3]")
    view = view_of(f"R10 B4 {others_in_rack}", "[R7 R8 R9];[B1 B2 B3]", others=2)
    plays = {
        "R10": Play(melds=(*melds_of("[R7 R8 R9 R10]"), low)),
        "B4": Play(melds=(high, *melds_of("[B1 B2 B3 B4]"))),
    }
    monkeypatch.setattr(
        feeding, "let_in", lambda table, unseen: len(unseen) * (0.1 if high in table else 0.5)
    )
    assert feeding.least_costly(view, plays.values()) == plays[placed]


def test_a_teammate_who_is_nearly_out_is_no_threat() -> None:
    view = table_view(
        RULESETS["teams"], parse_tiles("R4 R8 K1 K2 K3"), opened=True, table=melds_of("[R5 R6 R7]")
    )
    sizes = (5, 9, 1, 9)
    game = replace(view.game, players=4, opened=(True,) * 4, rack_sizes=sizes, drawn_last=(None,) * 4)
    assert threats(replace(view, game=game)) == []
    assert threats(replace(view, game=replace(game, rack_sizes=(5, 2, 1, 9)))) == [2]


def test_a_seat_that_has_left_is_no_threat() -> None:
    view = view_of("R4 R8", "[R5 R6 R7]")
    game = replace(view.game, players=3, opened=(True,) * 3, rack_sizes=(2, 9, 0), drawn_last=(None,) * 3)
    assert threats(replace(view, game=replace(game, left=(2,)))) == []


def test_the_joker_is_kept_then_too() -> None:
    assert laid(view_of("R8 J K12", "[R5 R6 R7]", others=1)) == "R8"


def test_near_the_end_of_the_pool_the_most_value_is_laid_and_not_the_most_tiles() -> None:
    # The joker makes a run of four or a group of three.
    rack = "R13 B13 J K1 K2 K4 O7"
    assert best_for(view_of(rack, "")).tiles == 4
    assert chosen(view_of(rack, "")) == Draw()
    assert laid(view_of(rack, "", pool_left=1)) == "B13 R13 J"


def test_near_that_end_the_most_tiles_are_laid_where_the_fewest_win() -> None:
    rack = "R13 B13 J K1 K2 K4 O7"
    assert laid(view_of(rack, "", rules="fi-klassinen", pool_left=1)) == "K1 K2 K4 J"


@pytest.mark.parametrize(("pool_left", "tiles"), [(2, "R8"), (1, "R8 J"), (0, "R8 J")])
def test_once_the_pool_is_nearly_empty_the_jokers_go_too(pool_left: int, tiles: str) -> None:
    assert laid(view_of("R8 J K12", "[R5 R6 R7]", pool_left=pool_left)) == tiles


@pytest.mark.parametrize("rules", ["official", "nl-digitaal"])
def test_it_opens_with_the_fewest_tiles_as_soon_as_it_can(rules: str) -> None:
    # By nl-digitaal the turn might go on at the table.
    view = view_of("R10 R11 R12 R13 K1 B1 O1 K5 J", "[O10 O11 O12]", opened=False, rules=rules)
    assert laid(view) == "R11 R12 R13"


def test_a_rack_that_can_go_as_an_opening_goes() -> None:
    assert laid(view_of("R10 R11 R12 R13 K1 B1 O1", "", opened=False)) == "K1 B1 R10 R11 R12 R13 O1"


@pytest.mark.parametrize(
    ("pool_left", "others", "tiles"),
    [
        pytest.param(2, 3, "R11 R12 R13", id="neither"),
        pytest.param(1, 3, "K1 B1 R10 R11 R12 R13 O1", id="the-round-ends-soon"),
        pytest.param(2, 1, "K1 B1 R10 R11 R12 R13 O1", id="another-is-nearly-out"),
    ],
)
def test_it_opens_with_all_that_can_go_where_the_rest_would_be_lost(
    pool_left: int, others: int, tiles: str
) -> None:
    view = view_of(
        "R10 R11 R12 R13 K1 B1 O1 K5", "", opened=False, pool_left=pool_left, others=others, rules="official"
    )
    assert laid(view) == tiles


@pytest.mark.parametrize("name", RULESETS)
def test_rounds_of_hard_bots_end(name: str) -> None:
    played = play_round(RULESETS[name], [Hard() for _ in range(SEATS[name])], 3)
    assert played.game.ended is not None
    assert [decision.complaint for decision in played.decisions if decision.complaint] == []
