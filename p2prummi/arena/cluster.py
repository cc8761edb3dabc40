"""Workers that are a Dask cluster, by the address of its scheduler; the only user of `distributed`.

The library is an optional extra (`pip install 'p2prummi[scheduler]'`). The scheduler and its workers need
p2prummi of the same version, and the workers the strategies that are asked for.
"""

from __future__ import annotations

import contextlib
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from distributed import Client, KilledWorker

from p2prummi import __version__
from p2prummi.arena.errors import ArenaError
from p2prummi.arena.running import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

CONNECT_SECONDS_MAX = 10
PACKAGE = "p2prummi"


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator[Workers]:
    """The workers of the scheduler at an address such as `tcp://host:8786`.

    Raises OSError where nobody answers there, ArenaError where there is no worker, where somebody lacks this
    version of p2prummi, or once a worker is lost for good.
    """
    client = Client(address, timeout=CONNECT_SECONDS_MAX, set_as_default=False)
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ArenaError(f"the scheduler at {address} has no workers")
        _require_version(client)
        yield Workers(client.get_executor(), threads)
    except KilledWorker as error:
        raise ArenaError(f"the cluster has given up on a piece of work: {error}") from error
    finally:
        client.close()


def _require_version(client: Client) -> None:
    """Refuse a cluster in which not everybody has the version of this program. Raises ArenaError."""
    # A function of the standard library is there wherever Python is.
    asked = (resolve_name, f"{PACKAGE}:__version__")
    try:
        versions = [client.run_on_scheduler(*asked), *client.run(*asked).values()]
    except ImportError as error:
        raise ArenaError(f"the scheduler and each worker need p2prummi {__version__}: {error}") from error
    others = sorted({version for version in versions if version != __version__})
    if others:
        raise ArenaError(f"the cluster has p2prummi {', '.join(others)}, and not {__version__}")
