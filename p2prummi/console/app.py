"""The terminal: the only module that runs prompt_toolkit's application.

It draws what `screen.py` makes of the director's state, hands lines and keys to the director, listens to the
network, and sees to it that the terminal is left as it was: on signals, and on errors of the program itself.
Those are a line on the screen, without a word of what only its makers understand, and the whole story in the
log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput

from p2prummi.console.completion import CommandCompleter
from p2prummi.console.lines import joined
from p2prummi.console.screen import LEAST_ROWS, Candidates, Size, render, too_small
from p2prummi.console.settings import Outcome
from p2prummi.console.style import STYLE, colour_depth

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.output import Output

    from p2prummi.console.director import Director
    from p2prummi.console.marks import Marks
    from p2prummi.console.model import ConsoleModel
    from p2prummi.console.port import Port

log: Final = logging.getLogger(__name__)

ESCAPE_SECONDS: Final = 0.05
TICK_SECONDS: Final = 1.0
# The signals by which a terminal or a session manager ends a program, where the platform has them.
ENDING_SIGNALS: Final = ("SIGTERM", "SIGHUP", "SIGBREAK")


class Terminal:
    """One run of the console on a terminal. `director` is set before `run`."""

    def __init__(
        self,
        *,
        marks: Marks,
        environment: Mapping[str, str],
        input: Input | None = None,  # noqa: A002 - the name by which prompt_toolkit has it
        output: Output | None = None,
    ) -> None:
        self.director: Director
        self._marks = marks
        self._port = 0
        self._drawn: ConsoleModel | None = None
        self._undrawn = ""
        self._buffer = Buffer(
            multiline=False,
            history=InMemoryHistory(),
            completer=CommandCompleter(lambda: self.director.model),
            accept_handler=self._accept,
        )
        self._app: Application[Outcome] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE,
            color_depth=colour_depth(environment),
            full_screen=True,
            input=input,
            output=output,
        )
        self._app.ttimeoutlen = ESCAPE_SECONDS
        self._app.timeoutlen = 2 * ESCAPE_SECONDS

    def leave(self, outcome: Outcome) -> None:
        """Ends the run; a second time changes nothing."""
        if self._app.is_running and self._app.future is not None and not self._app.future.done():
            self._app.exit(result=outcome)

    def bell(self) -> None:
        """Rings once."""
        self._app.output.bell()
        self._app.output.flush()

    def show(self, action: Callable[[], None]) -> None:
        """Does something to the director's state, and draws it."""
        self._guarded("An answer could not be shown", action)

    async def run(self, port: Port) -> Outcome:
        """Runs until the director leaves, or until a signal does."""
        self._port = port.port
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._failed)
        tasks = [asyncio.ensure_future(self._listen(port)), asyncio.ensure_future(self._tick())]
        try:
            with _ending_signals(loop, lambda: self.leave(Outcome.INTERRUPTED)):
                return await self._app.run_async(set_exception_handler=False)
        except EOFError:
            # The terminal is gone, without a signal.
            return Outcome.INTERRUPTED
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            loop.set_exception_handler(None)

    # What keeps the screen up to date.

    async def _listen(self, port: Port) -> None:
        """Hands every notice to the director."""
        try:
            async for notice in port.notices():
                self._guarded("A notice could not be shown", partial(self.director.hear, notice))
        except Exception as error:  # noqa: BLE001 - whatever it is, the player must learn of it
            self._trouble("The network part has stopped", error)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self._guarded("The lobby could not be looked at", self.director.second_passed)

    def _guarded(self, failure: str, action: Callable[[], None]) -> None:
        """Does something; what goes wrong with it is told and doesn't stop what comes after it."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - whatever it is, the game must stay usable
            self._trouble(failure, error)
        # Drawing is most of what an idle console would cost. What comes of a task is told in between.
        if self.director.model != self._drawn:
            self._app.invalidate()

    def _failed(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error that nobody caught: a key's, or a task's, which the loop names by places in the code."""
        log.error("the loop says: %s", context["message"])
        self._trouble("Something went wrong inside the program", context.get("exception"))

    def _trouble(self, text: str, error: BaseException | None) -> None:
        """Says in a line that something went wrong inside the program; the log has the whole story."""
        log.error("%s", text, exc_info=error)
        self.director.tell(f"{text}. The game goes on; the program's log has the details.", trouble=True)
        self._app.invalidate()

    # What is drawn.

    def _layout(self) -> Layout:
        enough = Condition(lambda: self._size().is_enough)
        typing = Window(
            BufferControl(self._buffer, input_processors=[BeforeInput("> ", style="class:prompt")]),
            height=1,
        )
        whole = HSplit(
            [Window(FormattedTextControl(self._body), height=lambda: self._size().rows - 1), typing]
        )
        small = Window(
            FormattedTextControl(self._too_small),
            wrap_lines=True,
        )
        return Layout(
            HSplit([ConditionalContainer(whole, enough), ConditionalContainer(small, ~enough)]),
            focused_element=typing,
        )

    def _size(self) -> Size:
        size = self._app.output.get_size()
        return Size(columns=size.columns, rows=size.rows)

    def _body(self) -> StyleAndTextTuples:
        model = self._drawn = self.director.model
        try:
            lines = render(model, self._size(), self._marks, port=self._port, candidates=self._candidates())
        except Exception as error:
            # Telling it would draw the screen again, and again fail: it is logged, once for each kind.
            if repr(error) != self._undrawn:
                self._undrawn = repr(error)
                log.exception("the screen could not be drawn")
            return [("", "The screen can't be drawn; the program's log has the details.")]
        return [*joined(lines)]

    def _too_small(self) -> str:
        model = self._drawn = self.director.model
        return "\n".join(too_small(self._size(), model))

    def _candidates(self) -> Candidates:
        state = self._buffer.complete_state
        if state is None:
            return Candidates()
        return Candidates(texts=tuple(each.text for each in state.completions), chosen=state.complete_index)

    # What is typed.

    def _accept(self, buffer: Buffer) -> bool:
        self.director.submit(buffer.text)
        return False

    def _keys(self) -> KeyBindings:
        """The keys besides those for typing."""
        keys = KeyBindings()
        small = Condition(lambda: not self._size().is_enough)

        def on(*names: str, do: Callable[[], None], eager: bool = False) -> None:
            for name in names:
                keys.add(name, eager=eager)(lambda _: do())

        # Eager, so that the program can be ended on a small screen too.
        on("c-c", "<sigint>", do=self._interrupt, eager=True)
        on("c-d", do=self._interrupt)
        on("escape", do=self._escape)
        on("pageup", do=lambda: self.director.scroll(-(LEAST_ROWS // 2)))
        on("pagedown", do=lambda: self.director.scroll(LEAST_ROWS // 2))
        on("c-l", do=lambda: self._app.renderer.clear())  # noqa: PLW0108 - the application is made after its keys

        @keys.add(Keys.Vt100MouseEvent)
        def _no_mouse(_: KeyPressEvent) -> None:
            """Nothing is done with a mouse, and what looks like one's report is often none, but a colour."""

        @keys.add("<any>", filter=small, eager=True)
        @keys.add("enter", filter=small, eager=True)
        def _ignored(_: KeyPressEvent) -> None:
            """Keys don't play while the screen can't show what they do."""

        return keys

    def _interrupt(self) -> None:
        if self._buffer.text:
            self._buffer.reset()
        else:
            self.director.interrupt()

    def _escape(self) -> None:
        self._buffer.cancel_completion()
        self.director.escape()


@contextlib.contextmanager
def _ending_signals(loop: asyncio.AbstractEventLoop, leave: Callable[[], None]) -> Any:
    """Calls `leave` for each ending signal, in the loop, while the block runs."""
    numbers = [getattr(signal, name) for name in ENDING_SIGNALS if hasattr(signal, name)]
    restored: list[tuple[int, Any]] = []
    added: list[int] = []
    for number in numbers:
        try:
            loop.add_signal_handler(number, leave)
            added.append(number)
        except RuntimeError:
            # Loops on Windows have no signal handlers of their own, and say so by this error.
            old = signal.signal(number, lambda *_: loop.call_soon_threadsafe(leave))
            restored.append((number, old))
    try:
        yield
    finally:
        for number in added:
            loop.remove_signal_handler(number)
        for number, old in restored:
            signal.signal(number, old)
