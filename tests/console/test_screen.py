"""The whole screen: what is where, who gives way, and that nothing is told by colour alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.console.draft import swap
from p2prummi.console.help.model import HelpModel, Page
from p2prummi.console.lines import columns_of, line_columns
from p2prummi.console.lobby.model import after_second
from p2prummi.console.log.model import Entry, Kind, with_entry
from p2prummi.console.marks import ASCII, UNICODE, Marks
from p2prummi.console.model import ConsoleModel, Message, after_notice
from p2prummi.console.rack.model import Order, RackModel
from p2prummi.console.screen import Candidates, Size, render, too_small
from p2prummi.console.table.model import with_draft
from p2prummi.errors import FaultCode
from p2prummi.net import notices as net_notices
from p2prummi.net.known_peers import Meeting, Recognition
from p2prummi.net.sightings import Status
from p2prummi.rules import (
    Draw,
    End,
    EndReason,
    Ruleset,
    StalemateScoring,
    StalemateWinner,
    TileSet,
    format_tiles,
)
from p2prummi.rules.start import Starting
from p2prummi.session import notices
from p2prummi.transcript.phases import Phase
from tests.console.stage import (
    KEYS,
    NAMES,
    after_lay,
    console,
    dealt,
    game_of,
    match_ended,
    rack_of,
    room_of,
    round_ended,
    sighting_of,
    started,
    taken,
    turn_of,
)

SIZES = [
    Size(columns=80, rows=24),
    Size(columns=119, rows=24),
    Size(columns=120, rows=40),
    Size(columns=250, rows=70),
]
GAME = game_of("R1 R2 R3", "K7 B7 O7", players=3)
RACK = rack_of("R4 K9 B9 O9 J", GAME)


def seen(model: ConsoleModel, size: Size = SIZES[0], marks: Marks = UNICODE, **more: object) -> str:
    """The screen as text; every screen must keep to its size."""
    lines = render(model, size, marks, **more)  # type: ignore[arg-type]  # handed through
    assert len(lines) == size.rows - 1
    assert all(line_columns(line) <= size.columns for line in lines)
    return "\n".join("".join(text for _, text in line) for line in lines)


def chatty(model: ConsoleModel, lines: int = 50) -> ConsoleModel:
    for number in range(lines):
        entry = Entry(Kind.CHAT, f"Björn: {number} " + "bla " * 40)
        model = replace(model, log=with_entry(model.log, entry))
    return model


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
    assert "R1  R2  R3" in text


def test_a_small_screen_says_what_it_needs() -> None:
    assert not Size(columns=79, rows=24).is_enough
    assert not Size(columns=80, rows=23).is_enough
    assert Size(columns=80, rows=24).is_enough
    assert too_small(Size(columns=20, rows=5)) == ["20x5 is too small:", "p2prummi needs 80x24."]


# The lobby.


def test_the_lobby_lists_rooms_with_what_hinders_joining() -> None:
    rooms = (
        sighting_of("Attic", taken_seats=2),
        sighting_of("Cellar", code_required=True),
        sighting_of("Full", taken_seats=4),
        sighting_of("Garden", state="playing"),
        sighting_of("Old", compatible=False),
        sighting_of("Silent", status=Status.STALE),
    )
    text = seen(console(net_notices.LookoutChanged(rooms=rooms, peers=())))
    for row in (
        "1  Attic    2/4   official  open · Björn",
        "2  Cellar   1/4   official  open, needs a code",
        "3  Full     4/4   official  full",
        "4  Garden   1/4   official  playing",
        "5  Old      1/4   official  protocol 7, 9, ours is 1",
        "6  Silent   1/4   official  doesn't answer",
    ):
        assert row in text
    assert "`join NAME` joins one." in text


def test_many_rooms_are_cut_with_a_word() -> None:
    rooms = tuple(sighting_of(f"Room {number}", room=bytes([number]) * 32) for number in range(40))
    text = seen(console(net_notices.LookoutChanged(rooms=rooms, peers=())))
    assert "… and" in text
    assert "`open NAME` opens a room" in text


def test_after_ten_seconds_alone_the_lobby_says_what_may_be_wrong() -> None:
    model = console()
    for _ in range(10):
        assert "UDP port 5353" not in seen(model, port=4123)
        model = replace(model, lobby=after_second(model.lobby, ()))
    text = " ".join(seen(model, port=4123).split())
    assert "UDP port 5353" in text
    assert "TCP port 4123" in text
    assert "--connect HOST:4123" in text
    model = replace(model, lobby=after_second(model.lobby, (sighting_of("Attic"),)))
    assert "UDP port 5353" not in seen(model, port=4123)
    model = replace(model, lobby=after_second(model.lobby, ()))
    assert "UDP port 5353" not in seen(model, port=4123)


def test_the_room_shows_who_is_there_how_well_known_and_what_it_waits_for() -> None:
    met = [
        net_notices.PeerMet(
            peer=KEYS[seat], name=NAMES[seat], meeting=Meeting(recognition=recognition, is_first=True)
        )
        for seat, recognition in ((1, Recognition.NEW), (2, Recognition.OTHER_KEY))
    ]
    rules = Ruleset(opening_points=25)
    text = seen(console(*met, room_of(3, seats=4, ready=(1,), ruleset=rules)))
    assert "Room Attic: 3 of 4 seats taken" in text
    assert "rules: official, changed: opening_points=25" in text
    assert "you, opener" in text
    assert "✓ Björn  ready      fjiq-kaig-gal2-k3c4  met for the first time" in text
    assert "NOT who had this name before" in text
    assert "Type `ready` when you are." in text


def test_a_long_name_hides_no_warning() -> None:
    long_name = "a name of two and thirty letters"
    met = net_notices.PeerMet(
        peer=KEYS[1], name=long_name, meeting=Meeting(recognition=Recognition.OTHER_KEY, is_first=True)
    )
    room = room_of(2)
    renamed = replace(room.members[1], name=long_name, is_opener=True)
    text = seen(console(met, replace(room, members=(room.members[0], renamed))))
    assert "NOT who had this name before" in text
    assert "fjiq-kaig-gal2-k3c4" in text


@pytest.mark.parametrize(
    ("room", "words"),
    [
        (room_of(3, seats=4, ready=(0,)), "Waiting for Björn, Chloé to be ready."),
        (room_of(3, seats=4, ready=(0, 1, 2)), "`start` begins now with those who are here."),
        (room_of(1, seats=4, ready=(0,)), "The match starts when the room is full."),
        (room_of(3, ready=(0, 1, 2)), "the match is being agreed and signed"),
    ],
)
def test_what_a_room_waits_for(room: notices.RoomUpdated, words: str) -> None:
    assert words in " ".join(seen(console(room)).split())


def test_a_room_that_is_gone_is_the_lobby_again() -> None:
    assert "Rooms in this network" in seen(
        console(room_of(2), notices.RoomClosed("Björn, who opened it, is gone."))
    )


# Setup and end.


def test_the_setup_says_what_is_done_by_whom_and_what_was_verified() -> None:
    progress = notices.PhaseProgress(round_number=1, phase=Phase.PROVE, seats_done=(0, 2))
    model = console(*started(), progress)
    text = seen(model)
    assert "✓ Everyone shuffles the whole deck, one after the other" in text
    assert "▶ Everyone proves that the shuffle kept every tile" in text
    assert "✓ Ana  · Björn  ✓ Chloé" in text
    draws = (tuple(zip(range(3), rack_of("R4 K9 J", game_of()), strict=True)),)
    starting = Starting(seat=2, draws=draws)
    verified = notices.DeckVerified(round_number=1, proofs=3, tiles=106, starting=starting)
    text = seen(after_notice(model, verified)).replace("\n", " ")
    assert "Verified here: 3 proofs that each of the 3 shuffles kept all 106 tiles." in " ".join(text.split())
    assert "Drawn for the first turn: Ana R4, Björn K9, Chloé J. Chloé begins." in " ".join(text.split())


def test_after_the_last_turn_the_screen_says_what_is_still_done() -> None:
    game = replace(GAME, to_move=1)
    after = replace(game, ended=End(reason=EndReason.RUMMIKUB, winner=1, next=2))
    over = console(*started(), *dealt(game, RACK), taken(game, after, Draw(), seat=1))
    assert "The round is over; it is settled now." in seen(over)
    assert "round over" in seen(over)
    progress = notices.PhaseProgress(round_number=1, phase=Phase.SETTLE, seats_done=(0, 2))
    words = " ".join(seen(after_notice(over, progress)).split())
    assert (
        "The round is over. Everyone opens the keys, so that all can be checked. Still to come: Björn."
        in words
    )


def test_only_changes_of_the_network_are_news() -> None:
    model = console(net_notices.NetworkChanged(True))
    assert model.log.entries == ()
    model = after_notice(model, net_notices.NetworkChanged(False))
    assert "There is no network" in seen(model)
    assert "There is a network again." in seen(after_notice(model, net_notices.NetworkChanged(True)))


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        (
            round_ended("rummikub", winner=1),
            ["Rummikub! Björn laid the last tile.", "the winner gets the sum", "Björn: 43 + 3 = 46."],
        ),
        (
            round_ended("all_passed", racks=("R4 K9 J", "K2", "B1 B2"), winner=None),
            ["everyone has passed", "The best rack wins", "Björn: 41 + 1 = 42."],
        ),
        (
            round_ended(
                "pool_empty",
                racks=("R4", "K2", "B1"),
                ruleset=Ruleset(
                    stalemate_winner=StalemateWinner.NOBODY,
                    stalemate_scoring=StalemateScoring.EVERYONE_PENALISED,
                ),
            ),
            ["The pool is empty, which ends the round."],
        ),
    ],
)
def test_the_end_says_how_each_score_came_about(ended: notices.RoundEnded, words: list[str]) -> None:
    text = " ".join(seen(console(*started(), ended)).split())
    for each in words:
        assert each in text
    assert "`next` goes on to the next round." in text


def test_the_scores_stay_until_one_goes_on_oneself() -> None:
    progress = notices.PhaseProgress(round_number=2, phase=Phase.COMMIT, seats_done=(1,))
    model = console(*started(), round_ended("rummikub", winner=1, match_over=False), progress)
    assert "`next` goes on to the next round." in seen(model)
    agreed = replace(model, result=replace(model.result, agreed=True))
    assert "Waiting for the others to go on." in seen(agreed)
    assert "Round 2 is being set up" in seen(after_notice(agreed, progress))


def test_every_reason_for_an_end_has_words() -> None:
    for reason in EndReason:
        winner = 1 if reason in {EndReason.RUMMIKUB, EndReason.OTHERS_LEFT} else None
        text = seen(console(*started(), round_ended(reason, winner=winner)))
        assert "Round 1 is over. " in text
        assert reason not in text


def test_the_end_of_a_match_names_the_winners_and_the_way_on() -> None:
    model = console(*started(), round_ended("rummikub", winner=1), match_ended(winners=(1, 2)))
    model = replace(model, result=replace(model.result, kept="The match is kept in /somewhere/file"))
    text = " ".join(seen(model).split())
    assert "Björn and Chloé share the win!" in text
    assert "The match is kept in /somewhere/file" in text
    assert "Another match in this room? Type `ready` when you are." in text


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.columns}x{size.rows}")
def test_the_end_fits_with_six_players_and_long_racks(size: Size) -> None:
    rules = Ruleset(copies=3, jokers=4, players=(2, 6))
    racks = ("R4 K9 J " * 7, *(" ".join(f"{colour}{n}" for n in range(1, 14)) for colour in "KBROK"))
    ended = round_ended(racks=racks, ruleset=rules, opened=(True,) * 6)
    model = console(*started(6, rules), ended, match_ended(players=6))
    text = seen(replace(model, result=replace(model.result, kept="The match is kept in /somewhere")), size)
    for part in (*NAMES, "wins the match!", "The match is kept in /somewhere", "`quit` ends"):
        assert part in text


@pytest.mark.parametrize("seats", [3, 6])
def test_where_the_match_is_kept_and_what_comes_next_is_never_cut(seats: int) -> None:
    rules = Ruleset(copies=3, jokers=4, players=(2, 6), stalemate_scoring=StalemateScoring.DIFFERENCE)
    racks = ("R4 K9 J " * 15,) * seats
    ended = round_ended(racks=racks, ruleset=rules, opened=(True,) * seats)
    model = console(*started(seats, rules), ended, match_ended(players=seats, winners=tuple(range(seats))))
    kept = f"The match is kept in /{'a' * 200}/the-end"
    model = replace(model, result=replace(model.result, kept=kept))
    for lines in ((), ("Refused.",) * 5):
        text = seen(replace(model, message=Message(lines=lines)))
        for part in (*NAMES[:seats], "share the win", "The match is kept in", "the-end", "`quit` ends"):
            assert part in text
    crowded = seen(replace(model, message=Message(lines=("Refused.",) * 5)))
    scores = [line for line in crowded.splitlines() if line[2:].startswith(NAMES)]
    assert len(scores) == seats
    assert all(line.endswith("…") for line in scores)


def test_pages_are_scrolled_to_their_end_and_no_further() -> None:
    model = console(room_of(2))
    first = seen(replace(model, help=HelpModel(page=Page.COMMANDS)))
    assert "lay R10 R11 R12" in first
    last = seen(replace(model, help=HelpModel(page=Page.COMMANDS, top=999)))
    assert "Tab completes" in last
    changed = console(room_of(2, ruleset=Ruleset(opening_points=25)))
    narrow = seen(replace(changed, help=HelpModel(page=Page.RULES)))
    assert narrow.splitlines()[1].endswith("Esc closes)")
    rules = seen(replace(changed, help=HelpModel(page=Page.RULES)), SIZES[3])
    assert "Rules: official, with 1 changed (*)" in rules
    assert "* To open, lay one or more melds" in " ".join(rules.split())
    assert "(opening_points=25)" in rules
    assert "· A joker left on a rack costs 30 points. (joker_penalty=30)" in " ".join(rules.split())
