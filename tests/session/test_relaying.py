"""What is kept from one peer comes from the others, whoever keeps it back; and asking costs nobody a link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2prummi.session.commands import NextRound, TakeTurn
from p2prummi.session.notices import RoundEnded, TurnConfirmed, TurnStarted, TurnTaken
from p2prummi.testing.adversaries import Adversary, Rewrite, as_bytes
from p2prummi.testing.checkers import ack_in, event_in
from p2prummi.testing.network import Network, Passage, Peer, Watcher
from p2prummi.testing.players import draw_always
from p2prummi.transcript.phases import Phase
from p2prummi.wire import limits
from p2prummi.wire.frames import Ack, Frame, Want, encode_frame, parse_frame
from tests.session.matches import assert_all_finished, seated, told
from tests.session.scenes import Scene, round_of, scene_of


class Sent(Watcher):
    """What one peer sends to another, as (kind, slot, signer); or the wants that anybody sends."""

    def __init__(self, network: Network, sender: Peer | None = None, receiver: Peer | None = None) -> None:
        self.signed: list[tuple[str, int, int]] = []
        self.wants: list[tuple[Peer, Peer, int]] = []
        self._sender = sender
        self._receiver = receiver
        network.watchers.append(self)

    def sent(self, passage: Passage) -> None:
        parsed = parse_frame(passage.frame)
        if isinstance(parsed, Want):
            self.wants.append((passage.sender, passage.receiver, parsed.sequence))
        if passage.sender is self._sender and passage.receiver is self._receiver:
            event, ack = event_in(passage.frame), ack_in(passage.frame)
            if event is not None:
                self.signed.append(("event", event.sequence, event.seat))
            elif ack is not None:
                self.signed.append(("ack", ack.sequence, ack.seat))


def ask(
    network: Network, asker: Peer, asked: Peer, context: bytes, *sequences: int
) -> list[tuple[str, int, int]]:
    """What comes as the answer to these questions, one after the other, and nothing else."""
    sent = Sent(network, asked, asker)
    for sequence in sequences:
        network.send_raw(asker, asked, encode_frame(Want(context, sequence)))
    network.run()
    network.watchers.remove(sent)
    return sorted(sent.signed)


def keep_back(scene: Scene, is_kept: Callable[[bytes], bool], *victims: Peer) -> None:
    """Lets the attacker send these frames to none of the victims, nor those that are on their way."""
    keys = {victim.public for victim in victims}
    attacker = scene.attacker.public

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        return [] if sender == attacker and receiver in keys and is_kept(frame) else [frame]

    for key in keys:
        wire = scene.network._wires[attacker, key]
        kept = [frame for frame in wire if not is_kept(frame)]
        wire.clear()
        wire.extend(kept)
    scene.network.tap = tap


def is_event(frame: bytes) -> bool:
    return event_in(frame) is not None


# Kept from one.


@pytest.mark.parametrize("kind", ["commit", "shuffle", "draw", "settle"])
def test_an_event_kept_from_one_comes_from_the_other(kind: str) -> None:
    """Its author acknowledges it to both, but sends the one no event, whatever it asks."""
    scene = scene_of(kind).branch()
    kept_from, other = scene.honest
    slot = scene.event.sequence
    keep_back(scene, is_event, kept_from)
    scene.network.run()
    assert round_of(kept_from).state.sequence <= slot
    scene.network.advance(limits.GAP_SECONDS_MAX - 0.1)
    assert round_of(kept_from).state.sequence <= slot
    # What the attacker keeps back from there on is asked for as well, one slot after the other.
    scene.network.advance(400)
    assert_all_finished(scene.network)
    assert told(kept_from, TurnTaken) == told(other, TurnTaken)


def test_acknowledgements_kept_from_one_come_from_the_other() -> None:
    """For two whole rounds, the last one of each too, which the others need no more when it is asked for."""
    network = seated(3, 17, "rounds=2", "pool_empty=round_ends")
    anna, bob, cy = network
    withheld: list[int] = []

    def keep(frame: object, far: Peer) -> list[object]:
        if far is anna:
            withheld.append(1)
        return [] if far is anna else [frame]

    Adversary(network, cy).on_frame("ack", keep)  # type: ignore[arg-type] # a frame goes in and out
    network.run()
    assert told(anna, RoundEnded) == []
    assert withheld
    network.advance(600)
    assert_all_finished(network)
    assert len(told(bob, RoundEnded)) == 2
    assert [notice.sequence for notice in told(anna, TurnConfirmed)] == [
        notice.sequence for notice in told(anna, TurnTaken)
    ]


@pytest.mark.parametrize("kind", ["prove", "play", "draw", "settle", "result"])
def test_one_acknowledgement_kept_from_one_holds_nobody_up_for_long(kind: str) -> None:
    scene = scene_of(kind).branch()
    kept_from, slot = scene.honest[0], scene.event.sequence

    def is_kept(frame: bytes) -> bool:
        ack = ack_in(frame)
        return ack is not None and (ack.sequence, ack.seat) == (slot, 2)

    keep_back(scene, is_kept, kept_from)
    scene.network.run()
    if kind not in ("play", "settle"):  # Nothing waits for these; what follows is acknowledged by all.
        assert told(kept_from, RoundEnded) == []
        assert slot not in [notice.sequence for notice in told(kept_from, TurnConfirmed)]
        scene.network.advance(limits.GAP_SECONDS_MAX + 0.1)
    assert_all_finished(scene.network)
    assert [notice.sequence for notice in told(kept_from, TurnConfirmed)] == [
        notice.sequence for notice in told(kept_from, TurnTaken)
    ]


def test_a_turn_is_confirmed_once_all_have_it_whatever_has_come_after_it() -> None:
    scene = scene_of("play").branch()
    network, first, slot = scene.network, scene.honest[0], scene.event.sequence
    kept: list[bytes] = []

    def is_kept(frame: bytes) -> bool:
        ack = ack_in(frame)
        is_late = ack is not None and ack.seat == 2 and ack.sequence >= slot
        kept.extend([frame] if is_late else [])
        return is_late

    keep_back(scene, is_kept, first)
    network.run()
    assert told(first, TurnTaken)[-1].sequence > slot
    assert slot not in [notice.sequence for notice in told(first, TurnConfirmed)]
    network.send_raw(scene.attacker, first, kept[0])
    network.run()
    assert told(first, TurnConfirmed)[-1].sequence == slot


def test_what_two_keep_from_one_each_comes_from_the_other_one() -> None:
    """Nobody but these two holds the whole slot, and they do not acknowledge it."""
    network = seated(4, 19, "pool_empty=round_ends")
    anna, bob, cy, dora = network
    kept = {cy: anna, dora: bob}

    def keep_from(victim: Peer) -> Rewrite:
        return lambda event, far: [] if far is victim else [event]

    def but_of_commits(frame: Frame, _far: Peer) -> list[Frame]:
        return [] if isinstance(frame, Ack) and frame.sequence == 0 else [frame]

    for author, victim in kept.items():
        adversary = Adversary(network, author)
        adversary.on_event("commit", keep_from(victim))
        adversary.on_frame("ack", but_of_commits)
    network.run()
    assert all(round_of(peer).state.phase is Phase.COMMIT for peer in (anna, bob))
    network.advance(limits.GAP_SECONDS_MAX + 0.1)
    assert_all_finished(network)


# Asking.


def test_acknowledgements_of_the_very_first_slot_are_asked_for_too() -> None:
    scene = scene_of("commit").branch()
    network, first = scene.network, scene.honest[0]
    sent = Sent(network)

    def is_kept(frame: bytes) -> bool:
        event, ack = event_in(frame), ack_in(frame)
        return (event is not None and event.kind == "reveal") or (ack is not None and ack.sequence == 0)

    keep_back(scene, is_kept, first)
    network.run()
    network.advance(limits.GAP_SECONDS_MAX + 0.1)
    assert {sequence for sender, _, sequence in sent.wants if sender is first} == {0, 1}


def test_nobody_asks_while_somebody_thinks_or_has_yet_to_agree() -> None:
    """Where nothing of a slot is here, or only the own part is missing, others have nothing to give."""
    network = seated(2, 21, "rounds=2", "pool_empty=round_ends")
    network.run(until=lambda: all(len(told(peer, TurnTaken)) == 3 for peer in network))
    players = [peer.on_notice for peer in network]
    for peer in network:
        peer.on_notice = lambda _notice: None
    network.run()
    sent = Sent(network)
    network.advance(3 * limits.GAP_SECONDS_MAX)
    assert sent.wants == []
    anna, bob = network
    assert round_of(anna).deadline() is None
    for peer, player in zip(network, players, strict=True):
        peer.on_notice = player
        started = told(peer, TurnStarted)[-1]
        if started.mine:
            network.command(peer, TakeTurn(draw_always(started)))
    bob.on_notice = lambda notice: None if isinstance(notice, RoundEnded) else players[1](notice)
    network.run()
    network.advance(3 * limits.GAP_SECONDS_MAX)
    # bob has not agreed to the next round; whoever waits for it asks, bob asks nobody.
    assert {(sender, receiver) for sender, receiver, _ in sent.wants} == {(anna, bob)}
    network.command(bob, NextRound())
    network.run()
    assert_all_finished(network)


def test_what_stays_missing_is_asked_for_again_of_everyone() -> None:
    scene = scene_of("deal").branch()
    network, (first, second), slot = scene.network, scene.honest, scene.event.sequence
    sent = Sent(network)
    network.now += 0.5  # So that no heartbeat is due when they ask.
    keep_back(scene, is_event, first, second)
    network.advance(2.2 * limits.GAP_SECONDS_MAX)
    for asker, other in ((first, second), (second, first)):
        asked = [(receiver, sequence) for sender, receiver, sequence in sent.wants if sender is asker]
        assert len(asked) == 4
        assert set(asked) == {(other, slot), (scene.attacker, slot)}
    network.tap = lambda _sender, _receiver, frame: [frame]
    for peer in (first, second):
        network.send_raw(scene.attacker, peer, as_bytes(scene.event))
    network.advance(limits.GAP_SECONDS_MAX)
    network.advance(0.1)
    assert_all_finished(network)


def test_a_question_waits_until_no_slot_has_been_filled_for_a_while() -> None:
    scene = scene_of("deal").branch()
    keep_back(scene, is_event, *scene.honest)
    scene.network.run()
    running = round_of(scene.honest[0])
    relay, state, start = running.relay, running.state, scene.network.now
    assert relay.deadline() == start + limits.GAP_SECONDS_MAX
    relay.look(state, start + 1)
    assert relay.deadline() == start + limits.GAP_SECONDS_MAX
    relay.handle_deadline(state, start + limits.GAP_SECONDS_MAX - 0.1)
    assert not scene.honest[0].session.frames_to_send()
    relay.look(replace(state, sequence=state.sequence + 1), start + 1)
    assert relay.deadline() == start + 1 + limits.GAP_SECONDS_MAX
    relay.handle_deadline(state, start + 1 + limits.GAP_SECONDS_MAX)
    asked = {peer for peer, _ in scene.honest[0].session.frames_to_send()}
    assert asked == {scene.honest[1].public, scene.attacker.public}


# Answering.


def test_each_event_and_ack_of_a_slot_is_given_once_but_not_to_its_signer() -> None:
    scene = scene_of("draw").branch()
    scene.send_instead(lambda _far: ())
    first, attacker = scene.honest[0], scene.attacker
    answer = ask(scene.network, attacker, first, scene.event.context, 0, 0, 4096, scene.event.sequence, 0)
    assert answer == [("ack", 0, 0), ("ack", 0, 1), ("event", 0, 0), ("event", 0, 1)]


def test_a_slot_that_is_not_filled_is_given_as_far_as_it_is_held_and_the_rest_when_it_has_come() -> None:
    scene = scene_of("commit").branch()
    network, first, attacker = scene.network, scene.honest[0], scene.attacker
    scene.send_instead(lambda _far: ())
    context = scene.event.context
    assert ask(network, attacker, first, context, 0) == [("event", 0, 0), ("event", 0, 1)]
    for peer in scene.honest:
        network.send_raw(attacker, peer, as_bytes(scene.event))
    network.run()
    assert_all_finished(network)
    # The round is over: what is asked for now are acknowledgements alone.
    assert ask(network, attacker, first, context, 0, 0) == [("ack", 0, 0), ("ack", 0, 1)]
    assert ask(network, attacker, first, context, 1) == [("ack", 1, 0), ("ack", 1, 1)]
    assert ask(network, attacker, first, bytes(32), 2) == []


def test_who_is_no_player_is_given_nothing_of_a_round_that_is_over() -> None:
    network = seated(2, 22, "pool_empty=round_ends")
    anna, bob = network
    network.run()
    run = anna.session._run
    assert run is not None
    assert run._before is not None
    context = run._before.context
    run.receive_late(bytes(32), Want(context, 0))
    assert not anna.session.frames_to_send()
    run.receive_late(bob.public, Want(bytes(32), 0))
    assert not anna.session.frames_to_send()
    run.receive_late(bob.public, Want(context, 0))
    assert anna.session.frames_to_send()
