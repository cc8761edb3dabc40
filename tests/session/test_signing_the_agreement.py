"""The agreement that begins a match: all of its players enter it or none, whatever is late or lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.errors import FaultCode
from p2prummi.session.commands import LeaveRoom, SetReady, StartMatch
from p2prummi.session.notices import MatchEnd, MatchEnded, MatchStarted, TurnStarted
from p2prummi.testing.players import Player
from p2prummi.transcript.agreement import nonce_commitment, read_proposal
from p2prummi.wire import frames, limits
from p2prummi.wire.frames import Accept, Presence, encode_frame, parse_frame
from tests.session.matches import told
from tests.session.rooms import has_begun, is_proposed, ready, refusals, room


def test_a_proposal_that_not_all_sign_lapses_and_another_follows() -> None:
    network, (anna, bob, cy) = room(3)
    network.advance(1)  # So that no heartbeat is due when it lapses.
    network.tap = lambda sender, _receiver, frame: (
        [] if sender == cy.public and isinstance(parse_frame(frame), Accept) else [frame]
    )
    ready(network, anna, bob, cy)
    assert not any(has_begun(peer) for peer in network)
    network.tap = lambda _sender, _receiver, frame: [frame]
    network.advance(limits.PROPOSAL_SECONDS_MAX - 0.5)
    assert not any(has_begun(peer) for peer in network)
    network.advance(1)
    assert all(told(peer, MatchStarted)[0].match.proposal.number == 2 for peer in network)


@pytest.mark.parametrize("steps", range(0, 16, 5))
@pytest.mark.parametrize("matches_before", [0, 1])
def test_a_link_lost_before_the_last_signature_leaves_nobody_alone(steps: int, matches_before: int) -> None:
    """Wherever it breaks, nobody is left in a match that the others are not in; in a rematch neither."""
    network, (anna, bob, cy) = room(3, steps)
    if matches_before:
        for peer in network:
            peer.on_notice = Player()
            network.command(peer, SetReady(ready=True))
        network.run()
        for peer in network:
            peer.on_notice = lambda _notice: None
    before = {peer: len(told(peer, MatchEnded)) for peer in network}
    for peer in network:
        network.command(peer, SetReady(ready=True))
    network.run(until=lambda: is_proposed(network))
    for _ in range(steps):
        network._step()
        network._collect()
    network.cut(bob, cy)
    network.run()
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    for peer in (anna, bob, cy):
        assert len(told(peer, MatchStarted)) == len(told(peer, MatchEnded)), peer.name
        assert all(end.reason is MatchEnd.LINK_LOST for end in told(peer, MatchEnded)[before[peer] :])


def test_nobody_signs_who_is_not_linked_to_all() -> None:
    """bob and cy are not linked, although each seems to say so to the opener, which proposes."""
    network, (anna, bob, cy) = room(3, link=False)
    accepts: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, Accept):
            accepts.append(sender)
        if isinstance(parsed, Presence) and receiver == anna.public:
            return [encode_frame(replace(parsed, linked=tuple((key, ()) for key in network.peers)))]
        return [frame]

    network.tap = tap
    network.link(anna, bob)
    network.link(anna, cy)
    network.run()
    ready(network, anna, bob, cy)
    assert is_proposed(network)
    assert accepts == []


@pytest.mark.parametrize("matches_before", [0, 1])
def test_whoever_has_signed_waits_for_the_last_signature_however_late(matches_before: int) -> None:
    """The others are in the match already; what they send is kept, and a match before does not eat it up."""
    network, (anna, bob, cy, dora) = room(4)
    if matches_before:
        ready(network, anna, bob, cy, dora)
        network.command(dora, LeaveRoom())
        network.run()
    late: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        if (sender, receiver) == (anna.public, cy.public) and isinstance(parse_frame(frame), Accept):
            late.append(frame)
            return []
        return [frame]

    network.tap = tap
    ready(network, bob, cy, anna)
    network.command(anna, StartMatch())
    network.run()
    assert len(told(bob, MatchStarted)) == matches_before + 1
    network.advance(limits.PROPOSAL_SECONDS_MAX + 2)
    assert len(told(cy, MatchStarted)) == matches_before
    network.send_raw(anna, cy, late[-1])
    network.run()
    for peer in (anna, bob, cy):
        assert told(peer, MatchStarted)[-1].match.id == told(anna, MatchStarted)[-1].match.id
        assert len(told(peer, MatchStarted)) == len(told(peer, TurnStarted)) == matches_before + 1


def test_who_is_not_on_the_roster_may_go_while_it_is_signed() -> None:
    network, (anna, bob, cy) = room(3, seats=2)
    for peer in (anna, bob):
        network.command(peer, SetReady(ready=True))
    network.run(until=lambda: is_proposed(network))
    for peer in (anna, bob):
        network.cut(cy, peer)
    network.run()
    assert has_begun(anna)
    assert has_begun(bob)
    assert told(anna, MatchStarted)[0].match.proposal.number == 1


def test_messages_of_a_match_are_kept_by_who_has_signed_alone() -> None:
    network, (anna, bob) = room(2)
    network.command(bob, SetReady(ready=True))
    network.run()
    network.command(anna, SetReady(ready=True))
    network._collect()
    assert is_proposed(network)
    ack = frames.Ack(bytes(32), 0, 0, bytes(32), bytes(32), bytes(64))
    anna.session.receive(bob.public, encode_frame(ack), network.now)
    network.run()
    assert refusals(anna) == [(FaultCode.UNEXPECTED_FRAME, bob.public, False)]


def test_an_acceptance_that_overtakes_two_proposals_is_kept_for_its_own() -> None:
    """cy's acceptance of the second proposal reaches bob before both proposals do."""
    network, (anna, bob, cy) = room(3)
    late: list[bytes] = []
    first: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, frames.Proposal):
            first.append(frame)
            if receiver == bob.public:
                late.append(frame)
                return []
        if sender == cy.public and isinstance(parsed, Accept) and parsed.proposal == read_hash(first[0]):
            return []  # The first proposal is not completed.
        return [frame]

    network.tap = tap
    ready(network, anna, bob, cy)
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    assert len(late) == 2
    for frame in late:
        network.send_raw(anna, bob, frame)
    network.run()
    assert all(told(peer, MatchStarted)[0].match.proposal.number == 2 for peer in network)


def read_hash(frame: bytes) -> bytes:
    parsed = parse_frame(frame)
    assert isinstance(parsed, frames.Proposal)
    return read_proposal(parsed).hash


def test_nobody_can_choose_seats_each_nonce_is_fixed_before_its_owner_sees_all() -> None:
    """The opener's acceptance, with its nonce, goes out last, and is the one that its proposal commits to."""
    network, (anna, bob, cy) = room(3)
    order: list[tuple[bytes, bytes]] = []
    commitments: set[bytes] = set()

    def tap(sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, Accept):
            order.append((sender, parsed.nonce))
        if isinstance(parsed, frames.Proposal):
            commitments.add(read_proposal(parsed).commitment)
        return [frame]

    network.tap = tap
    ready(network, anna, bob, cy)
    senders = [sender for sender, _ in order]
    assert set(senders[:4]) == {bob.public, cy.public}
    assert senders[4:] == [anna.public] * 2
    assert commitments == {nonce_commitment(order[-1][1])}
