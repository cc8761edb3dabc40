"""The strategies around one game: each is asked in turn, and one that fails, cheats or hangs draws instead.

Whether a turn is legal, and what replaces it, `p2prummi.bots.deciding` says. Here is the clock: the game is
played in a thread of its own, watched by the one that started it. A strategy that has thought for
`think_seconds` is given up on, with its thread, since no thread can be stopped; another plays the game on,
and that seat is not asked again in this game. Such a game's outcome still depends on nothing but the seed, as
long as no answer comes within a hair of the limit.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.bots import Decision
from p2prummi.thinking import decide_apart

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from p2prummi.arena.game import Outcome, RunningGame
    from p2prummi.bots import PlayerView, Strategy
    from p2prummi.rules import Turn


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a strategy with its own source of chance."""

    strategy: Strategy
    rng: random.Random


class Table:
    """One game with its seats taken; `play` may be called once.

    `complaints` then holds for each turn that was not the strategy's own the seat and why, in words, and
    `cpu_seconds` what the game has cost its threads.
    """

    def __init__(
        self,
        game: RunningGame,
        seats: Sequence[Seat],
        think_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.complaints: list[tuple[int, str]] = []
        self.cpu_seconds = 0.0
        self._game = game
        self._seats = seats
        self._think_seconds = think_seconds
        self._clock = clock
        self._over = threading.Event()
        self._outcome: Outcome | None = None
        self._error: BaseException | None = None
        # The two that share what follows are the thread that plays and the one that watches it.
        self._lock = threading.Lock()
        self._thread_number = 0
        self._thought: tuple[PlayerView, float] | None = None
        self._stuck: set[int] = set()

    def play(self) -> Outcome:
        """Play the game to its end, whatever the strategies do."""
        self._start(None)
        while not self._over.wait(self._patience_seconds()):
            self._give_up()
        if self._error is not None:
            raise self._error
        assert self._outcome is not None, "a game that is over without an error has an outcome"
        return self._outcome

    # The thread that watches.

    def _patience_seconds(self) -> float:
        """How long nothing can have gone on for too long."""
        with self._lock:
            began = self._clock() if self._thought is None else self._thought[1]
        return max(0.0, began + self._think_seconds - self._clock())

    def _give_up(self) -> None:
        """Plays on without a strategy that has thought for too long, if one has."""
        with self._lock:
            if self._thought is None:
                return
            view, began = self._thought
            if self._clock() - began < self._think_seconds:
                return
            self._thought = None
            self._thread_number += 1
            self._stuck.add(view.seat)
        text = f"the strategy took more than {self._think_seconds:g} seconds"
        self.complaints.append((view.seat, text))
        self._start(view.idle_turn)

    def _start(self, turn: Turn | None) -> None:
        # As a daemon a thread that is stuck doesn't keep the process alive.
        threading.Thread(
            target=self._run, args=(self._thread_number, turn), name="p2prummi-arena", daemon=True
        ).start()

    # The thread that plays.

    def _run(self, number: int, turn: Turn | None) -> None:
        """Sends the game this turn and all further ones, until it is over or this thread is given up on."""
        began = time.thread_time()
        try:
            while True:
                # A generator takes None for its first step.
                view = next(self._game) if turn is None else self._game.send(turn)
                decision = self._ask(view)
                with self._lock:
                    if self._thread_number != number:
                        return
                    self._thought = None
                if decision.complaint:
                    self.complaints.append((view.seat, decision.complaint))
                turn = decision.turn
        except StopIteration as end:
            self._outcome = end.value
        except BaseException as error:  # noqa: BLE001 - the thread that watches raises it again
            self._error = error
        self.cpu_seconds += time.thread_time() - began
        self._over.set()

    def _ask(self, view: PlayerView) -> Decision:
        if view.seat in self._stuck:
            return Decision(view.idle_turn, "the strategy still thinks about an earlier turn")
        seat = self._seats[view.seat]
        with self._lock:
            self._thought = (view, self._clock())
        return decide_apart(seat.strategy, view, seat.rng)
