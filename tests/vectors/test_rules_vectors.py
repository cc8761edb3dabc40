"""The vectors of the rules through this program: who starts, who is dealt what, what a round is worth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generate_vectors import generate
from vectors.notation import from_json

from p2prummi.crypto.deck import coin_draw
from p2prummi.rules import Ruleset, deal_order, score_round, starter_from_coin

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "rules"
FILES = sorted(FOLDER.glob("*.json"))

Values = dict[str, Any]


def ruleset(given: Values) -> Ruleset:
    fields = from_json(given["ruleset"])
    assert isinstance(fields, dict)
    return Ruleset.from_dict(fields)


def run_starter(given: Values) -> Values:
    draw = coin_draw(bytes.fromhex(given["coin"]))
    return {"seat": starter_from_coin(ruleset(given), given["seats"], draw).seat}


def run_deal(given: Values) -> Values:
    return {"dealt_to": list(deal_order(ruleset(given), given["seats"], given["starter"]))}


def run_score(given: Values) -> Values:
    rules = ruleset(given)
    tile = rules.tile_set.tile
    scores = score_round(
        rules,
        racks=[[*map(tile, rack)] for rack in given["racks"]],
        opened=[*map(bool, given["opened"])],
        drawn_last=[None if drawn == -1 else [*map(tile, drawn)] for drawn in given["drawn_last"]],
        winner=None if given["winner"] == -1 else given["winner"],
        next_seat=given["next"],
    )
    return {"points": list(scores.points), "team_points": list(scores.team_points)}


OPERATIONS: dict[str, Callable[[Values], Values]] = {
    name.removeprefix("run_"): function for name, function in globals().items() if name.startswith("run_")
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vector(path: Path) -> None:
    vector = json.loads(path.read_text(encoding="ascii"))
    assert vector["expect"] == "ok"
    assert OPERATIONS[vector["operation"]](vector["input"]) == vector["output"]


def test_there_are_vectors_for_every_number_of_seats_and_passes() -> None:
    given = [json.loads(path.read_text(encoding="ascii")) for path in FILES]
    deals = {
        (vector["input"]["seats"], tuple(vector["input"]["ruleset"]["map"]["deal_passes"]))
        for vector in given
        if vector["operation"] == "deal"
    }
    assert deals == {(seats, passes) for seats in (2, 3, 4, 6) for passes in ((14,), (7, 7))}
    teams = {
        (len(vector["input"]["racks"]), vector["input"]["ruleset"]["map"]["teams"])
        for vector in given
        if vector["operation"] == "score"
    }
    assert teams == {(4, "none"), (4, 2), (6, 2), (6, 3)}


def test_vectors_are_made_anew_without_a_difference(tmp_path: Path) -> None:
    generate("rules", tmp_path)
    made = {path.name: path.read_bytes() for path in (tmp_path / "rules").iterdir()}
    assert made == {path.name: path.read_bytes() for path in FOLDER.iterdir()}
