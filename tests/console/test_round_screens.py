"""The screens around a round's turns: setup, settlement, result; and the pages to read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.console.help.model import HelpModel, Page
from p2prummi.console.model import Message, after_notice
from p2prummi.console.screen import Size
from p2prummi.net import notices as net_notices
from p2prummi.rules import Draw, End, EndReason, Ruleset, StalemateScoring, StalemateWinner
from p2prummi.rules.start import Starting
from p2prummi.session import notices
from p2prummi.transcript.phases import Phase
from tests.console.screens import GAME, RACK, SIZES, seen
from tests.console.stage import (
    KEYS,
    NAMES,
    console,
    dealt,
    game_of,
    match_ended,
    rack_of,
    room_of,
    round_ended,
    started,
    taken,
)


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
    assert "There is no network now." in seen(model)
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


def test_what_people_say_of_the_scores_is_seen_beside_them() -> None:
    racks = ("R4 K9 J " * 7, *(" ".join(f"{colour}{n}" for n in range(1, 14)) for colour in "KBR"))
    ended = round_ended(racks=racks, opened=(True,) * 4)
    model = console(*started(4), ended, match_ended(players=4))
    model = replace(model, result=replace(model.result, kept="The match is kept in /somewhere"))
    said = after_notice(model, notices.ChatReceived(KEYS[1], NAMES[1], "well played"))
    text = seen(said)
    for part in (*NAMES[:4], "Björn: well played", "The match is kept in /somewhere", "`quit` ends"):
        assert part in text


def test_a_match_that_ended_without_a_round_leaves_no_gap() -> None:
    model = console(*started(), match_ended(notices.MatchEnd.LEFT, text="Björn has left."))
    lines = [line.strip() for line in seen(model).splitlines()]
    assert lines.index("The match ended early: Björn has left.") - lines.index("The match is over.") == 2


def test_a_room_that_is_opened_after_a_match_takes_the_place_of_its_end() -> None:
    model = console(*started(), match_ended(notices.MatchEnd.LEFT), notices.RoomClosed("You have left."))
    assert "The match is over." in seen(model)
    assert "Room Attic: 1 of 3 seats taken" in seen(after_notice(model, room_of(1, seats=3)))


def test_the_end_of_a_match_stays_while_its_room_does() -> None:
    model = console(*started(), match_ended(), room_of(3, ready=(1,)))
    assert "The match is over." in seen(model)


def test_one_loss_is_no_sum() -> None:
    text = seen(
        console(*started(2), round_ended("rummikub", winner=1, racks=("R4 K9 J", ""), opened=(True, True)))
    )
    assert "the winner gets the sum" in " ".join(text.split())
    assert " = 43" not in text
