"""The lobby's screen and that of a room: who is there, what hinders joining, what is waited for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.console.lobby.model import LobbyModel, after_second
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net import notices as net_notices
from p2prummi.net.driver import AnyNotice
from p2prummi.net.known_peers import Meeting, Recognition
from p2prummi.net.sightings import Status
from p2prummi.rules import PRESETS, Ruleset
from p2prummi.session import notices
from p2prummi.transcript.agreement import ruleset_hash
from tests.console.screens import seen
from tests.console.stage import KEYS, NAMES, console, room_of, sighting_of


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
    assert "`join NAME` joins one, `open NAME` opens one, `help` shows all" in text


def test_the_list_says_where_the_name_of_the_rules_is_not_all() -> None:
    changed = ruleset_hash(replace(PRESETS["fi-klassinen"], opening_points=20))
    rooms = (
        sighting_of("Attic", rules_hash=ruleset_hash(PRESETS["official"])),
        sighting_of("Cellar", rules="fi-klassinen", rules_hash=changed, code_required=True),
        sighting_of(
            "Garden", rules="the club's own from last summer", rules_hash=changed, code_required=True
        ),
    )
    text = seen(console(net_notices.LookoutChanged(rooms=rooms, peers=())))
    for row in (
        "1  Attic    1/4   official               open · Björn",
        "2  Cellar   1/4   fi-klassinen, changed  open, needs a code",
        "3  Garden   1/4   the c…, unknown rules  open, needs a code",
    ):
        assert row in text


def test_the_longest_row_says_whether_the_room_can_be_joined() -> None:
    room = sighting_of("R" * 48, rules="r" * 32, rules_hash=bytes(32), code_required=True)
    assert "unknown rules  open, needs a code…" in seen(
        console(net_notices.LookoutChanged(rooms=(room,), peers=()))
    )


@pytest.mark.parametrize(
    ("rules", "limit"),
    [
        (PRESETS["official"], "time limit of 120 s a turn: agreed, not enforced yet"),
        (
            replace(PRESETS["official"], turn_seconds=30),
            "time limit of 30 s a turn: agreed, not enforced yet",
        ),
        (PRESETS["nl-klassiek"], None),
    ],
)
def test_the_room_says_that_nobody_keeps_the_clock(rules: Ruleset, limit: str | None) -> None:
    text = seen(console(room_of(2, ruleset=rules)))
    assert f"rules: {rules.name}" in text
    assert [line for line in text.split("\n") if "limit" in line] == ([limit] if limit else [])


def test_many_rooms_are_cut_with_a_word() -> None:
    rooms = tuple(sighting_of(f"Room {number}", room=bytes([number]) * 32) for number in range(40))
    text = seen(console(net_notices.LookoutChanged(rooms=rooms, peers=())))
    assert "… and" in text
    assert "`open NAME` opens one" in text


def alone_for(seconds: int, *told: AnyNotice, bots: str = "") -> str:
    """The words on the screen of who has seen nobody for that long after these notices."""
    model = console(*told, lobby=LobbyModel(bots_directory=bots))
    for _ in range(seconds):
        model = replace(model, lobby=after_second(model.lobby, model.lobby.rooms))
    return " ".join(seen(model, port=4123).split())


def test_after_ten_seconds_alone_the_lobby_says_what_may_be_wrong() -> None:
    assert "UDP port 5353" not in alone_for(9)
    for told in ((), (room_of(1),)):
        text = alone_for(10, *told)
        assert "UDP port 5353" in text
        assert "TCP port 4123" in text
        assert "--connect HOST:4123" in text
        assert "start with `--bots 3`" in text


def test_who_has_seen_someone_begins_to_wait_anew() -> None:
    model = console()
    for _ in range(10):
        model = replace(model, lobby=after_second(model.lobby, ()))
    for rooms in ((sighting_of("Attic"),), ()):
        model = replace(model, lobby=after_second(model.lobby, rooms))
        assert "UDP port 5353" not in seen(model, port=4123)


ROOMLESS = replace(sighting_of("Attic").members[0], room=None)


def test_who_sees_players_without_a_room_is_not_alone_and_is_told_of_them() -> None:
    nameless = replace(ROOMLESS, key=KEYS[2], name="\u202e")
    seated = sighting_of("Attic").members[0]
    text = alone_for(20, net_notices.LookoutChanged(rooms=(), peers=(ROOMLESS, nameless, seated)))
    assert "Nobody has been seen" not in text
    assert f"none seen yet In no room yet: Björn, {fingerprint(KEYS[2])} `open" in text
    gone = net_notices.LookoutChanged(rooms=(), peers=())
    assert "Nobody has been seen" in alone_for(10, gone)


def test_players_without_a_room_are_told_of_in_one_line_below_the_rooms() -> None:
    peers = tuple(replace(ROOMLESS, key=bytes([number]) * 32) for number in range(200))
    text = seen(console(net_notices.LookoutChanged(rooms=(sighting_of("Attic"),), peers=peers)))
    [line] = [line for line in text.split("\n") if line.startswith("In no room yet: Björn, Björn")]
    assert line.endswith("…")
    assert text.index("1  Attic") < text.index(line)


def test_who_brought_bots_is_not_told_to_and_learns_where_their_words_are() -> None:
    assert "bots" not in alone_for(9, bots="/state/p2prummi")
    text = alone_for(10, bots="/state/p2prummi")
    assert "Not even your bots are seen; what they say is in /state/p2prummi." in text
    assert "UDP port 5353" in text
    assert "--bots" not in text
    assert "bots" not in alone_for(10, room_of(2), bots="/state/p2prummi")


@pytest.mark.parametrize("seconds", [0, 10])
def test_without_a_network_nothing_is_said_of_firewalls(seconds: int) -> None:
    offline = net_notices.NetworkChanged(online=False)
    text = alone_for(seconds, offline)
    assert "Nobody can be found or reached until there is a network." in text
    assert "a game against bots, which need none, start with `--bots 3`" in text
    assert "UDP" not in text
    text = alone_for(seconds, offline, bots="/state/p2prummi")
    assert "Your bots need no network." in text
    assert ("Not even your bots are seen" in text) is (seconds == 10)
    assert "UDP" not in text
    assert "--bots" not in text
    assert text.count("There is no network now.") == 1
    assert "until there is" not in alone_for(seconds, offline, net_notices.NetworkChanged(online=True))
    assert "need no network" not in alone_for(seconds, offline, room_of(2), bots="/state/p2prummi")


def test_the_room_shows_who_is_there_how_well_known_and_what_it_waits_for() -> None:
    met = [
        net_notices.PeerMet(
            peer=KEYS[seat], name=NAMES[seat], meeting=Meeting(recognition=recognition, is_first=True)
        )
        for seat, recognition in ((1, Recognition.NEW), (2, Recognition.OTHER_KEY))
    ]
    rules = Ruleset(opening_points=25, players=(4, 4))
    text = seen(console(*met, room_of(3, seats=4, ready=(1,), ruleset=rules)))
    assert "Room Attic: 3 of 4 seats taken" in text
    assert "rules: official, changed: opening_points=25, players=4" in text
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
