"""The whole screen: what is where, who gives way, and that nothing is told by colour alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.console.draft import swap
from p2prummi.console.lines import columns_of
from p2prummi.console.marks import ASCII, UNICODE
from p2prummi.console.model import Message, after_notice
from p2prummi.console.rack.model import Order, RackModel
from p2prummi.console.screen import Candidates, Size, render, too_small
from p2prummi.console.table.model import with_draft
from p2prummi.errors import FaultCode
from p2prummi.rules import Draw, Ruleset, TileSet, format_tiles
from p2prummi.session import notices
from tests.console.screens import GAME, RACK, SIZES, chatty, seen
from tests.console.stage import (
    KEYS,
    NAMES,
    after_lay,
    console,
    dealt,
    game_of,
    match_ended,
    rack_of,
    started,
    turn_of,
)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.columns}x{size.rows}")
def test_d01_the_table_and_the_rack_are_whole_however_much_is_said(size: Size) -> None:
    text = seen(chatty(console(*started(), *dealt(GAME, RACK))), size)
    for part in ("R1  R2  R3", "K7  B7  O7", "K9   B9   R4   O9    J", "YOUR TURN", "pool 40", "49 bla"):
        assert part in text


@given(st.data())
def test_a_full_table_with_a_long_rack_and_many_players_is_whole(data: st.DataObject) -> None:
    rules = Ruleset(copies=3, jokers=4, players=(2, 6))
    groups = data.draw(st.integers(20, 39))
    runs = [
        f"{colour}{low} {colour}{low + 1} {colour}{low + 2}" for colour in "KBRO" for low in (1, 4, 7, 10)
    ]
    melds = (runs * 3)[:groups]
    game = game_of(*melds, players=6, ruleset=rules)
    used = {tile for meld in game.table for tile in meld.tiles}
    rack = [tile for tile in TileSet(3, 4).tiles if tile not in used][: data.draw(st.integers(1, 34))]
    model = replace(
        chatty(console(*started(6, rules), *dealt(game, rack))),
        message=Message(lines=("something is wrong " * 5,) * 6, trouble=True),
    )
    text = seen(model)
    for number, meld in enumerate(game.table, start=1):
        assert f"{number:>2} {format_tiles(meld.tiles[:1])}" in text
    assert text.count("K13") + text.count("R13") == sum(str(tile) in {"K13", "R13"} for tile in rack)
    assert all(name in text for name in NAMES)


def test_the_rack_is_in_blocks_of_colour_or_of_number() -> None:
    game = game_of()
    rack = rack_of("R4 K9 B4 J", game)
    model = console(*started(), *dealt(game, rack))
    assert "Rack  4 K9   B4   R4    J" in seen(model)
    assert "Rack  4 B4  R4   K9    J" in seen(replace(model, rack=RackModel(Order.NUMBER)))


def test_a_long_rack_goes_on_in_the_next_row_and_shows_what_was_taken_up() -> None:
    game = game_of("K7 B7 J")
    rack = rack_of("O7 " + " ".join(f"{colour}{number}" for colour in "KBR" for number in range(8, 14)), game)
    model = console(*started(), *dealt(game, rack))
    assert model.table.position is not None
    text = seen(
        replace(model, table=with_draft(model.table, swap(model.table.position.draft, 1, rack[0].face)))
    )
    rows = text.split("\n")
    first = next(row for row, line in enumerate(rows) if line.startswith("Rack 18 K8"))
    assert rows[first + 1].startswith("        R")
    assert rows[first + 2].startswith("Taken up from the table, to be laid again:  J ")


def test_what_was_drawn_last_is_marked() -> None:
    model = console(*started(), *dealt(GAME, RACK[:-1]), notices.TilesDrawn(tiles=RACK[-1:], rack=RACK))
    assert "J *" in seen(model)
    assert "You drew J." in seen(model)


def test_d08_every_tile_shows_letter_and_number_in_ascii_too() -> None:
    text = seen(console(*started(), *dealt(GAME, RACK)), marks=ASCII)
    assert text.isascii()
    for tile in ("R1", "K7", "B9", "O9", " J "):
        assert tile in text


def test_d07_wide_and_combining_names_keep_columns_straight() -> None:
    names = ("Ana", "日本語の名前 😀", "z" + "\u0301" * 30)
    model = console(*started(names=names), *dealt(game_of(players=3), RACK))
    lines = render(model, SIZES[0], UNICODE)
    texts = ["".join(text for _, text in line) for line in lines[1:3]]
    ends = [columns_of(text[: text.index(" tiles ")]) for text in texts]
    assert ends[0] == ends[1]
    assert columns_of(texts[0][: texts[0].rindex(" tiles ")]) == ends[0] + 40


def test_d14_names_and_chat_that_would_act_are_only_text() -> None:
    bad = "\x1b]52;c;AAAA\x07ev\x1b[2Jil\u202e\nBjörn: forged\x85"
    model = console(*started(names=("Ana", bad, "Chloé")), *dealt(GAME, RACK))
    for notice in (
        notices.ChatReceived(KEYS[1], bad, bad),
        notices.PeerLeft(KEYS[1], bad, False, bad),
        notices.FaultSeen(code=FaultCode.ILLEGAL_TURN, text=bad, peer=KEYS[1], signed=False),
        notices.RoomClosed(bad),
        match_ended(notices.MatchEnd.LEFT, text=bad),
    ):
        model = after_notice(model, notice)
        for size in SIZES:
            text = seen(model, size)
            assert not {"\x1b", "\x07", "\u202e", "\x85"} & set(text)
            assert not any(line.startswith("Björn: forged") for line in text.split("\n"))


def test_two_players_of_one_name_are_told_apart() -> None:
    text = seen(console(*started(names=("Ana", "Björn", "björn")), *dealt(GAME, RACK)))
    assert "Björn (fjiq)" in text
    assert "björn (zikt)" in text


def test_whose_turn_it_is_and_who_is_away() -> None:
    game = replace(GAME, to_move=1, opened=(True, False, True), pool_left=0)
    model = console(*started(), *dealt(game, RACK), notices.PeerAway(KEYS[2], NAMES[2]))
    text = seen(model)
    assert "Björn's turn" in text
    assert "▶ Björn" in text
    assert "pool EMPTY" in text
    assert "unopened" in text
    assert "Chloé (away)" in text
    assert "Nothing is heard of Chloé any more; waiting." in text
    assert "Chloé (away)" not in seen(after_notice(model, notices.PeerBack(KEYS[2], NAMES[2])))


def test_the_last_turn_is_in_the_log_and_marked_on_the_table() -> None:
    game = replace(GAME, to_move=1)
    after, turn = after_lay(game, "R1 R2 R3", "K7 B7 O7", "O1 O2 O3", to_move=2)
    text = seen(console(*started(), *dealt(game, RACK), turn, turn_of(after, RACK)))
    assert "3*O1 *O2 *O3 *" in text
    assert "Björn laid O1 O2 O3." in text


def test_all_reasons_are_shown_where_there_is_room() -> None:
    model = replace(
        console(*started(), *dealt(GAME, RACK)),
        message=Message(lines=("One.", "Two.", "Three."), trouble=True),
    )
    text = seen(model)
    assert "✗ One." in text
    assert "✗ Three." in text
    assert "R1  R2  R3" in text


def test_reasons_that_are_left_out_are_marked() -> None:
    rules = Ruleset(copies=3, jokers=4, players=(2, 6))
    runs = [f"{colour}{low} {colour}{low + 1} {colour}{low + 2}" for colour in "KBRO" for low in (1, 4, 7)]
    game = game_of(*runs * 3, players=6, ruleset=rules)
    model = replace(
        console(*started(6, rules), *dealt(game, rack_of("R10 R11 R12 R13 O10 O11 O12 O13", game))),
        message=Message(lines=tuple(f"Reason {number}." for number in range(20)), trouble=True),
    )
    shown = [line for line in seen(model).splitlines() if "Reason" in line]
    assert 0 < len(shown) < 20
    assert shown[-1].strip().endswith(". …")


def test_candidates_take_one_line_with_the_chosen_one_in_it() -> None:
    texts = tuple(f"candidate{number}" for number in range(30))
    model = console(*started(), *dealt(GAME, RACK))
    text = seen(model, candidates=Candidates(texts=texts, chosen=25))
    assert "candidate25" in text
    assert text.splitlines()[-1].endswith("…")
    few = seen(model, candidates=Candidates(texts=texts[:3]))
    assert "…" not in few
    assert "R1  R2  R3" in text


def test_a_small_screen_says_what_it_needs() -> None:
    assert not Size(columns=79, rows=24).is_enough
    assert not Size(columns=80, rows=23).is_enough
    assert Size(columns=80, rows=24).is_enough
    small = Size(columns=25, rows=9)
    way = ["Make the window larger,", "or its letters smaller;", "the game goes on", "meanwhile."]
    way += ["Ctrl-C twice ends the", "program."]
    assert too_small(small, console()) == ["25x9 is too small:", "p2prummi needs 80x24.", *way]
    mine = console(*started(), *dealt(GAME, RACK))
    assert too_small(small, mine)[2:] == ["It is your turn!", *way]
    assert too_small(Size(columns=0, rows=0), console())


def test_all_that_happened_since_ones_last_turn_is_seen_where_the_table_leaves_room() -> None:
    game = game_of("R1 R2 R3", players=6, ruleset=Ruleset(copies=3, jokers=4, players=(2, 6)))
    model = console(*started(6, game.ruleset), *dealt(game, rack_of("R4 K9", game)))
    for seat in range(1, 6):
        drew = notices.TurnTaken(
            round_number=1, sequence=20 + seat, seat=seat, turn=Draw(), laid=(), game=game, head=bytes(32)
        )
        model = after_notice(model, drew)
    text = seen(model)
    assert all(f"{name} drew a tile." in text for name in NAMES[1:])
