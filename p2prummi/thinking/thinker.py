"""A strategy's thinking while everything else goes on: in a thread of its own, and given up in time.

A thread can't be stopped, only left behind, and only where it does not hold the interpreter all the time:
strategies that nobody knows are in a process of their own (`process.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING

from p2prummi.bots import Decision
from p2prummi.thinking.apart import decide_apart

if TYPE_CHECKING:
    import random

    from p2prummi.bots import PlayerView, Strategy


class Thinker:
    """Has a strategy think in a thread, and gives up on it after `limit_seconds`."""

    def __init__(self, strategy: Strategy, rng: random.Random, limit_seconds: float) -> None:
        self._strategy = strategy
        self._rng = rng
        self._limit_seconds = limit_seconds
        self._is_busy = False

    async def think(self, view: PlayerView) -> Decision:
        """A legal turn, in time whatever the strategy does."""
        if self._is_busy:
            return Decision(view.idle_turn, "the strategy still thinks about an earlier turn")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Decision] = loop.create_future()

        def deliver(decision: Decision) -> None:
            self._is_busy = False
            if not answer.done():
                answer.set_result(decision)

        def run() -> None:
            decision = decide_apart(self._strategy, view, self._rng)
            # The loop may be gone when a strategy answers far too late.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(deliver, decision)

        # A thread can't be stopped; as a daemon it doesn't keep the process alive either.
        self._is_busy = True
        threading.Thread(target=run, name="p2prummi-strategy", daemon=True).start()
        try:
            async with asyncio.timeout(self._limit_seconds):
                return await answer
        except TimeoutError:
            return Decision(view.idle_turn, f"the strategy took more than {self._limit_seconds:g} seconds")
