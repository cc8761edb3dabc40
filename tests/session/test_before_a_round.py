"""Before a round begins: the shuffle that is prepared for it, and what comes too early and is kept."""

from __future__ import annotations

import pytest

from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.rules import Draw
from p2prummi.session.ahead import Ahead
from p2prummi.session.commands import JoinRoom, LeaveRoom, NextRound, OpenRoom, SetReady, TakeTurn
from p2prummi.session.notices import FaultSeen, MatchEnd, MatchEnded, MatchStarted, TurnStarted, TurnTaken
from p2prummi.testing.network import Network
from p2prummi.testing.players import Player, seat_players
from p2prummi.wire import frames, limits
from p2prummi.wire.encoding import encode
from p2prummi.wire.frames import EventFrame, Want, encode_frame
from tests.session.matches import ends, new_network, rules_for, seated, told
from tests.session.rooms import lobby_of, ready, room

# The prepared shuffle.


def unprepared(seed: int) -> Network:
    """Two who make no shuffle while they sit in the lobby."""
    network = new_network(2, seed)
    for peer in network:
        peer.session._is_preparing = True
    seat_players(network, rules_for(2, "pool_empty=round_ends"), [Player(), Player()])
    return network


def test_a_match_begins_without_a_prepared_shuffle_too() -> None:
    network = unprepared(54)
    network.run()
    assert {end.reason for _, end in ends(network)} == {MatchEnd.FINISHED}


def test_a_shuffle_of_another_size_is_not_used() -> None:
    network, (anna, bob) = room(2)
    network.command(bob, LeaveRoom())
    network.command(anna, LeaveRoom())
    network.run()
    assert anna.session._shuffle is not None
    assert anna.session._shuffle[0] == 106
    network.command(anna, OpenRoom(name="big", ruleset=rules_for(6), seats=2))
    network.run()
    assert anna.session._shuffle[0] == 160
    network.command(bob, JoinRoom(room_id=anna.session.advert().room_id, name="big"))
    network.link(anna, bob)
    network.run()
    ready(network, anna, bob)
    assert told(anna, TurnStarted)[0].game.pool_left == 160 - 28


def test_a_prepared_shuffle_that_does_not_fit_is_not_used() -> None:
    """Where the one that fits is still being made, as here for ever, the match makes its own."""
    network, (anna, bob) = room(2)
    for peer in (bob, anna):
        network.command(peer, LeaveRoom())
        peer.session._is_preparing = True
    network.run()
    network.command(anna, OpenRoom(name="big", ruleset=rules_for(6), seats=2))
    network.command(bob, JoinRoom(room_id=anna.session.advert().room_id, name="big"))
    network.link(anna, bob)
    network.run()
    assert anna.session._shuffle is not None
    assert anna.session._shuffle[0] == 106
    ready(network, anna, bob)
    assert told(anna, TurnStarted)[0].game.pool_left == 160 - 28


def test_one_shuffle_is_prepared_at_a_time_and_none_during_a_match() -> None:
    network, (anna, bob) = room(2, link=False)
    network.command(anna, SetReady(ready=True))
    network.command(anna, SetReady(ready=False))
    assert anna.session.next_work() is not None
    assert anna.session.next_work() is None
    network = seated(2, 61)
    anna, bob = network
    network.run(until=lambda: len(told(anna, TurnTaken)) == 2)
    assert anna.session._shuffle is None
    assert bob.session._shuffle is None


def test_no_round_begins_in_a_match_that_has_ended_before() -> None:
    network = unprepared(59)
    anna, bob = network
    network.run(until=lambda: bool(told(anna, MatchStarted)))
    run = anna.session._run
    assert run is not None
    assert run.round is None
    anna.session.peer_lost(bob.public, "test", network.now)
    network.finish_work()
    assert run.round is None
    assert [end.reason for end in told(anna, MatchEnded)] == [MatchEnd.LINK_LOST]
    for command in (TakeTurn(Draw()), NextRound()):
        with pytest.raises(LocalProtocolError, match="No match is running"):
            network.command(anna, command)


# What is kept for a round that has not begun.


def ack(context: bytes, sequence: int) -> frames.Ack:
    return frames.Ack(context, sequence, 0, bytes(32), bytes(32), bytes(64))


def test_each_peer_has_its_own_room_ahead() -> None:
    ahead = Ahead()
    message = ack(bytes(32), 0)
    for _ in range(limits.MESSAGES_AHEAD_MAX):
        ahead.put(b"a", message)
    with pytest.raises(RemoteProtocolError) as raised:
        ahead.put(b"a", message)
    assert raised.value.code is FaultCode.LIMIT_EXCEEDED
    other = ack(b"\1" * 32, 1)
    ahead.put(b"b", other)
    ahead.put(b"c", other)
    ahead.forget(b"c")
    assert ahead.take(b"\1" * 32) == [(b"b", other)]
    assert ahead.take(bytes(32)) == []
    ahead.put(b"a", message)
    ahead.clear()
    assert ahead.take(bytes(32)) == []


def test_a_flood_for_a_round_that_has_not_begun_costs_nobody_else_the_link() -> None:
    network = seated(3, 55)
    _, bob, cy = network
    network.run(until=lambda: any(lobby_of(peer).is_about_to_begin for peer in network))
    flooded = next(peer for peer in network if lobby_of(peer).is_about_to_begin)
    attacker = next(peer for peer in (cy, bob) if peer is not flooded)
    # Questions are not kept, as they are asked again, so that they are no flood.
    for _ in range(limits.MESSAGES_AHEAD_MAX + 1):
        flooded.session.receive(attacker.public, encode_frame(Want(bytes(32), 0)), network.now)
    network._collect()
    assert told(flooded, FaultSeen) == []
    for _ in range(limits.MESSAGES_AHEAD_MAX + 1):
        network.send_raw(attacker, flooded, encode_frame(ack(bytes(32), 0)))
    network.run()
    assert [(fault.code, fault.peer) for fault in told(flooded, FaultSeen)] == [
        (FaultCode.LIMIT_EXCEEDED, attacker.public)
    ]


def test_a_bad_event_that_waited_costs_its_sender_the_link() -> None:
    """Kept before its round began, judged once it has, outside of any frame's reading."""
    network = seated(3, 56)
    network.run(until=lambda: any(peer.session._run is not None for peer in network))
    starting = next(peer for peer in network if peer.session._run is not None)
    late = next(peer for peer in network if peer.session._run is None)
    attacker = next(peer for peer in network if peer not in (starting, late))
    run = starting.session._run
    assert run is not None
    context = run.round.context if run.round is not None else b""
    body = encode(["commit", context, 0, bytes(32), 1, bytes(32)])
    assert lobby_of(late).is_about_to_begin
    for _ in range(2):
        late.session.receive(attacker.public, encode_frame(EventFrame(body, bytes(64))), network.now)
    assert told(late, FaultSeen) == []
    network.run()
    network.advance(limits.FORK_SECONDS_MAX + 1)
    # Once: what else has come from there is of no interest when the link is gone.
    assert [(fault.code, fault.peer) for fault in told(late, FaultSeen)] == [
        (FaultCode.BAD_SIGNATURE, attacker.public)
    ]
