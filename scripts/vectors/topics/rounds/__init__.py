"""Vectors of whole rounds: one that is played to its signed result, and steps that must be refused after it.

A bad vector names the good one and how many of its slots come before; its own `steps` follow, of which the
last is refused. Everything in it is signed by the seat that it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from p2prummi.wire.events import Event
from vectors.notation import to_json
from vectors.topics.rounds import play_faults, setup_faults
from vectors.topics.rounds.faulty import Faulty
from vectors.topics.rounds.played import TERMS, PlayedRound, play_round
from vectors.vector import Fault, Vector

GOOD = "round_good"


def vectors() -> Iterator[Vector]:
    """All vectors of this topic."""
    played = play_round()
    yield _good(played)
    for faulty in (*setup_faults.faulty_steps(played), *play_faults.faulty_steps(played)):
        yield _bad(faulty)


def _written(steps: Sequence[Sequence[Event]]) -> list[list[dict[str, str]]]:
    return [
        [{"body": event.body.hex(), "signature": event.signature.hex()} for event in step] for step in steps
    ]


def _good(played: PlayedRound) -> Vector:
    last = played.states[-1]
    assert last.scores is not None
    tile_set = TERMS.ruleset.tile_set
    return Vector(
        name=GOOD,
        notes="A round of two seats, from commitments to signed result; head and state after each slot",
        operation="round",
        inputs={
            "match": TERMS.match_id.hex(),
            "number": TERMS.number,
            "ruleset": to_json(TERMS.ruleset.to_dict()),
            "keys": [key.hex() for key in TERMS.keys],
            "steps": _written(played.steps),
        },
        outputs={
            "heads": [state.head.hex() for state in played.states[1:]],
            "states": [state.hash.hex() for state in played.states[1:]],
            "racks": [[tile_set.number(tile) for tile in rack] for rack in last.racks],
            "points": list(last.scores.points),
        },
    )


def _bad(faulty: Faulty) -> Vector:
    details: dict[str, Any] = {} if faulty.seat is None else {"seat": faulty.seat}
    return Vector(
        name=faulty.name,
        notes=faulty.notes,
        operation="step",
        inputs={"round": GOOD, "slots": faulty.slots, "steps": _written(faulty.steps)},
        fault=Fault(code=faulty.code.value, layer=faulty.layer, details=details),
    )
