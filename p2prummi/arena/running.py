"""A plan handed to workers, and what they hand back as it comes.

Any `concurrent.futures.Executor` will do: threads, processes of this machine (`p2prummi.arena.processes`), a
cluster (`p2prummi.arena.cluster`). Only a few pieces of work are handed out at a time, so that an interrupt
leaves little behind.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from p2prummi import __version__
from p2prummi.arena.errors import ArenaError
from p2prummi.arena.playing import play_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Executor, Future

    from p2prummi.arena.plan import Assignment, Plan
    from p2prummi.arena.playing import DealRecord

PIECES_A_WORKER = 3
"""How many pieces of work are handed out for each worker, so that none waits for its next."""
_WAIT_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Workers:
    """Who plays: an executor, and how many pieces of work it does at the same time.

    `check` is called while nothing is done, and raises ArenaError or OSError once nobody is left who could.
    """

    executor: Executor
    count: int
    check: Callable[[], None] = lambda: None


def played(
    plan: Plan, workers: Workers, go_on: Callable[[], bool] = lambda: True
) -> Generator[tuple[int, DealRecord], None, None]:
    """The deals of a plan as they are done, in any order, each with the index of its pairing.

    Closed before its end, it takes back what is handed out and not begun. It asks `go_on` again and again,
    and raises KeyboardInterrupt once the answer is no: an interrupt that is raised just anywhere, such as
    amid the executor's own work, can leave its locks closed for good.
    Raises StrategyError where a worker can't load a strategy, ArenaError where one is lost or differs.
    """
    left = plan.assignments()
    running: dict[Future[DealRecord], int] = {}
    try:
        while True:
            for index, assignment in islice(left, workers.count * PIECES_A_WORKER - len(running)):
                running[workers.executor.submit(play_for_version, __version__, assignment)] = index
            if not running:
                return
            done = wait(running, _WAIT_SECONDS, FIRST_COMPLETED).done
            if not go_on():
                raise KeyboardInterrupt
            if not done:
                workers.check()
            for future in done:
                yield running.pop(future), future.result()
    except BrokenExecutor as error:
        raise ArenaError(
            f"a worker has died while it played, which a strategy can cause that ends its process: {error}"
        ) from error
    finally:
        for future in running:
            future.cancel()


def play_for_version(version: str, assignment: Assignment) -> DealRecord:
    """Play a piece of work for a program of that version, which must be the worker's own.

    Raises ArenaError otherwise: two versions need not play the same games.
    """
    if version != __version__:
        raise ArenaError(f"a worker has p2prummi {__version__}, and not {version}")
    return play_deal(assignment)
