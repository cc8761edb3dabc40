"""A strategy's thinking while everything else goes on: in a thread of its own, and given up in time.

A thread can't be stopped, only left behind. What holds the interpreter all the time, such as a regular
expression that takes forever, holds the whole process.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, TypeVar

from p2prummi.bots import Decision, decide
from p2prummi.bots.deciding import failed

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from p2prummi.bots import PlayerView, Strategy

Made = TypeVar("Made")


def decide_apart(strategy: Strategy, view: PlayerView, rng: random.Random) -> Decision:
    """What `decide` says in a thread other than the first, where no interrupt comes: all is its own."""
    try:
        return decide(strategy, view, rng)
    except BaseException as error:  # noqa: BLE001 - see above
        return failed(view, error)


def made_apart(make: Callable[[], Made]) -> Made:
    """What `make` makes, in a thread that does not keep the process alive, nor do those that it starts."""
    made: list[Made] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            made.append(make())
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    thread = threading.Thread(target=run, name="p2prummi-making", daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return made[0]


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
