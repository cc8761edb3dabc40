"""Whether a value has the form that protocol/schema asks for: the part of JSON Schema that is used there.

Values are judged as vectors write them (events.md, "Values"). `minBytes` and `maxBytes` are words of these
schemas alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from verifier.values import same_json

Json = Any
SCHEMAS = Path(__file__).resolve().parents[2] / "protocol" / "schema"

TYPES = {"integer": int, "boolean": bool, "string": str, "array": list, "object": dict}

# What says something about a schema to its reader, and nothing about a value.
REMARKS = frozenset({"$schema", "$id", "$comment", "$defs", "title", "description"})

# Words about values of one type; on values of other types they say nothing.
WORDS: dict[str, tuple[str, Callable[[Json, Json], bool]]] = {
    "minimum": ("integer", lambda least, value: bool(value >= least)),
    "maximum": ("integer", lambda most, value: bool(value <= most)),
    "pattern": ("string", lambda pattern, value: re.search(pattern, value) is not None),
    "minLength": ("string", lambda least, value: len(value) >= least),
    "maxLength": ("string", lambda most, value: len(value) <= most),
    "minBytes": ("string", lambda least, value: len(value.encode("utf-8")) >= least),
    "maxBytes": ("string", lambda most, value: len(value.encode("utf-8")) <= most),
    "minItems": ("array", lambda least, value: len(value) >= least),
    "maxItems": ("array", lambda most, value: len(value) <= most),
    "required": ("object", lambda names, value: all(name in value for name in names)),
    "maxProperties": ("object", lambda most, value: len(value) <= most),
}


@cache
def load(name: str) -> Json:
    """Read one of the published schemas."""
    return json.loads((SCHEMAS / name).read_text("utf-8"))


def array(*items: Json) -> Json:
    """The schema of an array of just these items."""
    return {"type": "array", "prefixItems": list(items), "items": False, "minItems": len(items)}


def integer(least: int, most: int) -> Json:
    """The schema of an integer within these bounds."""
    return {"type": "integer", "minimum": least, "maximum": most}


def _is_type(name: str, value: Json) -> bool:
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def matches(schema: Json, value: Json, definitions: Json) -> bool:
    """Whether the value has this form; references lead into the definitions."""
    if isinstance(schema, bool):
        return schema
    for word, wanted in schema.items():
        if word in REMARKS:
            continue
        if word in WORDS:
            type_name, holds = WORDS[word]
            if _is_type(type_name, value) and not holds(wanted, value):
                return False
        elif not STRUCTURE[word](schema, value, definitions):
            return False
    return True


def _is_referred(schema: Json, value: Json, definitions: Json) -> bool:
    return matches(definitions[schema["$ref"].removeprefix("#/$defs/")], value, definitions)


def _is_one_of(schema: Json, value: Json, definitions: Json) -> bool:
    return sum(matches(one, value, definitions) for one in schema["oneOf"]) == 1


def _is_all_of(schema: Json, value: Json, definitions: Json) -> bool:
    return all(matches(one, value, definitions) for one in schema["allOf"])


def _is_then(schema: Json, value: Json, definitions: Json) -> bool:
    return not matches(schema["if"], value, definitions) or matches(schema["then"], value, definitions)


def _has_items(schema: Json, value: Json, definitions: Json) -> bool:
    if not isinstance(value, list):
        return True
    first = schema.get("prefixItems", [])
    forms = [*first, *[schema.get("items", True)] * (len(value) - len(first))]
    return all(matches(form, item, definitions) for form, item in zip(forms, value, strict=False))


def _has_properties(schema: Json, value: Json, definitions: Json) -> bool:
    if not isinstance(value, dict):
        return True
    named, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    return all(matches(named.get(name, others), one, definitions) for name, one in value.items())


# A word that stands in neither table raises a KeyError, so that none is passed over unseen.
STRUCTURE: dict[str, Callable[[Json, Json, Json], bool]] = {
    "$ref": _is_referred,
    "type": lambda schema, value, _: _is_type(schema["type"], value),
    "const": lambda schema, value, _: same_json(value, schema["const"]),
    "enum": lambda schema, value, _: any(same_json(value, one) for one in schema["enum"]),
    "oneOf": _is_one_of,
    "allOf": _is_all_of,
    "if": _is_then,
    "then": _is_then,
    "prefixItems": _has_items,
    "items": _has_items,
    "properties": _has_properties,
    "additionalProperties": _has_properties,
}
