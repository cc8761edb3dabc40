"""Links between members: talk over them, silence, goodbyes, a link that breaks, and hearsay of that."""

from __future__ import annotations

import pytest

from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.session.commands import LeaveRoom, SendChat
from p2prummi.session.notices import (
    ChatReceived,
    FaultSeen,
    MatchEnd,
    MatchEnded,
    PeerAway,
    PeerBack,
    PeerLeft,
    RoundEnded,
)
from p2prummi.testing.network import Peer
from p2prummi.wire import frames, limits
from p2prummi.wire.frames import Bye, Chat, Ping, Want, encode_frame
from tests.session.matches import new_network, seated, told
from tests.session.rooms import heard, lobby_of, room
from tests.session.scenes import round_of, scene_of

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
    network.command(bob, SendChat("x" * limits.CHAT_BYTES_MAX))
    network.run()
    assert told(anna, ChatReceived) == [ChatReceived(bob.public, "bob", "x" * limits.CHAT_BYTES_MAX)]
    for text in ("", "x" * (limits.CHAT_BYTES_MAX + 1), "ä" * limits.CHAT_BYTES_MAX, "\udc80"):
        with pytest.raises(LocalProtocolError, match="line of talk"):
            network.command(anna, SendChat(text))


def test_a_flood_of_talk_costs_the_link() -> None:
    network, (anna, bob, cy) = room(3)

    def talk(sender: Peer, lines: int) -> int:
        """How many lines more anna has been told once this peer has said these."""
        before = len(told(anna, ChatReceived))
        for _line in range(lines):
            network.send_raw(sender, anna, encode_frame(Chat("x")))
        network.run()
        return len(told(anna, ChatReceived)) - before

    many = limits.CHAT_PER_MINUTE_MAX
    assert talk(bob, many) == talk(cy, many) == many
    network.advance(59.9)
    assert talk(cy, 1) == 0
    network.advance(0.1)
    assert talk(bob, many) == many
    assert network.is_linked(anna, bob)
    assert talk(bob, 1) == 0
    refused = [(fault.code, fault.peer, fault.signed) for fault in told(anna, FaultSeen)]
    assert refused == [(FaultCode.LIMIT_EXCEEDED, peer.public, False) for peer in (cy, bob)]
    assert not network.is_linked(anna, bob)


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


# Silence.


def test_each_link_has_its_own_heartbeat_since_it_came_up() -> None:
    network = new_network(3, 1)
    anna, bob, cy = network
    pings: list[tuple[float, bytes]] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        if sender == anna.public:
            pings.append((network.now, receiver))
        return [frame]

    network.tap = tap
    beat = limits.HEARTBEAT_SECONDS
    network.link(anna, bob)
    network.advance(beat / 2)
    network.link(anna, cy)
    network.advance(2 * beat + 0.1)
    assert pings == [
        (beat, bob.public),
        (1.5 * beat, cy.public),
        (2 * beat, bob.public),
        (2.5 * beat, cy.public),
    ]


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
    (left,) = told(anna, PeerLeft)
    assert left == PeerLeft(
        bob.public, "bob", False, f"silent for {limits.LINK_SILENT_SECONDS_MAX:.0f} seconds"
    )


def test_silence_counts_from_the_last_word_not_from_the_last_beat() -> None:
    network, (anna, bob) = room(2)
    network.tap = lambda sender, _receiver, frame: [] if sender == bob.public else [frame]
    network.advance(1)
    network.send_raw(bob, anna, encode_frame(Ping()))
    network.advance(limits.AWAY_SECONDS - 0.2)
    assert told(anna, PeerAway) == []
    network.advance(0.4)
    assert told(anna, PeerAway) == [PeerAway(bob.public, "bob")]
    network.advance(limits.LINK_SILENT_SECONDS_MAX - limits.AWAY_SECONDS - 0.4)
    assert network.is_linked(anna, bob)
    network.advance(0.4)
    assert not network.is_linked(anna, bob)


def test_when_all_are_silent_the_room_closes_once() -> None:
    network, (anna, bob, cy) = room(3)
    network.tap = lambda _sender, _receiver, _frame: []
    network.advance(limits.LINK_SILENT_SECONDS_MAX + 5)
    for peer in (bob, cy):
        assert len([key for key, _ in peer.closed]) == len({key for key, _ in peer.closed}) == 2, peer.name
        assert peer.session.advert().state == "idle"
    assert anna.session.advert().seats_taken == 1


# Goodbyes, and links that break.


@pytest.mark.parametrize(
    ("farewell", "left"),
    [
        (Bye("left", "", ""), True),
        (Bye("fault", "bad_signature", "why"), False),
    ],
)
def test_a_goodbye_closes_the_link_and_ends_the_match(farewell: Bye, left: bool) -> None:
    scene = scene_of("draw").branch()
    scene.send_to_all(encode_frame(farewell))
    scene.wait()
    for peer in scene.honest:
        why = "said goodbye" if left else "why (bad_signature)"
        assert told(peer, PeerLeft)[0] == PeerLeft(scene.attacker.public, scene.attacker.name, left, why)
        assert told(peer, FaultSeen) == []
        (end,) = told(peer, MatchEnded)
        assert end.reason is (MatchEnd.LEFT if left else MatchEnd.LINK_LOST)
        assert end.peer == scene.attacker.public


def test_a_link_that_breaks_before_a_word_is_forgotten() -> None:
    network, (anna, bob, cy) = room(3, link=False)
    network.link(anna, bob)
    network.cut(anna, bob)
    network.run()
    assert anna.session.advert().seats_taken == 1
    assert told(anna, PeerLeft) == [PeerLeft(bob.public, "bob", False, "cut")]
    assert told(cy, PeerLeft) == []


def test_the_first_player_lost_is_the_one_that_is_named() -> None:
    scene = scene_of("draw").branch()
    scene.send_to_all()
    other, peer = sorted(scene.honest, key=lambda peer: peer.name != "anna")
    running = round_of(peer)
    running._working.add("test")
    peer.session.peer_lost(scene.attacker.public, "first", scene.network.now)
    peer.session.peer_lost(other.public, "second", scene.network.now)
    # The other one opened the room, which is not closed before the match is ended.
    assert peer.session.advert().state == "playing"
    running._working.discard("test")
    peer.session.handle_deadline(scene.network.now)
    scene.network._collect()
    (end,) = told(peer, MatchEnded)
    assert (end.reason, end.peer) == (MatchEnd.LINK_LOST, scene.attacker.public)


# Hearsay.


def test_whose_match_has_ended_first_leaves_time_to_find_why() -> None:
    scene = scene_of("draw").branch()
    first, second = scene.honest
    scene.send_to_all(Bye("match_over", "", ""))
    for peer in scene.honest:
        (gone,) = told(peer, PeerLeft)
        assert gone.left
        assert told(peer, MatchEnded) == []
    scene.network.advance(limits.HEARSAY_SECONDS_MAX - 0.1)
    assert told(first, MatchEnded) == told(second, MatchEnded) == []
    scene.network.advance(0.2)
    for peer in (first, second):
        (end,) = told(peer, MatchEnded)
        assert (end.reason, end.peer) == (MatchEnd.LINK_LOST, scene.attacker.public)
        assert end.text == f"The match has ended for {scene.attacker.name}."


def test_a_victim_that_goes_is_not_named_for_the_link_that_it_lost() -> None:
    """The attacker breaks the rules of one link and stays; its victim ends the match and leaves."""
    scene = scene_of("draw").branch()
    network = scene.network
    # Whose room it is stays: with the opener the room would go, and with it all links.
    third, victim = sorted(scene.honest, key=lambda peer: peer.name != "anna")
    network.send_raw(scene.attacker, victim, b"\xc1")
    network.run()
    assert told(victim, MatchEnded)[0].peer == scene.attacker.public
    network.command(victim, LeaveRoom())
    network.run()
    assert [gone.left for gone in told(third, PeerLeft)] == [True]
    network.advance(limits.HEARSAY_SECONDS_MAX + 0.1)
    (end,) = told(third, MatchEnded)
    assert end.reason is MatchEnd.LINK_LOST
    names = (victim.name, scene.attacker.name)
    assert end.text in {f"{one} has lost the link to {other}." for one, other in (names, names[::-1])}


def test_who_leaves_after_its_match_says_so_and_who_leaves_in_it_does_not() -> None:
    for is_over in (True, False):
        scene = scene_of("draw").branch()
        network, (one, _) = scene.network, scene.honest
        if is_over:
            network.run()
        assert bool(told(one, MatchEnded)) is is_over
        byes = heard(network, Bye)
        network.command(one, LeaveRoom())
        network.run()
        assert {bye.reason for sender, bye in byes if sender is one} == {"match_over" if is_over else "left"}


def test_hearsay_that_is_taken_back_ends_nothing() -> None:
    """A player whose link is made anew in time."""
    scene = scene_of("draw").branch()
    network, (first, second) = scene.network, scene.honest
    lobby = lobby_of(first)
    everyone = tuple((peer.public, ()) for peer in network)
    for linked in ((), everyone):
        network.send_raw(scene.attacker, first, encode_frame(frames.Presence(lobby.room_id, False, linked)))
    scene.send_instead(lambda _far: ())
    network.advance(limits.HEARSAY_SECONDS_MAX + 1)
    assert {told(peer, MatchEnded)[0].reason for peer in (first, second)} == {MatchEnd.FINISHED}


def test_hearsay_ends_the_match_once_its_time_is_up() -> None:
    scene = scene_of("draw").branch()
    network, first = scene.network, scene.honest[0]
    lobby = lobby_of(first)
    network.tap = lambda sender, _receiver, frame: [] if sender == scene.attacker.public else [frame]
    scene.send_instead(lambda _far: ())
    network.advance(0.5)
    here = ((first.public, ()),)
    network.send_raw(scene.attacker, first, encode_frame(frames.Presence(lobby.room_id, False, here)))
    network.advance(limits.HEARSAY_SECONDS_MAX - 0.2)
    assert told(first, MatchEnded) == []
    network.advance(0.4)
    (end,) = told(first, MatchEnded)
    assert (end.reason, end.peer) == (MatchEnd.LINK_LOST, scene.attacker.public)
    other = scene.honest[1].name
    assert end.text == f"{scene.attacker.name} has lost the link to {other}."


def test_hearsay_while_the_next_deck_is_prepared_ends_the_match_in_time() -> None:
    network = seated(3, 12, "rounds=2", "pool_empty=round_ends")
    _, bob, cy = network
    network.run(until=lambda: bool(told(bob, RoundEnded)))
    lobby, run = lobby_of(bob), bob.session._run
    assert run is not None
    assert run.round is None
    hearsay = encode_frame(frames.Presence(lobby.room_id, False, ()))
    bob.session.receive(cy.public, hearsay, network.now)
    assert run.deadline() == network.now + limits.HEARSAY_SECONDS_MAX
    bob.session.handle_deadline(network.now)
    assert run.ended is None
    bob.session.handle_deadline(network.now + limits.HEARSAY_SECONDS_MAX)
    assert run.ended is MatchEnd.LINK_LOST
