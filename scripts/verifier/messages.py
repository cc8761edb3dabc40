"""Bodies of events and frames, their hashes, and what one event must be to fill the next slot (events.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.ed25519 import check_signature
from verifier.hashing import digest
from verifier.refusal import require
from verifier.schema import Json, load, matches
from verifier.values import Value, decode, encode, from_json, to_json

VERSION = 1


def read_with(schema: Json, data: bytes) -> Json:
    """Read one value, and hold it against a schema whose references lead to the published definitions."""
    value = to_json(decode(data))
    require(matches(schema, value, load("events.json")["$defs"]), "wrong_schema", layer="schema")
    return value


def blob(written: Json) -> bytes:
    """The bytes of a blob in JSON."""
    return bytes.fromhex(written["blob"])


def read_event(body: bytes) -> Json:
    """Read an event's body."""
    return read_with({"$ref": "#/$defs/events"}, body)


def read_frame(data: bytes) -> Json:
    """Read a frame."""
    return read_with({"$ref": "#/$defs/frames"}, data)


def event_hash(body: bytes) -> bytes:
    """What heads hash of an event."""
    return digest("event body", body)


def head_before_first(context: bytes) -> bytes:
    """The head before slot 0."""
    return digest("chain start", context)


def head_after(head: bytes, step: Sequence[bytes]) -> bytes:
    """The head after a slot that these bodies fill, in any order."""
    in_seat_order = sorted(step, key=lambda body: read_event(body)[4])
    return digest("chain head", head, *(event_hash(body) for body in in_seat_order))


@dataclass(frozen=True)
class Round:
    """What every event of a round is bound to."""

    match: bytes
    number: int
    ruleset: Value
    keys: tuple[bytes, ...]  # In seat order.

    @property
    def context(self) -> bytes:
        """The hash of all of it."""
        return digest(
            "round context", encode([VERSION, self.match, self.number, self.ruleset, list(self.keys)])
        )


def ruleset_hash(ruleset: Json) -> bytes:
    """What adverts call a room's rules by."""
    return digest("ruleset", encode(from_json(ruleset)))


def state_hash(state: Json) -> bytes:
    """What an acknowledgement says of the public state."""
    return digest("game state", encode(from_json(state)))


def check_origin(within: Round, body: bytes, signature: bytes) -> Json:
    """Whether an event is of this round and signed by a seat of it; gives its fields."""
    fields = read_event(body)
    _, context, _, _, seat, *_ = fields
    require(blob(context) == within.context, "wrong_context", layer="transcript")
    require(seat < len(within.keys), "wrong_seat", layer="transcript")
    check_signature(within.keys[seat], "sign event", body, signature, layer="transcript")
    return fields


def check_held(within: Round, events: Sequence[tuple[bytes, bytes]]) -> None:
    """Whether no seat has signed two events for one slot (session.md, "Two versions of an event")."""
    held: dict[tuple[int, int], bytes] = {}
    for body, signature in events:
        _, _, sequence, _, seat, *_ = check_origin(within, body, signature)
        known = held.setdefault((sequence, seat), body)
        require(known == body, "equivocation", seat=seat, layer="session")


def check_commit_event(within: Round, body: bytes, signature: bytes) -> None:
    """Whether an event is accepted in the first slot of a round, where each seat commits (session.md)."""
    kind, _, sequence, prev, *_ = check_origin(within, body, signature)
    # In this slot every seat has its place, so that none is out of turn.
    require(sequence == 0, "wrong_sequence", layer="transcript")
    require(blob(prev) == head_before_first(within.context), "wrong_head", layer="transcript")
    require(kind == "commit", "wrong_phase", layer="transcript")


def check_acknowledgement(frame: bytes, keys: Sequence[bytes]) -> Json:
    """Whether the acknowledgement in a frame is signed by the seat that it names; gives what it signs."""
    value = read_frame(frame)
    require(value[0] == "ack", "wrong_schema", layer="schema")
    *fields, signature = value[1:]
    seat = fields[2]
    require(seat < len(keys), "wrong_seat", layer="session")
    body = encode([from_json(field) for field in fields])
    check_signature(keys[seat], "sign ack", body, blob(signature), layer="session")
    return fields


def check_acknowledgements(
    frames: Sequence[bytes], keys: Sequence[bytes], sequence: int, head: bytes, state: bytes
) -> None:
    """Hold acknowledgements against each other, and against the own head and state after a slot."""
    held: dict[tuple[int, int], tuple[bytes, bytes]] = {}
    for frame in frames:
        _, slot, seat, its_head, its_state = check_acknowledgement(frame, keys)
        vouched = blob(its_head), blob(its_state)
        known = held.setdefault((slot, seat), vouched)
        require(known == vouched, "equivocation", seat=seat, layer="session")
        differs = slot == sequence and vouched[0] == head and vouched[1] != state
        require(not differs, "state_differs", seat=seat, layer="session")
