"""When a room's match starts, and with whom: who is ready, who takes that back, and who looks on."""

from __future__ import annotations

import pytest

from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.session.commands import JoinRoom, LeaveRoom, OpenRoom, SetReady, StartMatch, TakeTurn
from p2prummi.session.notices import MatchEnd, MatchEnded, MatchStarted, TurnStarted
from p2prummi.testing.checkers import ack_in, event_in
from p2prummi.testing.network import Network, Peer
from p2prummi.testing.players import Player, draw_always
from p2prummi.transcript.agreement import read_proposal
from p2prummi.wire import frames, limits
from p2prummi.wire.frames import Presence, encode_frame
from tests.session.matches import new_network, rules_for, seated, told
from tests.session.rooms import has_begun, heard, is_proposed, ready, refusals, room


def test_a_full_room_starts_once_all_are_ready() -> None:
    network, peers = room(3)
    ready(network, *peers[:2])
    assert not any(has_begun(peer) for peer in peers)
    ready(network, peers[2])
    assert all(has_begun(peer) for peer in peers)
    match = told(peers[0], MatchStarted)[0].match
    assert all(told(peer, MatchStarted)[0].match.id == match.id for peer in peers)
    assert [told(network.peers[key], MatchStarted)[0].seat for key in match.keys] == [0, 1, 2]
    assert match.names == tuple(network.peers[key].name for key in match.keys)
    assert peers[0].session.advert().state == "playing"


def test_who_takes_ready_back_is_not_taken_along() -> None:
    network, (anna, bob) = room(2)
    ready(network, bob)
    network.command(bob, SetReady(ready=False))
    network.run()
    ready(network, anna)
    assert not has_begun(anna)
    ready(network, bob)
    assert has_begun(anna)


def test_who_takes_ready_back_while_it_is_proposed_signs_nothing() -> None:
    network, (anna, bob) = room(2)
    network.command(bob, SetReady(ready=True))
    network.run()
    network.command(anna, SetReady(ready=True))
    network.command(bob, SetReady(ready=False))
    network.run()
    assert not has_begun(anna)
    assert not has_begun(bob)
    ready(network, bob)
    assert not has_begun(anna), "the proposal in hand has yet to lapse"
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    assert has_begun(anna)
    assert has_begun(bob)
    assert told(anna, MatchStarted)[0].match.proposal.number == 2


def test_an_opener_that_takes_ready_back_does_not_sign() -> None:
    network, (anna, bob) = room(2)
    network.command(bob, SetReady(ready=True))
    network.run()
    network.command(anna, SetReady(ready=True))
    network.command(anna, SetReady(ready=False))
    network.run()
    assert not has_begun(anna)
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    assert not has_begun(bob)


def test_ready_during_a_match_is_for_the_next_one() -> None:
    network, (anna, bob) = room(2)
    proposals = heard(network, frames.Proposal)
    ready(network, anna, bob)
    ready(network, anna, bob)
    assert [read_proposal(frame).number for _, frame in proposals] == [1]
    assert [len(told(peer, MatchStarted)) for peer in network] == [1, 1]


def keep_last_acks(network: Network, author: Peer, kept_from: Peer) -> list[bytes]:
    """Keeps back what one acknowledges of the results to another, who can't end the match without it."""
    kept: list[bytes] = []
    results: set[int] = set()

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        ack, event = ack_in(frame), event_in(frame)
        if event is not None and event.kind == "result":
            results.add(event.sequence)
        if (
            ack is None
            or ack.sequence not in results
            or (sender, receiver) != (author.public, kept_from.public)
        ):
            return [frame]
        kept.append(frame)
        return []

    network.tap = tap
    return kept


def test_ready_for_the_match_before_is_not_taken_for_the_next() -> None:
    """Not even while somebody is still in that match, and has said nothing since."""
    network = seated(2, 26, "pool_empty=round_ends")
    anna, bob = network
    keep_last_acks(network, anna, bob)
    network.run()
    assert [len(told(peer, MatchEnded)) for peer in network] == [1, 0]
    network.command(anna, SetReady(ready=True))
    network.run()
    assert not is_proposed(network)


def test_a_rematch_begins_although_the_opener_is_the_last_to_end_the_match() -> None:
    """The others have said before that they are ready, and have nothing more to say."""
    network = seated(3, 25, "pool_empty=round_ends")
    anna, bob, cy = network
    network.run(until=lambda: all(told(peer, TurnStarted) for peer in network))
    for peer in network:
        network.command(peer, SetReady(ready=True))
    last = keep_last_acks(network, cy, anna)
    network.run()
    assert [len(told(peer, MatchEnded)) for peer in network] == [0, 1, 1]
    network.send_raw(bob, anna, last[-1])
    network.run()
    assert [len(told(peer, MatchStarted)) for peer in network] == [2, 2, 2]


def test_the_opener_may_start_early_with_those_who_are_ready() -> None:
    network, (anna, bob, cy, dora) = room(4)
    with pytest.raises(LocalProtocolError, match="Only who opened"):
        network.command(bob, StartMatch())
    with pytest.raises(LocalProtocolError, match="Say that you are ready"):
        network.command(anna, StartMatch())
    ready(network, anna)
    with pytest.raises(LocalProtocolError, match="Nobody else"):
        network.command(anna, StartMatch())
    ready(network, cy, dora)
    assert not has_begun(anna)
    network.command(anna, StartMatch())
    network.run()
    assert [has_begun(peer) for peer in (anna, bob, cy, dora)] == [True, False, True, True]
    assert set(told(anna, MatchStarted)[0].match.keys) == {anna.public, cy.public, dora.public}
    # Who is not on the roster has no part in it.
    chat = encode_frame(frames.Want(bytes(32), 0))
    network.send_raw(bob, anna, chat)
    network.run()
    assert refusals(anna) == [(FaultCode.UNEXPECTED_FRAME, bob.public, False)]
    assert told(anna, MatchEnded) == []


def test_an_early_start_is_for_one_match_alone() -> None:
    network, (anna, bob, cy) = room(3)
    ready(network, anna, bob)
    network.command(anna, StartMatch())
    network.run()
    assert has_begun(bob)
    network.command(bob, LeaveRoom())
    network.run()
    ready(network, anna, cy)
    assert not has_begun(cy)
    network.command(anna, StartMatch())
    network.run()
    assert has_begun(cy)


def test_who_is_in_the_room_but_no_player_has_no_say_in_the_match() -> None:
    """Neither its links nor their loss end it."""
    network, (anna, bob, cy, dora) = room(4)
    for peer in (anna, cy, dora):
        peer.on_notice = Player()
    ready(network, cy, dora)
    network.command(anna, SetReady(ready=True))
    network.command(anna, StartMatch())
    network.run(until=lambda: all(told(peer, TurnStarted) for peer in (anna, cy, dora)))
    for peer in network:
        peer.on_notice = lambda _notice: None
    alone = Presence(anna.session.advert().room_id, False, ())
    for peer in (anna, cy, dora):
        peer.session.receive(bob.public, encode_frame(alone), network.now)
        peer.session.handle_deadline(network.now + limits.HEARSAY_SECONDS_MAX + 1)
        assert told(peer, MatchEnded) == []
    network.cut(anna, bob)
    for peer, reason in ((cy, "left"), (dora, "match_over")):
        network.send_raw(bob, peer, encode_frame(frames.Bye(reason, "", "")))
    network.advance(limits.HEARSAY_SECONDS_MAX + 1)
    assert not any(network.is_linked(peer, bob) for peer in (anna, cy, dora))
    assert all(told(peer, MatchEnded) == [] for peer in (anna, cy, dora))
    for peer in (anna, cy, dora):
        peer.on_notice = Player(matches=0)
        started = told(peer, TurnStarted)[-1]
        if started.mine:
            network.command(peer, TakeTurn(draw_always(started)))
    network.run()
    assert [told(peer, MatchEnded)[0].reason for peer in (anna, cy, dora)] == [MatchEnd.FINISHED] * 3


def test_a_room_with_more_members_than_seats_plays_with_the_first() -> None:
    network, (anna, bob, cy) = room(3, seats=2)
    ready(network, anna, bob, cy)
    assert has_begun(anna)
    assert sum(has_begun(peer) for peer in network) == 2
    assert anna.session.advert().seats_taken == 2


def test_nothing_is_proposed_to_fewer_than_the_rules_are_for() -> None:
    network = new_network(3, 1)
    anna, bob, cy = network
    rules = rules_for(3, "players=3-4")
    network.command(anna, OpenRoom(name="room", ruleset=rules, seats=3))
    for peer in (bob, cy):
        network.command(peer, JoinRoom(room_id=anna.session.advert().room_id, name="room"))
    network.link_all()
    network.run()
    ready(network, anna, bob)
    network.command(anna, StartMatch())
    network.run()
    assert not is_proposed(network)
    ready(network, cy)
    assert all(has_begun(peer) for peer in network)


def test_nothing_is_proposed_without_the_opener() -> None:
    network, (anna, bob, cy) = room(3, seats=2)
    ready(network, bob, cy)
    assert not is_proposed(network)
    assert not any(has_begun(peer) or refusals(peer) for peer in (anna, bob, cy))
