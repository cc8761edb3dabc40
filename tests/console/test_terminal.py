"""Real terminals: signals, what is left of the terminal afterwards, exit codes, and what needs none."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.console.tmux import Tmux

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
SCRIPTED = (sys.executable, "-m", "tests.console.scripted_console")
PLAY = (sys.executable, "-m", "p2prummi", "play")

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here")


def environment(directory: Path, **more: str) -> dict[str, str]:
    places = {f"XDG_{name}_HOME": str(directory / name.lower()) for name in ("STATE", "DATA", "CONFIG")}
    return {**places, "LC_ALL": "C.UTF-8", **more}


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(ROOT, environment(tmp_path)) as running:
        yield running


def process_of(directory: Path) -> int:
    """The process that runs the scripted console on this directory."""
    found = subprocess.run(
        ["pgrep", "-f", f"scripted_console {directory}"], check=True, capture_output=True, text=True
    )
    return int(found.stdout.split()[0])


@needs_tmux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_clean_terminal(terminal: Tmux, tmp_path: Path, number: signal.Signals) -> None:
    terminal.run(*SCRIPTED, str(tmp_path))
    terminal.until_shown("YOUR TURN", "Rack  4")
    assert terminal.flag("alternate_on") == "1"
    os.kill(process_of(tmp_path), number)
    terminal.until_shown("outcome: interrupted", "exit code 0.")
    assert terminal.flag("alternate_on") == "0"
    assert terminal.flag("mouse_any_flag") == "0"
    terminal.type("echo still $((40 + 2))")
    terminal.until_shown("still 42")


@needs_tmux
def test_d03_d05_d15_a_person_at_a_terminal(terminal: Tmux, tmp_path: Path) -> None:
    terminal.run(*SCRIPTED, str(tmp_path))
    terminal.until_shown("YOUR TURN", "Rack  4")
    terminal.resize(60, 20)
    terminal.until_shown("60x20 is too small", "needs 80x24")
    terminal.type("draw")
    terminal.resize(120, 40)
    terminal.until_shown("YOUR TURN", "Rack  4", "│")
    terminal.press("q", "Enter")
    terminal.until_shown("There is no command 'q'")
    terminal.type("quit")
    terminal.until_shown("End the program? (y/n)")
    terminal.press("Enter")
    terminal.press("C-c")
    terminal.until_shown("End the program? (y/n)")
    terminal.press("C-c")
    terminal.until_shown("outcome: interrupted")
    assert terminal.flag("alternate_on") == "0"


@needs_tmux
def test_a_colour_among_the_keys_is_nothing(terminal: Tmux, tmp_path: Path) -> None:
    terminal.run(*SCRIPTED, str(tmp_path))
    terminal.until_shown("YOUR TURN", "Rack  4")
    terminal.type("\x1b[31mdraw")
    terminal.until_shown("Your turn is on its way")
    assert "wrong" not in terminal.text
    assert "vt100" not in (tmp_path / "play.log").read_text(encoding="utf-8")


@needs_tmux
def test_a_place_for_matches_that_cannot_be_written_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with Tmux(ROOT, environment(tmp_path)) as terminal:
        terminal.run(*PLAY)
        terminal.until_shown("finished matches can't be kept in", "Rooms in this network")
        terminal.type("quit")
        terminal.until_shown("exit code 0.")


@needs_tmux
@pytest.mark.parametrize("more", [{"LC_ALL": "C"}, {"NO_COLOR": "1"}, {"TERM": "vt100"}])
def test_plain_terminals_are_readable(tmp_path: Path, more: dict[str, str]) -> None:
    with Tmux(ROOT, environment(tmp_path, **more)) as terminal:
        terminal.run(*("env", *(f"{name}={value}" for name, value in more.items())), *SCRIPTED, str(tmp_path))
        terminal.until_shown("YOUR TURN", "R1  R2  R3", "K9   B9   R4   O9")
        assert "LC_ALL" not in more or terminal.text.isascii()


@pytest.mark.parametrize("arguments", [(), ("--bots", "3")])
def test_d06_without_a_terminal_it_says_what_to_use(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [*PLAY, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "p2prummi bot" in done.stderr
    assert done.stderr.count("\n") == 1


@needs_tmux
def test_d06_a_dumb_terminal_is_none(terminal: Tmux) -> None:
    terminal.run("env", "TERM=dumb", *PLAY)
    terminal.until_shown("p2prummi bot", "exit code 2.")


@needs_tmux
@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (("--rules", "none-such"), "there are no rules 'none-such'", 2),
        (("--bots", "3", "--players", "3"), "3 bots and you need 4 seats, not 3", 2),
        (("--bots", "3:genius"), "genius", 2),
        (("--bots", "nine"), "is no number of bots", 2),
        (("--set", "rounds=many"), "rounds is a whole number", 2),
    ],
)
def test_wrong_usage_is_a_line(terminal: Tmux, arguments: tuple[str, ...], words: str, code: int) -> None:
    terminal.run(*PLAY, *arguments)
    terminal.until_shown(f"exit code {code}.")
    text = " ".join(terminal.text.split())
    assert words in text
    assert "Traceback" not in text


@needs_tmux
@pytest.mark.xdist_group("net")
def test_a_game_with_a_bot_over_the_real_network(terminal: Tmux, tmp_path: Path) -> None:
    terminal.run(*PLAY, "--bots", "1", "--name", "Ana", "--json-log", str(tmp_path / "log.jsonl"))
    terminal.until_shown("YOUR TURN", "Rack 14")
    terminal.type("draw")
    terminal.until_shown("You drew ")
    terminal.until_shown("YOUR TURN", "Rack 15")
    room = re.search(r"Ana-[0-9a-f]{4}", terminal.text)
    assert room is not None
    terminal.type("quit")
    terminal.until_shown("(y/n)")
    terminal.type("y")
    terminal.until_shown("The match is kept in", "exit code 5.")
    running = subprocess.run(["pgrep", "-f", f"bot --room={room[0]}"], check=False, capture_output=True)
    assert running.returncode == 1
    assert list((tmp_path / "data").rglob("*.p2prummi"))
    events = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    for event in ("match_start", "shuffled", "turn", "match_end"):
        assert f'"event": "{event}"' in events
