"""Workers that are a Dask cluster, by the address of its scheduler; the only user of `distributed`.

The library is an optional extra (`pip install 'p2prummi[scheduler]'`). Its workers need p2prummi of the same
version, and the strategies that are asked for.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from distributed import Client, KilledWorker

from p2prummi.arena.errors import ArenaError
from p2prummi.arena.running import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

CONNECT_SECONDS_MAX = 10


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator[Workers]:
    """The workers of the scheduler at an address such as `tcp://host:8786`.

    Raises OSError where nobody answers there, ArenaError where there is no worker or one is lost for good.
    """
    client = Client(address, timeout=CONNECT_SECONDS_MAX, set_as_default=False)
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ArenaError(f"the scheduler at {address} has no workers")
        yield Workers(client.get_executor(), threads)
    except KilledWorker as error:
        raise ArenaError(f"the cluster has given up on a piece of work: {error}") from error
    finally:
        client.close()
