"""Every field of every kind of event, in a running match: changed and signed anew or not.

Signed anew it is blamed on its signer, or closes the link where it can't be read, or is never accepted;
under the old signature it closes the link over which it came, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from p2prummi.errors import FaultCode
from p2prummi.session.notices import FaultSeen, MatchEnd, MatchEnded
from p2prummi.testing.adversaries import resigned, unsigned
from p2prummi.testing.network import Peer
from p2prummi.wire.events import PAYLOADS
from tests.session.matches import ends, told
from tests.session.scenes import assert_link_refused, scene_of

HEADER = ("context", "sequence", "prev", "seat")
# What these claim is proved by a later event; they are taken until that fails.
LATER = ("commit", "shuffle")
CHANGES = [
    (kind, field)
    for kind, payload in PAYLOADS.items()
    for field in (*HEADER, "payload", *(each.name for each in fields(payload)))
]


def other_values(value: Any) -> Iterator[Any]:
    """Values of the same type near this one."""
    match value:
        case bytes():
            yield bytes([value[0] ^ 1]) + value[1:]
            yield value[:-1] + bytes([value[-1] ^ 1])
            yield bytes(len(value))
            yield value + value[:1]
            yield value[:-1]
        case int():
            yield value + 1
            if value:
                yield value - 1
        case tuple():
            yield (*value, *value[-1:])
            yield value[1:]
            if value[::-1] != value:
                yield value[::-1]
            for position, item in enumerate(value[:2]):
                for other in other_values(item):
                    yield (*value[:position], other, *value[position + 1 :])


def changes_of(kind: str, field: str) -> Iterator[dict[str, Any]]:
    """Changes to the event of the scene of this kind, in this field."""
    event = scene_of(kind).event
    if field in HEADER:
        yield from ({field: value} for value in other_values(getattr(event, field)))
    elif field == "payload":
        others = [scene_of(other).event.payload for other in PAYLOADS if other != kind]
        yield from ({field: other} for other in others[::3])
    else:
        for value in other_values(getattr(event.payload, field)):
            yield {"payload": replace(event.payload, **{field: value})}


def accepted(peer: Peer) -> set[bytes]:
    """The bodies of all events that a peer has accepted, by the file that it keeps or would keep now."""
    run = peer.session._run
    assert run is not None
    steps = [*run._steps, *(run.round.steps() if run.round is not None else [])]
    return {event.body for step in steps for event in step}


@pytest.mark.parametrize(("kind", "field"), CHANGES)
def test_a_field_changed_and_signed_anew_is_refused(kind: str, field: str) -> None:
    for change in changes_of(kind, field):
        scene = scene_of(kind).branch()
        attacker = scene.attacker
        wrong = resigned(attacker.key, scene.event, **change)
        scene.send_to_all(wrong)
        scene.wait()
        seen = [fault for peer in scene.honest for fault in told(peer, FaultSeen)]
        for peer in scene.honest:
            said = f"{change} at {peer.name}"
            faults = told(peer, FaultSeen)
            if not faults and seen:
                # The other's lost link ended the match before the event came here.
                assert not seen[0].signed, said
                assert told(peer, MatchEnded)[0].reason is MatchEnd.LINK_LOST, said
                continue
            if not faults:
                # For another slot it is doubted, or waits; what is missing is asked for, and play goes on.
                assert "sequence" in change, said
                assert wrong.body not in accepted(peer), said
                continue
            (fault,) = faults
            assert fault.peer == attacker.public, said
            if kind not in LATER:
                assert wrong.body not in accepted(peer), said
            if fault.signed:
                assert fault.code not in (FaultCode.BAD_SIGNATURE, FaultCode.WRONG_CONTEXT), said
            else:
                assert fault.code in (
                    FaultCode.BAD_SIGNATURE,
                    FaultCode.WRONG_CONTEXT,
                    FaultCode.WRONG_SCHEMA,
                    FaultCode.WRONG_SEAT,
                    FaultCode.LIMIT_EXCEEDED,
                    FaultCode.WRONG_HEAD,
                ), said


@pytest.mark.parametrize("kind", PAYLOADS)
def test_a_field_changed_under_the_old_signature_costs_the_link(kind: str) -> None:
    for field in (*HEADER, *(each.name for each in fields(PAYLOADS[kind]))):
        change = next(changes_of(kind, field))
        scene = scene_of(kind).branch()
        wrong = unsigned(scene.event, **change)
        scene.send_to_all(wrong)
        code = {"context": FaultCode.WRONG_CONTEXT, "seat": FaultCode.WRONG_SEAT}.get(field)
        assert_link_refused(
            scene.network, scene.attacker, code or FaultCode.BAD_SIGNATURE, FaultCode.WRONG_SCHEMA
        )


def test_the_scenes_play_on_unharmed() -> None:
    """What the sweep branches from would have been played to its end."""
    for kind in ("commit", "shuffle", "draw_share", "result"):
        scene = scene_of(kind).branch()
        scene.send_to_all(scene.event, scene.event)
        assert {end.reason for _, end in ends(scene.network)} == {MatchEnd.FINISHED}
