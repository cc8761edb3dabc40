"""The vectors of encoding and events through this program: outputs agree, each fault is refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from generate_vectors import generate
from vectors.notation import from_json, to_json

from p2prummi.crypto.labels import Label, digest
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import RemoteProtocolError
from p2prummi.rules import PRESETS, Ruleset, TileSet
from p2prummi.session.duties import Author
from p2prummi.session.finality import Finality
from p2prummi.session.lobby import Lobby, _Agreement
from p2prummi.session.slots import Slots
from p2prummi.transcript import agreement
from p2prummi.transcript.agreement import Match, Proposal
from p2prummi.transcript.chain import first_head, head_after
from p2prummi.transcript.file import read_transcript
from p2prummi.transcript.replay import admit, check_origin
from p2prummi.transcript.state import RoundState, RoundTerms, start_round
from p2prummi.wire import frames
from p2prummi.wire.encoding import Value, decode, encode
from p2prummi.wire.events import parse_event
from p2prummi.wire.frames import encode_frame, parse_frame
from p2prummi.wire.melds import table_from_wire
from tests.vectors.layers import layer_of

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
TOPICS = ("encoding", "events")
FILES = [path for topic in TOPICS for path in sorted((VECTORS / topic).glob("*.json"))]

Values = dict[str, Any]


def raw(value: str) -> bytes:
    return bytes.fromhex(value)


def run_value(given: Values) -> Values:
    return {"value": to_json(decode(raw(given["bytes"])))}


def run_event(given: Values) -> Values:
    event = parse_event(raw(given["body"]), bytes(64))
    return {"value": to_json(decode(event.body)), "hash": event.hash.hex()}


def run_frame(given: Values) -> Values:
    return {"value": to_json(decode(encode_frame(parse_frame(raw(given["bytes"])))))}


def run_table(given: Values) -> Values:
    wires = [(kind, tuple(tiles)) for kind, tiles in given["melds"]]
    table_from_wire(wires, TileSet(given["copies"], given["jokers"]))
    return {}


def run_room(given: Values) -> Values:
    return {"room": agreement.room_id(raw(given["opener"]), raw(given["nonce"])).hex()}


def run_ruleset(given: Values) -> Values:
    return {"hash": agreement.ruleset_hash(ruleset(given)).hex()}


def run_nonce_commitment(given: Values) -> Values:
    return {"commitment": agreement.nonce_commitment(raw(given["nonce"])).hex()}


def read_proposal(given: Values) -> Proposal:
    return agreement.read_proposal(frames.Proposal(raw(given["body"]), raw(given["signature"])))


def run_proposal(given: Values) -> Values:
    proposal = read_proposal(given)
    return {"hash": proposal.hash.hex(), "value": to_json(decode(proposal.body))}


def run_match(given: Values) -> Values:
    """Acceptances are taken one by one, as the lobby takes them."""
    proposal = read_proposal(given)
    held = _Agreement(proposal=proposal, signature=raw(given["signature"]), nonce=b"", deadline=0)
    for each in given["acceptances"]:
        accept = frames.Accept(raw(each["proposal"]), raw(each["nonce"]), raw(each["signature"]))
        Lobby._take_accept(held, raw(each["key"]), accept)
    match = Match(proposal=proposal, proposal_signature=raw(given["signature"]), acceptances=held.acceptances)
    return {"match": match.id.hex(), "seats": [key.hex() for key in match.keys]}


def ruleset(given: Values) -> Ruleset:
    fields = from_json(given["ruleset"])
    assert isinstance(fields, dict)
    return Ruleset.from_dict(fields)


def terms_of(given: Values) -> RoundTerms:
    return RoundTerms(
        match_id=raw(given["match"]),
        number=given["number"],
        ruleset=ruleset(given),
        keys=tuple(map(raw, given["keys"])),
        starter=None,
    )


def run_context(given: Values) -> Values:
    context = terms_of(given).context
    return {"context": context.hex(), "head": first_head(context).hex()}


def run_chain(given: Values) -> Values:
    heads = [first_head(raw(given["context"]))]
    for step in given["steps"]:
        heads.append(head_after(heads[-1], [parse_event(raw(body), bytes(64)) for body in step]))
    return {"heads": [head.hex() for head in heads]}


def run_state(given: Values) -> Values:
    return {"hash": digest(Label.GAME_STATE, encode(from_json(given["state"]))).hex()}


def run_ack(given: Values) -> Values:
    ack = parse_frame(raw(given["frame"]))
    assert isinstance(ack, frames.Ack)
    terms = RoundTerms(
        match_id=bytes(32),
        number=1,
        ruleset=PRESETS["official"],
        keys=tuple(map(raw, given["keys"])),
        starter=None,
    )
    receiver = Author(key=SigningKey(bytes(32)), seat=0)
    assert Finality(terms, receiver).put(ack, ack.sequence)
    return {}


def run_admit(given: Values) -> Values:
    admit(start_round(terms_of(given)), parse_event(raw(given["body"]), raw(given["signature"])))
    return {}


def run_held(given: Values) -> Values:
    """Events are taken as a running round takes them."""
    state, slots = start_round(terms_of(given)), Slots(tuple(map(raw, given["keys"])))
    for each in given["events"]:
        event = parse_event(raw(each["body"]), raw(each["signature"]))
        check_origin(state, event)
        slots.put(event, state.sequence)
    return {}


def run_acks(given: Values) -> Values:
    """The receiver is the first seat; whose key signs its own acknowledgement makes no difference here."""
    finality = Finality(terms_of(given), Author(key=SigningKey(bytes(32)), seat=0))
    reached = SimpleNamespace(
        sequence=given["sequence"] + 1, head=raw(given["head"]), hash=raw(given["state"])
    )
    finality.acknowledge(cast(RoundState, reached))
    for frame in given["frames"]:
        ack = parse_frame(raw(frame))
        assert isinstance(ack, frames.Ack)
        finality.put(ack, reached.sequence)
        finality.differing(ack.sequence)
    return {}


def run_transcript(given: Values) -> Values:
    match, events = read_transcript(raw(given["bytes"]))
    return {"match": match.id.hex(), "events": len(events)}


OPERATIONS: dict[str, Callable[[Values], Values]] = {
    name.removeprefix("run_"): function for name, function in globals().items() if name.startswith("run_")
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_vector(path: Path) -> None:
    vector = json.loads(path.read_text(encoding="ascii"))
    operation = OPERATIONS[vector["operation"]]
    if vector["expect"] == "ok":
        assert operation(vector["input"]) == vector.get("output", {})
        return
    with pytest.raises(RemoteProtocolError) as caught:
        operation(vector["input"])
    found: Values = {"fault": caught.value.code, "layer": layer_of(caught.value)}
    if "seat" in vector["expect"]:
        assert caught.value.culprit is not None
        found["seat"] = vector["input"]["keys"].index(caught.value.culprit.hex())
    assert found == vector["expect"]


def test_every_operation_has_a_good_and_a_bad_vector() -> None:
    """Where any input has a hash there are good ones only."""
    seen: dict[str, set[bool]] = {}
    for path in FILES:
        vector = json.loads(path.read_text(encoding="ascii"))
        seen.setdefault(vector["operation"], set()).add(vector["expect"] == "ok")
    only_hash = {"room", "ruleset", "nonce_commitment", "context", "chain", "state"}
    assert seen == {name: {True} if name in only_hash else {True, False} for name in OPERATIONS}


@pytest.mark.parametrize("topic", TOPICS)
def test_vectors_are_made_anew_without_a_difference(topic: str, tmp_path: Path) -> None:
    generate(topic, tmp_path)
    made = {path.name: path.read_bytes() for path in (tmp_path / topic).iterdir()}
    assert made == {path.name: path.read_bytes() for path in (VECTORS / topic).iterdir()}


@pytest.mark.parametrize(
    "value", [True, 0, -1, 2**64 - 1, "x", b"\x00", (1, (b"",)), {"a": {"b": b"x"}, "blob": 1}]
)
def test_values_come_back_from_json(value: Value) -> None:
    assert from_json(json.loads(json.dumps(to_json(value)))) == value


@pytest.mark.parametrize("written", [1.5, None, {}, {"set": [1]}])
def test_what_stands_for_no_value_is_refused(written: Any) -> None:
    with pytest.raises(TypeError):
        from_json(written)
