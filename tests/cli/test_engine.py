"""`check`, `score` and `rules`: lines in, lines out, exit codes, and what can't be read."""

from __future__ import annotations

import argparse
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi.cli import engine
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.errors import P2PRummiError
from p2prummi.rules import PRESETS

if TYPE_CHECKING:
    from collections.abc import Callable

Run = tuple[int, list[dict[str, Any]]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Return a function that runs a command with lines on stdin, and gives its exit code and its answers."""
    parser = argparse.ArgumentParser()
    engine.add_parser(parser.add_subparsers(required=True))

    def run_command(*arguments: str, lines: list[object] | None = None) -> Run:
        raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines or []]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(raw))))
        parsed = parser.parse_args(arguments)
        code = parsed.run(parsed)
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run_command


SWAP = {
    "rules": "official",
    "opened": True,
    "table": [["R4", "R5", "J"]],
    "rack": ["R6", "K3", "K4"],
    "after": [["R4", "R5", "R6"], ["K3", "K4", "J"]],
}
SHORT = {"opened": True, "table": [], "rack": ["R5", "J"], "after": [["R5", "J"]]}
ROUND = {
    "rules": "da-online",
    "racks": [["K6"], ["K1", "K2", "B2", "K7"], ["J", "K5"], ["K9", "K10"]],
    "opened": [True, True, True, True],
    "winner": None,
    "next": 0,
}


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_check_answers_each_line(run: Callable[..., Run], flags: list[str]) -> None:
    code, answers = run("check", *flags, lines=[SWAP, b"  ", SWAP])
    legal = {"legal": True, "faults": [], "laid": ["K3", "K4", "R6"], "points": 0}
    assert (code, answers) == (ExitCode.DONE, [legal, legal])


def test_check_says_no(run: Callable[..., Run]) -> None:
    code, answers = run("check", lines=[SWAP, SHORT, SWAP])
    assert code == ExitCode.NO
    assert [answer["legal"] for answer in answers] == [True, False, True]
    assert answers[1]["faults"] == [
        {
            "code": "meld_too_short",
            "text": "[R5 J] is too short: a meld has at least three tiles.",
            "meld": 0,
        }
    ]


def test_a_line_that_cannot_be_read_does_not_stop_the_next(run: Callable[..., Run]) -> None:
    code, answers = run("check", lines=[SHORT, b"{", SWAP])
    assert code == ExitCode.WRONG_USAGE
    assert answers[1]["error"]["line"] == 2
    assert "no JSON object" in answers[1]["error"]["text"]
    assert answers[2]["legal"]


def test_openings(run: Callable[..., Run]) -> None:
    opening = {"opened": False, "table": [], "rack": ["R10", "J", "J"]}
    for meld, points, legal in (
        ({"group": ["R10", "J", "J"]}, 30, True),
        ({"run": ["R10", "J", "J"]}, 33, True),
        ({"run": ["J", "J", "R10"]}, 27, False),
    ):
        _, (answer,) = run("check", lines=[{**opening, "after": [meld]}])
        assert (answer["points"], answer["legal"]) == (points, legal)
    _, (answer,) = run("check", lines=[{**opening, "after": [["R10", "J", "J"]]}])
    assert answer["faults"][0]["code"] == "ambiguous_meld"


def test_a_named_opening_and_settings(run: Callable[..., Run]) -> None:
    turn = {
        "rules": "official",
        "set": {"opening_then_table": True, "opening_points": "25"},
        "opened": False,
        "table": [["B4", "B5", "B6"]],
        "rack": ["R8", "R9", "R10", "B7"],
        "after": [["R8", "R9", "R10"], ["B4", "B5", "B6", "B7"]],
        "opening": [["R8", "R9", "R10"]],
    }
    assert run("check", lines=[turn, {**turn, "opening": None}])[0] == ExitCode.DONE
    _, (answer,) = run("check", lines=[{**turn, "opening": [["B5", "B6", "B7"]]}])
    assert {fault["code"] for fault in answer["faults"]} >= {"opening_not_from_rack", "opening_too_low"}


def test_a_table_that_cannot_be(run: Callable[..., Run]) -> None:
    turn = {"opened": True, "table": [["R5", "R6"]], "rack": ["R7"], "after": [["R5", "R6", "R7"]]}
    code, (answer,) = run("check", lines=[turn])
    assert code == ExitCode.NO
    assert [fault["code"] for fault in answer["faults"]] == ["table_illegal"]
    assert (answer["legal"], answer["laid"], answer["points"]) == (False, [], 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[" * 100_000, "no JSON object"),
        (b'{"opened": "\xff"}', "no JSON object"),
        ([], "the line must be an object"),
        ({}, "missing: after, opened, rack, table"),
        ({**SWAP, "house": 1}, "unknown: house; known: after"),
        ({**SWAP, "opened": 1}, "opened must be true or false"),
        ({**SWAP, "rules": "mine"}, "the presets are official"),
        ({**SWAP, "rules": 1}, "rules must be a text"),
        ({**SWAP, "set": []}, "set must be an object"),
        ({**SWAP, "set": {"teams": 2}}, "set players=4"),
        ({**SWAP, "rack": "R6 K3 K4"}, "rack must be a list"),
        ({**SWAP, "rack": [6]}, "each tile in rack must be a text"),
        ({**SWAP, "rack": ["X6"]}, "'X6' is no tile"),
        ({**SWAP, "table": "[R4 R5 J]"}, "table must be a list"),
        ({**SWAP, "table": ["R4 R5 J"]}, "table must be a list"),
        ({**SWAP, "table": [{"pair": ["R4", "R5", "J"]}]}, "a meld in table is"),
        ({**SWAP, "table": [{"run": ["R4"], "group": ["R5"]}]}, "a meld in table is"),
    ],
)
def test_turns_that_cannot_be_read(run: Callable[..., Run], line: object, message: str) -> None:
    code, (answer,) = run("check", lines=[line])
    assert code == ExitCode.WRONG_USAGE
    assert message in answer["error"]["text"]


def test_score_answers_each_line(run: Callable[..., Run]) -> None:
    unopened = {**ROUND, "opened": [True, True, False, True], "drawn_last": [[], None, ["K5"], []]}
    out = {
        **ROUND,
        "racks": [["K6"], [], ["J", "K5"], ["K9", "K10"]],
        "winner": 1,
        "set": {"joker_penalty": 50},
    }
    code, answers = run("score", lines=[ROUND, unopened, out])
    assert code == ExitCode.DONE
    assert [answer["scores"] for answer in answers] == [
        [48, -6, -29, -13],
        [48, -6, -100, -13],
        [-6, 80, -55, -19],
    ]
    assert [answer["winner"] for answer in answers] == [0, 0, 1]
    assert answers[0]["values"] == [6, 12, 35, 19]


def test_score_in_teams(run: Callable[..., Run]) -> None:
    _, answers = run(
        "score", lines=[{**ROUND, "teams": [0, 1, 0, 1]}, {**ROUND, "set": {"teams": 2, "players": 4}}]
    )
    assert [answer["team_scores"] for answer in answers] == [[19, -19], [19, -19]]
    assert answers[0]["winners"] == [0, 2]


def test_the_next_seat_breaks_a_tie(run: Callable[..., Run]) -> None:
    tie = {"racks": [["K6"], ["B6"]], "opened": [True, True]}
    _, answers = run("score", lines=[tie, {**tie, "next": 1}])
    assert [answer["winner"] for answer in answers] == [0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"racks": []}, "2 to 6 seats"),
        ({"racks": [["K1"]] * 7}, "2 to 6 seats"),
        ({"racks": [["K1"], ["K1"], ["K1"], []]}, "more K1 on the racks"),
        ({"racks": {}}, "racks must be a list"),
        ({"opened": [True]}, "opened needs an entry for each of the 4 seats"),
        ({"opened": [1, 1, 1, 1]}, "opened must be true or false"),
        ({"winner": 0}, "can't have gone out"),
        ({"winner": 4}, "winner is a seat from 0 to 3"),
        ({"winner": "0"}, "winner must be a whole number"),
        ({"next": -1}, "next is a seat from 0 to 3"),
        ({"drawn_last": [[]]}, "drawn_last needs an entry"),
        ({"drawn_last": [["K7"], [], [], []]}, "drawn_last names K7"),
        ({"drawn_last": [["K6", "K6"], [], [], []]}, "drawn_last names K6"),
        ({"teams": [0, 1]}, "teams needs an entry"),
        ({"teams": [0, 2, 0, 2]}, "numbered from 0"),
        ({"teams": [0, 0, 0, 1]}, "equally many"),
        ({"teams": [0, 1, 0, None]}, "each team must be a whole number"),
        ({"melds": []}, "unknown: melds"),
    ],
)
def test_rounds_that_cannot_be_read(run: Callable[..., Run], change: dict[str, Any], message: str) -> None:
    code, (answer,) = run("score", lines=[{**ROUND, **change}])
    assert code == ExitCode.WRONG_USAGE
    assert message in answer["error"]["text"]


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_in_words(run: Callable[..., Run], capsys: pytest.CaptureFixture[str], preset: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        run("rules", preset)
    code, (answer,) = run("rules", preset, "--json")
    assert code == ExitCode.DONE
    assert answer["fields"] == PRESETS[preset].to_dict()
    assert set(answer["words"]) == set(answer["fields"]) - {"name"}
    assert set(answer["words"].values()) <= set(answer["text"])


def test_rules_are_printed_to_fit(run: Callable[..., Run], capsys: pytest.CaptureFixture[str]) -> None:
    parsed = type("Arguments", (), {"preset": None, "json": False})()
    assert engine.run_rules(parsed) == ExitCode.DONE
    text = capsys.readouterr().out
    assert text.startswith("The rules official\n")
    assert all(name in text.splitlines()[-1] for name in PRESETS)
    assert all(len(line) < 80 for line in text.splitlines()[:-1])


def test_rules_of_no_preset(run: Callable[..., Run]) -> None:
    with pytest.raises(P2PRummiError, match="the presets are official"):
        run("rules", "mine")


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("check", "score", "rules"):
        with pytest.raises(SystemExit):
            _parse(command, "--help")
        assert f"p2prummi {command}" in capsys.readouterr().out


def _parse(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    engine.add_parser(parser.add_subparsers(required=True))
    parser.parse_args(arguments)
