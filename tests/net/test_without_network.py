"""A machine without any network, not even its own: peers that are given a directory meet and play in it."""

from __future__ import annotations

import json

import pytest

from tests.net.bot_on_host import MATCH_SECONDS
from tests.net.console_on_host import PATIENCE_SECONDS, console, needs_tmux
from tests.net.lab import Lab, call
from tests.net.processes import Process, wait_for

pytestmark = [pytest.mark.netns, pytest.mark.timeout(600)]


@needs_tmux
def test_a_person_plays_against_the_bots_that_the_console_brings(lab: Lab) -> None:
    host = lab.host("h1", loopback=False)
    with console(host, "Ana", "--bots", "2") as ana:
        ana.until_said("There is no network", "tiles unopened")
        for _ in range(2):
            wait_for(lambda: ana.is_to_move, "the own turn", PATIENCE_SECONDS)
            ana.type("draw")
            ana.until_said("You drew ")
        wait_for(lambda: ana.is_to_move, "the own turn", PATIENCE_SECONDS)
        assert {turn["seat"] for turn in ana.events("turn")} == {0, 1, 2}
        ana.type("quit")
        ana.type("yes")
        ana.until_said("exit code 5.")
    logs = [path.read_text(encoding="utf-8") for path in (host.home / "STATE").rglob("*.log")]
    assert len(logs) >= 3
    assert not [text for text in logs if "Traceback" in text]


def test_bots_that_are_given_a_directory_finish_a_match_in_it(lab: Lab) -> None:
    host = lab.host("h1", loopback=False)
    place = lab.directory / "meet"
    command, environment = host.command(
        *("-m", "p2prummi", "bot", "--json", "--room", "attic", "--players", "3", "--count", "3"),
        *("--rendezvous", str(place)),
    )
    bots = lab.keep(Process(command, {**environment, **host.places()}))
    assert bots.end(MATCH_SECONDS) == 0, bots.errors
    lines = [json.loads(line) for line in bots.output()]
    heads = [line["head"] for line in lines if line["event"] == "match_end"]
    assert len(heads) == 3
    assert len(set(heads)) == 1
    files = sorted((host.home / "DATA").rglob("*.p2prummi"))
    assert len(files) == 3
    command, _ = host.command("-m", "p2prummi", "verify", *map(str, files))
    call(*command)
    assert not list(place.iterdir()), "whoever leaves takes its socket away"
