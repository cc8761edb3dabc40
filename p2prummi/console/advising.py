"""A hint: what the strongest level would do with one's turn, and why, in words.

The advisor thinks in a thread, so that the game goes on, and answers later: whoever asked sees to it that the
answer still fits.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from p2prummi.bots import explain

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2prummi.bots import PlayerView
    from p2prummi.thinking import Thinker

HINT_SECONDS: Final = 10.0


class Advisor:
    """Says what a thinker's strategy would do. `show` runs what an answer leads to, and draws it."""

    def __init__(self, thinker: Thinker, show: Callable[[Callable[[], None]], None]) -> None:
        self._thinker = thinker
        self._show = show
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, view: PlayerView, answer: Callable[[str], None]) -> None:
        """Has the turn of a view thought about; `answer` is given a sentence."""
        task = asyncio.ensure_future(self._advise(view, answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Gives no more answers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _advise(self, view: PlayerView, answer: Callable[[str], None]) -> None:
        decision = await self._thinker.think(view)
        sentence = f"Hint: {explain(view, decision.turn).words}."
        if decision.complaint:
            sentence = f"No hint now: {decision.complaint}."
        self._show(lambda: answer(sentence))
