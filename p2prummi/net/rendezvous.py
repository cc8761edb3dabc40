"""Meeting without a network: a directory in which each of several peers on one machine puts a socket.

Where a machine has no network at all, not even its loopback interface, no port can be dialled; a socket of
the file system can. What travels on it is the same as elsewhere, TLS and all. A peer's socket has a name made
of its key, so that it is found again after a new start, and whoever looks into the directory sees who is
there. Systems without such sockets (Windows) always have their loopback interface.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypedDict

from p2prummi.errors import LocalProtocolError
from p2prummi.net.addresses import SOCKET_NAME, SocketName
from p2prummi.net.files import DIRECTORY_MODE, FILE_MODE
from p2prummi.net.listening import BACKLOG, ListenerSocket, PortError

SUFFIX: Final = ".socket"
SUPPORTED: Final[bool] = sys.platform != "win32"
NOT_HERE: Final = "this system has no sockets in directories; peers on it meet by its loopback interface"


class Opening(TypedDict):
    """How a connection is opened, wherever to: asyncio's own words."""

    limit: int
    ssl: ssl.SSLContext
    server_hostname: str
    ssl_handshake_timeout: float
    ssl_shutdown_timeout: float


if sys.platform == "win32":

    def _make_socket() -> ListenerSocket:
        raise PortError(NOT_HERE)

    async def _open(_path: Path, _how: Opening) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        raise OSError(NOT_HERE)

else:

    def _make_socket() -> ListenerSocket:
        return ListenerSocket(socket.AF_UNIX, socket.SOCK_STREAM)

    async def _open(path: Path, how: Opening) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(path, **how)


class Rendezvous:
    """A directory to meet in, as one peer uses it: its own socket, and those of the others."""

    def __init__(self, directory: Path, key: bytes) -> None:
        """Raises LocalProtocolError where this system has no such sockets."""
        if not SUPPORTED:
            raise LocalProtocolError(NOT_HERE)
        self._directory = directory
        self.own: Final = SocketName(key.hex()[:16])

    def bind(self) -> ListenerSocket:
        """Puts one's own socket there, in place of one that an earlier run has left. Raises PortError."""
        path = self._path(self.own)
        made = _make_socket()
        try:
            self._directory.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
            # The profile's lock keeps others from running under this key, so nobody listens there now.
            path.unlink(missing_ok=True)
            made.bind(str(path))
            path.chmod(FILE_MODE)
        except OSError as error:
            made.close()
            reason = error.strerror or str(error)
            raise PortError(f"no socket can be made in {self._directory}: {reason}") from error
        made.listen(BACKLOG)
        made.setblocking(False)
        return made

    def others(self) -> frozenset[SocketName]:
        """The sockets of the other peers that are there now, or that have been left there."""
        names = (path.stem for path in self._directory.glob(f"*{SUFFIX}"))
        return frozenset(SocketName(name) for name in names if SOCKET_NAME.fullmatch(name)) - {self.own}

    async def open_connection(
        self, name: SocketName, how: Opening
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connects to a peer's socket. Raises OSError."""
        return await _open(self._path(name), how)

    def leave(self) -> None:
        """Takes one's own socket away."""
        with contextlib.suppress(OSError):
            self._path(self.own).unlink()

    def _path(self, name: SocketName) -> Path:
        return self._directory / f"{name.name}{SUFFIX}"


@contextlib.contextmanager
def directory_for_one_run() -> Iterator[Path | None]:
    """A directory to meet in that is gone after the block; None where this system has no such sockets."""
    if not SUPPORTED:
        yield None
        return
    # Not below the profile: a socket's path may have some hundred bytes at most.
    with tempfile.TemporaryDirectory(prefix="p2prummi-", ignore_cleanup_errors=True) as directory:
        yield Path(directory)
