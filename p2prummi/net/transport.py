"""Frames on a TLS stream, and a link: how much is read, kept and sent, and how a connection ends.

A frame is its length in four bytes, big endian, then that many bytes. The length is checked before anything
is read or kept. Whatever a peer does wrong ends its connection, with a named fault and one line in the log;
nothing it sends raises beyond this module. Connections are made in `listening.py` and `dialling.py`; what
frames mean is decided in `p2prummi.session`. `protocol/spec/transport.md` is the normative text.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.net.addresses import THIS_MACHINE, HostPort
from p2prummi.session.handshake import Handshake, Linked, Outcome
from p2prummi.wire import limits

LENGTH_BYTES: Final = 4
CLOSE_SECONDS_MAX: Final = 2.0
# What the stream keeps unread before it stops the sender; a frame may be longer, since it is read as it
# comes.
READ_AHEAD_BYTES: Final = 64 * 1024

log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a connection is over: `code` is None where the other side or the program simply closed it."""

    code: FaultCode | None
    text: str


class ConnectionOverError(Exception):
    """The other side has closed the connection, or it broke."""


class FrameStream:
    """A TLS connection that carries frames.

    `remote` is where the other side is, as far as the system knows it.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.remote: Final = remote_of(writer.get_extra_info("peername"))

    async def read_frame(self, bytes_max: int) -> bytes:
        """Waits for a frame and returns its bytes.

        Raises RemoteProtocolError (oversized_frame, malformed_frame) by its length alone,
        ConnectionOverError.
        """
        try:
            length = int.from_bytes(await self._reader.readexactly(LENGTH_BYTES), "big")
            if length > bytes_max:
                raise RemoteProtocolError(FaultCode.OVERSIZED_FRAME, f"a frame of {length} bytes")
            if length == 0:
                raise RemoteProtocolError(FaultCode.MALFORMED_FRAME, "a frame of no bytes")
            return await self._reader.readexactly(length)
        except asyncio.IncompleteReadError as error:
            raise ConnectionOverError("closed amid a frame" if error.partial else "closed") from error
        except OSError as error:
            raise ConnectionOverError(error.strerror or "broken") from error

    def write_frame(self, data: bytes) -> None:
        """Sends a frame as soon as the other side takes it; never waits."""
        if not self._writer.is_closing():
            self._writer.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)

    @property
    def bytes_waiting(self) -> int:
        """How much has been written that the other side has not taken."""
        return self._writer.transport.get_write_buffer_size()

    async def close(self) -> None:
        """Sends what is still to be sent, for a short time, then closes; does nothing on a closed stream."""
        if not self._writer.is_closing():
            # A second time it would make asyncio's TLS transport forget its connection, which could then
            # neither be asked for what waits to be sent nor be aborted.
            self._writer.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS_MAX):
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            self.abort()
        except asyncio.CancelledError:
            self.abort()
            raise

    def abort(self) -> None:
        """Drops the connection at once."""
        self._writer.transport.abort()


def remote_of(name: object) -> HostPort:
    """Where a connection comes from, by the system's name for it.

    A tuple with host and port, a text for a socket of a directory, nothing where it is over already.
    """
    if isinstance(name, tuple):
        return HostPort(str(name[0]).partition("%")[0], int(name[1]))
    return HostPort("?" if name is None else THIS_MACHINE, 0)


async def shake_hands(stream: FrameStream, handshake: Handshake, clock: Callable[[], float]) -> Outcome:
    """Carries the frames of a handshake until it has an outcome, which it always has in time."""
    try:
        async with asyncio.timeout(handshake.deadline - clock()):
            while handshake.outcome is None:
                _flush(stream, handshake)
                data = await stream.read_frame(limits.HANDSHAKE_FRAME_BYTES_MAX)
                handshake.receive(data, clock())
    except TimeoutError:
        handshake.handle_deadline(max(clock(), handshake.deadline))
    except ConnectionOverError as error:
        handshake.connection_lost(FaultCode.LINK_LOST, str(error))
    except RemoteProtocolError as error:
        handshake.connection_lost(error.code, error.text)
    finally:
        # Where this task is cancelled, what the handshake has claimed is given back.
        handshake.connection_lost()
    _flush(stream, handshake)
    assert handshake.outcome is not None, "losing the connection is an outcome too"
    return handshake.outcome


def _flush(stream: FrameStream, handshake: Handshake) -> None:
    for data in handshake.frames_to_send():
        stream.write_frame(data)


class FrameRate:
    """A bucket of frames: so many at once, refilled at so many a second."""

    def __init__(self, now: float) -> None:
        self._left: float = limits.FRAMES_BURST_MAX
        self._at = now

    def take(self, now: float) -> bool:
        """Counts one frame; False where it is one too many."""
        refilled = self._left + (now - self._at) * limits.FRAMES_PER_SECOND_MAX
        self._left, self._at = min(float(limits.FRAMES_BURST_MAX), refilled), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Link:
    """The one connection to a peer, after its handshake.

    Frames go out at any time; `run` brings them in, and ends it.
    """

    def __init__(self, stream: FrameStream, linked: Linked, addresses: tuple[str, ...]) -> None:
        self.peer: Final = linked.peer
        self.name: Final = linked.name
        self.claim: Final = linked.claim
        self.addresses: Final = addresses
        self._stream = stream
        self._ending: Ending | None = None
        self._reading: asyncio.Task[None] | None = None

    def send(self, data: bytes) -> None:
        """Sends a frame.

        A peer that doesn't take what it is sent loses its link, before the memory is full of it.
        """
        self._stream.write_frame(data)
        if self._stream.bytes_waiting > limits.QUEUE_BYTES_MAX:
            self.close(Ending(FaultCode.LIMIT_EXCEEDED, "it takes too little of what it is sent"))

    def close(self, ending: Ending) -> None:
        """Ends the link for this reason; the first reason stays."""
        if self._ending is None:
            self._ending = ending
        if self._reading is not None:
            self._reading.cancel()

    async def run(
        self,
        take: Callable[[bytes], None],
        refuse: Callable[[RemoteProtocolError], None],
        clock: Callable[[], float],
    ) -> Ending:
        """Hands every frame to `take` until the link is over, closes it, and returns why.

        What can't be taken ends it: `refuse` hears of it first, and may still send something.
        """
        self._reading = asyncio.ensure_future(self._read(take, refuse, clock))
        try:
            await asyncio.wait([self._reading])
        finally:
            self._reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reading
            await self._stream.close()
        ending = self._ending or Ending(None, "closed")
        if ending.code is not None:
            log.warning("%s (%s): %s, %s", self.name, self._stream.remote, ending.code, ending.text)
        return ending

    async def _read(
        self,
        take: Callable[[bytes], None],
        refuse: Callable[[RemoteProtocolError], None],
        clock: Callable[[], float],
    ) -> None:
        rate = FrameRate(clock())
        try:
            while self._ending is None:
                data = await self._stream.read_frame(limits.FRAME_BYTES_MAX)
                if not rate.take(clock()):
                    raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, "it sends too many frames")
                take(data)
        except RemoteProtocolError as error:
            refuse(error)
            self.close(Ending(error.code, error.text))
        except ConnectionOverError as error:
            self.close(Ending(FaultCode.LINK_LOST, str(error)))
