"""Rulesets: presets, what can't be played, plain values, settings, and the published files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from p2prummi.rules import PRESETS, Ruleset, RulesetError, format_setting, with_fields, with_settings
from p2prummi.rules.fields import (
    CHOICES,
    ENUMERATIONS,
    OPTIONAL_FIELDS,
    PLAYERS_LEAST,
    PLAYERS_MOST,
    WHOLE_NUMBERS,
)
from p2prummi.rules.ruleset import FIELD_NAMES
from tests.strategies import rulesets

PROTOCOL = Path(__file__).parents[2] / "protocol"
OFFICIAL = PRESETS["official"]
SIX = {"copies": 3, "jokers": 4}


def published(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((PROTOCOL / name).read_text(encoding="utf-8"))
    return value


def test_the_default_is_official() -> None:
    assert Ruleset() == OFFICIAL
    assert next(iter(PRESETS)) == "official"


def test_presets_are_as_published() -> None:
    files = {path.stem: published(f"rulesets/{path.name}") for path in (PROTOCOL / "rulesets").glob("*.json")}
    assert files == {name: ruleset.to_dict() for name, ruleset in PRESETS.items()}
    assert all(ruleset.name == name and ruleset.changes() == {} for name, ruleset in PRESETS.items())


def test_the_schema_is_as_the_fields() -> None:
    schema = published("schema/ruleset.json")
    properties = schema["properties"]
    assert set(properties) == set(schema["required"]) == {"name", *FIELD_NAMES}
    assert schema["additionalProperties"] is False
    assert properties["name"]["enum"] == list(PRESETS)
    seats = range(PLAYERS_LEAST, max(PLAYERS_MOST.values()) + 1)
    assert properties["players"]["enum"] == [
        [least, most] for least in seats for most in seats if least <= most
    ]
    for name, enumeration in ENUMERATIONS.items():
        assert properties[name]["enum"] == [str(word) for word in enumeration]
    for name, choices in CHOICES.items():
        plain = ["none" if choice is None else choice for choice in choices]
        assert properties[name]["enum"] == json.loads(json.dumps(plain))
    for name, (least, most) in WHOLE_NUMBERS.items():
        if name == "teams":
            assert properties[name]["enum"] == ["none", *range(least, most + 1)]
            continue
        spans = properties[name].get("oneOf", [properties[name]])
        assert (spans[-1]["minimum"], spans[-1]["maximum"]) == (least, most)
        assert (spans[0] == {"const": "none"}) == (name in OPTIONAL_FIELDS)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "mine"}, "name is one of official"),
        ({"opening_points": 101}, "from 0 to 100"),
        ({"opening_points": -1}, "from 0 to 100"),
        ({"opening_points": True}, "from 0 to 100"),
        ({"opening_points": None}, "from 0 to 100"),
        ({"opening_joker": "maybe"}, "one of forbidden, as_replaced"),
        ({"opening_joker": None}, "one of forbidden, as_replaced"),
        ({"opening_then_table": 1}, "true or false"),
        ({"joker_penalty": 40}, "30 or 50"),
        ({"turn_seconds": 0}, "none or a whole number"),
        ({"timeout_draw": 2}, "0 or 1 or 3"),
        ({"timeout_draw": True}, "0 or 1 or 3"),
        ({"deal_passes": (7,)}, "14 or 7,7, not 7"),
        ({"deal_passes": 14}, "14 or 7,7"),
        ({"unopened_score": (-200, -100)}, "none or -100,-200"),
        ({"copies": 3}, "change both"),
        ({"jokers": 4}, "change both"),
        ({"copies": 2.0}, "change both"),
        ({"players": (2, 5)}, "not 2-5; for up to 6 take copies=3, jokers=4, players=2-6"),
        ({"players": (9, 9)}, "not 9; for up to 6"),
        ({"players": (1, 4)}, "within 2-4"),
        ({"players": (4, 3)}, "within 2-4"),
        ({"players": (2, 7), **SIX}, "within 2-6 with this set, not 2-7$"),
        ({"players": (2,)}, "a number of seats or a span"),
        ({"players": 4}, "a number of seats or a span"),
        ({"players": (2, True)}, "a number of seats or a span"),
        ({"teams": 1}, "from 2 to 3"),
        ({"teams": 2}, "set players=4, or teams=none"),
        ({"teams": 2, "players": (2, 2)}, "4 or 6 players"),
        ({"teams": 2, "players": (5, 5), **SIX}, "4 or 6 players"),
        ({"teams": 3, "players": (4, 4)}, "just 6 players"),
        ({"teams": 2, "players": (4, 6), **SIX}, "4 or 6 players"),
        ({"rounds": 0}, "from 1"),
        ({"target_score": 0}, "none or a whole number from 1"),
        ({"stalemate_winner": "nobody"}, "only with stalemate_scoring=everyone_penalised"),
        ({"stalemate_winner": "nobody", "stalemate_scoring": "standard"}, "change one of the two"),
    ],
)
def test_what_cannot_be_played(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        Ruleset(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"teams": 2, "players": (4, 4)},
        {"teams": 2, "players": (6, 6), **SIX},
        {"teams": 3, "players": (6, 6), **SIX},
        {"players": (2, 6), **SIX},
        {"stalemate_winner": "nobody", "stalemate_scoring": "everyone_penalised"},
        {"stalemate_scoring": "everyone_penalised"},
        {"opening_points": 0, "turn_seconds": None, "target_score": 1},
    ],
)
def test_what_can(fields: dict[str, Any]) -> None:
    ruleset = Ruleset(**fields)
    assert ruleset.tile_set.size == (160 if "copies" in fields else 106)


def test_players_and_teams() -> None:
    six = Ruleset(teams=3, players=(6, 6), copies=3, jokers=4)
    assert [six.team_of(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
    assert [OFFICIAL.team_of(seat) for seat in range(4)] == [0, 1, 2, 3]
    assert [OFFICIAL.allows_players(count) for count in range(1, 6)] == [False, True, True, True, False]


@given(rulesets())
def test_plain_values_and_back(ruleset: Ruleset) -> None:
    plain = ruleset.to_dict()
    assert list(plain) == sorted(plain)
    assert Ruleset.from_dict(plain) == ruleset
    assert Ruleset.from_dict(json.loads(json.dumps(plain))) == ruleset
    assert {type(value) for value in plain.values()} <= {str, int, bool, list}


@given(rulesets())
def test_settings_and_back(ruleset: Ruleset) -> None:
    settings = [format_setting(ruleset, name) for name in FIELD_NAMES]
    assert with_settings(PRESETS[ruleset.name], settings) == ruleset
    assert with_fields(PRESETS[ruleset.name], ruleset.changes()) == ruleset


@pytest.mark.parametrize("value", [None, "", [], {}, 10**30, -1, "none", "x", [1], [2, [3]], 2.5])
@pytest.mark.parametrize("name", ["name", *FIELD_NAMES])
def test_any_plain_value_is_a_ruleset_or_a_ruleset_error(name: str, value: object) -> None:
    plain: dict[str, object] = {**OFFICIAL.to_dict(), name: value}
    try:
        ruleset = Ruleset.from_dict(plain)
    except RulesetError:
        return
    assert ruleset.to_dict() == plain


UNKNOWN: dict[Any, object] = {**OFFICIAL.to_dict(), 5: 1}


@pytest.mark.parametrize("plain", [{}, {**OFFICIAL.to_dict(), "house": 1}, UNKNOWN])
def test_a_ruleset_has_all_its_fields_and_no_others(plain: dict[str, object]) -> None:
    with pytest.raises(RulesetError, match="missing or unknown"):
        Ruleset.from_dict(plain)


def test_fields_missing_or_unknown_are_named_in_order() -> None:
    plain: dict[str, object] = {**OFFICIAL.to_dict(), "house": 1}
    del plain["starter"], plain["copies"]
    with pytest.raises(RulesetError, match=r"missing or unknown: copies, house, starter$"):
        Ruleset.from_dict(plain)


def test_none_is_only_for_fields_that_may_be_none() -> None:
    with pytest.raises(RulesetError, match="opening_points is a whole number from 0 to 100, not 'none'"):
        Ruleset.from_dict({**OFFICIAL.to_dict(), "opening_points": "none"})


@pytest.mark.parametrize(
    ("settings", "changes"),
    [
        ([], {}),
        (["opening_points=25"], {"opening_points": 25}),
        (
            ["deal_passes=7,7", "unopened_score=-100,-200"],
            {"deal_passes": [7, 7], "unopened_score": [-100, -200]},
        ),
        (["players=3"], {"players": [3, 3]}),
        (["players = 2-3"], {"players": [2, 3]}),
        (["turn_seconds=None"], {"turn_seconds": "none"}),
        (["opening_then_table=TRUE"], {"opening_then_table": True}),
        (["turn_seconds=60", "turn_seconds=120"], {}),
        (["teams=2", "players=4"], {"teams": 2, "players": [4, 4]}),
    ],
)
def test_settings(settings: list[str], changes: dict[str, object]) -> None:
    assert with_settings(OFFICIAL, settings).changes() == changes


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("opening_points", "write FIELD=VALUE"),
        ("house=1", "there is no field 'house'"),
        ("name=sv-klassisk", "there is no field 'name'"),
        ("opening_points=many", "not 'many'"),
        ("opening_points=1,2", "whole number"),
        ("opening_points=none", "not 'none'"),
        ("opening_then_table=maybe", "true or false"),
        ("deal_passes=14,14", "14 or 7,7"),
        ("players=many", "a number of seats or a span"),
        ("players=none", "a number of seats or a span"),
        ("starter=me", "one of highest_tile, random"),
    ],
)
def test_settings_that_are_none(setting: str, message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        with_settings(OFFICIAL, [setting])


@pytest.mark.parametrize(
    ("fields", "changes"),
    [
        ({"players": 3, "deal_passes": 14, "teams": None}, {"players": [3, 3]}),
        ({"players": "2-3", "deal_passes": "7,7"}, {"players": [2, 3], "deal_passes": [7, 7]}),
        (
            {"turn_seconds": None, "unopened_score": [-100, -200]},
            {"turn_seconds": "none", "unopened_score": [-100, -200]},
        ),
    ],
)
def test_fields_from_json(fields: dict[str, object], changes: dict[str, object]) -> None:
    assert with_fields(OFFICIAL, fields).changes() == changes


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"opening_points": None}, "opening_points can't be null"),
        ({"players": None}, "players can't be null"),
        ({"starter": None}, "starter can't be null"),
        ({"rounds": [1]}, "rounds is a whole number"),
    ],
)
def test_fields_from_json_that_are_none(fields: dict[str, object], message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        with_fields(OFFICIAL, fields)


def test_a_single_number_of_players_is_written_as_one() -> None:
    assert format_setting(OFFICIAL, "players") == "players=2-4"
    assert format_setting(with_settings(OFFICIAL, ["players=3"]), "players") == "players=3"
