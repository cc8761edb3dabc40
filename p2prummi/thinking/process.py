"""A strategy in a process of its own: whatever it does there, whoever asks it goes on.

The process ends with the one that started it. One that takes too long is ended, also where it holds its
interpreter all the time, and the next turn is thought about by a new one.
"""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import os
import random
import signal
import time
from typing import TYPE_CHECKING, Any, Final

from p2prummi.bots import StrategyError, load_strategy
from p2prummi.bots.deciding import Replaced, failed
from p2prummi.thinking.apart import decide_apart, made_apart

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from p2prummi.bots import PlayerView
    from p2prummi.rules import Turn

MAKING_SECONDS: Final = 30.0
GRACE_SECONDS: Final = 5.0
"""How much longer a process lives whose strategy does not answer in time, should nobody be left to end it."""


class StrategyProcess:
    """A strategy by name that thinks elsewhere, up to `limit_seconds` about a turn.

    Raises StrategyError where it can't be loaded.
    """

    def __init__(self, name: str, limit_seconds: float) -> None:
        self.name = name
        self._limit_seconds = limit_seconds
        self._start()
        self._wait_until_made(MAKING_SECONDS)

    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        """The strategy's turn. Raises Replaced where it has none that will do, or none in time."""
        end = time.monotonic() + self._limit_seconds
        if not self._process.is_alive():
            self._start()
        try:
            if not self._is_made:
                self._wait_until_made(self._limit_seconds)
            self._connection.send((view, rng))
            if not self._connection.poll(max(0.0, end - time.monotonic())):
                self.close()
                raise Replaced(f"the strategy took more than {self._limit_seconds:g} seconds")
            decision, state = self._connection.recv()
        except (EOFError, OSError) as error:
            self.close()
            raise Replaced("the strategy has ended its process") from error
        rng.setstate(state)
        if decision.complaint:
            raise Replaced(decision.complaint)
        turn: Turn = decision.turn
        return turn

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.join()
        self._connection.close()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, there = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(there, self.name, self._limit_seconds), name="p2prummi-strategy", daemon=True
        )
        self._process.start()
        there.close()
        self._is_made = False

    def _wait_until_made(self, seconds: float) -> None:
        """Waits for the strategy itself, so long and no longer. Raises StrategyError."""
        try:
            trouble = self._connection.recv() if self._connection.poll(seconds) else "it is not made yet"
        except (EOFError, OSError):
            trouble = "it has ended its process"
        if trouble:
            raise StrategyError(trouble if self.name in trouble else f"the strategy {self.name!r}: {trouble}")
        self._is_made = True


def _serve(connection: Connection[Any, Any], name: str, limit_seconds: float) -> None:
    """Answers one view after the other, until nobody asks any more."""
    # An interrupt is for the one that asks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        strategy = made_apart(lambda: load_strategy(name))
    except StrategyError as error:
        connection.send(str(error))
        return
    connection.send("")
    with open(os.devnull, "w") as nowhere, contextlib.suppress(EOFError, OSError):  # noqa: PTH123 - it is no file
        while True:
            view, rng = connection.recv()
            faulthandler.dump_traceback_later(limit_seconds + GRACE_SECONDS, exit=True, file=nowhere)
            decision = decide_apart(strategy, view, rng)
            faulthandler.cancel_dump_traceback_later()
            try:
                connection.send((decision, rng.getstate()))
            except (OSError, EOFError):
                raise
            except Exception as error:  # noqa: BLE001 - a turn that can't be sent can be of any kind
                connection.send((failed(view, error), rng.getstate()))
