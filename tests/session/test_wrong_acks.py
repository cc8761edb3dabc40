"""Acknowledgements that an attacker changes: of another state or head, twice, unsigned, or too far ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2prummi.errors import FaultCode
from p2prummi.session.notices import FaultSeen
from p2prummi.testing.adversaries import as_bytes, resigned_ack
from p2prummi.testing.network import Peer
from p2prummi.transcript.phases import Phase
from p2prummi.wire import limits
from p2prummi.wire.frames import Ack, encode_frame, parse_frame
from tests.session.branching import Sent
from tests.session.matches import told
from tests.session.scenes import Scene, assert_blamed, assert_link_refused, round_of, scene_of


def acks_changed(scene: Scene, change: Callable[[Peer, Ack], list[Sent]]) -> None:
    """Lets the attacker change its own acknowledgements from here on."""

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if sender != scene.attacker.public or not isinstance(parsed, Ack) or parsed.seat != 2:
            return [frame]
        changed = change(scene.network.peers[receiver], parsed)
        return [encode_frame(each) for each in changed if isinstance(each, Ack)]

    scene.network.tap = tap
    scene.send_to_all(scene.event)


def test_an_ack_of_the_right_head_with_another_state_is_blamed() -> None:
    scene = scene_of("draw").branch()
    key = scene.attacker.key
    acks_changed(scene, lambda _far, ack: [resigned_ack(key, ack, state=bytes(32))])
    assert_blamed(scene.network, scene.attacker, FaultCode.STATE_DIFFERS)


@pytest.mark.parametrize("to_one", [True, False], ids=["to one", "to two"])
def test_two_acks_of_one_slot_are_equivocation(to_one: bool) -> None:
    scene = scene_of("draw").branch()
    key, first = scene.attacker.key, scene.honest[0]

    def two(far: Peer, ack: Ack) -> list[Sent]:
        other = resigned_ack(key, ack, head=bytes(32))
        return [ack, other] if to_one else [ack if far is first else other]

    acks_changed(scene, two)
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


@pytest.mark.parametrize("changed", [{}, {"state": bytes(32)}], ids=["right state", "another state"])
def test_an_ack_of_a_head_that_nothing_leads_to_costs_the_link_after_a_while(
    changed: dict[str, bytes],
) -> None:
    scene = scene_of("draw").branch()
    key = scene.attacker.key
    acks_changed(scene, lambda _far, ack: [resigned_ack(key, ack, head=bytes(32), **changed)])
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)
    # Nothing that needs finality leaves anyone meanwhile.
    for seat, peer in enumerate(scene.honest):
        state = round_of(peer).state
        assert state.phase is Phase.DRAW_SHARE
        assert not round_of(peer)._slots.has(state.sequence, seat)
    scene.wait()
    assert_link_refused(scene.network, scene.attacker, FaultCode.WRONG_HEAD)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"state": bytes(32)}, FaultCode.BAD_SIGNATURE),
        ({"seat": 0}, FaultCode.BAD_SIGNATURE),
        ({"seat": 3}, FaultCode.WRONG_SEAT),
        ({"context": bytes(32)}, FaultCode.WRONG_CONTEXT),
    ],
)
def test_an_ack_that_its_seat_has_not_signed_costs_the_link(
    change: dict[str, bytes], code: FaultCode
) -> None:
    scene = scene_of("draw").branch()
    acks_changed(scene, lambda _far, ack: [replace(ack, **change)])  # type: ignore[arg-type] # the fields' own types
    assert_link_refused(scene.network, scene.attacker, code)


def test_an_ack_far_ahead_costs_the_link() -> None:
    for ahead in (limits.SLOTS_AHEAD_MAX, limits.SLOTS_AHEAD_MAX + 1):
        scene = scene_of("draw").branch()
        slot = scene.event.sequence + ahead
        ack = Ack(scene.event.context, slot, 2, bytes(32), bytes(32), b"")
        scene.send_to_all()
        for peer in scene.honest:
            scene.network.send_raw(scene.attacker, peer, as_bytes(resigned_ack(scene.attacker.key, ack)))
        scene.network.run()
        if ahead > limits.SLOTS_AHEAD_MAX:
            assert_link_refused(scene.network, scene.attacker, FaultCode.LIMIT_EXCEEDED)
        else:
            assert all(told(peer, FaultSeen) == [] for peer in scene.honest)
