"""Bots for company: their command lines, where their words go, and that they end with the program."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2prummi.console import companions, program
from p2prummi.console.companions import BotTerms, Companions, Departure, bot_command
from p2prummi.console.model import Message
from tests.console.director_stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

TERMS = BotTerms(
    room="Attic",
    count=2,
    level="easy",
    rules="official",
    players=3,
    settings=("rounds=2",),
    ends_well=frozenset({0, 5}),
    code_digits="1234567890",
    code_variable="P2PRUMMI_CODE",
)


def test_a_bots_command_line_names_the_room_and_not_its_code() -> None:
    command = bot_command(TERMS, 2, None)
    assert command[:4] == [sys.executable, "-m", "p2prummi", "bot"]
    assert {"--room=Attic", "--name=Bot 2", "--level=easy", "--rules=official", "--players=3"} < set(command)
    assert "--set=rounds=2" in command
    assert "--code" in command
    assert not any("1234567890" in part for part in command)


def test_without_a_code_none_is_asked_for() -> None:
    assert "--code" not in bot_command(
        BotTerms(room="A", count=1, level="easy", rules="official", players=2), 1, None
    )


def test_bots_are_told_where_they_meet_without_a_network(tmp_path: Path) -> None:
    assert f"--rendezvous={tmp_path}" in bot_command(TERMS, 1, tmp_path)
    assert not any("--rendezvous" in part for part in bot_command(TERMS, 1, None))


PROGRAM = """
import os, time
print("code", os.environ.get("P2PRUMMI_CODE"), flush=True)
os.read(0, 1)
print("left", flush=True)
if {stubborn}: time.sleep(600)
"""


def test_a_bot_that_ends_is_told_of_once_and_is_trouble_only_if_it_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = {1: 0, 2: 5, 3: 4}
    program = "import sys; sys.exit({})"
    monkeypatch.setattr(
        companions,
        "bot_command",
        lambda terms, number, place: [sys.executable, "-c", program.format(codes[number])],
    )
    bots = Companions(replace(TERMS, count=3), tmp_path, {"PATH": ""})
    bots.start(None)
    for process in bots._processes:
        process.wait(60)
    assert bots.newly_ended() == [
        Departure(f"Bot 3 has failed; its words are in {tmp_path / 'bot-3.log'}", trouble=True),
        Departure("Bot 1 and Bot 2 have gone, as the match has ended.", trouble=False),
    ]
    assert bots.newly_ended() == []
    bots.stop()


@pytest.mark.parametrize("stubborn", [False, True])
def test_bots_write_to_files_and_end_when_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stubborn: bool
) -> None:
    program = PROGRAM.format(stubborn=stubborn)
    monkeypatch.setattr(
        companions, "bot_command", lambda terms, number, place: [sys.executable, "-c", program]
    )
    monkeypatch.setattr(companions, "STOP_SECONDS_MAX", 2.0 if stubborn else 60.0)
    bots = Companions(TERMS, tmp_path, {"PATH": ""})
    bots.start(None)
    processes = list(bots._processes)
    logs = [tmp_path / f"bot-{number}.log" for number in (1, 2)]
    end = time.monotonic() + 60
    while not all("code 1234567890" in log.read_text() for log in logs):
        assert time.monotonic() < end, "the bots never came up"
    assert [process.poll() for process in processes] == [None, None]
    bots.stop()
    assert all(process.returncode is not None for process in processes)
    assert all("left" in log.read_text() for log in logs)
    bots.stop()


def test_who_failed_is_the_answer_and_who_has_gone_is_only_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "WATCH_SECONDS", 0.0)
    bots = Companions(TERMS, tmp_path, {})
    departures = [
        [Departure("Bot 1 has gone.", trouble=False)],
        [Departure("Bot 2 has failed.", trouble=True)],
    ]

    async def play() -> None:
        director = Stage(tmp_path).director
        monkeypatch.setattr(bots, "newly_ended", lambda: departures.pop(0))
        with pytest.raises(IndexError):
            await program._watch(bots, director)
        assert [entry.text for entry in director.model.log.entries] == [
            "Bot 1 has gone.",
            "Bot 2 has failed.",
        ]
        assert director.model.message == Message(lines=("Bot 2 has failed.",), trouble=True)

    asyncio.run(play())


def test_who_has_gone_is_no_answer(tmp_path: Path) -> None:
    director = Stage(tmp_path).director
    director.note("Bot 1 has gone.")
    assert director.model.message == Message()
