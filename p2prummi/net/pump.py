"""The pump of a session: runs its work in threads, keeps its deadlines, empties it after each step.

It decides nothing. Whatever the session has to say goes to an `Outlet`; an error of the program itself goes
there too, as nothing that a peer sends raises in a session.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from p2prummi.errors import RemoteProtocolError
from p2prummi.session.commands import Command
from p2prummi.session.notices import Notice
from p2prummi.session.outbox import Closing, Work
from p2prummi.wire.hello import RoomAdvert

WORKERS: Final = 2

log: Final = logging.getLogger(__name__)


class SessionLike(Protocol):
    """What is asked of a session; `p2prummi.session.Session` says what each of these does."""

    def peer_connected(self, peer: bytes, name: str, addresses: tuple[str, ...], now: float) -> None:
        """A link is up."""

    def peer_refused(self, peer: bytes, error: RemoteProtocolError, now: float) -> None:
        """What came over a link was no frame that may come."""

    def peer_lost(self, peer: bytes, why: str, now: float) -> None:
        """A link is down."""

    def command(self, command: Command, now: float) -> None:
        """The local player asks for something."""

    def receive(self, peer: bytes, data: bytes, now: float) -> None:
        """A frame has come."""

    def frames_to_send(self) -> list[tuple[bytes, bytes]]:
        """Takes out the frames to send."""
        ...

    def links_to_close(self) -> list[Closing]:
        """Takes out the links to close."""
        ...

    def dials_wanted(self) -> list[tuple[bytes, tuple[str, ...]]]:
        """Takes out the peers to dial."""
        ...

    def next_notice(self) -> Notice | None:
        """Takes out a notice."""

    def next_work(self) -> Work | None:
        """Takes out work."""

    def work_done(self, work_id: int, result: object, now: float) -> None:
        """Work is done."""

    def deadline(self) -> float | None:
        """When time matters next."""

    def handle_deadline(self, now: float) -> None:
        """That time has come."""

    def advert(self) -> RoomAdvert:
        """What to tell the network."""
        ...


class Outlet(Protocol):
    """Where everything goes that a session has to say."""

    def send(self, peer: bytes, data: bytes) -> None:
        """Send this frame."""

    def close_link(self, closing: Closing) -> None:
        """Close this link after what was sent."""

    def want_link(self, peer: bytes, addresses: tuple[str, ...]) -> None:
        """See to a link with this member of the room."""

    def notify(self, notice: Notice) -> None:
        """Tell the application."""

    def advertise(self, advert: RoomAdvert) -> None:
        """Tell the network; comes after every step, changed or not."""

    def failed(self, error: Exception) -> None:
        """The program itself has failed."""


class Pump:
    """Feeds one session and empties it."""

    def __init__(self, session: SessionLike, outlet: Outlet) -> None:
        self._session = session
        self._outlet = outlet
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="p2prummi-work")
        self._works: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def step(self, step: Callable[[float], None]) -> None:
        """Lets the session take something that came from outside, at the loop's time, and empties it."""
        if self._closed:
            return
        try:
            step(self._loop.time())
            self.empty()
        except Exception as error:
            log.exception("the session failed")
            self._outlet.failed(error)

    def command(self, command: Command) -> None:
        """Asks the session for something. Raises LocalProtocolError where it does not fit."""
        self._session.command(command, self._loop.time())
        self.empty()

    def empty(self) -> None:
        """Takes out all that the session has to say, and sees to it that its next deadline is kept."""
        session, outlet = self._session, self._outlet
        for peer, data in session.frames_to_send():
            outlet.send(peer, data)
        for closing in session.links_to_close():
            outlet.close_link(closing)
        for peer, addresses in session.dials_wanted():
            outlet.want_link(peer, addresses)
        while (work := session.next_work()) is not None:
            self._start(work)
        while (notice := session.next_notice()) is not None:
            outlet.notify(notice)
        outlet.advertise(session.advert())
        self._set_timer()

    async def close(self) -> None:
        """Ends the work and the timer; nothing is fed to the session any more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for task in self._works:
            task.cancel()
        await asyncio.gather(*self._works, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self._session.deadline()
        if deadline is not None and not self._closed:
            self._timer = self._loop.call_at(deadline, self._keep_deadline, deadline)

    def _keep_deadline(self, deadline: float) -> None:
        self._timer = None
        # The loop may wake a hair before the time it was asked for.
        self.step(lambda now: self._session.handle_deadline(max(now, deadline)))

    def _start(self, work: Work) -> None:
        task = asyncio.ensure_future(self._do(work))
        self._works.add(task)
        task.add_done_callback(self._works.discard)

    async def _do(self, work: Work) -> None:
        """Runs work in a thread; its result, or what it raised, goes back to the session."""
        result: object
        try:
            result = await self._loop.run_in_executor(self._threads, work.run)
        except Exception as error:  # noqa: BLE001 - the session judges what its work has raised.
            result = error
        self.step(lambda now: self._session.work_done(work.id, result, now))
