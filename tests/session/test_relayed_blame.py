"""What others relay frames nobody: a fault is blamed on its signer, a forgery on whoever sends it."""

from __future__ import annotations

import pytest

from p2prummi.errors import FaultCode
from p2prummi.session.notices import MatchEnd
from p2prummi.testing.adversaries import as_bytes, resigned
from p2prummi.wire import events
from tests.session.claims import no_points, proof_changed
from tests.session.matches import ends
from tests.session.scenes import assert_blamed, assert_link_refused, round_of, scene_of


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("shuffle", FaultCode.INVALID_POINT),
        ("draw", FaultCode.ILLEGAL_TURN),
        ("deal", FaultCode.SHARE_PROOF_FAILED),
        ("settle", FaultCode.COMMITMENT_MISMATCH),
    ],
)
def test_a_relayed_fault_is_blamed_on_its_signer_not_on_who_relays_it(kind: str, code: FaultCode) -> None:
    """The attacker shows its wrong event to one peer, which shows it to the other: both judge it alike."""
    scene = scene_of(kind).branch()
    payloads: dict[str, events.Payload] = {"draw": events.Pass(), "settle": events.Settle(b"\1" * 32)}
    if kind == "shuffle":
        payloads[kind] = no_points(scene)
    elif kind == "deal":
        payloads[kind] = proof_changed(scene)
    wrong = resigned(scene.attacker.key, scene.event, payload=payloads[kind])
    first, _ = scene.honest
    scene.send_instead(lambda far: (wrong,) if far is first else ())
    assert_blamed(scene.network, scene.attacker, code)


def test_good_events_relayed_by_another_are_as_good() -> None:
    """All that the last seat sends to the first goes over the second instead."""
    scene = scene_of("draw").branch()
    first, second = scene.honest
    scene.send_instead(lambda far: () if far is first else (scene.event,))
    assert round_of(first).state.sequence == scene.event.sequence
    scene.network.send_raw(second, first, as_bytes(scene.event))
    scene.network.run()
    assert {end.reason for _, end in ends(scene.network)} == {MatchEnd.FINISHED}


def test_a_forged_event_of_another_seat_costs_its_sender_the_link_alone() -> None:
    scene = scene_of("draw").branch()
    forged = resigned(scene.attacker.key, scene.event, seat=0, payload=events.Pass())
    scene.send_to_all(forged)
    assert_link_refused(scene.network, scene.attacker, FaultCode.BAD_SIGNATURE)
