"""`p2prummi arena`: figures in words and as JSON, progress, notices, interrupts, and what it refuses."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from p2prummi.arena import ArenaError, DealRecord, Plan, Tally, Workers
from p2prummi.bots import INCLUDED
from p2prummi.cli import arena
from p2prummi.cli import main as cli
from p2prummi.cli.arena_report import json_lines, text_lines
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.cli.options import STRATEGY_HELP
from p2prummi.rules import PRESETS, with_settings
from tests.arena import players
from tests.cli.arena_records import record
from tests.test_docs import commands_shown, parses

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "arena.md").read_text(encoding="utf-8")
MOODY = f"{players.HERE}:Moody"
RAISING = f"{players.HERE}:Raising"
QUICK = ["arena", "--rules", "sv-klassisk", "--strategy", "easy", "--strategy", MOODY, "--games", "12"]


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a thread play: processes take a second to begin, and have tests of their own."""

    @contextlib.contextmanager
    def workers(_: object) -> Iterator[Workers]:
        with ThreadPoolExecutor(1) as executor:
            yield Workers(executor, 1)

    monkeypatch.setattr(arena, "_workers", workers)


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_same_seed_gives_the_same_figures_with_any_number_of_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = []
    for jobs in ("1", "2"):
        assert cli.main([*QUICK, "--seed", "3", "--jobs", jobs, "--json"]) == ExitCode.DONE
        printed.append(objects(capsys.readouterr().out))
    (pairing, end), (pairing_again, end_again) = printed
    assert pairing == pairing_again
    assert (end["workers"], end_again["workers"]) == (1, 2)
    assert end.keys() == end_again.keys()


def test_a_strategy_in_the_current_directory_is_found_by_all_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own_bot_of_the_arena.py").write_text(
        "class Own:\n    def choose(self, view, rng):\n        return view.idle_turn\n"
    )
    monkeypatch.chdir(tmp_path)
    # As the installed command has it: nothing of the current directory.
    monkeypatch.setattr(sys, "path", [*filter(None, sys.path), str(ROOT)])
    line = ["arena", "--strategy", "easy", "--strategy", "own_bot_of_the_arena:Own", "--games", "1"]
    assert cli.main([*line, "--jobs", "1", "--json"]) == ExitCode.DONE
    pairing, _ = objects(capsys.readouterr().out)
    assert pairing["replaced"] == [0, 0]


LOUD = """
import os, subprocess, sys
print("in its module")
class Loud:
    def choose(self, view, rng):
        print("printed")
        sys.stdout = sys.__stdout__
        print("on the first stream")
        os.write(1, b"by its number\\n")
        subprocess.run([sys.executable, "-c", "print('by a child')"])
        sys.stdout.close()
        sys.stderr = None
        return view.idle_turn
"""


def test_what_a_strategy_prints_does_not_come_among_the_figures(tmp_path: Path) -> None:
    (tmp_path / "loud_bot_of_the_arena.py").write_text(LOUD, encoding="utf-8")
    line = ["arena", "--strategy", "easy", "--strategy", "loud_bot_of_the_arena:Loud", "--games", "1"]
    ended = subprocess.run(
        [sys.executable, "-m", "p2prummi", *line, "--players", "2", "--jobs", "1", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == ExitCode.DONE, ended.stderr
    assert [each["event"] for each in objects(ended.stdout)] == ["pairing", "end"]
    for said in ("in its module", "printed", "on the first stream", "by its number", "by a child"):
        assert said in ended.stderr


@pytest.mark.usefixtures("threads")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["--set", "opening_points=20", "--players", "2", "--seed", "-3"]
    assert cli.main([*QUICK, *settings, "--strategy", RAISING, "--json"]) == ExitCode.DONE
    *pairings, end = objects(capsys.readouterr().out)
    assert [each["strategies"] for each in pairings] == [["easy", MOODY], ["easy", RAISING], [MOODY, RAISING]]
    for pairing in pairings:
        assert pairing["event"] == "pairing"
        assert (pairing["rules"], pairing["changes"]) == ("sv-klassisk", {"opening_points": 20})
        assert (pairing["players"], pairing["seed"]) == (2, -3)
        assert (pairing["deals"], pairing["games"]) == (6, 12)
        assert sum(pairing["wins"]) + pairing["undecided"] == 12
        for rate in pairing["win_rate"]:
            assert 0 <= rate["low"] <= rate["mean"] <= rate["high"] <= 1
        first, second = pairing["points"]
        assert pairing["points_difference"]["mean"] == pytest.approx(first["mean"] - second["mean"], abs=1e-5)
    assert pairings[0]["replaced"] == [0, 0]
    assert pairings[1]["replaced"][0] == 0 < pairings[1]["replaced"][1]
    assert pairings[1]["reasons"] == ["", "the strategy failed: ValueError: no idea"]
    assert end["event"] == "end"
    assert end["games"] == end["games_planned"] == 36
    assert end["games_a_second"] == pytest.approx(36 / end["seconds"], rel=1e-3)
    assert end["games_a_cpu_second"] == pytest.approx(36 / end["cpu_seconds"], rel=1e-3)


@pytest.mark.usefixtures("threads")
def test_words_progress_and_notices(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["arena", "--rules", "sv-klassisk", "--strategy", "easy", "--strategy", RAISING, "--games", "24"]
    assert cli.main(line) == ExitCode.DONE
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == "rules sv-klassisk; 4 players; seed 0"
    assert f"easy against {RAISING}: 24 games on 4 deals" in captured.out
    assert "  easy wins more games: the interval of the difference is clear of 0" in lines
    assert any(
        "turns replaced; the first: the strategy failed: ValueError: no idea" in each for each in lines
    )
    assert lines[-1].startswith("24 games in ")
    assert " games a second; " in lines[-1]
    told = captured.err.splitlines()
    # Once, although it fails in every turn.
    assert told.count(f"{RAISING}: a turn was replaced: the strategy failed: ValueError: no idea") == 1
    assert [each.split(",")[0] for each in told if " of 24 games" in each] == [
        "6 of 24 games",
        "12 of 24 games",
        "18 of 24 games",
        "24 of 24 games",
    ]


def test_the_words_for_figures_by_hand() -> None:
    ruleset = with_settings(PRESETS["official"], ["joker_penalty=50"])
    plan = Plan(strategies=("a\x1b[2J", "b", "b"), ruleset=ruleset, players=2, games=4, seed=9)
    tally = Tally(plan)
    tally.add(0, record(0, ((30, -30), 0), ((10, -10), 0)))
    tally.add(0, record(1, ((40, -40), 0), ((-20, 20), 1)))
    tally.add(2, record(0, ((5, -5), 0), ((-3, -3), None)))
    assert text_lines(plan, tally, 2.0, 3) == [
        "rules official, joker_penalty=50; 2 players; seed 9",
        "each deal in 2 seatings; ± is half of a 95 % interval",
        "",
        "a?[2J against b: 4 games on 2 deals, 20 turns a game",
        "                  games won       points a seat and game",
        "  a?[2J         75.0 ± 317.7 %      +20.0 ± 127.1",
        "  b             25.0 ± 317.7 %      -20.0 ± 127.1",
        "  difference   +50.0 ± 635.3 %      +40.0 ± 254.1",
        "  neither surely wins more games: the interval of the difference holds 0",
        "",
        "b against b (2): 2 games on 1 deal, 20 turns a game, 1 won by nobody",
        "                  games won       points a seat and game",
        "  b             50.0 ±     ? %       +1.0 ±     ?",
        "  b (2)          0.0 ±     ? %       -4.0 ±     ?",
        "  difference   +50.0 ±     ? %       +5.0 ±     ?",
        "  a single deal tells nothing of who wins more games",
        "",
        "6 games in 2.0 s with 3 workers: 3.0 games a second; 4.0 for each second of a core",
    ]
    first, second, end = map(json.loads, json_lines(plan, tally, 2.0, 3))
    assert first["win_rate"][0] == {"mean": 0.75, "low": 0.0, "high": 1.0}
    assert first["win_rate_difference"] == {"mean": 0.5, "low": -1.0, "high": 1.0}
    # Points have no least and no most.
    assert first["points"][1] == {
        "mean": -20.0,
        "low": pytest.approx(-147.1, abs=0.05),
        "high": pytest.approx(107.1, abs=0.05),
    }
    assert second["points"][1] == {"mean": -4.0, "low": None, "high": None}
    assert (end["games"], end["games_planned"], end["games_a_second"]) == (6, 12, 3.0)


def test_figures_of_nothing() -> None:
    plan = Plan(strategies=("a", "b"), ruleset=PRESETS["official"], players=2)
    assert len(text_lines(plan, Tally(plan), 0.0, 1)) == 2
    (end,) = map(json.loads, json_lines(plan, Tally(plan), 0.0, 1))
    assert (end["games"], end["games_a_second"], end["games_a_cpu_second"]) == (0, None, None)


@pytest.mark.parametrize(
    ("winner", "words"), [(0, "a wins more games"), (1, "longer-than-most wins more games")]
)
def test_who_surely_wins_more_is_named(winner: int, words: str) -> None:
    plan = Plan(strategies=("a", "longer-than-most"), ruleset=PRESETS["official"], players=2)
    tally = Tally(plan)
    for deal in range(2):
        # One game of two, and the other goes to nobody: a difference of a half.
        tally.add(0, record(deal, ((5, -5), winner), ((-3, -3), None)))
    lines = text_lines(plan, tally, 1.0, 1)
    assert [line.strip().partition(":")[0] for line in lines if "surely" in line or "wins" in line] == [words]
    # However long a name is, the figures stand below one another.
    assert len({line.index("±") for line in lines if "%" in line and "interval" not in line}) == 1


def test_figures_have_six_places() -> None:
    plan = Plan(strategies=("a", "b"), ruleset=PRESETS["official"], players=2)
    tally = Tally(plan)
    tally.add(0, replace(record(0, ((5, -5), 0), ((-3, -3), None)), cpu_seconds=1 / 3))
    *_, end = map(json.loads, json_lines(plan, tally, 3.0, 1))
    assert (end["cpu_seconds"], end["games_a_second"]) == (0.333333, 0.666667)


@pytest.mark.parametrize(("passed_seconds", "cpu_seconds"), [(0.0, 0.5), (2.0, 0.0)])
def test_without_a_time_that_was_measured_there_is_no_pace(passed_seconds: float, cpu_seconds: float) -> None:
    plan = Plan(strategies=("a", "b"), ruleset=PRESETS["official"], players=2)
    tally = Tally(plan)
    tally.add(0, replace(record(0, ((5, -5), 0)), cpu_seconds=cpu_seconds))
    assert text_lines(plan, tally, passed_seconds, 1)[-1].strip().startswith("a single deal tells nothing")


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an interrupt can't be sent to one process")
def test_an_interrupt_prints_what_is_known() -> None:
    line = ["arena", "--strategy", "easy", "--strategy", RAISING, "--games", "60000", "--jobs", "2", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "p2prummi", *line],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        # A strategy that fails is told of as soon as its first deal is played.
        assert "replaced" in process.stderr.readline()
        # As a terminal does it: to this process and to its workers.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    pairing, end = objects(out)
    assert pairing["games"] == end["games"] < end["games_planned"] == 60_000
    assert err.splitlines()[-1] == f"interrupted after {end['games']} of 60000 games"
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--strategy", "easy"], "the arena needs two strategies or more"),
        (["--strategy", "easy", "--strategy", "grim"], "there is no strategy 'grim'"),
        (["--strategy", "easy", "--strategy", "easy", "--rules", "mine"], "there are no rules 'mine'"),
        (["--strategy", "easy", "--strategy", "easy", "--players", "6"], "players=2-6"),
        (["--strategy", "easy", "--strategy", "easy", "--set", "rounds=none"], "rounds is a whole number"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["arena", *arguments]) == ExitCode.WRONG_USAGE
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--strategy", "easy", "--jobs", "0"],
        ["--strategy", "easy", "--jobs", "61"],
        ["--strategy", "easy", "--jobs", "-2"],
        ["--strategy", "easy", "--games", "none"],
        ["--strategy", "easy", "--think", "0"],
        ["--strategy", "easy", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:8786"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["arena", *arguments])
    assert ended.value.code == ExitCode.WRONG_USAGE


def test_the_most_processes_that_there_are() -> None:
    parsed = cli.build_parser().parse_args([*QUICK, "--jobs", str(arena.JOBS_MAX)])
    assert parsed.jobs == arena.JOBS_MAX


def test_the_help_names_every_strategy_that_comes_with_the_program() -> None:
    assert STRATEGY_HELP.startswith(", ".join(INCLUDED))


def test_without_the_extra_a_scheduler_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "p2prummi.arena.cluster", raising=False)
    assert cli.main([*QUICK, "--scheduler", "tcp://127.0.0.1:1"]) == ExitCode.WRONG_USAGE
    assert "pip install 'p2prummi[scheduler]'" in capsys.readouterr().err


def test_there_are_no_figures_where_there_are_no_workers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def workers(_: object) -> NoReturn:
        raise OSError("nobody answers at that address")

    monkeypatch.setattr(arena, "_workers", workers)
    assert cli.main([*QUICK, "--json"]) == ExitCode.NETWORK
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "p2prummi: nobody answers at that address\n"


@pytest.mark.parametrize("deals", [0, 1])
def test_figures_are_printed_although_a_worker_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], deals: int
) -> None:
    @contextlib.contextmanager
    def workers(_: object) -> Iterator[Workers]:
        yield Workers(ThreadPoolExecutor(1), 1)

    def played(plan: Plan, *_: object) -> Iterator[tuple[int, DealRecord]]:
        for deal in range(deals):
            yield 0, record(deal, ((30, -30), 0), ((10, -10), 0))
        raise ArenaError("a worker has died")

    monkeypatch.setattr(arena, "_workers", workers)
    monkeypatch.setattr("p2prummi.arena.played", played)
    assert cli.main([*QUICK, "--json"]) == ExitCode.WRONG_USAGE
    captured = capsys.readouterr()
    end = objects(captured.out)[-1]
    assert (end["games"], bool(end["seconds"])) == (2 * deals, bool(deals))
    assert captured.err.splitlines()[-1] == "p2prummi: a worker has died"


@pytest.mark.parametrize("arguments", commands_shown(GUIDE), ids=shlex.join)
def test_the_command_lines_of_the_guide_are_understood(arguments: list[str]) -> None:
    assert parses(arguments)


def test_the_guide_names_every_field_of_the_json() -> None:
    plan = Plan(strategies=("a", "b"), ruleset=PRESETS["official"], players=2)
    tally = Tally(plan)
    tally.add(0, record(0, ((5, -5), 0)))
    fields = {name for line in json_lines(plan, tally, 1.0, 1) for name in json.loads(line)} - {"event"}
    assert {name for name in fields if f"`{name}`" not in GUIDE} == set()


def test_what_is_not_said_is_as_in_any_plan() -> None:
    parsed = cli.build_parser().parse_args(["arena", "--strategy", "easy", "--strategy", "hard"])
    assert arena._plan(parsed) == Plan(strategies=("easy", "hard"), ruleset=PRESETS["official"], players=4)


def test_the_seats_are_four_or_as_many_as_the_rules_allow() -> None:
    parser = cli.build_parser()
    line = ["arena", "--strategy", "easy", "--strategy", "easy"]
    assert arena._plan(parser.parse_args(line)).players == 4
    more = ["--set", "copies=3", "--set", "jokers=4", "--set", "players=2-6"]
    assert arena._plan(parser.parse_args([*line, *more])).players == 4
    assert arena._plan(parser.parse_args([*line, "--set", "players=2-3"])).players == 3
    six = ["--set", "copies=3", "--set", "jokers=4", "--set", "players=6", "--set", "teams=3"]
    assert arena._plan(parser.parse_args([*line, *six])).players == 6
