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
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from p2prummi.arena.running import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def local_processes(jobs: int) -> Iterator[Workers]:
    """So many worker processes; after an error or an interrupt they are ended amid their work."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker
    )
    try:
        yield Workers(executor, jobs)
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Makes a new process heed the one that started it, and nothing else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="p2prummi-arena-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has been started by somebody"
    parent.join()
    os._exit(1)
