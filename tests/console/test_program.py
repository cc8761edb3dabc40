"""The console put together: what its parts are told of each other, and that all of it is ended again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from p2prummi.console import program
from p2prummi.console.app import Terminal
from p2prummi.console.program import Surroundings
from p2prummi.console.settings import Outcome, Settings
from p2prummi.net.driver import Driver
from p2prummi.net.identity import open_profile
from p2prummi.rules import Ruleset
from tests.console.scripted_port import ScriptedPort

if TYPE_CHECKING:
    from pathlib import Path

    from p2prummi.console.companions import Companions
    from p2prummi.console.lobby.model import LobbyModel


class Bots:
    """Bots that only note what is asked of them."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def start(self, meeting_place: Path | None) -> None:
        assert meeting_place is not None
        assert meeting_place.is_dir()
        self.asked.append("start")

    def newly_ended(self) -> list[object]:
        return []

    def stop(self) -> None:
        self.asked.append("stop")


class Peer(ScriptedPort):
    """A port that can be started and closed as a driver can."""

    start_notices = ()
    closed = False

    async def close(self) -> None:
        self.closed = True
        self.tell(None)


@pytest.mark.parametrize("with_bots", [True, False])
def test_the_lobby_knows_whether_bots_were_brought_and_where_their_words_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_bots: bool
) -> None:
    peer, bots = Peer(), Bots()
    lobbies: list[LobbyModel] = []

    async def start(*_: object, **__: object) -> Peer:
        return peer

    async def run(terminal: Terminal, _: object) -> Outcome:
        lobbies.append(terminal.director.model.lobby)
        return Outcome.DONE

    monkeypatch.setattr(Driver, "start", start)
    monkeypatch.setattr(Terminal, "run", run)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    profile = open_profile()
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        ending = asyncio.run(
            program.play(
                profile,
                "Ana",
                Settings(ruleset=Ruleset()),
                Surroundings(environment={}, encoding="utf-8"),
                companions=cast("Companions", bots) if with_bots else None,
            )
        )
    profile.release()
    assert ending.outcome is Outcome.DONE
    assert [lobby.bots_directory for lobby in lobbies] == [str(profile.directory) if with_bots else ""]
    assert bots.asked == (["start", "stop"] if with_bots else [])
    assert peer.closed
