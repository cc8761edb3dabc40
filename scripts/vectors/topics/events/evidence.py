"""Vectors of what two signatures prove by themselves: two versions of an event, acknowledgements that differ.

Operations: `held` takes events of a round one by one; `acks` takes acknowledgements, and has a head and a
state of its own to hold them against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from p2prummi.crypto.labels import Label
from p2prummi.errors import FaultCode
from p2prummi.wire.events import Commit, Draw, Event
from p2prummi.wire.frames import Ack, encode_frame
from vectors.topics.events.common import PLAYERS
from vectors.topics.events.rounds import SEAT_KEYS, TERMS, event_of, terms_in_words
from vectors.vector import Fault, Vector

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD, STATE = bytes([7]) * 32, bytes([8]) * 32
OTHER = bytes([9]) * 32
SLOT = 4
CULPRIT = 1
SEATS = range(len(PLAYERS))


def vectors() -> Iterator[Vector]:
    """All vectors of evidence."""
    yield from _held()
    yield from _acks()


def _fault(code: FaultCode) -> Fault:
    return Fault(code=code.value, layer="session", details={"seat": CULPRIT})


def _held() -> Iterator[Vector]:
    commit = event_of(Commit(bytes([5]) * 32), seat=CULPRIT)
    other = Commit(OTHER)
    good: dict[str, list[Event]] = {
        "one_event_twice": [commit, commit],
        "events_of_two_seats": [commit, event_of(other, seat=0)],
        "events_of_two_slots": [commit, event_of(other, seat=CULPRIT, sequence=1)],
    }
    for name, events in good.items():
        yield _events(name, events, None)
    two: dict[str, Event] = {
        "two_contents": event_of(other, seat=CULPRIT),
        "two_kinds": event_of(Draw(), seat=CULPRIT),
        "two_heads": event_of(commit.payload, seat=CULPRIT, prev=OTHER),
    }
    for name, event in two.items():
        yield _events(f"{name}_for_one_slot", [commit, event], _fault(FaultCode.EQUIVOCATION))
    forged = event_of(other, seat=CULPRIT, signer=0)
    unproved = Fault(code=FaultCode.BAD_SIGNATURE.value, layer="transcript")
    yield _events("a_second_version_by_another_signer", [commit, forged], unproved)


def _events(name: str, events: Sequence[Event], fault: Fault | None) -> Vector:
    written = [{"body": event.body.hex(), "signature": event.signature.hex()} for event in events]
    return Vector(
        name=f"held_{name}",
        notes=f"Events that a peer holds: {name.replace('_', ' ')}",
        operation="held",
        inputs={**terms_in_words(TERMS), "events": written},
        fault=fault,
    )


def _acks() -> Iterator[Vector]:
    def ack(seat: int, sequence: int = SLOT, head: bytes = HEAD, state: bytes = STATE) -> Ack:
        unsigned = Ack(TERMS.context, sequence, seat, head, state, bytes(64))
        return replace(unsigned, signature=SEAT_KEYS[seat].sign(Label.SIGN_ACK, unsigned.signed_part()))

    good = {
        "by_all": [ack(seat) for seat in SEATS],
        "repeated": [ack(CULPRIT), ack(CULPRIT)],
        "of_another_head": [ack(CULPRIT, head=OTHER, state=OTHER)],
        "of_a_slot_ahead": [ack(CULPRIT), ack(CULPRIT, SLOT + 1, OTHER, OTHER)],
    }
    for name, acks in good.items():
        yield _acknowledgements(name, acks, None)
    equivocation = _fault(FaultCode.EQUIVOCATION)
    two = [ack(CULPRIT, head=OTHER), ack(CULPRIT)]
    yield _acknowledgements("of_two_heads", two, equivocation)
    ahead = [ack(CULPRIT, SLOT + 1), ack(CULPRIT, SLOT + 1, state=OTHER)]
    yield _acknowledgements("of_two_states_of_a_slot_ahead", ahead, equivocation)
    differing = [ack(2), ack(CULPRIT, state=OTHER)]
    yield _acknowledgements("of_another_state", differing, _fault(FaultCode.STATE_DIFFERS))


def _acknowledgements(name: str, acks: Sequence[Ack], fault: Fault | None) -> Vector:
    return Vector(
        name=f"acks_{name}",
        notes=f"Acknowledgements {name.replace('_', ' ')}",
        operation="acks",
        inputs={
            **terms_in_words(TERMS),
            "sequence": SLOT,
            "head": HEAD.hex(),
            "state": STATE.hex(),
            "frames": [encode_frame(ack).hex() for ack in acks],
        },
        fault=fault,
    )
