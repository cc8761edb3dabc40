"""The terminal: real bytes in, real bytes out, and what a person would see of them on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.settings import Outcome
from p2prummi.session import commands, notices
from tests.console.stage import match_ended, round_ended
from tests.console.terminal_scene import IN_GAME, Scene, Screen

if TYPE_CHECKING:
    from collections.abc import Callable


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
