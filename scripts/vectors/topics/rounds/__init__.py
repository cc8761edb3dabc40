"""Vectors of rounds: one that is played to its signed result, the beginnings of others, and faulty steps.

A bad vector names a good one and how many of its slots come before; its own `steps` follow, of which the
last is refused. But where that is the fault, everything is signed by the seat that it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from p2prummi.wire.events import Event
from vectors.notation import to_json
from vectors.topics.rounds import openings, play_faults, setup_faults, three
from vectors.topics.rounds.faulty import Faulty
from vectors.topics.rounds.played import TERMS, PlayedRound, play_round
from vectors.vector import Fault, Vector

GOOD, OPENED, THREE = "round_good", "round_opened", "round_of_three"


def vectors() -> Iterator[Vector]:
    """All vectors of this topic."""
    played = play_round(TERMS, b"one round")
    yield _good(
        GOOD,
        "A round of two seats, from commitments to signed result; head and state after each slot",
        played,
    )
    for faulty in (*setup_faults.faulty_steps(played), *play_faults.faulty_steps(played)):
        yield _bad(GOOD, faulty)
    opened = openings.opened_round()
    yield _good(
        OPENED, "A round's beginning: an opening takes 30 points without jokers, and has just these", opened
    )
    for faulty in openings.faulty_steps(opened):
        yield _bad(OPENED, faulty)
    of_three = three.round_of_three()
    yield _good(
        THREE,
        "The beginning of a round of three seats with 160 tiles, dealt by sevens: two seats share each draw",
        of_three,
    )
    for faulty in three.faulty_steps(of_three):
        yield _bad(THREE, faulty)


def _written(steps: Sequence[Sequence[Event]]) -> list[list[dict[str, str]]]:
    return [
        [{"body": event.body.hex(), "signature": event.signature.hex()} for event in step] for step in steps
    ]


def _good(name: str, notes: str, played: PlayedRound) -> Vector:
    last = played.states[-1]
    terms = last.terms
    return Vector(
        name=name,
        notes=notes,
        operation="round",
        inputs={
            "match": terms.match_id.hex(),
            "number": terms.number,
            "ruleset": to_json(terms.ruleset.to_dict()),
            "keys": [key.hex() for key in terms.keys],
            "steps": _written(played.steps),
        },
        outputs={
            "heads": [state.head.hex() for state in played.states[1:]],
            "states": [state.hash.hex() for state in played.states[1:]],
            "racks": [[terms.ruleset.tile_set.number(tile) for tile in rack] for rack in last.racks],
            "points": list(last.scores.points) if last.scores else [],
        },
    )


def _bad(name: str, faulty: Faulty) -> Vector:
    details: dict[str, Any] = {} if faulty.seat is None else {"seat": faulty.seat}
    return Vector(
        name=faulty.name,
        notes=faulty.notes,
        operation="step",
        inputs={"round": name, "slots": faulty.slots, "steps": _written(faulty.steps)},
        fault=Fault(code=faulty.code.value, layer=faulty.layer, details=details),
    )
