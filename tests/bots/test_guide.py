"""The bot in the guide is short, legal and does what is said of it; its command lines are understood."""

from __future__ import annotations

import re
import shlex
import types
from pathlib import Path

import pytest

from p2prummi.bots import Easy, Strategy
from p2prummi.rules import PRESETS, Play
from tests.bots.engine import play_round
from tests.test_docs import commands_shown, parses

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "bots.md").read_text(encoding="utf-8")
SOURCE = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)[0]


@pytest.fixture
def patient() -> Strategy:
    module = types.ModuleType("my_bot")
    exec(compile(SOURCE, "docs/guide/bots.md", "exec"), vars(module))  # noqa: S102 - it is the project's own
    made = module.Patient()
    assert isinstance(made, Strategy)
    return made


def test_it_has_20_lines_at_most() -> None:
    assert sum(bool(line.strip()) for line in SOURCE.splitlines()) <= 20


def test_it_plays_whole_rounds_and_does_what_is_said_of_it(patient: Strategy) -> None:
    held_back = 0
    for seed in range(4):
        played = play_round(PRESETS["official"], [patient, Easy()], seed)
        assert [each.complaint for each in played.decisions if each.complaint] == []
        for view, decision in zip(played.views, played.decisions, strict=True):
            if view.seat == 0 and view.game.pool_left >= 10:
                laid = view.judge(decision.turn).laid
                assert not laid or len(laid) >= 6 or len(laid) == len(view.rack)
                held_back += not isinstance(decision.turn, Play)
    assert held_back > 0


@pytest.mark.parametrize("arguments", commands_shown(GUIDE), ids=shlex.join)
def test_the_command_lines_of_the_guide_are_understood(arguments: list[str]) -> None:
    assert parses(arguments)
