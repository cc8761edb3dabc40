"""Rulesets as people set them: a preset and settings such as `deal_passes=7,7` on top.

A setting is `FIELD=VALUE`: `unopened_score=-100,-200`, `players=2-4`, `teams=none`. In JSON a value may be
given as typed text or as a plain value. Which values go together is decided in `p2prummi.rules.ruleset`.
Source: protocol/schema/ruleset.json.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from p2prummi.rules.fields import CHOICES, OPTIONAL_FIELDS
from p2prummi.rules.ruleset import FIELD_NAMES, RulesetError, from_plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from p2prummi.rules.ruleset import Ruleset

_NUMBERS_TEXT = re.compile(r"-?[0-9]{1,7}(,-?[0-9]{1,7})*", re.ASCII)
_SPAN_TEXT = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", re.ASCII)
_FLAGS = {"true": True, "false": False}


def with_fields(ruleset: Ruleset, values: Mapping[str, object]) -> Ruleset:
    """The ruleset with fields changed, all at once, given as typed text or plain values; RulesetError."""
    changed: dict[str, Any] = {}
    for name, value in values.items():
        if name not in FIELD_NAMES:
            raise RulesetError(f"there is no field {name!r}: the fields are {', '.join(FIELD_NAMES)}")
        changed[name] = _from_text(name, value) if isinstance(value, str) else _from_json(name, value)
    return replace(ruleset, **changed)


def with_settings(ruleset: Ruleset, settings: Iterable[str]) -> Ruleset:
    """The ruleset with settings such as `deal_passes=7,7` applied, all at once; RulesetError says why not."""
    values = {}
    for setting in settings:
        name, separator, text = setting.partition("=")
        if not separator:
            raise RulesetError(f"{setting!r} is no setting: write FIELD=VALUE, such as opening_points=25")
        values[name.strip()] = text.strip()
    return with_fields(ruleset, values)


def format_setting(ruleset: Ruleset, name: str) -> str:
    """A field of a ruleset as people type it: `players=2-4`, or `players=3` where only so many can play."""
    if name == "players":
        least, most = ruleset.players
        return f"players={least}" if least == most else f"players={least}-{most}"
    value = ruleset.to_dict()[name]
    if isinstance(value, list):
        return f"{name}={','.join(map(str, value))}"
    return f"{name}={str(value).lower()}"


def _from_json(name: str, value: object) -> object:
    """Beside the plain values, JSON may hold a single number of players, a single pass, and null for none."""
    if value is None and name in OPTIONAL_FIELDS:
        return None
    if type(value) is int and name == "players":
        return (value, value)
    if type(value) is int and name == "deal_passes":
        return (value,)
    return from_plain(name, value)


def _from_text(name: str, text: str) -> object:
    """The value of a text; a text that fits no value is left to the ruleset to refuse."""
    if text.lower() == "none" and name in OPTIONAL_FIELDS:
        return None
    if name == "opening_then_table":
        return _FLAGS.get(text.lower(), text)
    if name == "players":
        span = _SPAN_TEXT.fullmatch(text)
        return (int(span[1]), int(span[2] or span[1])) if span else text
    if _NUMBERS_TEXT.fullmatch(text) is None:
        return text
    numbers = tuple(map(int, text.split(",")))
    is_tuple = any(isinstance(choice, tuple) for choice in CHOICES.get(name, ()))
    return numbers if is_tuple or len(numbers) > 1 else numbers[0]
