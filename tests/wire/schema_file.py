"""Reads `protocol/schema/events.json`: for each message its fields, values that fit and values that don't.

The sweep over every field of every message walks this schema and not our code, so that the two are held
against each other: what the specification allows must be read, what it doesn't must be refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st
from vectors.notation import from_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from p2prummi.wire.encoding import Value

Node: TypeAlias = dict[str, Any]
"""A part of the schema, which says what one value may be."""

SCHEMA = Path(__file__).parents[2] / "protocol" / "schema" / "events.json"
_DEFINITIONS: dict[str, Node] = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]

OF_EVERY_TYPE: dict[str, Value] = {
    "a truth value": True,
    "an integer": 1,
    "a text": "x",
    "a blob": b"x",
    "an array": (),
    "a map": {},
}


def messages(of: str) -> dict[str, Node]:
    """The schemas of all `events`, `frames` or frames of the `handshake`, by the message's name."""
    return {node["prefixItems"][0]["const"]: node for node in _DEFINITIONS[of]["oneOf"]}


def field_names(message: Node) -> list[str]:
    """The names of a message's fields, its own name left out."""
    return [node["title"] for node in message["prefixItems"][1:]]


def kind_of(node: Node) -> str:
    """Which of the few forms of this schema a node has."""
    if "const" in node:
        return "name"
    if "enum" in node:
        return "choice"
    if "prefixItems" in node:
        return "record"
    if node["type"] == "object":
        return node["required"][0]  # type: ignore[no-any-return]  # A member of a parsed JSON file.
    return {"boolean": "boolean", "integer": "integer", "string": "text", "array": "array"}[node["type"]]


def resolved(node: Node) -> Node:
    """The node itself, or the definition that it refers to; of two the last, which says more.

    What there is in two forms is there or empty, and the empty form is fixed.
    """
    if "$ref" in node:
        return resolved(_DEFINITIONS[node["$ref"].removeprefix("#/$defs/")])
    return resolved(node["anyOf"][-1]) if "anyOf" in node else node


def bounds(node: Node) -> tuple[int, int]:
    """The least and the greatest number, length in bytes or count of items."""
    match kind_of(node):
        case "integer":
            return node["minimum"], node["maximum"]
        case "text":
            return node["minBytes"], node["maxBytes"]
        case "blob":
            digits = node["properties"]["blob"]
            return digits["minLength"] // 2, digits["maxLength"] // 2
        case _:
            return node["minItems"], node["maxItems"]


def of_size(node: Node, size: int, item: Value) -> Value:
    """A number, text, blob or array of just this size, whether or not the node allows it."""
    match kind_of(node):
        case "integer":
            return size
        case "text":
            # A letter of two bytes, so that whoever counts characters counts wrongly.
            return "é" * (size // 2) + "x" * (size % 2)
        case "blob":
            return bytes(size)
        case _:
            return (item,) * size


def edge(node: Node, side: int) -> Value:
    """The smallest (side 0) or greatest (side 1) value that a node allows."""
    node = resolved(node)
    match kind_of(node):
        case "name":
            return node["const"]  # type: ignore[no-any-return]  # A member of a parsed JSON file.
        case "choice":
            return node["enum"][-side]  # type: ignore[no-any-return]  # The same.
        case "boolean":
            return bool(side)
        case "map":
            return {"x": 1} if side else {}
        case "record":
            return tuple(edge(field, side) for field in node["prefixItems"])
        case kind:
            return of_size(node, bounds(node)[side], edge(node["items"], side) if kind == "array" else 0)


def wrong(node: Node, path: str = "", side: int = 1) -> Iterator[tuple[str, Value]]:
    """Every way in which one single thing at or below a node is not what the schema says, with its name.

    All else is at the edge on this `side`: the smallest (0) or the greatest (1) that fits.
    """
    path = f"{path}/{node['title']}" if "title" in node else path
    node = resolved(node)
    kind = kind_of(node)
    good: Any = edge(node, side)
    for name, value in OF_EVERY_TYPE.items():
        if type(value) is not type(good):
            yield f"{path}: {name}", value
    match kind:
        case "name" | "choice":
            yield f"{path}: another text", "unheard-of"
        case "integer" | "text" | "blob" | "array":
            item = edge(node["items"], side) if kind == "array" else 0
            least, most = bounds(node)
            if least > 0 or kind == "integer":
                yield f"{path}: under the least", of_size(node, least - 1, item)
            yield f"{path}: over the most", of_size(node, most + 1, item)
            if kind == "array":
                below = wrong(node["items"], f"{path}[]", side)
                yield from ((name, (value, *good[1:])) for name, value in below)
        case "record":
            yield from _wrong_record(node, path, side)


def _wrong_record(node: Node, path: str, side: int) -> Iterator[tuple[str, Value]]:
    fields = node["prefixItems"]
    good = tuple(edge(field, side) for field in fields)
    for place, field in enumerate(fields):
        name = field.get("title", "name")
        before, value, after = good[:place], good[place], good[place + 1 :]
        yield f"{path}/{name}: dropped", (*before, *after)
        yield f"{path}/{name}: doubled", (*before, value, value, *after)
        yield from ((label, (*before, bad, *after)) for label, bad in wrong(field, path, side))


def _ascends(node: Node, value: tuple[Any, ...]) -> bool:
    """Whether the fields that a node wants in ascending order are."""
    names = [field.get("title") for field in node["prefixItems"]]
    ordered = [value[names.index(name)] for name in node.get("ascending", ())]
    return ordered == sorted(ordered)


def fitting(node: Node) -> st.SearchStrategy[Any]:
    """Any value that a node allows, kept small."""
    if "anyOf" in node:
        return st.one_of(*map(fitting, node["anyOf"]))
    if "$ref" in node:
        return fitting(_DEFINITIONS[node["$ref"].removeprefix("#/$defs/")])
    match kind_of(node):
        case "name":
            return st.just(from_json(node["const"]))
        case "choice":
            return st.sampled_from(node["enum"])
        case "boolean":
            return st.booleans()
        case "map":
            return st.dictionaries(st.text("abc", max_size=4), st.integers(0, 9), max_size=3)
        case "record":
            return st.tuples(*map(fitting, node["prefixItems"])).filter(lambda value: _ascends(node, value))
        case "integer":
            return st.integers(*bounds(node))
        case "blob":
            least, most = bounds(node)
            return st.binary(min_size=least, max_size=min(most, least + 40))
        case "text":
            least, most = bounds(node)
            return st.text("abcdé日\x1b", min_size=least, max_size=max(least, min(most // 3, 12)))
        case _:
            least, most = bounds(node)
            items = st.lists(fitting(node["items"]), min_size=least, max_size=min(most, least + 3))
            return items.map(tuple)
