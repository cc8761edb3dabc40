"""The table: which draft lies on it after each notice, what is marked, and that it always fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.console import draft as drafts
from p2prummi.console.lines import line_columns
from p2prummi.console.marks import ASCII, UNICODE
from p2prummi.console.model import ConsoleModel, after_notice
from p2prummi.console.screen import LEAST_COLUMNS
from p2prummi.console.table.model import turn_sent, with_draft
from p2prummi.console.table.presenter import MeldShown, Standing, TileShown, draft_words, present
from p2prummi.console.table.view import render
from p2prummi.console.turning import changed_by
from p2prummi.console.typed import parse
from p2prummi.rules import Draw, Ruleset, TileSet, format_tiles
from p2prummi.session import notices
from tests.console.stage import after_lay, console, dealt, game_of, rack_of, started, taken, turn_of


def typed(model: ConsoleModel, *lines: str) -> ConsoleModel:
    """The state after typing draft commands."""
    for line in lines:
        assert model.table.position is not None
        draft = changed_by(model.table.position.draft, parse(line))  # type: ignore[arg-type]  # drafts' own only
        model = replace(model, table=with_draft(model.table, draft))
    return model


def melds_of(model: ConsoleModel) -> list[str]:
    assert model.table.position is not None
    return [format_tiles(meld.tiles) for meld in model.table.position.draft.melds]


def hand_of(model: ConsoleModel) -> str:
    assert model.table.position is not None
    return format_tiles(sorted(model.table.position.draft.hand, key=lambda tile: tile.canonical_key))


def words_of(model: ConsoleModel) -> str:
    assert model.table.position is not None
    return draft_words(model.table, model.table.position, model.people).text


def test_every_draft_command_does_its_work() -> None:
    game = game_of("R1 R2 R3 R4", "K7 B7 J")
    model = console(*started(), *dealt(game, rack_of("O7 K3 K4 R5", game)))
    model = typed(
        model, "swap J in 2 with O7", "lay K3 K4 J", "add R5 to 1", "move R5 from 1 to new", "take R5 from 4"
    )
    assert melds_of(model) == ["R1 R2 R3 R4", "K7 B7 O7", "K3 K4 J"]
    assert hand_of(model) == "R5"
    model = typed(model, "split 1 after R1")
    assert melds_of(model)[:2] == ["R1", "R2 R3 R4"]


GAME = game_of("R1 R2 R3", "K7 B7 O7", to_move=1)
RACK = rack_of("R4 K9 B9 O9", GAME)


def test_d14_a_draft_survives_a_turn_that_leaves_its_melds_alone() -> None:
    model = typed(console(*started(), *dealt(GAME, RACK)), "add R4 to 1")
    after, turn = after_lay(GAME, "R1 R2 R3", "K7 B7 O7", "B1 B2 B3", to_move=2)
    model = after_notice(after_notice(model, turn), turn_of(after, RACK))
    assert melds_of(model) == ["K7 B7 O7", "B1 B2 B3", "R1 R2 R3 R4"]
    assert hand_of(model) == "K9 B9 O9"
    assert not any("under your draft" in entry.text for entry in model.log.entries)


def test_d14_a_draft_that_does_not_fit_any_more_is_back_on_the_rack() -> None:
    model = typed(console(*started(), *dealt(GAME, RACK)), "add R4 to 1", "lay K9 B9 O9")
    after, turn = after_lay(GAME, "R1 R2 R3 R4", "K7 B7 O7", to_move=2)
    rack = RACK
    model = after_notice(after_notice(model, turn), turn_of(after, rack))
    assert melds_of(model) == ["R1 R2 R3 R4", "K7 B7 O7"]
    assert hand_of(model) == "K9 B9 R4 O9"
    told = [entry.text for entry in model.log.entries if "under your draft" in entry.text]
    assert len(told) == 1


def test_a_draft_stays_when_ones_own_turn_comes() -> None:
    model = typed(console(*started(), *dealt(GAME, RACK)), "lay K9 B9 O9")
    after = replace(GAME, to_move=0, turn_number=1)
    model = after_notice(after_notice(model, taken(GAME, after, Draw(), seat=1)), turn_of(after, RACK))
    assert melds_of(model)[-1] == "K9 B9 O9"
    assert model.table.my_turn


def test_an_own_turn_takes_the_tiles_off_the_rack_and_a_draw_clears_the_draft() -> None:
    game = replace(GAME, to_move=0)
    model = typed(console(*started(), *dealt(game, RACK)), "lay K9 B9 O9")
    _, turn = after_lay(game, "R1 R2 R3", "K7 B7 O7", "K9 B9 O9", to_move=1)
    turn = replace(turn, laid=RACK[1:])
    assert hand_of(after_notice(model, turn)) == "R4"
    drew = taken(game, replace(game, to_move=1), Draw(), seat=0)
    model = after_notice(model, drew)
    assert melds_of(model) == ["R1 R2 R3", "K7 B7 O7"]
    assert hand_of(model) == "K9 B9 R4 O9"
    more = rack_of("R4 K9 B9 O9 O13", game)
    model = after_notice(model, notices.TilesDrawn(tiles=more[-1:], rack=more))
    assert hand_of(model).endswith("O13")
    assert model.table.position is not None
    assert model.table.position.drawn == more[-1:]


def test_being_told_again_of_a_turn_that_was_sent_does_not_give_it_back() -> None:
    game = replace(GAME, to_move=0)
    model = console(*started(), *dealt(game, RACK))
    sent = replace(model, table=turn_sent(model.table))
    assert not after_notice(sent, turn_of(game, RACK)).table.my_turn
    assert after_notice(sent, turn_of(game, RACK, sequence=25)).table.my_turn


def test_what_the_last_turn_changed_is_marked_and_what_is_drafted_too() -> None:
    after, turn = after_lay(GAME, "R1 R2 R3 R4", "K7 B7 O7", to_move=0)
    rack = rack_of("K9 B9 O9", after)
    told = (*started(), *dealt(GAME, rack), turn, turn_of(after, rack))
    model = typed(console(*told), "lay K9 B9", "split 1 after R1")
    assert model.table.position is not None
    shown = present(model.table, model.table.position)
    assert [meld.standing for meld in shown] == [
        Standing.FAILS,
        Standing.STANDS,
        Standing.OLD,
        Standing.FAILS,
    ]
    text = "".join(part for line in render(shown, 80, 20, UNICODE) for _, part in line)
    assert "1✗R1" in text
    assert "2✓R2  R3  R4 *" in text
    assert "4✗K9 +B9 +" in text
    untouched = present(console(*told).table, console(*told).table.position)  # type: ignore[arg-type]  # is there
    assert [meld.standing for meld in untouched] == [Standing.CHANGED, Standing.OLD]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "To open you need 30 points from your rack alone."),
        (["lay K9 B9 O9"], "Opening: 27 of 30 points. Not yet: The opening is worth 27 of 30 points"),
        (["lay K9 B9"], "Opening: 0 of 30 points. Not yet: [K9 B9] is too short"),
        (
            ["lay K9 B9 O9", "lay R1 R2 R3"],
            "Opening: 33 of 30 points. Legal: 6 tiles laid. `end` ends your turn so.",
        ),
    ],
)
def test_an_opening_shows_its_points_while_it_is_built(lines: list[str], words: str) -> None:
    game = game_of("R7 B7 K7", opened=False)
    rack = rack_of("K9 B9 O9 R1 R2 R3", game)
    assert words in words_of(typed(console(*started(), *dealt(game, rack)), *lines))


def test_an_opening_without_points_takes_a_meld() -> None:
    game = game_of("R7 B7 K7", opened=False, ruleset=Ruleset(opening_points=0))
    model = console(*started(), *dealt(game, rack_of("K9 B9 O9", game)))
    assert words_of(model) == (
        "Your turn: `lay` tiles, then `end`, or `draw`. To open you need a meld from your rack alone. "
        "`help` shows how to lay, `hint` what."
    )
    assert words_of(typed(model, "lay K9 B9 O9")).startswith("Legal: 3 tiles laid.")


def test_the_witness_of_an_opening_that_goes_on_with_the_table_is_found() -> None:
    rules = Ruleset(name="nl-digitaal", opening_then_table=True)
    game = game_of("R7 B7 K7", opened=False, ruleset=rules)
    rack = rack_of("K10 B10 O10 O7", game)
    model = typed(console(*started(ruleset=rules), *dealt(game, rack)), "lay K10 B10 O10", "add O7 to 1")
    assert model.table.position is not None
    play = model.table.position.judgement.play
    assert play is not None
    assert play.opening is not None
    assert [format_tiles(meld.tiles) for meld in play.opening] == ["K10 B10 O10"]


def test_off_turn_a_legal_draft_says_that_it_has_to_wait() -> None:
    model = typed(console(*started(), *dealt(GAME, RACK)), "add R4 to 1")
    assert words_of(model) == "Legal: 1 tile laid. It is not your turn yet."


def test_the_round_is_over_without_a_table() -> None:
    model = console(*started(), *dealt(GAME, RACK))
    table = model.table
    assert table.position is not None
    assert with_draft(table, drafts.reset(table.position.draft)).position == table.position


@st.composite
def whole_tables(draw: st.DrawFn) -> tuple[MeldShown, ...]:
    """All tiles of the large set in melds of three to thirteen, so that no real table takes more room."""
    tile_set = TileSet(3, 4)
    left = list(tile_set.tiles)
    shown: list[MeldShown] = []
    while left:
        size = min(draw(st.sampled_from((3, 3, 3, 4, 5, 8, 13))), len(left))
        part, left = left[:size], left[size:]
        standing = draw(st.sampled_from(Standing))
        melded = tuple(map(TileShown, part))
        shown.append(MeldShown(number=len(shown) + 1, standing=standing, tiles=melded))
    return tuple(shown)


@given(whole_tables())
def test_every_table_of_the_largest_set_fits_on_the_least_screen(shown: tuple[MeldShown, ...]) -> None:
    lines = render(shown, LEAST_COLUMNS, 10, ASCII)
    # Title, six players in three rows, two rules, a row each for rack, words, answers and typing.
    assert len(lines) <= 24 - 1 - 3 - 2 - 1 - 1 - 1 - 1
    assert all(line_columns(line) <= LEAST_COLUMNS for line in lines)
    text = "".join(part for line in lines for _, part in line)
    assert all(f"{meld.number:>2}" in text for meld in shown)
