"""Events out of turn, on a head that nothing leads to, far ahead, of another round or match, or withheld."""

from __future__ import annotations

from p2prummi.errors import FaultCode
from p2prummi.session.notices import (
    Dealt,
    FaultSeen,
    MatchEnd,
    MatchEnded,
    PeerLeft,
    PhaseProgress,
    RoundEnded,
)
from p2prummi.testing.adversaries import as_bytes, resigned
from p2prummi.testing.checkers import event_in
from p2prummi.testing.network import Passage, Watcher
from p2prummi.transcript.phases import Phase
from p2prummi.wire import events, limits
from p2prummi.wire.events import Event
from p2prummi.wire.frames import Ack, encode_frame
from tests.session.branching import in_seat_order
from tests.session.matches import Thoughtful, ends, seated, told
from tests.session.scenes import assert_blamed, assert_link_refused, round_of, scene_of, send_no_more_events

# Of another turn, or too far ahead.


def test_an_event_out_of_turn_is_blamed() -> None:
    """For a slot that another seat has filled long ago, on its right head."""
    scene = scene_of("draw").branch()
    past = next(state for state in round_of(scene.attacker)._states if 2 not in state.fillers)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, sequence=past.sequence, prev=past.head))
    assert_blamed(scene.network, scene.attacker, FaultCode.OUT_OF_TURN)


def test_an_event_in_anothers_turn_is_blamed() -> None:
    scene = scene_of("draw").branch()
    network = scene.network
    scene.send_instead(lambda _far: ())
    assert all(round_of(peer).state.sequence == scene.event.sequence for peer in scene.honest)
    thief = scene.honest[0]
    stolen = resigned(thief.key, scene.event, seat=0)
    network.send_raw(thief, scene.honest[1], as_bytes(stolen))
    network.run()
    blaming = scene.honest[1]
    assert [(fault.code, fault.peer) for fault in told(blaming, FaultSeen)] == [
        (FaultCode.OUT_OF_TURN, thief.public)
    ]


def test_an_event_far_ahead_costs_the_link() -> None:
    for ahead in (limits.SLOTS_AHEAD_MAX, limits.SLOTS_AHEAD_MAX + 1):
        scene = scene_of("draw").branch()
        early = resigned(scene.attacker.key, scene.event, sequence=scene.event.sequence + ahead)
        scene.send_to_all()
        for peer in scene.honest:
            scene.network.send_raw(scene.attacker, peer, as_bytes(early))
        scene.network.run()
        if ahead > limits.SLOTS_AHEAD_MAX:
            assert_link_refused(scene.network, scene.attacker, FaultCode.LIMIT_EXCEEDED)
        else:
            assert all(told(peer, FaultSeen) == [] for peer in scene.honest)


def test_what_is_withheld_is_waited_for_and_reveals_nothing() -> None:
    scene = scene_of("deal").branch()
    send_no_more_events(scene)
    scene.send_instead(lambda _far: ())
    scene.wait()
    for peer in scene.honest:
        assert told(peer, MatchEnded) == []
        assert round_of(peer).state.phase is Phase.DEAL
        assert round_of(peer).hand == {}
        # Everyone sees who is missing.
        assert told(peer, PhaseProgress)[-1].seats_done == (0, 1)


# On another head.


def test_an_event_on_a_head_that_nothing_leads_to_costs_the_link_after_a_while() -> None:
    scene = scene_of("draw").branch()
    send_no_more_events(scene)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, prev=bytes(32)))
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)
    # What would explain it is asked for before.
    asked_at = scene.network.now + limits.GAP_SECONDS_MAX
    assert all(round_of(peer).deadline() == asked_at for peer in scene.honest)
    scene.network.advance(limits.FORK_SECONDS_MAX - 0.5)
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)
    scene.network.advance(1)
    assert_link_refused(scene.network, scene.attacker, FaultCode.WRONG_HEAD)
    first, second = scene.honest
    assert told(first, PeerLeft)[-1].peer == told(second, PeerLeft)[-1].peer == scene.attacker.public


def test_a_doubt_has_its_time_also_where_nothing_is_missing() -> None:
    network = seated(3, 21)
    for peer in network:
        peer.on_notice = Thoughtful()
    network.run()
    *honest, attacker = in_seat_order(network)
    past = next(state for state in round_of(attacker)._states if 2 not in state.fillers and state.sequence)
    commit = next(event for event in round_of(attacker).steps()[0] if event.seat == 2)
    for peer in honest:
        other = resigned(attacker.key, commit, sequence=past.sequence, prev=bytes(32))
        network.send_raw(attacker, peer, as_bytes(other))
    network.now += 1
    network.run()
    for peer in honest:
        assert round_of(peer).relay.deadline() is None
        assert round_of(peer).deadline() == network.now + limits.FORK_SECONDS_MAX


def test_a_further_doubt_does_not_prolong_the_first() -> None:
    """Nor is what is doubted shown to its own signer."""
    scene = scene_of("draw").branch()
    network, attacker = scene.network, scene.attacker
    send_no_more_events(scene)
    came: list[Event] = []

    class Came(Watcher):
        def came(self, passage: Passage) -> None:
            event = event_in(passage.frame)
            if passage.receiver is attacker and event is not None and event.seat == 2:
                came.append(event)

    network.watchers.append(Came())
    scene.send_to_all(resigned(attacker.key, scene.event, prev=bytes(32)))
    network.advance(limits.FORK_SECONDS_MAX / 2)
    past = next(state for state in round_of(attacker)._states if 2 not in state.fillers and state.sequence)
    other = resigned(attacker.key, scene.event, sequence=past.sequence, prev=bytes(32))
    for peer in scene.honest:
        network.send_raw(attacker, peer, as_bytes(other))
    network.advance(limits.FORK_SECONDS_MAX / 2 + 0.1)
    assert_link_refused(network, attacker, FaultCode.WRONG_HEAD)
    assert came == []


def test_a_doubt_costs_no_link_once_the_match_is_over() -> None:
    scene = scene_of("draw").branch()
    send_no_more_events(scene)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, prev=bytes(32)))
    for peer in scene.honest:
        run = peer.session._run
        assert run is not None
        run.leave()
    scene.wait()
    for peer in scene.honest:
        assert told(peer, FaultSeen) == []
        assert peer.closed == []


def test_a_doubt_of_who_is_gone_already_names_nobody() -> None:
    """The match does not end before what is under judgement is judged, however long that takes."""
    scene = scene_of("draw").branch()
    send_no_more_events(scene)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, prev=bytes(32)))
    peer = scene.honest[0]
    round_of(peer)._working.add("test")
    peer.session.peer_lost(scene.attacker.public, "test", scene.network.now)
    assert told(peer, MatchEnded) == []
    peer.session.handle_deadline(scene.network.now + limits.FORK_SECONDS_MAX)
    assert list(peer.session._outbox.closings) == []
    assert not any(isinstance(notice, FaultSeen) for notice in peer.session._outbox.notices)
    # It is looked at once, not again and again; what is missing is still asked for.
    assert round_of(peer).deadline() == round_of(peer).relay.deadline()


# Of another match or round.


def test_what_is_of_no_round_costs_the_link_between_two_rounds_too() -> None:
    network = seated(3, 12, "rounds=2", "pool_empty=round_ends")
    _, bob, cy = network
    network.run(until=lambda: bool(told(bob, RoundEnded)))
    assert bob.session._run is not None
    assert bob.session._run.round is None
    ack = Ack(bytes(32), 0, 0, bytes(32), bytes(32), bytes(64))
    bob.session.receive(cy.public, encode_frame(ack), network.now)
    network._collect()
    assert [(fault.code, fault.peer) for fault in told(bob, FaultSeen)] == [
        (FaultCode.WRONG_CONTEXT, cy.public)
    ]


def test_old_events_change_nothing_once_the_match_is_over() -> None:
    scene = scene_of("result").branch()
    scene.send_to_all(scene.event)
    assert {end.reason for _, end in ends(scene.network)} == {MatchEnd.FINISHED}
    old = as_bytes(scene.event)
    for peer in scene.honest:
        scene.network.send_raw(scene.attacker, peer, old)
    scene.network.run()
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)


def test_who_comes_back_after_the_match_cannot_go_on_with_it() -> None:
    scene = scene_of("draw").branch()
    network, first, attacker = scene.network, scene.honest[0], scene.attacker
    scene.send_instead(lambda _far: ())
    network.cut(first, attacker)
    network.run()
    network.link(first, attacker)
    wrong = resigned(attacker.key, scene.event, payload=events.Pass())
    network.send_raw(attacker, first, as_bytes(wrong))
    network.run()
    assert told(first, FaultSeen) == []
    assert len(told(first, MatchEnded)) == 1


def test_events_of_no_match_that_is_known_cost_the_link() -> None:
    scene = scene_of("draw").branch()
    scene.send_to_all(resigned(scene.attacker.key, scene.event, context=bytes(32)))
    assert_link_refused(scene.network, scene.attacker, FaultCode.WRONG_CONTEXT)


def test_an_event_of_an_earlier_round_costs_the_link() -> None:
    network = seated(3, 12, "rounds=2", "pool_empty=round_ends")
    first: list[bytes] = []

    class Commits(Watcher):
        def sent(self, passage: Passage) -> None:
            event = event_in(passage.frame)
            if event is not None and event.kind == "commit" and passage.sender.name == "cy":
                first.append(passage.frame)

    network.watchers.append(Commits())
    anna, _, cy = network
    network.run(until=lambda: len(told(anna, Dealt)) == 2)
    for peer in list(network)[:2]:
        network.send_raw(cy, peer, first[0])
    network.run()
    assert_link_refused(network, cy, FaultCode.WRONG_CONTEXT)
