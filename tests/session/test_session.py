"""The facade: what cannot be read, talk, silence, commands in a match, and bytes of every kind."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.rules import Draw, Pass, Play, meld_from, parse_tiles
from p2prummi.session import Session, TurnRefusedError
from p2prummi.session.ahead import Ahead
from p2prummi.session.commands import (
    Command,
    JoinRoom,
    LeaveRoom,
    NextRound,
    OpenRoom,
    SendChat,
    SetReady,
    TakeTurn,
)
from p2prummi.session.faults import signed_fault
from p2prummi.session.notices import (
    ChatReceived,
    FaultSeen,
    MatchEnd,
    MatchEnded,
    MatchStarted,
    Notice,
    PeerAway,
    PeerBack,
    PeerLeft,
    RoundEnded,
    TurnStarted,
    TurnTaken,
)
from p2prummi.session.outbox import Outbox
from p2prummi.testing.network import Network
from p2prummi.testing.players import Player, seat_players
from p2prummi.transcript.phases import Phase
from p2prummi.wire import frames, limits
from p2prummi.wire.encoding import encode
from p2prummi.wire.frames import FRAMES, Bye, Chat, EventFrame, Ping, Want, encode_frame, parse_frame
from tests.session.branching import branch
from tests.session.matches import ends, new_network, rules_for, seated, told
from tests.session.rooms import ready, room
from tests.session.scenes import assert_link_refused, round_of, scene_of

# What cannot be read.

UNREADABLE: dict[str, tuple[bytes, FaultCode]] = {
    "nothing": (b"", FaultCode.MALFORMED_FRAME),
    "garbage": (b"\xc1\xff\x00garbage", FaultCode.MALFORMED_FRAME),
    "a value that is no frame": (encode(7), FaultCode.WRONG_SCHEMA),
    "a frame of no known name": (encode(["dance"]), FaultCode.WRONG_SCHEMA),
    "a frame with a field too many": (encode(["ping", 1]), FaultCode.WRONG_SCHEMA),
    "a frame in another encoding": (b"\xdc\x00\x01\xa4ping", FaultCode.NOT_CANONICAL),
    "a frame that is too long": (bytes(limits.FRAME_BYTES_MAX + 1), FaultCode.OVERSIZED_FRAME),
    "an event that is none": (encode(["event", b"\xc1", bytes(64)]), FaultCode.MALFORMED_FRAME),
    "an event of an unknown kind": (
        encode(["event", encode(["jump", bytes(32), 0, bytes(32), 0]), bytes(64)]),
        FaultCode.WRONG_SCHEMA,
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_costs_its_sender_the_link_alone(what: str) -> None:
    data, code = UNREADABLE[what]
    scene = scene_of("draw").branch()
    scene.send_to_all(data)
    scene.wait()
    assert_link_refused(scene.network, scene.attacker, code)
    # Its sender is told why, and names nobody.
    assert all(code.value in notice.why for notice in told(scene.attacker, PeerLeft)[:1])
    assert told(scene.attacker, FaultSeen) == []


def test_a_long_fault_fits_into_the_goodbye() -> None:
    network, (anna, bob) = room(2)
    lobby = anna.session._lobby
    assert lobby is not None
    assert lobby.terms is not None
    terms = lobby.terms.frame()
    rules = {**lobby.terms.ruleset.to_dict(), "ä" * 400: 1}
    farewells: list[Bye] = []

    def tap(_sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, Bye):
            farewells.append(parsed)
        return [frame]

    network.tap = tap
    network.send_raw(anna, bob, encode_frame(frames.Terms(terms.nonce, terms.room_name, rules, 2, False)))
    network.run()
    assert [farewell.code for farewell in farewells] == ["wrong_schema"]
    assert told(anna, FaultSeen) == []


# Talk.


def test_talk_reaches_everyone_in_the_room() -> None:
    network, (anna, bob, cy) = room(3)
    network.command(anna, SendChat("hello"))
    network.run()
    assert [told(peer, ChatReceived) for peer in (anna, bob, cy)] == [
        [],
        [ChatReceived(anna.public, "anna", "hello")],
        [ChatReceived(anna.public, "anna", "hello")],
    ]
    for text in ("", "x" * (limits.CHAT_BYTES_MAX + 1), "ä" * limits.CHAT_BYTES_MAX, "\udc80"):
        with pytest.raises(LocalProtocolError, match="line of talk"):
            network.command(anna, SendChat(text))


def test_a_flood_of_talk_costs_the_link() -> None:
    network, (anna, bob, _) = room(3)
    for _line in range(limits.CHAT_PER_MINUTE_MAX):
        network.send_raw(bob, anna, encode_frame(Chat("x")))
    network.run()
    assert len(told(anna, ChatReceived)) == limits.CHAT_PER_MINUTE_MAX
    network.advance(61)
    network.send_raw(bob, anna, encode_frame(Chat("later")))
    network.run()
    assert told(anna, FaultSeen) == []
    for _line in range(limits.CHAT_PER_MINUTE_MAX):
        network.send_raw(bob, anna, encode_frame(Chat("x")))
    network.run()
    (fault,) = told(anna, FaultSeen)
    assert (fault.code, fault.peer, fault.signed) == (FaultCode.LIMIT_EXCEEDED, bob.public, False)
    assert not network.is_linked(anna, bob)


# Silence.


def test_whoever_is_silent_is_shown_as_away_then_back_then_given_up() -> None:
    network, (anna, bob) = room(2)
    silent = [True]
    network.tap = lambda sender, _receiver, frame: [] if silent[0] and sender == bob.public else [frame]
    network.advance(limits.AWAY_SECONDS - 1)
    assert told(anna, PeerAway) == []
    network.advance(1.5)
    assert told(anna, PeerAway) == [PeerAway(bob.public, "bob")]
    assert told(bob, PeerAway) == []
    silent[0] = False
    network.advance(limits.HEARTBEAT_SECONDS + 1)
    assert told(anna, PeerBack) == [PeerBack(bob.public, "bob")]
    silent[0] = True
    network.advance(limits.LINK_SILENT_SECONDS_MAX - 4)
    assert network.is_linked(anna, bob)
    network.advance(5)
    assert not network.is_linked(anna, bob)
    assert anna.closed == [(bob.public, FaultCode.LINK_LOST)]
    assert len(told(anna, PeerAway)) == 2


def test_nothing_waits_for_time_without_a_link() -> None:
    session = Session(SigningKey(bytes(32)), "anna", SeededEntropy(b""))
    assert session.deadline() is None
    session.handle_deadline(10.0)
    session.receive(b"\1" * 32, encode_frame(Ping()), 10.0)
    session.peer_lost(b"\1" * 32, "was never there", 10.0)
    assert session.next_notice() is None
    assert session.next_work() is None
    assert session.public == SigningKey(bytes(32)).public


def test_when_all_are_silent_the_room_closes_once() -> None:
    network, (anna, bob, cy) = room(3)
    network.tap = lambda _sender, _receiver, _frame: []
    network.advance(limits.LINK_SILENT_SECONDS_MAX + 5)
    for peer in (bob, cy):
        assert len([key for key, _ in peer.closed]) == len({key for key, _ in peer.closed}) == 2, peer.name
        assert peer.session.advert().state == "idle"
    assert anna.session.advert().seats_taken == 1


@pytest.mark.parametrize("name", ["", "x" * (limits.NAME_BYTES_MAX + 1), "\ud800"])
def test_a_name_that_cannot_travel_is_refused(name: str) -> None:
    with pytest.raises(LocalProtocolError, match="A player's name"):
        Session(SigningKey(bytes(32)), name, SeededEntropy(b""))


def test_links_without_a_room_are_known_and_their_frames_do_nothing() -> None:
    network = new_network(2, 1)
    anna, bob = network
    network.link(anna, bob)
    for frame in (Ping(), frames.Presence(bytes(32), True, ()), Chat("hi")):
        network.send_raw(bob, anna, encode_frame(frame))
    network.run()
    assert told(anna, FaultSeen) == []
    network.send_raw(bob, anna, encode_frame(Want(bytes(32), 0)))
    network.run()
    assert [fault.code for fault in told(anna, FaultSeen)] == [FaultCode.UNEXPECTED_FRAME]


# Goodbyes.


@pytest.mark.parametrize(
    ("farewell", "left"),
    [
        (Bye("left", "", ""), True),
        (Bye("match_over", "", ""), True),
        (Bye("fault", "bad_signature", "why"), False),
    ],
)
def test_a_goodbye_closes_the_link_and_ends_the_match(farewell: Bye, left: bool) -> None:
    scene = scene_of("draw").branch()
    scene.send_to_all(encode_frame(farewell))
    scene.wait()
    for peer in scene.honest:
        assert told(peer, PeerLeft)[0].left is left
        assert told(peer, FaultSeen) == []
        (end,) = told(peer, MatchEnded)
        assert end.reason is (MatchEnd.LEFT if left else MatchEnd.LINK_LOST)
        assert end.peer == scene.attacker.public


# Commands in a match.


def test_turns_that_do_not_fit_are_refused_with_words() -> None:
    network = seated(2, 50, matches=1)
    for peer in network:
        peer.on_notice = lambda _notice: None
    anna, bob = network
    network.run()
    for command in (TakeTurn(Draw()), NextRound()):
        with pytest.raises(LocalProtocolError, match="No match is running"):
            network.command(anna, command)
    ready(network, anna, bob)
    mover, other = (
        network.peers[key]
        for key in sorted(network.peers, key=lambda key: not told(network.peers[key], TurnStarted)[0].mine)
    )
    with pytest.raises(LocalProtocolError, match="not your turn"):
        network.command(other, TakeTurn(Draw()))
    with pytest.raises(TurnRefusedError) as refused:
        network.command(mover, TakeTurn(Pass()))
    assert refused.value.faults
    held = told(mover, TurnStarted)[0].rack
    foreign = [tile for tile in parse_tiles(["R1", "R2", "R3", "B1", "B2", "B3"]) if tile not in held]
    assert foreign
    lay = Play(melds=(meld_from(parse_tiles(["R1", "R2", "R3"])),), opening=None)
    with pytest.raises(TurnRefusedError) as refused:
        network.command(mover, TakeTurn(lay))
    assert len(refused.value.faults) >= 1
    assert str(refused.value)
    network.command(mover, TakeTurn(Draw()))
    with pytest.raises(LocalProtocolError, match="not your turn"):
        network.command(mover, TakeTurn(Draw()))
    network.run()
    assert len(told(mover, TurnTaken)) == 1
    network.command(other, SetReady(ready=True))
    network.run()
    assert len(told(anna, MatchStarted)) == 1


class Thoughtful(Player):
    """Takes no turn."""

    def __call__(self, notice: Notice) -> Command | None:
        return None if isinstance(notice, TurnStarted) else super().__call__(notice)


def test_no_turn_while_the_tile_before_is_still_being_drawn() -> None:
    """The game has the next seat to move then, but its turn begins once all shares are there."""
    network = seated(2, 58)
    for peer in network:
        peer.on_notice = Thoughtful()
    anna, bob = network
    network.run(until=lambda: bool(told(anna, TurnStarted)) and bool(told(bob, TurnStarted)))
    mover, other = sorted(network, key=lambda peer: not told(peer, TurnStarted)[0].mine)
    network.command(mover, TakeTurn(Draw()))
    network.run(until=lambda: round_of(other).state.phase is Phase.DRAW_SHARE)
    assert round_of(other).state.running_game.to_move == round_of(other).seat
    network.finish_work()
    with pytest.raises(LocalProtocolError, match="not your turn"):
        network.command(other, TakeTurn(Draw()))


def test_no_turn_before_the_round_has_begun() -> None:
    network = seated(2, 51, "rounds=2", "pool_empty=round_ends")
    anna = next(iter(network))

    class Hasty(Player):
        def __call__(self, notice: Notice) -> Command | None:
            if isinstance(notice, RoundEnded) and not notice.match_over:
                anna.session.command(NextRound(), network.now)
                return TakeTurn(Draw())
            return super().__call__(notice)

    anna.on_notice = Hasty()
    network.run()
    assert [str(refusal) for refusal in anna.refusals] == ["The round has not begun yet."]
    assert {end.reason for _, end in ends(network)} == {MatchEnd.FINISHED}


class Reluctant(Player):
    """Agrees to no next round."""

    def __call__(self, notice: Notice) -> Command | None:
        return None if isinstance(notice, RoundEnded) else super().__call__(notice)


def test_leaving_between_two_rounds_ends_the_match_with_what_was_reached() -> None:
    network = seated(2, 52, "rounds=2", "pool_empty=round_ends")
    for peer in network:
        peer.on_notice = Reluctant()
    anna, bob = network
    network.run()
    totals = told(anna, RoundEnded)[0].totals
    network.command(bob, LeaveRoom())
    network.run()
    for _, end in ends(network):
        assert (end.reason, end.totals, end.winners) == (MatchEnd.LEFT, totals, ())
        assert end.head != bytes(32)


def test_leaving_while_the_deck_is_being_prepared_comes_to_nothing() -> None:
    """Work that is under way when the match ends gives no round and no error."""
    for stop in range(0, 60, 12):
        network = seated(2, 53)
        anna, bob = network
        network.run(until=lambda: bool(told(anna, MatchStarted)))  # noqa: B023 - called at once
        for _ in range(stop):
            network._step()
            network._collect()
        network.command(bob, LeaveRoom())
        network.run()
        for peer in network:
            assert len(told(peer, MatchStarted)) == len(told(peer, MatchEnded)), peer.name
            assert all(end.reason is MatchEnd.LEFT for end in told(peer, MatchEnded))


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
    network.run(
        until=lambda: any(
            peer.session._lobby is not None and peer.session._lobby.is_about_to_begin for peer in network
        )
    )
    flooded = next(
        peer for peer in network if peer.session._lobby is not None and peer.session._lobby.is_about_to_begin
    )
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
    lobby = late.session._lobby
    assert lobby is not None
    assert lobby.is_about_to_begin
    late.session.receive(attacker.public, encode_frame(EventFrame(body, bytes(64))), network.now)
    assert told(late, FaultSeen) == []
    network.run()
    network.advance(limits.FORK_SECONDS_MAX + 1)
    assert (FaultCode.BAD_SIGNATURE, attacker.public) in [(f.code, f.peer) for f in told(late, FaultSeen)]


# Work and faults.


def test_an_exception_of_the_program_itself_is_not_swallowed() -> None:
    outbox = Outbox()
    outbox.schedule(lambda _result, _now: None, len, "x")
    work = outbox.works.popleft()
    assert work.run() == 1
    outbox.work_done(work.id, 1, 0.0)
    scene = scene_of("draw").branch()
    peer = scene.honest[0]
    round_ = round_of(peer)
    round_._work("test", lambda _result, _now: None, len, "x")
    given = peer.session.next_work()
    assert given is not None
    with pytest.raises(ZeroDivisionError):
        peer.session.work_done(given.id, ZeroDivisionError(), 0.0)
    # Once the match is over, whatever its work brings is of no interest.
    round_._work("test", lambda _result, _now: pytest.fail("stopped"), len, "x")
    given = peer.session.next_work()
    assert given is not None
    round_.stop()
    peer.session.work_done(given.id, ZeroDivisionError(), 0.0)


def test_a_fault_of_nobody_is_left_as_it_is() -> None:
    fault = RemoteProtocolError(FaultCode.NEUTRAL_ELEMENT, "the keys cancel each other")
    assert signed_fault(fault, (), ()) is fault


# Whatever comes.


def valid_frames() -> list[bytes]:
    """Frames of every name, as they travel in a match."""
    scene = scene_of("draw")
    seen: dict[str, bytes] = {}
    for wire in scene.network._wires.values():
        for frame in wire:
            seen.setdefault(parse_frame(frame).name, frame)
    ack = frames.Ack(scene.event.context, 3, 1, bytes(32), bytes(32), bytes(64))
    made: list[frames.Frame] = [
        Ping(),
        Chat("x"),
        Want(scene.event.context, 2),
        ack,
        frames.Presence(bytes(32), True, ((bytes(32), ("a:1",)),)),
        frames.Accept(bytes(32), bytes(32), bytes(64)),
        frames.Proposal(b"x", bytes(64)),
        frames.Terms(bytes(32), "r", {"name": "official"}, 2, False),
        EventFrame(scene.event.body, scene.event.signature),
        Bye("left", "", ""),
    ]
    assert {frame.name for frame in made} == set(FRAMES)
    return [*seen.values(), *map(encode_frame, made)]


@given(data=st.data())
@settings(max_examples=60)
def test_whatever_bytes_come_nothing_is_raised(data: st.DataObject) -> None:
    """Any bytes, and frames with bytes changed, at any time: a session takes them and goes on."""
    kind = data.draw(st.sampled_from(["commit", "shuffle", "draw", "result"]), label="scene")
    network = branch(scene_of(kind).network)
    peers = list(network)
    mutants = st.builds(
        lambda frame, position, byte: (
            frame[: position % len(frame)] + bytes([byte]) + frame[position % len(frame) + 1 :]
        ),
        st.sampled_from(valid_frames()),
        st.integers(0, 2000),
        st.integers(0, 255),
    )
    for frame in data.draw(st.lists(st.one_of(st.binary(max_size=60), mutants), max_size=4), label="frames"):
        peers[0].session.receive(peers[1].public, frame, network.now)
        network._collect()
    network.run()


HASH = st.binary(min_size=32, max_size=32)
SHORT = st.text(min_size=1, max_size=9)
RULE_VALUES = st.one_of(st.integers(0, 9), SHORT, st.lists(st.integers(0, 9), max_size=3), st.booleans())
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("nonce", "room_id", "proposal", "context", "head", "state"), HASH),
    **dict.fromkeys(("room_name", "text", "code"), SHORT),
    **dict.fromkeys(("code_required", "ready"), st.booleans()),
    "signature": st.binary(min_size=64, max_size=64),
    "body": st.binary(min_size=1, max_size=99),
    "ruleset": st.dictionaries(SHORT, RULE_VALUES),
    "seats": st.integers(2, 6),
    "linked": st.lists(st.tuples(HASH, st.lists(st.just("a:1"), max_size=2)), max_size=3),
    "sequence": st.integers(0, 4096),
    "seat": st.integers(0, 5),
    "reason": st.sampled_from(["left", "fault", "match_over"]),
}


@given(data=st.data())
@settings(max_examples=80)
def test_whatever_frames_come_nothing_is_raised(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(list(FRAMES.values())), label="frame")
    network = branch(_room())
    anna, bob = network
    values: list[Any] = [data.draw(FIELDS[field.name], label=field.name) for field in fields(kind)]
    anna.session.receive(bob.public, encode_frame(kind(*values)), network.now)
    network.run()
    assert all(not fault.signed for fault in told(anna, FaultSeen))


@cache
def _room() -> Network:
    return room(2)[0]


def test_agreeing_to_a_round_that_is_running_changes_nothing() -> None:
    scene = scene_of("draw").branch()
    for peer in scene.network:
        scene.network.command(peer, NextRound())
    scene.send_to_all(scene.event)
    assert {end.reason for _, end in ends(scene.network)} == {MatchEnd.FINISHED}


def test_a_link_that_breaks_before_a_word_is_forgotten() -> None:
    network, (anna, bob, cy) = room(3, link=False)
    network.link(anna, bob)
    network.cut(anna, bob)
    network.run()
    assert anna.session.advert().seats_taken == 1
    assert told(anna, PeerLeft) == [PeerLeft(bob.public, "bob", False, "cut")]
    assert told(cy, PeerLeft) == []


def test_silence_counts_from_the_last_word_not_from_the_last_beat() -> None:
    network, (anna, bob) = room(2)
    network.tap = lambda sender, _receiver, frame: [] if sender == bob.public else [frame]
    network.advance(1)
    network.send_raw(bob, anna, encode_frame(Ping()))
    network.advance(limits.AWAY_SECONDS - 0.5)
    assert told(anna, PeerAway) == []
    network.advance(1)
    assert told(anna, PeerAway) == [PeerAway(bob.public, "bob")]


def test_hearsay_that_is_taken_back_ends_nothing() -> None:
    """A player whose link is made anew in time."""
    scene = scene_of("draw").branch()
    network, (first, second) = scene.network, scene.honest
    lobby = first.session._lobby
    assert lobby is not None
    everyone = tuple((peer.public, ()) for peer in network)
    for linked in ((), everyone):
        network.send_raw(scene.attacker, first, encode_frame(frames.Presence(lobby.room_id, False, linked)))
    scene.send_instead(lambda _far: ())
    network.advance(limits.HEARSAY_SECONDS_MAX + 1)
    assert {told(peer, MatchEnded)[0].reason for peer in (first, second)} == {MatchEnd.FINISHED}


def test_hearsay_ends_the_match_once_its_time_is_up() -> None:
    scene = scene_of("draw").branch()
    network, first = scene.network, scene.honest[0]
    lobby = first.session._lobby
    assert lobby is not None
    network.tap = lambda sender, _receiver, frame: [] if sender == scene.attacker.public else [frame]
    scene.send_instead(lambda _far: ())
    network.advance(0.5)
    network.send_raw(scene.attacker, first, encode_frame(frames.Presence(lobby.room_id, False, ())))
    network.advance(limits.HEARSAY_SECONDS_MAX - 0.2)
    assert told(first, MatchEnded) == []
    network.advance(0.4)
    (end,) = told(first, MatchEnded)
    assert (end.reason, end.peer) == (MatchEnd.LINK_LOST, scene.attacker.public)


def test_leaving_while_the_next_deck_is_prepared_begins_no_round() -> None:
    network = seated(2, 57, "rounds=2", "pool_empty=round_ends")
    anna, bob = network
    network.run(until=lambda: bool(told(bob, RoundEnded)))
    assert bob.session.has_work()
    network.command(bob, LeaveRoom())
    network.run()
    assert told(bob, MatchEnded)[0].reason is MatchEnd.LEFT
    assert told(anna, MatchEnded)[0].totals == told(bob, MatchEnded)[0].totals


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


def test_hearsay_while_the_next_deck_is_prepared_ends_the_match_in_time() -> None:
    network = seated(3, 12, "rounds=2", "pool_empty=round_ends")
    _, bob, cy = network
    network.run(until=lambda: bool(told(bob, RoundEnded)))
    lobby, run = bob.session._lobby, bob.session._run
    assert lobby is not None
    assert run is not None
    assert run.round is None
    hearsay = encode_frame(frames.Presence(lobby.room_id, False, ()))
    bob.session.receive(cy.public, hearsay, network.now)
    bob.session.handle_deadline(network.now)
    assert run.ended is None
    bob.session.handle_deadline(network.now + limits.HEARSAY_SECONDS_MAX)
    assert run.ended is MatchEnd.LINK_LOST
