"""`solve`: best plays line by line, each of which `check` finds legal; exit codes, and what can't be read."""

from __future__ import annotations

import argparse
import gc
import io
import itertools
import json
import random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from p2prummi import solver
from p2prummi.bots.easy import melds_from
from p2prummi.cli import engine, solve
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.rules import PRESETS, format_tiles
from p2prummi.rules.plain import meld_to_json, tiles_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

Run = tuple[int, list[dict[str, Any]]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Return a function that solves the lines on stdin, and gives its exit code and its answers."""
    parser = argparse.ArgumentParser()
    solve.add_parser(parser.add_subparsers(required=True))

    def run_command(*arguments: str, lines: list[object]) -> Run:
        raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(raw))))
        parsed = parser.parse_args(["solve", *arguments])
        code = parsed.run(parsed)
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run_command


SPLIT = {"opened": True, "table": [["R3", "R4", "R5", "R6", "R7"]], "rack": ["R5", "K1", "K9"]}
STUCK = {"opened": True, "table": [["R3", "R4", "R5"]], "rack": ["K1", "K9"]}
# Threes alone open with three tiles, all together lay nine.
UNOPENED = {
    "opened": False,
    "table": [["B1", "B2", "B3"]],
    "rack": ["R11", "R12", "R13", "K4", "K5", "K6", "O8", "O9", "O10", "B4"],
}


def test_each_line_is_answered(run: Callable[..., Run]) -> None:
    code, (first, second) = run("--json", lines=[SPLIT, b" ", SPLIT])
    assert code == ExitCode.DONE
    assert first.pop("ms") >= 0
    assert second.pop("ms") >= 0
    assert first == second
    # Melds may lie in any order.
    assert sorted(first.pop("melds")) == [["R3", "R4", "R5"], ["R5", "R6", "R7"]]
    assert first == {
        "laid": ["R5"],
        "opening": None,
        "tiles": 1,
        "value": 5,
        "optimal": True,
    }


def test_nothing_to_lay_is_a_no(run: Callable[..., Run]) -> None:
    code, answers = run(lines=[SPLIT, STUCK, SPLIT])
    assert code == ExitCode.NO
    assert [answer["tiles"] for answer in answers] == [1, 0, 1]
    assert (answers[1]["laid"], answers[1]["melds"], answers[1]["opening"]) == (
        [],
        [["R3", "R4", "R5"]],
        None,
    )
    assert answers[1]["optimal"]


def test_a_line_that_cannot_be_read_does_not_stop_the_next(run: Callable[..., Run]) -> None:
    code, answers = run(lines=[STUCK, b"{", SPLIT])
    assert code == ExitCode.WRONG_USAGE
    assert answers[1]["error"]["line"] == 2
    assert answers[2]["tiles"] == 1


def test_where_memory_does_not_suffice_that_is_said_and_the_next_line_is_answered(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved, fails = solver.solve, iter([True, False])

    def solve_or_fail(*arguments: Any, **keywords: Any) -> Any:
        if next(fails):
            raise MemoryError
        return solved(*arguments, **keywords)

    monkeypatch.setattr(solver, "solve", solve_or_fail)
    line = {"opened": True, "table": [], "rack": ["R1", "R2", "R3"]}
    code, (failed, answer) = run(lines=[line, line])
    assert code == ExitCode.WRONG_USAGE
    assert failed["error"]["line"] == 1
    assert "--limit-ms" in failed["error"]["text"]
    assert answer["tiles"] == 3


def test_openings_with_few_tiles_or_many(run: Callable[..., Run]) -> None:
    _, (few,) = run(lines=[UNOPENED])
    assert few["opening"] == [["R11", "R12", "R13"]]
    assert sorted(few["melds"]) == [["B1", "B2", "B3"], ["R11", "R12", "R13"]]
    _, (many,) = run("--opening", "most", lines=[UNOPENED])
    assert many["tiles"] == 9
    assert len(many["opening"]) == 3
    # Where the rules let the turn go on, the whole turn counts.
    _, (whole,) = run(lines=[{**UNOPENED, "set": {"opening_then_table": True}}])
    assert whole["tiles"] == 10


def test_the_objective_and_the_worth_of_a_joker(run: Callable[..., Run]) -> None:
    # Either the thirteens take the joker, three tiles, or the run of low ones does, four.
    position = {"opened": True, "table": [], "rack": ["R13", "B13", "J", "K1", "K2", "K4"]}
    _, (tiles,) = run("--objective", "tiles", lines=[position])
    assert (tiles["laid"], tiles["value"]) == (["K1", "K2", "K4", "J"], 37)
    assert run("--joker-value", "30", lines=[position])[1][0]["value"] == 37
    _, (value,) = run("--objective", "value", lines=[position])
    assert (value["laid"], value["value"]) == (["B13", "R13", "J"], 56)
    _, (worthless,) = run("--objective", "value", "--joker-value", "0", lines=[position])
    assert (worthless["laid"], worthless["value"]) == (["B13", "R13", "J"], 26)


def test_a_meld_that_must_say_its_kind_does(run: Callable[..., Run]) -> None:
    table = [{"group": ["R7", "J", "J"]}]
    _, (answer,) = run(lines=[{"opened": True, "table": table, "rack": ["K1"]}])
    assert answer["melds"] == table


def crowded(seed: int) -> dict[str, object]:
    """A position with nearly all tiles, so that there is something to think about."""
    rng = random.Random(seed)
    tiles = rng.sample(PRESETS["official"].tile_set.tiles, 96)
    table = [meld_to_json(meld) for meld in melds_from(tiles[:53], rng)]
    return {"opened": True, "table": table, "rack": tiles_to_json(tiles[53:])}


def test_a_limit_leaves_an_answer_that_may_not_be_the_best(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    positions: list[object] = [crowded(seed) for seed in range(6)]
    seconds = itertools.count()
    monkeypatch.setattr("p2prummi.cli.solve.time", SimpleNamespace(perf_counter=lambda: next(seconds)))
    _, hasty = run("--limit-ms", "1", lines=positions)
    monkeypatch.setattr("p2prummi.cli.solve.time", SimpleNamespace(perf_counter=lambda: 5.0))
    _, best = run("--limit-ms", "1", lines=positions)
    assert all(answer["optimal"] and answer["ms"] == 0.0 for answer in best)
    assert not all(answer["optimal"] for answer in hasty)
    assert all(answer["ms"] >= 1000 for answer in hasty)
    for answer, other in zip(hasty, best, strict=True):
        assert answer["tiles"] == other["tiles"] or not answer["optimal"]


@pytest.mark.parametrize(("limit_ms", "deadline"), [("250", 5.25), ("86400000", 86405.0)])
def test_the_limit_counts_from_when_the_position_was_read(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch, limit_ms: str, deadline: float
) -> None:
    deadlines: list[float | None] = []
    real = solver.solve

    def watched(*arguments: Any, **options: Any) -> solver.Solution:
        deadlines.append(options["deadline"])
        return real(*arguments, **{**options, "deadline": None})

    times = iter([5.0, 6.23456])
    monkeypatch.setattr("p2prummi.cli.solve.time", SimpleNamespace(perf_counter=lambda: next(times)))
    monkeypatch.setattr(solver, "solve", watched)
    _, (answer,) = run("--limit-ms", limit_ms, lines=[SPLIT])
    assert deadlines == [deadline]
    assert answer["ms"] == 1234.6


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("opened", [False, True])
def test_check_finds_every_answer_legal(run: Callable[..., Run], preset: str, opened: bool) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        tiles = rng.sample(PRESETS[preset].tile_set.tiles, 60)
        table = [meld_to_json(meld) for meld in melds_from(tiles[:40], rng)]
        rack = tiles_to_json(tiles[40:])
        position = {"rules": preset, "opened": opened, "table": table, "rack": rack}
        _, (answer,) = run("--opening", "most", lines=[position])
        assert answer["optimal"], f"seed {seed}: {format_tiles(tiles)}"
        if not answer["laid"]:
            continue
        turn = {**position, "after": answer["melds"], "opening": answer["opening"]}
        judged = engine.check(turn)
        assert judged["faults"] == [], f"seed {seed}"
        assert sorted(judged["laid"]) == sorted(answer["laid"])
        assert len(answer["laid"]) == answer["tiles"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([], "the line must be an object"),
        ({}, "missing: opened, rack, table"),
        ({**SPLIT, "after": []}, "unknown: after; known: opened"),
        ({**SPLIT, "opened": 1}, "opened must be true or false"),
        ({**SPLIT, "rules": "mine"}, "the presets are official"),
        ({**SPLIT, "rack": ["X6"]}, "'X6' is no tile"),
        ({**SPLIT, "rack": ["R5", "R5"]}, "There is one R5 too many"),
        ({**SPLIT, "table": [["R4", "R5"]]}, "the table can't have been so: [R4 R5] is too short"),
        ({**SPLIT, "table": [["R4", "J", "J"]]}, "could be a group or a run"),
    ],
)
def test_positions_that_cannot_be_read(run: Callable[..., Run], line: object, message: str) -> None:
    code, (answer,) = run(lines=[line])
    assert code == ExitCode.WRONG_USAGE
    assert message in answer["error"]["text"]


def test_many_tiles_too_many_are_told_once(run: Callable[..., Run]) -> None:
    _, (answer,) = run(lines=[{"opened": True, "table": [], "rack": ["R5"] * 500}])
    assert answer["error"]["text"] == "There is one R5 too many: the set holds 2 of it."


@pytest.mark.parametrize(
    "arguments",
    [
        ["--objective", "fun"],
        ["--joker-value", "7"],
        ["--opening", "all"],
        ["--limit-ms", "0"],
        ["--limit-ms", "86400001"],
        # No float holds it.
        ["--limit-ms", "1" + "0" * 400],
    ],
)
def test_wrong_usage(run: Callable[..., Run], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*arguments, lines=[])
    assert ended.value.code == ExitCode.WRONG_USAGE


def test_the_help_shows_an_answer_that_is_right(run: Callable[..., Run]) -> None:
    _, _, rest = solve._EXAMPLE.partition("reading)\n")
    line, _, answer = rest.partition("and its answer\n")
    code, (given,) = run(lines=[json.loads(line)])
    shown = json.loads(answer)
    assert code == ExitCode.DONE
    assert {**given, "ms": 0} == {**shown, "ms": 0}


def test_no_collection_of_garbage_delays_an_answer(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    enabled: list[bool] = []
    real = solver.solve

    def watched(*arguments: Any, **options: Any) -> solver.Solution:
        enabled.append(gc.isenabled())
        return real(*arguments, **options)

    monkeypatch.setattr(solver, "solve", watched)
    position = {"rules": "official", "opened": True, "table": [], "rack": ["R5", "R6", "R7"]}
    code, answers = run("--limit-ms", "20", lines=[position, position])
    assert (code, len(answers), enabled) == (ExitCode.DONE, 2, [False, False])
    assert gc.isenabled()
