"""Which room of several is taken, and to which one the own room yields."""

from __future__ import annotations

from dataclasses import replace

from p2prummi.net.meeting import Wish, room_to_join
from p2prummi.net.sightings import RoomSighting, Status
from p2prummi.rules import with_settings
from p2prummi.wire.hello import NO_ROOM
from tests.net.room_world import CODE, OFFICIAL, WISH, sighting


def chosen(*rooms: RoomSighting, wish: Wish = WISH, own: int | None = None) -> int | None:
    taken = room_to_join(rooms, wish, own=NO_ROOM if own is None else bytes([own]) * 32)
    return None if taken is None else taken.facts.room_id[0]


def test_the_smallest_of_the_rooms_of_the_name_is_taken() -> None:
    assert chosen(sighting(5), sighting(3), sighting(1, name="attic"), sighting(4)) == 3
    assert chosen(sighting(1, name="attic")) is None
    assert chosen() is None


def test_a_room_with_the_rules_that_one_would_open_goes_first_and_another_is_taken_all_the_same() -> None:
    other = with_settings(OFFICIAL, ["rounds=3"])
    assert chosen(sighting(1, ruleset=other), sighting(2)) == 2
    assert chosen(sighting(1, ruleset=other)) == 1


def test_full_running_stale_and_foreign_rooms_are_passed_over() -> None:
    room = sighting(1)
    (member,) = room.members
    assert chosen(sighting(1, seats_taken=4)) is None
    assert chosen(replace(room, facts=replace(room.facts, state="playing"))) is None
    assert chosen(replace(room, members=(replace(member, status=Status.STALE),))) is None
    assert chosen(replace(room, members=(replace(member, compatible=False),))) is None


def test_a_code_keeps_rooms_apart() -> None:
    locked = replace(WISH, with_code=True, code=CODE)
    assert chosen(sighting(1, code_required=True)) is None
    assert chosen(sighting(1), wish=locked) is None
    assert chosen(sighting(1, code_required=True), wish=locked) == 1


def test_the_own_room_yields_only_to_a_smaller_one_of_equal_rules_and_code_flag() -> None:
    other = with_settings(OFFICIAL, ["rounds=3"])
    assert chosen(sighting(3), own=5) == 3
    assert chosen(sighting(6), own=5) is None
    assert chosen(sighting(3, ruleset=other), own=5) is None
    assert chosen(sighting(3, code_required=True), own=5) is None
    assert chosen(sighting(3, name="attic"), own=5) is None
