"""Dialling: a peer's addresses one after the other, each with a head start, until the sought one answers.

Whose key answers is known as soon as TLS is up. Another peer's, or one's own, at an address is no fault: two
hosts may both own 172.17.0.1. Such a connection is closed without a word, and the next address is tried.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from p2prummi.errors import P2PRummiError, RemoteProtocolError
from p2prummi.net.addresses import Address, SocketName, dialable_anywhere
from p2prummi.net.rendezvous import Opening, Rendezvous
from p2prummi.net.tls import certificate_hash, certificate_key
from p2prummi.net.transport import CLOSE_SECONDS_MAX, READ_AHEAD_BYTES, FrameStream
from p2prummi.wire import limits

HEAD_START_SECONDS: Final = 0.25
SERVER_NAME: Final = "p2prummi"
NO_ANSWER: Final = "no answer"

log: Final = logging.getLogger(__name__)


class UnreachableError(P2PRummiError):
    """No address led to the peer; `reasons` has a text for each that was tried.

    `only_self`: one's own alone answered. `only_silence`: nothing answered, nor refused.
    """

    def __init__(
        self, reasons: dict[Address, str], *, only_self: bool = False, only_silence: bool = False
    ) -> None:
        tried = "; ".join(f"{address}: {reason}" for address, reason in reasons.items())
        super().__init__(tried or "no address is known")
        self.reasons = reasons
        self.only_self = only_self
        self.only_silence = only_silence


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A TLS connection to the peer with this key, before any handshake."""

    stream: FrameStream = field(repr=False)
    address: Address
    key: bytes
    certificate_hash: bytes


class _WrongKeyError(Exception):
    """Another peer answered, or this one itself."""

    def __init__(self, *, is_self: bool) -> None:
        super().__init__("this player itself answers there" if is_self else "another player answers there")
        self.is_self = is_self


async def reach(
    addresses: Sequence[Address],
    context: ssl.SSLContext,
    *,
    own_key: bytes,
    sought: bytes | None,
    rendezvous: Rendezvous | None = None,
) -> Reached:
    """Connects to the peer `sought` (None: any but oneself) at the first address that leads to it.

    Without a `rendezvous`, sockets in such a directory are passed over. Raises UnreachableError when all have
    failed.
    """
    waiting = deque(dict.fromkeys(addresses if rendezvous is not None else dialable_anywhere(addresses)))
    attempts: dict[asyncio.Task[Reached], Address] = {}
    reasons: dict[Address, str] = {}
    selves = 0
    try:
        while waiting or attempts:
            if waiting:
                address = waiting.popleft()
                attempt = _attempt(address, context, own_key, sought, rendezvous)
                attempts[asyncio.ensure_future(attempt)] = address
            done, _ = await asyncio.wait(
                attempts, timeout=HEAD_START_SECONDS if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                address = attempts.pop(task)
                error = task.exception()
                if error is None:
                    _close_others(done, task)
                    return task.result()
                if not isinstance(error, (OSError, RemoteProtocolError, _WrongKeyError)):
                    raise error
                selves += isinstance(error, _WrongKeyError) and error.is_self
                reasons[address] = _words(error)
    finally:
        for task in attempts:
            task.cancel()
        for result in await asyncio.gather(*attempts, return_exceptions=True):
            if isinstance(result, Reached):
                result.stream.abort()
    raise UnreachableError(
        reasons,
        only_self=bool(reasons) and selves == len(reasons),
        only_silence=set(reasons.values()) == {NO_ANSWER},
    )


def _close_others(done: set[asyncio.Task[Reached]], chosen: asyncio.Task[Reached]) -> None:
    for task in done - {chosen}:
        if task.exception() is None:
            task.result().stream.abort()


async def _attempt(
    address: Address,
    context: ssl.SSLContext,
    own_key: bytes,
    sought: bytes | None,
    rendezvous: Rendezvous | None,
) -> Reached:
    async with asyncio.timeout(limits.HANDSHAKE_SECONDS_MAX):
        reader, writer = await _open(address, context, rendezvous)
    stream = FrameStream(reader, writer)
    try:
        certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        key = certificate_key(certificate)
        if key == own_key or sought not in (None, key):
            raise _WrongKeyError(is_self=key == own_key)
    except BaseException:
        stream.abort()
        raise
    return Reached(stream=stream, address=address, key=key, certificate_hash=certificate_hash(certificate))


async def _open(
    address: Address, context: ssl.SSLContext, rendezvous: Rendezvous | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    how = Opening(
        limit=READ_AHEAD_BYTES,
        ssl=context,
        server_hostname=SERVER_NAME,
        ssl_handshake_timeout=limits.HANDSHAKE_SECONDS_MAX,
        ssl_shutdown_timeout=CLOSE_SECONDS_MAX,
    )
    if isinstance(address, SocketName):
        assert rendezvous is not None, "sockets are passed over where there is no rendezvous"
        return await rendezvous.open_connection(address, how)
    return await asyncio.open_connection(address.host, address.port, **how)


def _words(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return NO_ANSWER
    if isinstance(error, ssl.SSLError):
        return "no TLS 1.3"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(error, OSError):
        return error.strerror or "closed"
    return error.text if isinstance(error, RemoteProtocolError) else str(error)
