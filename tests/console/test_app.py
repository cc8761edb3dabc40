"""The terminal: real bytes in, real bytes out, and what a person would see of them on a screen."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
import warnings
from typing import TYPE_CHECKING

import pyte
import pytest
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2prummi.console import app
from p2prummi.console.app import Terminal
from p2prummi.console.director import Director
from p2prummi.console.entrance import Entrance
from p2prummi.console.keeping import Keeper
from p2prummi.console.logfile import logging_to
from p2prummi.console.marks import UNICODE
from p2prummi.console.settings import Outcome, Settings
from p2prummi.rules import Ruleset
from p2prummi.session import commands, notices
from tests.console.scripted_port import ScriptedPort
from tests.console.stage import (
    KEYS,
    NAMES,
    console,
    dealt,
    game_of,
    match_ended,
    rack_of,
    round_ended,
    started,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from prompt_toolkit.input.base import PipeInput

    from p2prummi.net.driver import AnyNotice

PATIENCE_SECONDS = 30
GAME = game_of("R1 R2 R3", "K7 B7 O7")
RACK = rack_of("R4 K9 B9 O9", GAME)


class Screen(io.StringIO):
    """What is written goes to a pyte screen, which can be looked at and resized."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        super().__init__()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        self.stream.feed(text)
        return len(text)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)


class Scene:
    """A running console in front of which a person sits."""

    def __init__(
        self, keys: PipeInput, directory: Path, told: tuple[AnyNotice, ...], environment: dict[str, str]
    ) -> None:
        self.keys = keys
        self.screen = Screen()
        self.size = TerminalSize(rows=24, columns=80)
        self.port = ScriptedPort(*told)
        output = Vt100_Output(self.screen, lambda: self.size, term="xterm-256color")
        self.terminal = Terminal(marks=UNICODE, environment=environment, input=keys, output=output)
        entrance = Entrance(self.port, Settings(ruleset=Ruleset()))
        self.director = Director(
            self.port,
            entrance,
            Keeper(KEYS[0], directory=directory),
            name=NAMES[0],
            leave=self.terminal.leave,
            bell=self.terminal.bell,
        )
        self.terminal.director = entrance.teller = self.director

    def type(self, line: str) -> None:
        self.keys.send_text(line + "\r")

    def resize(self, columns: int, rows: int) -> None:
        self.size = TerminalSize(rows=rows, columns=columns)
        self.screen.screen.resize(rows, columns)
        self.terminal._app._on_resize()

    async def until(self, seen: Callable[[], object]) -> None:
        """Waits until something is so; the screen is shown if it never is."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not seen():  # noqa: ASYNC110 - a screen has no event to wait for
                    await asyncio.sleep(0.01)
        except TimeoutError:
            pytest.fail(f"never seen; the screen:\n{self.screen.text}")

    async def until_shown(self, *texts: str) -> None:
        await self.until(lambda: all(text in self.screen.text for text in texts))


@pytest.fixture
def act(tmp_path: Path) -> Iterator[Callable[..., Outcome]]:
    """Runs a console on a scene until it ends."""
    with create_pipe_input() as keys:

        def run(
            play: Callable[[Scene], Awaitable[None]],
            *told: AnyNotice,
            environment: dict[str, str] | None = None,
        ) -> Outcome:
            async def both() -> Outcome:
                scene = Scene(keys, tmp_path, told, environment or {})
                running = asyncio.ensure_future(scene.terminal.run(scene.port))
                playing = asyncio.ensure_future(play(scene))
                await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
                await playing
                scene.terminal.leave(Outcome.DONE)
                return await running

            return asyncio.run(both())

        yield run


IN_GAME = (*started(), *dealt(GAME, RACK))


def test_a_turn_is_typed_seen_and_sent(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN", "1 R1  R2  R3", "Rack  4", "R4", "K9")
        scene.type("add R4 to 1")
        await scene.until_shown("1✓R1  R2  R3  R4 +", "Legal: 1 tile laid")
        scene.type("end")
        await scene.until(lambda: scene.port.asked)
        assert isinstance(scene.port.asked[0], commands.TakeTurn)
        await scene.until_shown("Your turn is on its way: everyone checks it.")

    act(play, *IN_GAME)


def test_d05_escape_closes_a_question_and_a_page(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.type("quit")
        await scene.until_shown("End the program? (y/n)")
        scene.keys.send_text("\x1b")
        await scene.until(lambda: "(y/n)" not in scene.screen.text)
        scene.type("help")
        await scene.until_shown("swap J in 2 with R5", "Esc closes")
        scene.keys.send_text("\x1b")
        await scene.until_shown("Rack  4")
        assert scene.terminal._app.ttimeoutlen <= 0.05

    act(play, *IN_GAME)


def test_d03_a_small_screen_says_what_it_needs_and_keys_do_not_play(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        for columns, rows in ((79, 24), (80, 23), (40, 5)):
            scene.resize(columns, rows)
            await scene.until_shown(f"{columns}x{rows} is too small", "80x24")
            scene.type("draw")
        scene.resize(1, 1)
        scene.type("draw")
        scene.resize(120, 40)
        await scene.until_shown("YOUR TURN", "Rack  4", "│")
        assert scene.port.asked == []
        assert scene.terminal._buffer.text == ""
        scene.type("draw")
        await scene.until(lambda: scene.port.asked)

    act(play, *IN_GAME)


def test_a_small_screen_can_be_left(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.resize(60, 20)
        await scene.until_shown("60x20 is too small")
        scene.keys.send_text("\x03\x03")

    assert act(play, *IN_GAME) is Outcome.INTERRUPTED


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


def test_ctrl_c_clears_the_line_then_asks_then_leaves(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.keys.send_text("lay R4")
        await scene.until_shown("> lay R4")
        scene.keys.send_text("\x03")
        await scene.until(lambda: "> lay R4" not in scene.screen.text)
        scene.keys.send_text("\x03")
        await scene.until_shown("End the program? (y/n)")
        scene.keys.send_text("\x03")

    assert act(play, *IN_GAME) in {Outcome.INTERRUPTED, Outcome.DONE}


def test_tab_completes_and_hides_neither_table_nor_rack(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.keys.send_text("re\t")
        await scene.until_shown("ready", "reset")
        await scene.until_shown("Rack  4", "1 R1  R2  R3")
        scene.keys.send_text("\x1b")
        await scene.until(lambda: "ready" not in scene.screen.text)
        scene.keys.send_text("\x03spl\t")
        await scene.until_shown("> split")
        scene.type(" 2 after B7")
        await scene.until_shown("2✗K7  B7", "3✗O7")

    act(play, *IN_GAME)


def test_what_was_typed_comes_back_with_the_up_key(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        scene.type("add R4 to 1")
        await scene.until_shown("R4 +")
        scene.type("reset")
        await scene.until(lambda: "R4 +" not in scene.screen.text)
        scene.keys.send_text("\x1b[A\x1b[A")
        await scene.until_shown("> add R4 to 1")

    act(play, *IN_GAME)


def test_the_bell_rings_at_ones_own_turn(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN")
        await scene.until(lambda: scene.screen.written.count("\a") == 1)

    act(play, *IN_GAME)


def test_d13_the_end_shows_scores_and_what_comes_next(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        scene.port.tell(round_ended("rummikub", winner=1), match_ended())
        await scene.until_shown(
            "Round 1 is over. Rummikub! Björn laid the last tile.",
            "Ana",
            "-43",
            "+46",
            "Björn wins the match!",
            "The match is kept in",
            "`quit` ends",
        )

    act(play, *IN_GAME)


def test_without_colour_nothing_but_weight_and_lines_is_sent(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        await scene.until_shown("YOUR TURN", "K9", "B9", "O9")
        for sequence in scene.screen.written.split("\x1b[")[1:]:
            codes, end = sequence.partition("m")[0], "m" in sequence
            if end and codes.replace(";", "").isdecimal():
                assert not {int(code) for code in codes.split(";")} & {*range(30, 50), *range(90, 108)}

    act(play, *IN_GAME, environment={"NO_COLOR": "1"})


def test_the_terminal_is_left_as_it_was(act: Callable[..., Outcome]) -> None:
    written: list[Screen] = []

    async def play(scene: Scene) -> None:
        written.append(scene.screen)
        await scene.until_shown("YOUR TURN")
        scene.type("quit")
        await scene.until_shown("(y/n)")
        scene.type("y")
        await scene.until(lambda: "\x1b[?1049l" in scene.screen.written)

    assert act(play, *IN_GAME) is Outcome.ENDED_EARLY
    assert "\x1b[?1049h" in written[0].written


def test_a_match_that_ends_early_is_told_of(act: Callable[..., Outcome]) -> None:
    async def play(scene: Scene) -> None:
        scene.port.tell(match_ended(notices.MatchEnd.LEFT, winners=(), text="Björn has left the match."))
        await scene.until_shown("The match ended early: Björn has left the match.")

    act(play, *IN_GAME)
