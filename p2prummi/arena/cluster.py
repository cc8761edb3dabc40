"""Workers that are a Dask cluster, by the address of its scheduler; the only user of `distributed`.

The library is an optional extra (`pip install 'p2prummi[scheduler]'`). The scheduler and its workers need
p2prummi of the same version, and the workers the strategies that are asked for. A worker that is lost is done
without as long as another one is there or comes back within `ABSENCE_SECONDS_MAX`: its work is done again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from concurrent.futures import CancelledError
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

from distributed import Client, KilledWorker, rpc
from distributed.comm.addressing import get_address_host_port

from p2prummi import __version__
from p2prummi.arena.errors import ArenaError
from p2prummi.arena.running import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANSWER_SECONDS_MAX: Final = 10.0
"""How long the scheduler may take for an answer."""
ABSENCE_SECONDS_MAX: Final = 30.0
"""How long there may be no worker. One that has died is started again by its nanny within some seconds."""
LOOK_SECONDS: Final = 2.0
PACKAGE = "p2prummi"
LIBRARIES = frozenset({"distributed", "tornado"})


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator[Workers]:
    """The workers of the scheduler at an address such as `tcp://host:8786`.

    Raises OSError where no scheduler answers there, or once it is lost; ArenaError for what is no address,
    where there is no worker, where somebody lacks this version of p2prummi, or once the workers are lost.
    """
    with _without_its_log():
        asyncio.run(_require_scheduler(address))
        client = Client(address, timeout=ANSWER_SECONDS_MAX, set_as_default=False)
        try:
            attendance = _Attendance(client, address)
            _require_version(client)
            yield Workers(client.get_executor(), attendance.threads, attendance.check)
        except KilledWorker as error:
            raise ArenaError(f"the cluster has given up on a piece of work: {error}") from error
        except CancelledError as error:
            raise OSError(f"the scheduler at {address} is lost") from error
        finally:
            client.close()


async def _require_scheduler(address: str) -> None:
    """Find out in time what a client would find out too late or never. Raises OSError, ArenaError."""
    try:
        get_address_host_port(address)
    except ValueError as error:
        raise ArenaError(
            f"{address!r} is no address of a scheduler, such as tcp://192.168.1.20:8786: {error}"
        ) from error
    try:
        async with asyncio.timeout(ANSWER_SECONDS_MAX), rpc(address) as scheduler:
            await scheduler.identity()
    except Exception as error:  # Whoever answers there may say anything.
        raise OSError(f"no scheduler answers at {address}") from error


@contextlib.contextmanager
def _without_its_log() -> Iterator[None]:
    """Keep the library from telling on stderr, by tracebacks, what the errors here say."""
    # Some of its loggers have levels of their own.
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LIBRARIES]
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class _Attendance:
    """Whether there is anybody to work; `threads` is how many pieces of work they began to do at once."""

    def __init__(self, client: Client, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._address = address
        self._clock = clock
        self._looked_at = self._seen_at = clock()
        self.threads = self._count()
        if not self.threads:
            raise ArenaError(f"the scheduler at {address} has no workers")

    def check(self) -> None:
        """Raise ArenaError once all workers have been away for too long."""
        now = self._clock()
        if now < self._looked_at + LOOK_SECONDS:
            return
        self._looked_at = now
        if self._count():
            self._seen_at = now
        elif now >= self._seen_at + ABSENCE_SECONDS_MAX:
            raise ArenaError(
                f"the scheduler at {self._address} has had no workers for {ABSENCE_SECONDS_MAX:g} seconds"
            )

    def _count(self) -> int:
        """How many threads all workers have. Raises OSError."""
        scheduler = self._client.scheduler
        assert scheduler is not None, "a client that has begun has one"
        try:
            threads = self._client.sync(scheduler.ncores, callback_timeout=ANSWER_SECONDS_MAX)
        except OSError as error:
            raise OSError(f"the scheduler at {self._address} does not answer: {error}") from error
        return sum(threads.values())


def _require_version(client: Client) -> None:
    """Refuse a cluster in which not everybody has the version of this program. Raises ArenaError."""
    # A function of the standard library is there wherever Python is.
    asked = (resolve_name, f"{PACKAGE}:__version__")
    try:
        versions = [client.run_on_scheduler(*asked), *client.run(*asked).values()]
    except Exception as error:  # What stands there under its name may fail in any way.
        raise ArenaError(
            f"the scheduler and each worker need p2prummi {__version__}: {type(error).__name__}: {error}"
        ) from error
    others = sorted({version for version in versions if version != __version__})
    if others:
        raise ArenaError(f"the cluster has p2prummi {', '.join(others)}, and not {__version__}")
