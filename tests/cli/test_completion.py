"""What shells complete: every command, the words that an option takes, files where a file is meant."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from p2prummi.bots import LEVELS
from p2prummi.cli import main as cli
from p2prummi.cli.completion import WORDS, actions_of
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.rules import PRESETS, Ruleset, RulesetError, with_settings
from p2prummi.rules.ruleset import FIELD_NAMES
from tests.cli.parsers import command_parsers

if TYPE_CHECKING:
    from pathlib import Path

SHELLS = ["bash", "zsh", "fish"]


def refusal(setting: str) -> str:
    """Why the official rules can't be changed so; empty where they can."""
    try:
        with_settings(Ruleset(), [setting])
    except RulesetError as error:
        return str(error)
    return ""


def script_for(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert cli.main(["completion", shell]) == ExitCode.DONE
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_every_word_is_named(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = script_for(shell, capsys)
    words = [*command_parsers(), *PRESETS, *LEVELS, "opening_points=30", "pool_empty=until_all_pass", "ascii"]
    assert [word for word in words if word not in script] == []


def test_the_settings_are_settings_and_name_every_field() -> None:
    settings = WORDS["FIELD=VALUE"]()
    assert {setting.partition("=")[0] for setting in settings} == set(FIELD_NAMES)
    refused = [words for setting in settings if (words := refusal(setting))]
    # Some values go only together with others.
    assert [words for words in refused if "go together" not in words and "goes only with" not in words] == []
    assert {"unopened_score=none", "unopened_score=-100,-200", "copies=3", "jokers=4"} <= set(settings)


def test_each_kind_of_word_is_one_that_an_option_takes() -> None:
    assert WORDS.keys() <= {action.metavar for action in actions_of(cli.build_parser())}


def test_the_words_are_no_limit_on_what_may_be_typed() -> None:
    parsed = cli.build_parser().parse_args(["play", "--set", "opening_points=31", "--bots", "2"])
    assert parsed.set == ["opening_points=31"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        (["p2prummi", "pl"], ["play"]),
        (["p2prummi", "play", "--rules", "nl"], ["nl-klassiek", "nl-digitaal"]),
        (["p2prummi", "rules", "sv"], ["sv-klassisk"]),
        (["p2prummi", "bot", "--level", "ea"], ["easy"]),
        (["p2prummi", "play", "--set", "opening_po"], ["opening_points=30"]),
        (["p2prummi", "play", "--bots", "3:e"], ["3:easy"]),
        (["p2prummi", "verify", "ga"], ["game"]),
        (["p2prummi", "play", "--json-log", "ga"], ["game"]),
    ],
    ids=" ".join,
)
def test_bash_completes(
    line: list[str], completed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = script_for("bash", capsys)
    function = re.findall(r"^complete .*-F (\w+) p2prummi$", script, re.MULTILINE)[0]
    (tmp_path / "game").touch()
    words = " ".join(f"'{word}'" for word in line)
    asked = f"{script}\nCOMP_WORDS=({words})\nCOMP_CWORD={len(line) - 1}\n{function}\n"
    answer = subprocess.run(
        ["bash", "--norc", "-c", asked + 'printf "%s\\n" "${COMPREPLY[@]}"'],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.split() == completed
