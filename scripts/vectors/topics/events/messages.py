"""Vectors of single messages: every event and frame in good forms, and each field wrong in each way.

Operations: `event` reads `body` as an event's, `frame` reads `bytes` as a frame; `output` shows the fields.
`table` reads melds as they travel. The faults of fields come from a walk over `protocol/schema/events.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from p2prummi.crypto.labels import Label, digest
from p2prummi.errors import FaultCode
from p2prummi.wire.encoding import Value, encode
from tests.wire.schema_file import edge, messages, wrong
from vectors.notation import to_json
from vectors.vector import Fault, Vector

# A longer form shows nothing but its length; the tests have those.
BYTES_MAX = 6 * 1024
HEADER = ("name", "context", "sequence", "prev", "seat")
# Each field once in another type: as a text, or as a blob where it is a text.
OTHER_TYPES = ("a text", "a blob")

GOOD_TABLES: dict[str, list[Any]] = {
    "empty": [],
    "group_of_three": [[0, [0, 13, 26]]],
    "group_of_four": [[0, [12, 25, 38, 51]]],
    "group_with_jokers": [[0, [32, 104, 105]]],
    "run_of_thirteen": [[1, list(range(13))]],
    "run_with_joker_first": [[1, [104, 29, 30]]],
    "run_with_joker_inside": [[1, [29, 104, 31]]],
    "run_with_jokers_swapped": [[1, [105, 30, 104]]],
    "two_melds": [[1, [29, 30, 31]], [0, [0, 13, 26]]],
}
BAD_TABLES: dict[str, list[Any]] = {
    "group_not_in_colour_order": [[0, [13, 0, 26]]],
    "group_with_joker_first": [[0, [104, 13, 26]]],
    "group_with_jokers_descending": [[0, [32, 105, 104]]],
    "group_with_a_colour_twice": [[0, [0, 52, 26]]],
    "group_of_two_numbers": [[0, [0, 14, 26]]],
    "group_of_five": [[0, [0, 13, 26, 39, 104]]],
    "group_said_to_be_a_run": [[1, [0, 13, 26]]],
    "run_descending": [[1, [31, 30, 29]]],
    "run_with_a_gap": [[1, [29, 30, 32]]],
    "run_of_two_colours": [[1, [10, 11, 25]]],
    "run_past_thirteen": [[1, [11, 12, 104]]],
    "run_below_one": [[1, [104, 0, 1]]],
    "run_said_to_be_a_group": [[0, [29, 30, 31]]],
    "tile_of_the_larger_set": [[1, [29, 30, 106]]],
    "tile_twice": [[1, [29, 30, 31]], [0, [5, 18, 31]]],
}
# With three copies and four jokers.
BAD_TABLES_OF_THE_LARGER_SET: dict[str, list[Any]] = {
    "group_of_jokers_alone": [[0, [156, 157, 158]]],
    "run_of_jokers_alone": [[1, [156, 157, 158]]],
}


def vectors() -> Iterator[Vector]:
    """All vectors of single messages."""
    for of in ("events", "frames"):
        for name, schema in messages(of).items():
            yield from _good(of, name, schema)
            yield from _bad(of, name, schema)
    yield from _unknown()
    for name, melds in GOOD_TABLES.items():
        yield _table(name, melds, None)
    illegal = Fault(code=FaultCode.ILLEGAL_TURN.value, layer="rules")
    for name, melds in BAD_TABLES.items():
        yield _table(name, melds, illegal)
    for name, melds in BAD_TABLES_OF_THE_LARGER_SET.items():
        yield _table(name, melds, illegal, copies=3, jokers=4)


def _operation(of: str, data: bytes) -> tuple[str, dict[str, Any]]:
    return ("event", {"body": data.hex()}) if of == "events" else ("frame", {"bytes": data.hex()})


def _good(of: str, name: str, schema: dict[str, Any]) -> Iterator[Vector]:
    for side, word in enumerate(("least", "most")):
        value = edge(schema, side)
        assert isinstance(value, tuple)
        data = encode(value)
        if len(data) > BYTES_MAX:
            continue
        operation, inputs = _operation(of, data)
        outputs: dict[str, Any] = {"value": to_json(value)}
        if of == "events":
            outputs["hash"] = digest(Label.EVENT_BODY, data).hex()
        yield Vector(
            name=f"{operation}_{name}_{word}",
            notes=f"Every field as small as it may be in {name}"
            if side == 0
            else f"Every field as great as it may be in {name}",
            operation=operation,
            inputs=inputs,
            outputs=outputs,
        )


def _bad(of: str, name: str, schema: dict[str, Any]) -> Iterator[Vector]:
    seen: set[tuple[str, str]] = set()
    for label, value in wrong(schema, side=0):
        path, _, way = label.partition(": ")
        field = path.removeprefix(f"/{name}").removeprefix("/")
        # The header is the same for all events, and shown for one.
        if of == "events" and name != "draw" and field in HEADER:
            continue
        kind = "retyped" if way.startswith(("a ", "an ")) else way
        if kind == "retyped" and (way not in OTHER_TYPES or (path, kind) in seen):
            continue
        seen.add((path, kind))
        if _length(value) > BYTES_MAX:
            continue
        operation, inputs = _operation(of, encode(value))
        yield Vector(
            name=f"{operation}_{name}_{_slug(f'{field}_{kind}')}",
            notes=f"{name}: {field or 'the message itself'}: {way}",
            operation=operation,
            inputs=inputs,
            fault=Fault(code=FaultCode.WRONG_SCHEMA.value, layer="schema"),
        )


def _length(value: Value) -> int:
    """About how many bytes a value takes, whether or not it may be encoded."""
    match value:
        case bytes() | str():
            return len(value)
        case tuple():
            return sum(map(_length, value))
    return 1


def _slug(words: str) -> str:
    return re.sub("[^a-z0-9]+", "_", words.replace("[]", "_item").lower()).strip("_")


def _unknown() -> Iterator[Vector]:
    shapes: dict[str, Value] = {
        "of_no_fields": (),
        "of_an_unknown_name": ("unheard-of", bytes(32), 0, bytes(32), 0),
        "of_an_empty_name": ("", bytes(32), 0, bytes(32), 0),
        "that_is_a_map": {"name": "draw"},
        "that_is_a_text": "draw",
    }
    for of in ("events", "frames"):
        for name, value in shapes.items():
            operation, inputs = _operation(of, encode(value))
            yield Vector(
                name=f"{operation}_{name}",
                notes=f"A message {name.replace('_', ' ')}",
                operation=operation,
                inputs=inputs,
                fault=Fault(code=FaultCode.WRONG_SCHEMA.value, layer="schema"),
            )
    yield Vector(
        name="event_not_canonical",
        notes="A good event but for the sequence number, which takes two bytes instead of one",
        operation="event",
        inputs={"body": "95a464726177c420" + "00" * 32 + "cc00c420" + "00" * 32 + "00"},
        fault=Fault(code=FaultCode.NOT_CANONICAL.value, layer="encoding"),
    )
    yield Vector(
        name="frame_too_long",
        notes="The value is a good frame, but a byte follows it",
        operation="frame",
        inputs={"bytes": "91a470696e6700"},
        fault=Fault(code=FaultCode.MALFORMED_FRAME.value, layer="encoding"),
    )


def _table(name: str, melds: list[Any], fault: Fault | None, *, copies: int = 2, jokers: int = 2) -> Vector:
    return Vector(
        name=f"table_{name}",
        notes=f"Melds on a table: {name.replace('_', ' ')}",
        operation="table",
        inputs={"copies": copies, "jokers": jokers, "melds": melds},
        fault=fault,
    )
