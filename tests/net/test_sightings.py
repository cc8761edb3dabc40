"""Sightings: a record is no sign of life, a probe is; what fades, fades in the order of the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net import sightings as module
from p2prummi.net.addresses import Address, HostPort, SocketName
from p2prummi.net.sightings import (
    GONE_SECONDS_MAX,
    PROBE_SECONDS,
    SELDOM_SECONDS,
    STALE_SECONDS_MAX,
    VISIT_SECONDS_MAX,
    PeerSighting,
    RoomFacts,
    Sightings,
    Status,
    facts_of,
)
from p2prummi.wire.hello import RoomAdvert

OWN, BOB, TIM = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32
HOME, AWAY = HostPort("10.77.0.1", 1), HostPort("10.77.0.9", 1)
SOCKET = SocketName("0123456789abcdef")
MOVED = HostPort("10.77.0.1", 2)
ROOM = RoomFacts(
    room_id=bytes([7]) * 32,
    name="kitchen",
    opener=fingerprint(BOB),
    ruleset_name="official",
    ruleset_hash=bytes(32),
    seats_taken=1,
    seats=4,
    state="open",
    code_required=False,
)


def sighting(key: bytes = BOB, room: RoomFacts | None = ROOM, *addresses: Address) -> PeerSighting:
    return PeerSighting(
        key=key,
        name="bob",
        program="p2prummi",
        versions=(1,),
        compatible=True,
        addresses=addresses or (HOME,),
        room=room,
        status=Status.UNPROVED,
    )


@pytest.fixture
def seen() -> Sightings:
    return Sightings(OWN, (1,))


def statuses(seen: Sightings) -> list[Status]:
    return [peer.status for peer in seen.peers()]


def due(seen: Sightings, now: float) -> list[bytes]:
    keys = [peer.key for peer in seen.due(now)]
    for key in keys:
        seen.probe_over(key)
    return keys


def test_a_record_alone_shows_nobody_but_is_probed_at_once(seen: Sightings) -> None:
    seen.announced(sighting(), 0.0)
    assert seen.peers() == ()
    assert due(seen, 0.0) == [BOB]


def test_an_answer_shows_a_peer(seen: Sightings) -> None:
    seen.announced(sighting(), 0.0)
    seen.answered(sighting(), 1.0)
    assert statuses(seen) == [Status.LIVE]
    assert due(seen, 1.0 + PROBE_SECONDS - 0.1) == []
    assert due(seen, 1.0 + PROBE_SECONDS) == [BOB]


def test_a_probe_is_under_way_once(seen: Sightings) -> None:
    seen.announced(sighting(), 0.0)
    assert len(seen.due(0.0)) == 1
    assert seen.due(5.0) == []
    seen.probe_over(BOB)
    assert len(seen.due(5.0)) == 1


def test_who_comes_by_is_there_though_no_record_told_of_it(seen: Sightings) -> None:
    seen.came_by(sighting(), 0.0)
    assert statuses(seen) == [Status.LIVE]


def test_oneself_is_never_there(seen: Sightings) -> None:
    seen.announced(sighting(OWN), 0.0)
    seen.came_by(sighting(OWN), 0.0)
    seen.answered(sighting(OWN), 0.0)
    assert seen.peers() == ()
    assert due(seen, 100.0) == []


def test_who_does_not_answer_fades_and_is_forgotten(seen: Sightings) -> None:
    seen.answered(sighting(), 0.0)
    seen.failed(BOB, 3.0)
    assert statuses(seen) == [Status.STALE]
    assert not seen.rooms()[0].joinable
    assert seen.rooms()[0].stale
    seen.failed(BOB, 6.0)
    seen.handle_time(3.0 + STALE_SECONDS_MAX - 0.1)
    assert statuses(seen) == [Status.STALE]
    seen.handle_time(3.0 + STALE_SECONDS_MAX)
    assert statuses(seen) == []
    seen.failed(BOB, 20.0)
    assert due(seen, 20.0 + PROBE_SECONDS) == []
    assert due(seen, 20.0 + SELDOM_SECONDS) == [BOB]
    seen.handle_time(3.0 + GONE_SECONDS_MAX)
    assert due(seen, 10_000.0) == []


def test_who_comes_by_is_there_though_a_firewall_lets_nobody_in_to_it(seen: Sightings) -> None:
    seen.came_by(sighting(), 0.0)
    seen.failed(BOB, VISIT_SECONDS_MAX - 0.1, only_silence=True)
    assert statuses(seen) == [Status.LIVE]
    assert due(seen, VISIT_SECONDS_MAX - 0.1 + PROBE_SECONDS) == [BOB]
    seen.failed(BOB, VISIT_SECONDS_MAX, only_silence=True)
    assert statuses(seen) == [Status.STALE]


def test_who_came_by_and_is_refused_has_gone(seen: Sightings) -> None:
    seen.came_by(sighting(), 0.0)
    seen.failed(BOB, 0.1)
    assert statuses(seen) == [Status.STALE]


def test_a_record_does_not_bring_back_who_is_gone_but_an_answer_does(seen: Sightings) -> None:
    seen.announced(sighting(), 0.0)
    seen.answered(sighting(), 0.0)
    seen.failed(BOB, 3.0)
    seen.handle_time(3.0 + STALE_SECONDS_MAX)
    seen.announced(sighting(), 20.0)
    assert statuses(seen) == []
    seen.answered(sighting(), 21.0)
    assert statuses(seen) == [Status.LIVE]
    seen.handle_time(1000.0)
    assert statuses(seen) == [Status.LIVE]


def test_a_record_that_changes_is_looked_into_at_once(seen: Sightings) -> None:
    seen.announced(sighting(), 0.0)
    seen.answered(sighting(), 0.0)
    seen.announced(sighting(), 1.0)
    assert due(seen, 1.0) == []
    seen.announced(sighting(BOB, None), 1.0)
    assert due(seen, 1.0) == [BOB]
    seen.answered(sighting(BOB, None), 1.0)
    seen.announced(sighting(BOB, None, AWAY), 2.0)
    assert due(seen, 2.0) == [BOB]


def test_a_record_does_not_overrule_what_a_live_peer_said_itself(seen: Sightings) -> None:
    seen.answered(sighting(), 0.0)
    seen.announced(replace(sighting(BOB, None, AWAY), name="forged"), 1.0)
    (peer,) = seen.peers()
    assert (peer.name, peer.room) == ("bob", ROOM)
    assert peer.addresses == (HOME, AWAY)


def test_the_address_that_worked_comes_first_and_old_ones_go(seen: Sightings) -> None:
    seen.announced(sighting(BOB, ROOM, HOME, AWAY), 0.0)
    seen.answered(sighting(BOB, ROOM, AWAY), 0.0)
    assert seen.peers()[0].addresses == (AWAY, HOME)
    seen.announced(sighting(BOB, ROOM, AWAY), 1.0)
    seen.answered(sighting(BOB, ROOM, AWAY), 1.0)
    assert seen.peers()[0].addresses == (AWAY,)


def test_who_comes_by_from_another_port_is_probed_at_once_and_loses_the_old_one(seen: Sightings) -> None:
    seen.answered(sighting(), 0.0)
    seen.came_by(sighting(BOB, ROOM, MOVED), 1.0)
    assert due(seen, 1.0) == [BOB]
    seen.answered(sighting(BOB, ROOM, MOVED), 1.0)
    assert seen.peers()[0].addresses == (MOVED,)
    seen.probe_over(BOB)
    seen.came_by(sighting(BOB, ROOM, MOVED), 2.0)
    assert due(seen, 2.0) == []


def test_where_it_answers_it_no_longer_listens_on_the_port_it_came_by_with(seen: Sightings) -> None:
    seen.came_by(sighting(BOB, ROOM, HOME, AWAY, SOCKET), 0.0)
    seen.answered(sighting(BOB, ROOM, MOVED), 1.0)
    assert seen.peers()[0].addresses == (MOVED, AWAY, SOCKET)


@pytest.mark.parametrize("only_silence", [False, True])
def test_whoever_said_goodbye_and_does_not_answer_is_forgotten(seen: Sightings, only_silence: bool) -> None:
    for key in (BOB, TIM):
        seen.came_by(sighting(key), 0.0)
        seen.answered(sighting(key), 0.0)
    seen.said_goodbye(fingerprint(BOB), 1.0)
    assert [peer.key for peer in seen.due(1.0)] == [BOB], "it is asked at once, and it alone"
    seen.failed(BOB, 1.1, only_silence=only_silence)
    assert [peer.key for peer in seen.peers()] == [TIM]
    seen.probe_over(BOB)
    assert seen.due(1000.0) == [seen.peers()[0]], "nobody asks it again"


def test_a_goodbye_in_anothers_name_hides_nobody(seen: Sightings) -> None:
    seen.answered(sighting(), 0.0)
    for proof in (seen.answered, seen.came_by):
        seen.said_goodbye(fingerprint(BOB), 1.0)
        assert statuses(seen) == [Status.LIVE]
        assert seen.rooms()[0].joinable
        proof(sighting(), 1.1)
        seen.failed(BOB, 5.0)
        assert statuses(seen) == [Status.STALE]
        seen.answered(sighting(), 6.0)
    seen.said_goodbye(fingerprint(BOB), 7.0)
    seen.mismatched(BOB, (2,), "next", 7.1)
    seen.failed(BOB, 8.0)
    assert statuses(seen) == [Status.STALE]


def test_a_goodbye_of_one_that_is_stale_or_not_shown_counts_too(seen: Sightings) -> None:
    seen.answered(sighting(), 0.0)
    seen.failed(BOB, 1.0)
    seen.said_goodbye(fingerprint(BOB), 1.5)
    seen.failed(BOB, 1.6)
    assert statuses(seen) == []
    seen.announced(sighting(TIM), 2.0)
    seen.said_goodbye(fingerprint(TIM), 2.1)
    assert seen.due(1000.0) == []


def test_another_version_is_marked_and_seldom_probed(seen: Sightings) -> None:
    seen.announced(sighting(), 0.0)
    seen.mismatched(BOB, (2,), "next", 1.0)
    (peer,) = seen.peers()
    assert (peer.compatible, peer.versions, peer.program) == (False, (2,), "next")
    assert not seen.rooms()[0].compatible
    assert not seen.rooms()[0].joinable
    assert due(seen, 1.0 + PROBE_SECONDS) == []
    seen.answered(replace(sighting(), versions=(1, 2)), 20.0)
    assert seen.rooms()[0].joinable


def test_what_comes_by_with_another_version_is_marked_too(seen: Sightings) -> None:
    seen.came_by(replace(sighting(), versions=(9,)), 0.0)
    assert not seen.peers()[0].compatible


def test_a_room_is_listed_once_with_its_opener_first(seen: Sightings) -> None:
    for key in (TIM, BOB):
        seen.answered(sighting(key), 0.0)
    (room,) = seen.rooms()
    assert [member.key for member in room.members] == [BOB, TIM]


@pytest.mark.parametrize("changes", [{"state": "playing"}, {"seats_taken": 4}])
def test_a_room_that_plays_or_is_full_cannot_be_joined(seen: Sightings, changes: dict[str, object]) -> None:
    seen.answered(sighting(BOB, replace(ROOM, **changes)), 0.0)  # type: ignore[arg-type]  # fields of a known name
    assert not seen.rooms()[0].joinable


def test_there_is_a_most_and_the_least_useful_goes_first(
    seen: Sightings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SIGHTINGS_MAX", 2)
    seen.answered(sighting(BOB), 0.0)
    seen.announced(sighting(TIM), 0.0)
    seen.answered(sighting(bytes([4]) * 32), 0.0)
    assert {peer.key for peer in seen.peers()} == {BOB, bytes([4]) * 32}
    seen.answered(sighting(bytes([5]) * 32), 0.0)
    seen.came_by(sighting(bytes([5]) * 32), 0.0)
    seen.announced(sighting(bytes([5]) * 32), 0.0)
    assert len(seen.peers()) == 2


def test_news_of_someone_unknown_changes_nothing(seen: Sightings) -> None:
    seen.failed(BOB, 0.0)
    seen.mismatched(BOB, (2,), "", 0.0)
    seen.probe_over(BOB)
    seen.said_goodbye(fingerprint(BOB), 1000.0)
    assert seen.peers() == ()


def test_the_facts_of_an_advert() -> None:
    advert = RoomAdvert(
        state="open",
        room_id=ROOM.room_id,
        name="kitchen",
        opener=BOB,
        ruleset_name="official",
        ruleset_hash=bytes(32),
        seats_taken=1,
        seats=4,
    )
    assert facts_of(advert) == ROOM
    assert facts_of(RoomAdvert()) is None
