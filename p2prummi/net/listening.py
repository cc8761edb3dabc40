"""The listener: sockets on IPv4 and IPv6 under one port, TLS, and a cap on connections not yet links.

A connection has a few seconds to become a link (`limits.HANDSHAKE_SECONDS_MAX`, from its acceptance on).
While the cap is reached, each new connection drops the oldest one of whichever address holds the most: who
floods harms itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import ssl
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from p2prummi.errors import FaultCode, P2PRummiError
from p2prummi.net.addresses import THIS_MACHINE
from p2prummi.net.transport import CLOSE_SECONDS_MAX, READ_AHEAD_BYTES, FrameStream
from p2prummi.wire import limits

BACKLOG: Final = 64
PORT_TRIES_MAX: Final = 16
ACCEPT_RETRY_SECONDS: Final = 0.1

log: Final = logging.getLogger(__name__)


class ListenerSocket(socket.socket):
    """A listening socket that remembers the connection it has accepted last, until somebody has taken it up.

    A task that is cancelled in the moment of acceptance never learns of it.
    """

    untaken: socket.socket | None = None

    def accept(self) -> tuple[socket.socket, Any]:
        """Accepts a connection."""
        accepted = super().accept()
        self.untaken = accepted[0]
        return accepted


Serve = Callable[[FrameStream], Awaitable[None]]


class PortError(P2PRummiError):
    """No socket could be had; the text says which and what to do."""


def bind(port: int | None) -> tuple[list[ListenerSocket], int]:
    """Binds one port on all of this machine's addresses, IPv4 and IPv6; returns the port too.

    `port` None takes any free one. Raises PortError.
    """
    for _ in range(PORT_TRIES_MAX):
        try:
            return _bind_both(port or 0)
        except OSError as error:
            if port is not None:
                raise PortError(_why(port, error)) from error
    raise PortError("no port is free on this machine")


def _why(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken by another program; name another one, or leave --port out"
    return f"port {port} can't be used ({error.strerror}); name another one, or leave --port out"


def _bind_both(port: int) -> tuple[list[ListenerSocket], int]:
    with contextlib.ExitStack() as opened:
        sockets: list[ListenerSocket] = []
        for family in (socket.AF_INET, socket.AF_INET6):
            try:
                made = opened.enter_context(ListenerSocket(family, socket.SOCK_STREAM))
                _prepare(made)
                made.bind(("0.0.0.0" if family == socket.AF_INET else "::", port))  # noqa: S104 - peers dial any address.
            except OSError as error:
                if error.errno in {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}:
                    continue  # This machine has only the other family.
                raise
            made.listen(BACKLOG)
            made.setblocking(False)
            sockets.append(made)
            port = made.getsockname()[1]
        if not sockets:
            raise OSError(errno.EAFNOSUPPORT, "neither IPv4 nor IPv6 is there")
        opened.pop_all()
        return sockets, port


def _prepare(made: socket.socket) -> None:
    if sys.platform == "win32":
        made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if made.family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)


class Listening:
    """Accepts connections and serves each once TLS is up; `serve` returns when it is a link or gone."""

    def __init__(self, sockets: list[ListenerSocket], context: ssl.SSLContext, serve: Serve) -> None:
        self._sockets = sockets
        self._context = context
        self._serve = serve
        self._pending: dict[asyncio.Task[None], str] = {}
        self._accepting = [asyncio.ensure_future(self._accept(listener)) for listener in sockets]

    @property
    def pending(self) -> int:
        """How many connections are neither links nor gone."""
        return len(self._pending)

    async def close(self) -> None:
        """Stops accepting and drops what is pending."""
        tasks = [*self._accepting, *self._pending]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in self._sockets:
            if listener.untaken is not None:
                listener.untaken.close()
            listener.close()

    async def _accept(self, listener: ListenerSocket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, remote = await loop.sock_accept(listener)
            except OSError as error:
                # Out of descriptors, or the connection is gone already: neither may end the listener.
                log.warning("a connection could not be accepted: %s", error)
                await asyncio.sleep(ACCEPT_RETRY_SECONDS)
                continue
            if len(self._pending) >= limits.PENDING_CONNECTIONS_MAX:
                self._drop_one()
            # A socket file's connections have no address, all of them the same.
            source = str(remote[0]) if isinstance(remote, tuple) else THIS_MACHINE
            task = asyncio.ensure_future(self._take(connection, source))
            self._pending[task] = source
            task.add_done_callback(partial(self._ended, connection))
            listener.untaken = None

    def _drop_one(self) -> None:
        busiest, _ = Counter(self._pending.values()).most_common(1)[0]
        oldest = next(task for task, source in self._pending.items() if source == busiest)
        self._forget(oldest)
        oldest.cancel()
        log.warning("%s: %s, the oldest is dropped", busiest, FaultCode.TOO_MANY_CONNECTIONS)

    def _ended(self, connection: socket.socket, task: asyncio.Task[None]) -> None:
        self._forget(task)
        if task.cancelled():
            # Perhaps before it had begun, so that nobody else has closed it.
            connection.close()

    def _forget(self, task: asyncio.Task[None]) -> None:
        """Twice for one that is dropped: cancelling it, or its own end a moment before, calls this again."""
        self._pending.pop(task, None)

    async def _take(self, connection: socket.socket, source: str) -> None:
        try:
            stream = await self._secure(connection)
        except (OSError, TimeoutError) as error:
            log.warning("%s: %s, %s", source, FaultCode.HANDSHAKE_FAILED, _words(error))
            _let_go(error)
            return
        try:
            await self._serve(stream)
        except BaseException:
            stream.abort()
            raise

    async def _secure(self, connection: socket.socket) -> FrameStream:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=READ_AHEAD_BYTES, loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        securing = asyncio.ensure_future(
            loop.connect_accepted_socket(
                lambda: protocol,
                connection,
                ssl=self._context,
                ssl_handshake_timeout=limits.HANDSHAKE_SECONDS_MAX,
                ssl_shutdown_timeout=CLOSE_SECONDS_MAX,
            )
        )
        try:
            transport, _ = await asyncio.shield(securing)
        except asyncio.CancelledError:
            await _break_off(connection, securing)
            raise
        except BaseException:
            connection.close()
            raise
        return FrameStream(reader, asyncio.StreamWriter(transport, protocol, reader, loop))


async def _break_off(
    connection: socket.socket,
    securing: asyncio.Task[tuple[asyncio.Transport, asyncio.StreamReaderProtocol]],
) -> None:
    """Ends a TLS handshake that is under way by the end of its connection.

    Cancelled in its first moment, asyncio would leave the transport below TLS open.
    """
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    try:
        transport, _ = await securing
        transport.abort()
    except (OSError, TimeoutError) as error:
        _let_go(error)
    connection.close()


def _let_go(error: BaseException | None) -> None:
    """Frees what the tracebacks of an error hold on to, now and not when garbage is next collected.

    asyncio raises errors of TLS through frames that know both the error and the connection, whose buffers
    take a quarter of a MiB: a flood of strangers would fill the memory with them.
    """
    while error is not None:
        error.__traceback__ = None
        error = error.__context__


def _words(error: BaseException) -> str:
    """What went wrong before TLS was up, in few words and with nothing that the other side has sent."""
    if isinstance(error, ssl.SSLError):
        return f"no TLS ({error.reason or 'broken off'})"
    if isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower():
        return "silent for too long"
    if isinstance(error, ConnectionError):
        return "closed before TLS was up"
    return getattr(error, "strerror", None) or "the connection failed"
