"""`p2prummi rooms`: what it prints of a room, in words and as JSON; looking is tested in `tests/net`."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import pytest

from p2prummi.cli.main import build_parser
from p2prummi.cli.rooms import interfaces_to_text, room_to_json, room_to_text
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.addresses import HostPort, Interface
from p2prummi.net.sightings import PeerSighting, RoomFacts, RoomSighting, Status
from p2prummi.rules import PRESETS, Ruleset
from p2prummi.transcript.agreement import ruleset_hash
from p2prummi.wire.shown import shown

KEY = bytes(32)
FACTS = RoomFacts(
    room_id=bytes([1]) * 32,
    name="kitchen",
    opener=fingerprint(KEY),
    ruleset_name="official",
    ruleset_hash=ruleset_hash(PRESETS["official"]),
    seats_taken=1,
    seats=4,
    state="open",
    code_required=False,
)
MEMBER = PeerSighting(
    key=KEY,
    name="alice",
    program="p2prummi 9",
    versions=(1,),
    compatible=True,
    addresses=(HostPort("10.77.0.1", 4711),),
    room=FACTS,
    status=Status.LIVE,
)


def room(facts: RoomFacts = FACTS, member: PeerSighting = MEMBER) -> RoomSighting:
    return RoomSighting(facts=facts, members=(member,))


def test_a_room_in_words() -> None:
    words = f"kitchen: official, 1 of 4 seats taken, open; alice ({fingerprint(KEY)})"
    assert room_to_text(room()) == words


@pytest.mark.parametrize(
    ("sighting", "mark"),
    [
        (room(replace(FACTS, code_required=True)), "asks for a code"),
        (room(replace(FACTS, state="playing")), "playing"),
        (room(replace(FACTS, ruleset_hash=ruleset_hash(Ruleset(rounds=3)))), "official, changed, 1 of 4"),
        (room(replace(FACTS, ruleset_name="club")), "club, unknown rules, 1 of 4"),
        (room(member=replace(MEMBER, compatible=False)), "another protocol version (p2prummi 9)"),
        (room(member=replace(MEMBER, status=Status.STALE)), "does not answer now"),
    ],
)
def test_what_stands_in_the_way_is_said(sighting: RoomSighting, mark: str) -> None:
    assert mark in room_to_text(sighting)
    assert mark not in room_to_text(room())


@pytest.mark.parametrize("evil", ["a\nb: official", "k\x1b]52;c;AAAA\x07it", "\u202ekitchen"])
def test_nothing_that_others_say_acts_on_the_terminal(evil: str) -> None:
    facts = replace(FACTS, name=evil, ruleset_name=evil)
    for member in (MEMBER, replace(MEMBER, compatible=False, program=evil, name=evil)):
        line = room_to_text(room(facts, member))
        assert line == shown(line)
    assert room_to_text(room(replace(FACTS, name="\u200b"))).startswith("?: ")


def test_where_it_was_looked_is_said_by_interface_and_address() -> None:
    interfaces = [Interface("eth0", ("10.77.0.1", "fd00::1")), Interface("vpn0", ("10.99.0.1",))]
    assert interfaces_to_text(interfaces) == "eth0 (10.77.0.1, fd00::1) and vpn0 (10.99.0.1)"


def test_a_room_as_json() -> None:
    assert json.loads(json.dumps(room_to_json(room()))) == {
        "room": "01" * 32,
        "name": "kitchen",
        "opener": fingerprint(KEY),
        "ruleset": "official",
        "ruleset_changed": False,
        "state": "open",
        "seats_taken": 1,
        "seats": 4,
        "code": False,
        "joinable": True,
        "compatible": True,
        "members": [
            {
                "peer": fingerprint(KEY),
                "name": "alice",
                "address": "10.77.0.1:4711",
                "program": "p2prummi 9",
            }
        ],
    }
    assert room_to_json(room(member=replace(MEMBER, addresses=())))["members"][0]["address"] is None


@pytest.mark.parametrize(
    ("name", "told_hash", "changed"),
    [
        ("official", ruleset_hash(PRESETS["official"]), False),
        ("official", ruleset_hash(PRESETS["nl-klassiek"]), True),
        ("nl-klassiek", ruleset_hash(PRESETS["nl-klassiek"]), False),
        ("official", b"", None),
        ("club", bytes(32), None),
    ],
)
def test_whether_the_rules_are_those_of_the_preset(name: str, told_hash: bytes, changed: bool | None) -> None:
    facts = replace(FACTS, ruleset_name=name, ruleset_hash=told_hash)
    assert room_to_json(room(facts))["ruleset_changed"] is changed
    assert ("changed" in room_to_text(room(facts))) is bool(changed)


def test_how_long_to_look() -> None:
    parsed: argparse.Namespace = build_parser().parse_args(["rooms", "--wait", "0.5", "--json"])
    assert (parsed.wait, parsed.json) == (0.5, True)
    assert build_parser().parse_args(["rooms"]).wait == 3


@pytest.mark.parametrize("wait", ["0", "-1", "soon", "nan", "1e9"])
def test_a_time_that_is_none_is_wrong_usage(wait: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args(["rooms", f"--wait={wait}"])
    assert ended.value.code == 2
    assert "number of seconds" in capsys.readouterr().err
