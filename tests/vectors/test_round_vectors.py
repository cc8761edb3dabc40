"""The vectors of rounds through replay: the good one to its points, every faulty step refused by name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from generate_vectors import generate
from vectors.notation import from_json

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import RemoteProtocolError
from p2prummi.rules import Ruleset
from p2prummi.transcript.replay import admit, advance
from p2prummi.transcript.state import RoundState, RoundTerms, start_round
from p2prummi.wire.events import PAYLOADS, Event, parse_event
from tests.vectors.layers import layer_of

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "rounds"
FILES = sorted(FOLDER.glob("*.json"))
GOOD = [path for path in FILES if path.stem.startswith("round_")]
BAD = [path for path in FILES if path not in GOOD]
WEIGHTS = SeededEntropy(b"weights")

Step = tuple[Event, ...]


def read(path: Path) -> dict[str, Any]:
    vector: dict[str, Any] = json.loads(path.read_text(encoding="ascii"))
    return vector


def steps_of(given: dict[str, Any]) -> list[Step]:
    return [
        tuple(parse_event(bytes.fromhex(each["body"]), bytes.fromhex(each["signature"])) for each in step)
        for step in given["steps"]
    ]


def fill(state: RoundState, step: Step) -> RoundState:
    """What a peer does: each event is asked alone as it comes, then the step as a whole."""
    for event in step:
        admit(state, event)
    return advance(state, step, WEIGHTS)


@cache
def states_of(name: str) -> tuple[RoundState, ...]:
    """The states of a good round, from before its first slot to after its last."""
    given = read(FOLDER / f"{name}.json")["input"]
    ruleset = from_json(given["ruleset"])
    assert isinstance(ruleset, dict)
    terms = RoundTerms(
        match_id=bytes.fromhex(given["match"]),
        number=given["number"],
        ruleset=Ruleset.from_dict(ruleset),
        keys=tuple(map(bytes.fromhex, given["keys"])),
        starter=None,
    )
    states = [start_round(terms)]
    for step in steps_of(given):
        states.append(fill(states[-1], step))
    return tuple(states)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_round_leads_to_its_points(path: Path) -> None:
    states, expected = states_of(path.stem), read(path)["output"]
    last = states[-1]
    tile_set = last.terms.ruleset.tile_set
    assert expected == {
        "heads": [state.head.hex() for state in states[1:]],
        "states": [state.hash.hex() for state in states[1:]],
        "racks": [[tile_set.number(tile) for tile in rack] for rack in last.racks],
        "points": list(last.scores.points) if last.scores else [],
    }


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_faulty_step_is_refused(path: Path) -> None:
    vector = read(path)
    given, expected = vector["input"], vector["expect"]
    state = states_of(given["round"])[given["slots"]]
    *good, bad = steps_of(given)
    for step in good:
        state = fill(state, step)
    with pytest.raises(RemoteProtocolError) as caught:
        fill(state, bad)
    keys = state.terms.keys
    found = {"fault": caught.value.code, "layer": layer_of(caught.value)}
    if caught.value.culprit is not None:
        found["seat"] = keys.index(caught.value.culprit)
    assert found == expected


def test_the_round_has_a_slot_of_every_kind() -> None:
    kinds = {event.kind for step in steps_of(read(FOLDER / "round_good.json")["input"]) for event in step}
    assert kinds == set(PAYLOADS)


def test_vectors_are_made_anew_without_a_difference(tmp_path: Path) -> None:
    generate("rounds", tmp_path)
    made = {path.name: path.read_bytes() for path in (tmp_path / "rounds").iterdir()}
    assert made == {path.name: path.read_bytes() for path in FOLDER.iterdir()}
