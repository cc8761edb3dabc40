"""Workers that are processes of this machine.

They are started afresh (`spawn`), which every system can do and which threads here can't disturb. They leave
interrupts to the process that started them, are ended at once when it has had enough, and end by themselves
when it is gone.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from p2prummi.arena.running import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
Result = TypeVar("Result")


@contextlib.contextmanager
def local_processes(jobs: int) -> Iterator[Workers]:
    """So many worker processes; after an error or an interrupt they are ended amid their work."""
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    executor = _Processes(jobs, mp_context=context, initializer=_begin_worker)
    try:
        yield Workers(executor, jobs)
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


class _Processes(ProcessPoolExecutor):
    """Starts its processes, as it needs them when it is handed work, deaf to interrupts from the first."""

    def submit(self, fn: Callable[P, Result], /, *args: P.args, **kwargs: P.kwargs) -> Future[Result]:
        """Hand out a piece of work."""
        with _interrupts_held_back():
            return super().submit(fn, *args, **kwargs)


if sys.platform == "win32":

    def _interrupts_held_back() -> contextlib.AbstractContextManager[None]:
        """This system can't let them wait."""
        return contextlib.nullcontext()

else:

    @contextlib.contextmanager
    def _interrupts_held_back() -> Iterator[None]:
        """Let interrupts wait, here and in processes that are started meanwhile."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Makes a new process heed the one that started it, and nothing else."""
    # Where none can be held back, this is the first that there is; elsewhere it drops what has been.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="p2prummi-arena-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has been started by somebody"
    parent.join()
    os._exit(1)
