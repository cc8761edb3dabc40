"""What fails inside the console, or in front of it, is a line for the person, and the game goes on."""

from __future__ import annotations

import logging
import sys
import warnings
from typing import TYPE_CHECKING

import pytest

from p2prummi.console import app
from p2prummi.console.director import Director
from p2prummi.console.logfile import logging_to
from p2prummi.console.settings import Outcome
from tests.console.stage import console
from tests.console.terminal_scene import IN_GAME, Scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_d16_a_key_that_fails_is_a_line_and_the_game_goes_on(
    act: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: Director, lines: int) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Director, "scroll", broken)

    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.keys.send_text("\x1b[6~")
        await scene.until_shown("Something went wrong inside the program. The game goes on")
        for word in ("ZeroDivision", "Exception", "callback", ".py"):
            assert word not in scene.screen.text
        scene.type("draw")
        await scene.until(lambda: scene.port.asked)
        await scene.until_shown("Rack  4")

    act(play, *IN_GAME)
    assert any(record.exc_info for record in caplog.records)
    assert "Exception in callback" in caplog.text


@pytest.mark.parametrize(
    "report", ["\x1b[31m", "\x1b[0;1;31m", "\x1b[<0m", "\x1b[<1;2;3;4M", "\x1b[96;14;13M", "\x1b[Mabc"]
)
def test_what_looks_like_a_mouse_is_nothing_and_keys_go_on(
    act: Callable[..., Outcome], caplog: pytest.LogCaptureFixture, report: str
) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.keys.send_text(f"dr{report}aw")
        await scene.until_shown("> draw")
        scene.type("")
        await scene.until(lambda: scene.port.asked)
        assert scene.director.model.log == console(*IN_GAME).log

    act(play, *IN_GAME)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_notice_that_fails_is_a_line_and_the_next_one_is_shown(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        scene.port.tell(None.__class__)  # type: ignore[arg-type]  # what no session would ever say
        scene.port.tell(*IN_GAME)
        await scene.until_shown("YOUR TURN")

    act(play)


def test_a_screen_that_can_not_be_drawn_is_told_and_logged_once(
    act: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        with monkeypatch.context() as patched:
            patched.setattr(app, "render", broken)
            scene.type("sort")
            await scene.until_shown("The screen can't be drawn; the program's log has the details.")
            scene.type("sort")
            await scene.until(lambda: scene.director.model.rack.order == "colour")
        scene.type("draw")
        await scene.until(lambda: scene.port.asked)
        await scene.until_shown("Rack  4")

    act(play, *IN_GAME)
    assert [record.message for record in caplog.records].count("the screen could not be drawn") == 1


def test_a_second_that_fails_does_not_stop_the_next(
    act: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "TICK_SECONDS", 0.01)
    seconds: list[int] = []

    def broken(_: Director) -> None:
        seconds.append(1)
        raise ZeroDivisionError

    monkeypatch.setattr(Director, "second_passed", broken)

    async def play(scene: Scene) -> None:
        await scene.until_shown("The lobby could not be looked at. The game goes on")
        await scene.until(lambda: len(seconds) > 2)

    act(play)


def test_a_terminal_that_is_gone_ends_the_program(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.keys.close()
        await scene.until(lambda: not scene.terminal._app.is_running)

    assert act(play, *IN_GAME) is Outcome.INTERRUPTED


def test_a_network_part_that_stops_is_told(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        scene.port.tell(ZeroDivisionError("x"))
        await scene.until_shown("The network part has stopped. The game goes on")

    act(play)


def test_d02_prints_and_warnings_go_to_the_log_file(act: Callable[..., Outcome], tmp_path: Path) -> None:
    path = tmp_path / "logs" / "play.log"

    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        print("printed in the middle")  # noqa: T201 - that is what is tried
        print("and on the error stream", file=sys.stderr)  # noqa: T201 - the same
        logging.getLogger("asyncio").warning("a library complains")
        warnings.warn("a warning", ResourceWarning, stacklevel=1)
        scene.type("sort")
        await scene.until_shown("YOUR TURN")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        with logging_to(path):
            act(play, *IN_GAME)
    kept = path.read_text(encoding="utf-8")
    for text in ("printed in the middle", "on the error stream", "a library complains", "a warning"):
        assert text in kept
