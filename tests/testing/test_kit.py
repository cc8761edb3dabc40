"""The public test kit: each checker sees what it is there for, and an adversary sends what it is told to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.errors import FaultCode
from p2prummi.session.notices import MatchEnded, MatchStarted, TurnStarted, TurnTaken
from p2prummi.testing.adversaries import Adversary, as_bytes, resigned, resigned_ack, unsigned
from p2prummi.testing.checkers import (
    PeersAgree,
    SharesWaitForFinality,
    TilesAreKept,
    TilesStayHidden,
    ack_in,
    event_in,
)
from p2prummi.testing.network import Network, Passage, Peer, Watcher
from p2prummi.testing.players import open_and_draw
from p2prummi.wire import events
from p2prummi.wire.frames import Ack, Chat, Frame, Ping, encode_frame
from tests.session.matches import seated, told
from tests.session.scenes import assert_blamed, assert_link_refused


def begun(seed: int, watcher: Watcher | None = None) -> tuple[Network, list[Peer]]:
    """Three peers at the third turn of a match, by seat."""
    network = seated(3, seed, choose=open_and_draw)
    if watcher is not None:
        network.watchers.append(watcher)
    first = next(iter(network))
    network.run(until=lambda: len(told(first, TurnTaken)) == 2)
    return network, [network.peers[key] for key in told(first, MatchStarted)[0].match.keys]


def tell_all(watcher: Watcher, peers: list[Peer], notices: list[TurnStarted]) -> None:
    for peer, notice in zip(peers, notices, strict=True):
        watcher.told(peer, notice)


def test_a_lost_and_a_doubled_tile_are_seen() -> None:
    for lose in (True, False):
        watcher = TilesAreKept()
        _, peers = begun(1, watcher)
        notices = [told(peer, TurnStarted)[0] for peer in peers]
        racks = [list(notice.rack) for notice in notices]
        if lose:
            racks[0] = racks[0][1:]
        else:
            racks[0][0] = racks[1][0]
        wrong = [
            replace(notice, sequence=9999, rack=tuple(rack))
            for notice, rack in zip(notices, racks, strict=True)
        ]
        with pytest.raises(AssertionError, match="another number" if lose else "two places"):
            tell_all(watcher, peers, wrong)
        game = replace(notices[0].game, pool_left=notices[0].game.pool_left - 1)
        wrong = [replace(notice, sequence=9998, game=game) for notice in notices]
        with pytest.raises(AssertionError, match="lost"):
            tell_all(watcher, peers, wrong)


def test_two_accounts_of_a_turn_are_seen() -> None:
    watcher = PeersAgree()
    _, peers = begun(2, watcher)
    notice = told(peers[0], TurnTaken)[0]
    with pytest.raises(AssertionError, match="otherwise"):
        watcher.told(peers[1], replace(notice, head=bytes(32)))


def test_shares_before_finality_are_seen() -> None:
    """A watcher that is told of no acknowledgement, and one that is told of another head."""

    class Deaf(SharesWaitForFinality):
        def came(self, passage: Passage) -> None:
            """Hears nothing."""

    with pytest.raises(AssertionError, match="before finality"):
        begun(3, Deaf())

    class Confused(SharesWaitForFinality):
        def came(self, passage: Passage) -> None:
            """Hears of another head."""
            ack = ack_in(passage.frame)
            frame = passage.frame if ack is None else encode_frame(replace(ack, head=bytes(32)))
            super().came(replace(passage, frame=frame))

    with pytest.raises(AssertionError, match="another head"):
        begun(3, Confused())


def test_a_share_too_many_is_seen() -> None:
    watcher = TilesStayHidden()
    seen: list[Passage] = []

    class Deals(Watcher):
        def came(self, passage: Passage) -> None:
            event = event_in(passage.frame)
            if event is not None and event.kind == "draw_share":
                seen.append(passage)

    network = seated(3, 4)
    network.watchers += [watcher, Deals()]
    network.run(until=lambda: bool(seen))
    passage = seen[0]
    event = event_in(passage.frame)
    assert event is not None
    assert isinstance(event.payload, events.DrawShare)
    drawer = told(passage.sender, TurnTaken)[-1].seat
    keys = told(passage.sender, MatchStarted)[0].match.keys
    third = next(peer for peer in network if peer.public not in (passage.sender.public, keys[drawer]))
    # The third comes to hold all shares: its own, the sender's, and that of whoever has drawn.
    watcher.came(replace(passage, receiver=third))
    leaked = as_bytes(resigned(passage.sender.key, event, seat=drawer))
    watcher.came(replace(passage, receiver=network.peers[keys[drawer]], frame=leaked))
    with pytest.raises(AssertionError, match="can open"):
        watcher.came(replace(passage, receiver=third, frame=leaked))
    doubled = replace(event.payload, shares=event.payload.shares * 2)
    with pytest.raises(AssertionError, match="other shares"):
        watcher.came(replace(passage, frame=as_bytes(resigned(passage.sender.key, event, payload=doubled))))


def test_frames_that_cannot_be_read_hold_nothing() -> None:
    assert event_in(b"\xc1") is None
    assert ack_in(b"\xc1") is None
    assert event_in(encode_frame(Ping())) is None
    assert ack_in(encode_frame(Ping())) is None


def test_an_adversary_sends_what_it_is_told_to() -> None:
    network, peers = begun(5)
    attacker = peers[2]
    adversary = Adversary(network, attacker)
    adversary.on_event(
        "draw_share", lambda event, _far: [resigned(attacker.key, event, payload=events.Pass())]
    )
    network.run()
    assert_blamed(network, attacker, FaultCode.WRONG_PHASE)


def test_an_adversary_may_leave_signatures_as_they_were() -> None:
    network, peers = begun(6)
    attacker = next(peer for peer in peers if peer.name != "anna")
    Adversary(network, attacker).on_event("draw_share", lambda event, _far: [unsigned(event, sequence=3)])
    network.run()
    network.advance(30)
    assert_link_refused(network, attacker, FaultCode.BAD_SIGNATURE)


def test_an_adversary_may_change_any_other_frame() -> None:
    network, peers = begun(7)
    attacker = peers[1]

    def wrong(frame: Frame, _far: Peer) -> list[Frame | bytes]:
        assert isinstance(frame, Ack)
        return [encode_frame(Chat("hm")), resigned_ack(attacker.key, frame, state=bytes(32))]

    Adversary(network, attacker).on_frame("ack", wrong)
    network.run()
    assert_blamed(network, attacker, FaultCode.STATE_DIFFERS)


def test_a_network_that_is_never_done_is_given_up() -> None:
    network = seated(2, 8)
    with pytest.raises(AssertionError, match="still busy after 10 steps"):
        network.run(10)
    network.run()
    assert all(told(peer, MatchEnded) for peer in network)
    assert network.by_name("bob").public in network.peers
