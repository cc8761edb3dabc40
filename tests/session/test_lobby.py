"""The room before a match: who is in it, who comes to know whom, how it closes, what has no place there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.rules import with_settings
from p2prummi.session.commands import JoinRoom, LeaveRoom, OpenRoom, SendChat, SetReady, StartMatch
from p2prummi.session.notices import FaultSeen, PeerLeft, RoomClosed, RoomUpdated
from p2prummi.wire import frames, limits
from p2prummi.wire.frames import Presence, encode_frame
from tests.session.matches import new_network, rules_for, told
from tests.session.rooms import has_begun, heard, is_proposed, lobby_of, ready, refusals, room, terms_of

# Who is there.


def test_everyone_comes_to_know_the_rules_and_each_other() -> None:
    network, peers = room(3)
    for peer in peers:
        update = told(peer, RoomUpdated)[-1]
        assert update.ruleset == rules_for(3, "pool_empty=round_ends")
        assert (update.name, update.seats) == ("room", 3)
        assert {member.key for member in update.members} == set(network.peers)
        assert [member.name for member in update.members if member.is_opener] == ["anna"]
        assert [member.name for member in update.members if member.is_self] == [peer.name]
        advert = peer.session.advert()
        assert (advert.state, advert.seats_taken, advert.seats, advert.name) == ("open", 3, 3, "room")
        assert advert.opener == peers[0].public


def test_members_dial_whom_they_hear_of_once() -> None:
    network, (anna, bob, cy) = room(3, link=False)
    network.link(anna, bob)
    network.link(anna, cy)
    network.run()
    assert bob.session.dials_wanted() == [(cy.public, ("cy:1",))]
    assert cy.session.dials_wanted() == [(bob.public, ("bob:1",))]
    assert anna.session.dials_wanted() == []
    ready(network, anna, bob, cy)
    assert bob.session.dials_wanted() == []
    # Not linked to all: nothing is proposed, however ready they are.
    assert not is_proposed(network)
    assert not any(has_begun(peer) for peer in network)
    network.link(bob, cy)
    network.run()
    assert all(has_begun(peer) for peer in network)


def test_who_is_linked_already_is_not_dialled() -> None:
    network, (anna, bob, cy) = room(3)
    anna.session.dials_wanted()
    for linked in ((), ((cy.public, ("cy:1",)),)):
        network.send_raw(bob, anna, encode_frame(Presence(anna.session.advert().room_id, False, linked)))
    network.run()
    assert anna.session.dials_wanted() == []


def test_who_comes_back_is_dialled_again() -> None:
    network, (anna, bob, cy) = room(3, link=False)
    network.link(anna, bob)
    network.link(anna, cy)
    network.run()
    assert len(bob.session.dials_wanted()) == 1
    network.cut(anna, cy)
    network.run()
    network.link(anna, cy)
    network.run()
    assert bob.session.dials_wanted() == [(cy.public, ("cy:1",))]


def test_a_key_without_an_address_is_not_dialled() -> None:
    network, (anna, bob) = room(2)
    room_id = anna.session.advert().room_id
    for addresses, dials in (((), []), (("x:1",), [(b"\1" * 32, ("x:1",))])):
        network.send_raw(bob, anna, encode_frame(Presence(room_id, False, ())))
        network.send_raw(bob, anna, encode_frame(Presence(room_id, False, ((b"\1" * 32, addresses),))))
        network.run()
        assert anna.session.dials_wanted() == dials


def test_a_presence_of_another_room_makes_no_member() -> None:
    network, (anna, bob) = room(2)
    before = len(told(anna, RoomUpdated))
    for _ in range(2):
        network.send_raw(bob, anna, encode_frame(Presence(bytes(32), True, ())))
        network.run()
        assert anna.session.advert().seats_taken == 1
        (update,) = told(anna, RoomUpdated)[before:]
        assert len(update.members) == 1


def test_whoever_comes_from_another_room_is_told_where_one_stands() -> None:
    network, (anna, bob) = room(2)
    presences = heard(network, Presence)
    here = Presence(anna.session.advert().room_id, False, ())
    for presence, count in ((here, 0), (Presence(bytes(32), False, ()), 0), (here, 1), (here, 1)):
        network.send_raw(bob, anna, encode_frame(presence))
        network.run()
        assert [sender for sender, _ in presences].count(anna) == count


def test_a_room_is_shown_anew_when_somebody_in_it_changes_and_not_otherwise() -> None:
    network, (anna, bob) = room(2)
    before = len(told(anna, RoomUpdated))
    for is_ready, count in ((False, 0), (True, 1), (True, 1), (False, 2)):
        here = Presence(anna.session.advert().room_id, is_ready, ((anna.public, ("anna:1",)),))
        network.send_raw(bob, anna, encode_frame(here))
        network.run()
        assert len(told(anna, RoomUpdated)) - before == count
        assert [member.ready for member in told(anna, RoomUpdated)[-1].members] == [False, is_ready]
    network.command(anna, SetReady(ready=True))
    network.run()
    assert [member.ready for member in told(anna, RoomUpdated)[-1].members] == [True, False]


def test_a_room_is_shown_without_its_rules_as_long_as_they_are_unknown() -> None:
    network, (_, bob, cy) = room(3, link=False)
    network.link(bob, cy)
    network.run()
    update = told(bob, RoomUpdated)[-1]
    assert (update.ruleset, update.seats) == (None, 0)
    assert [(member.key, member.is_opener) for member in update.members] == [
        (bob.public, False),
        (cy.public, False),
    ]


def test_the_links_that_one_tells_of_are_those_that_are_up_to_members_or_not() -> None:
    network, (anna, bob, cy) = room(3)
    network.command(cy, LeaveRoom())
    network.run()
    presences = heard(network, Presence)
    for change, linked in ((network.link, {bob.public, cy.public}), (network.cut, {bob.public})):
        change(anna, cy)
        network.run()
        last = next(presence for sender, presence in reversed(presences) if sender is anna)
        assert {key for key, _ in last.linked} == linked


def test_the_room_closes_with_its_opener() -> None:
    network, (anna, bob, cy) = room(3)
    network.cut(anna, bob)
    network.run()
    assert len(told(bob, RoomClosed)) == 1
    assert not network.is_linked(bob, cy)
    assert bob.session.advert().state == "idle"
    assert told(cy, RoomClosed) == []


def test_leaving_closes_every_link_and_another_room_may_follow() -> None:
    network, (anna, bob, cy) = room(3)
    network.command(cy, LeaveRoom())
    network.run()
    assert not network.is_linked(cy, anna)
    assert [notice.why for notice in told(cy, RoomClosed)] == ["You have left the room."]
    assert anna.session.advert().seats_taken == bob.session.advert().seats_taken == 2
    network.command(cy, OpenRoom(name="other", ruleset=rules_for(2), seats=2))
    assert cy.session.advert().name == "other"


# What is refused.


@pytest.mark.parametrize("change", ["ruleset", "room_name", "seats", "code_required"])
def test_an_opener_that_changes_its_terms_loses_the_link(change: str) -> None:
    network, (anna, bob) = room(2)
    terms = terms_of(anna)
    other: Any = {
        "ruleset": with_settings(rules_for(2), ["opening_points=25"]).to_dict(),
        "room_name": "another",
        "seats": 3,
        "code_required": True,
    }[change]
    network.send_raw(anna, bob, encode_frame(terms))
    network.run()
    assert refusals(bob) == []
    network.send_raw(anna, bob, encode_frame(replace(terms, **{change: other})))
    network.run()
    assert refusals(bob) == [(FaultCode.WRONG_PROPOSAL, anna.public, False)]


def test_terms_by_another_and_impossible_rules_are_refused() -> None:
    network, (anna, bob, cy) = room(3)
    terms = terms_of(anna)
    network.send_raw(bob, cy, encode_frame(terms))
    network.run()
    assert refusals(cy) == [(FaultCode.WRONG_ROOM, bob.public, False)]
    network, (anna, bob) = room(2)
    network.send_raw(anna, bob, encode_frame(replace(terms, nonce=terms_of(anna).nonce, ruleset={"a": 1})))
    network.run()
    assert refusals(bob) == [(FaultCode.WRONG_SCHEMA, anna.public, False)]


@pytest.mark.parametrize("name", ["ä" * 100, "a" + "ä" * 100])
def test_what_is_said_of_a_fault_is_cut_to_what_may_be_said(name: str) -> None:
    """In between two bytes of a letter, too, for one of these names."""
    network, (anna, bob) = room(2)
    terms = terms_of(anna)
    network.send_raw(anna, bob, encode_frame(replace(terms, ruleset={**terms.ruleset, name: 1})))
    network.run()
    (fault,), (left,) = told(bob, FaultSeen), told(anna, PeerLeft)
    assert len(fault.text.encode()) > 200
    assert left.why == f"{fault.text.encode()[:200].decode(errors='ignore')} (wrong_schema)"
    assert refusals(anna) == []


def test_other_frames_have_no_place_in_a_lobby() -> None:
    for frame in (frames.Want(bytes(32), 0), frames.Ack(bytes(32), 0, 0, bytes(32), bytes(32), bytes(64))):
        network, (anna, bob) = room(2)
        network.send_raw(bob, anna, encode_frame(frame))
        network.run()
        assert refusals(anna) == [(FaultCode.UNEXPECTED_FRAME, bob.public, False)]


def test_a_lobby_refuses_what_is_not_for_it() -> None:
    _, (anna, bob) = room(2)
    lobby = lobby_of(anna)
    with pytest.raises(RemoteProtocolError) as raised:
        lobby.receive(bob.public, frames.Ping(), 0.0)
    assert raised.value.code is FaultCode.UNEXPECTED_FRAME


def test_commands_that_do_not_fit_are_refused_with_words() -> None:
    network = new_network(2, 1)
    anna, bob = network
    rules = rules_for(2)
    for command in (SetReady(ready=True), StartMatch(), SendChat("hello"), LeaveRoom()):
        with pytest.raises(LocalProtocolError, match="in no room"):
            network.command(anna, command)
    for name in ("", "n" * (limits.ROOM_NAME_BYTES_MAX + 1), "\ud800"):
        with pytest.raises(LocalProtocolError, match="A room's name"):
            network.command(anna, OpenRoom(name=name, ruleset=rules, seats=2))
    for seats in (1, 5):
        with pytest.raises(LocalProtocolError, match="not for"):
            network.command(anna, OpenRoom(name="room", ruleset=rules, seats=seats))
    network.command(anna, OpenRoom(name="r" * limits.ROOM_NAME_BYTES_MAX, ruleset=rules, seats=2))
    with pytest.raises(LocalProtocolError, match="already"):
        network.command(anna, JoinRoom(room_id=bytes(32), name="other"))
    network.command(bob, JoinRoom(room_id=bytes(32), name="other"))
    with pytest.raises(LocalProtocolError, match="rules have not arrived"):
        network.command(bob, SetReady(ready=True))
    assert bob.session.advert().state == "idle"
