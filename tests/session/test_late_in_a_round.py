"""A round that is over for some: what comes of it late is no replay, and a fault in it ends the match."""

from __future__ import annotations

import pytest

from p2prummi.errors import FaultCode
from p2prummi.session.notices import Dealt, FaultSeen, MatchEnd, MatchEnded, MatchStarted, RoundEnded
from p2prummi.testing.adversaries import as_bytes, resigned, resigned_ack, unsigned
from p2prummi.testing.checkers import ack_in, event_in
from p2prummi.testing.network import Network, Passage, Peer, Watcher
from p2prummi.transcript.phases import Phase
from p2prummi.wire import limits
from p2prummi.wire.events import Result
from p2prummi.wire.frames import Ack, Bye, encode_frame
from tests.session.branching import in_seat_order
from tests.session.matches import assert_all_finished, seated, told
from tests.session.scenes import assert_blamed, round_of, scene_of


def behind_by_one_ack(*, is_commit_kept: bool = False) -> tuple[Network, Peer, Peer, Peer]:
    """Who lacks the last acknowledgement of the first round, who is in the second, and who keeps it back.

    Nobody hands it on, as no time passes.
    """
    network = seated(3, 23, "rounds=2", "pool_empty=round_ends")
    network.run(until=lambda: all(told(peer, MatchStarted) for peer in network))
    behind, ahead, attacker = in_seat_order(network)
    contexts: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        ack = ack_in(frame)
        is_last = ack is not None and ack.seat == 2 and round_of(attacker).state.phase is Phase.DONE
        event = event_in(frame)
        if event is not None:
            contexts.append(event.context)
        is_next = event is not None and event.context != contexts[0]
        is_kept = is_last or (is_commit_kept and is_next)
        return [] if is_kept and receiver == behind.public else [frame]

    network.tap = tap
    network.run()
    assert told(behind, RoundEnded) == []
    assert len(told(ahead, RoundEnded)) == 1
    return network, behind, ahead, attacker


def test_an_event_of_a_round_by_who_has_yet_to_finish_it_is_no_replay() -> None:
    """The attacker shows who is behind an event of that round, which shows it to who is not."""
    network, behind, ahead, attacker = behind_by_one_ack()
    running = round_of(behind)
    own = next(event for event in running.steps()[-1] if event.seat == 2)
    wrong = resigned(attacker.key, own, sequence=running.state.sequence, prev=bytes(32))
    network.send_raw(attacker, behind, as_bytes(wrong))
    network.run()
    assert told(ahead, FaultSeen) == []
    assert network.is_linked(behind, ahead)
    network.advance(limits.GAP_SECONDS_MAX + 0.1)
    assert len(told(behind, RoundEnded)) >= 1


@pytest.mark.parametrize("kind", ["event", "ack"])
def test_a_fault_found_by_who_is_behind_ends_the_match_for_all(kind: str) -> None:
    """Two versions of something in a round that is over for the others, whose result stands."""
    network, behind, ahead, attacker = behind_by_one_ack()
    running = round_of(behind)
    if kind == "event":
        own = next(event for event in running.steps()[-1] if event.seat == 2)
        frame = as_bytes(resigned(attacker.key, own, payload=Result((0, 0, 0))))
    else:
        ack = next(ack for ack in running._finality.at(3) if ack.seat == 2)
        frame = encode_frame(resigned_ack(attacker.key, ack, state=bytes(32)))
    network.send_raw(attacker, behind, frame)
    network.run()
    assert_blamed(network, attacker, FaultCode.EQUIVOCATION)
    for peer in (behind, ahead):
        (end,) = told(peer, MatchEnded)
        (ended,) = told(peer, RoundEnded)
        assert end.totals == ended.totals
        assert network.is_linked(behind, ahead)


def test_a_round_that_others_begin_while_the_match_ends_here_is_ignored() -> None:
    """Who has not heard of the end goes on, and breaks no rule by it."""
    network, behind, ahead, attacker = behind_by_one_ack(is_commit_kept=True)
    coming = next(event for event in round_of(ahead)._slots.at(0) if event.seat == round_of(ahead).seat)
    behind.session.peer_lost(attacker.public, "test", network.now)
    ack = Ack(coming.context, 0, 0, bytes(32), bytes(32), bytes(64))
    for frame in (as_bytes(coming), *[encode_frame(ack)] * (limits.MESSAGES_AHEAD_MAX + 1)):
        behind.session.receive(ahead.public, frame, network.now)
    network._collect()
    assert [end.reason for end in told(behind, MatchEnded)] == [MatchEnd.LINK_LOST]
    assert told(behind, FaultSeen) == []
    assert behind.closed == []


def test_a_round_whose_result_somebody_has_not_signed_does_not_count() -> None:
    scene = scene_of("result").branch()
    scene.send_to_all(Bye("left", "", ""))
    for peer in scene.honest:
        assert round_of(peer).state.phase is Phase.RESULT
        (end,) = told(peer, MatchEnded)
        assert (end.reason, end.totals) == (MatchEnd.LEFT, (0, 0, 0))
        assert told(peer, RoundEnded) == []


def test_nothing_late_is_a_fault_once_the_match_is_over() -> None:
    scene = scene_of("result").branch()
    scene.send_to_all(scene.event)
    other = resigned(scene.attacker.key, scene.event, payload=Result((0, 0, 0)))
    for peer in scene.honest:
        scene.network.send_raw(scene.attacker, peer, as_bytes(other))
    scene.network.run()
    assert_all_finished(scene.network)
    assert all(peer.closed == [] for peer in scene.honest)


def test_a_late_event_that_nobody_signed_costs_the_link() -> None:
    network, behind, ahead, attacker = behind_by_one_ack()
    own = next(event for event in round_of(behind).steps()[-1] if event.seat == 2)
    network.send_raw(behind, ahead, as_bytes(unsigned(own, payload=Result((0, 0, 0)))))
    network.run()
    assert [(fault.code, fault.peer) for fault in told(ahead, FaultSeen)] == [
        (FaultCode.BAD_SIGNATURE, behind.public)
    ]
    assert attacker.closed == []


def test_acknowledgements_of_a_round_that_is_over_for_all_change_nothing() -> None:
    """Of two that were asked for them, one answers after the other."""
    network = seated(2, 24, "rounds=2", "pool_empty=round_ends")
    acks: list[bytes] = []

    class Acks(Watcher):
        def sent(self, passage: Passage) -> None:
            if passage.sender.name == "bob" and ack_in(passage.frame) is not None:
                acks.append(passage.frame)

    network.watchers.append(Acks())
    anna, bob = network
    network.run(until=lambda: len(told(anna, Dealt)) == 2)
    network.send_raw(bob, anna, acks[0])
    network.run()
    assert_all_finished(network)
