"""The pump: work comes back, deadlines are kept, and an error of the program is not swallowed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from p2prummi.errors import LocalProtocolError
from p2prummi.net.pump import Pump
from p2prummi.session.commands import NextRound, SendChat
from p2prummi.session.notices import Notice, PeerJoined
from p2prummi.session.outbox import Closing, Work
from p2prummi.wire.hello import RoomAdvert
from tests.net.double import SessionDouble
from tests.net.loopback import wait_until

PEER = bytes([1]) * 32


class Outlet:
    """Keeps all that comes out."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, bytes]] = []
        self.closed: list[Closing] = []
        self.wanted: list[bytes] = []
        self.notices: list[Notice] = []
        self.adverts: list[RoomAdvert] = []
        self.errors: list[Exception] = []

    def send(self, peer: bytes, data: bytes) -> None:
        self.sent.append((peer, data))

    def close_link(self, closing: Closing) -> None:
        self.closed.append(closing)

    def want_link(self, peer: bytes, addresses: tuple[str, ...]) -> None:
        self.wanted.append(peer)

    def notify(self, notice: Notice) -> None:
        self.notices.append(notice)

    def advertise(self, advert: RoomAdvert) -> None:
        self.adverts.append(advert)

    def failed(self, error: Exception) -> None:
        self.errors.append(error)


def pumped(scenario: Callable[[Pump, SessionDouble, Outlet], Coroutine[Any, Any, None]]) -> None:
    """Runs a scenario on a pump, and closes it."""

    async def run() -> None:
        session, outlet = SessionDouble(bytes(32), "alice"), Outlet()
        pump = Pump(session, outlet)
        try:
            await scenario(pump, session, outlet)
        finally:
            await pump.close()

    asyncio.run(run())


def test_a_step_is_followed_by_all_that_the_session_has_to_say() -> None:
    async def scenario(pump: Pump, session: SessionDouble, outlet: Outlet) -> None:
        pump.step(lambda now: session.peer_connected(PEER, "bob", (), now))
        assert outlet.notices == [PeerJoined(PEER, "bob")]
        assert [peer for peer, _ in outlet.sent] == [PEER]
        pump.step(lambda now: session.receive(PEER, b'{"linked": [["05", []]]}', now))
        assert outlet.wanted == [b"\x05"]
        pump.step(lambda now: session.receive(PEER, b"garbage", now))
        assert [closing.peer for closing in outlet.closed] == [PEER]
        assert len(outlet.adverts) == 3

    pumped(scenario)


def test_a_command_that_does_not_fit_is_refused_with_words() -> None:
    async def scenario(pump: Pump, session: SessionDouble, outlet: Outlet) -> None:
        pump.command(SendChat("to nobody"))
        with pytest.raises(LocalProtocolError, match="no game"):
            pump.command(NextRound())
        assert outlet.errors == []

    pumped(scenario)


def test_work_is_done_in_another_thread_and_comes_back() -> None:
    async def scenario(pump: Pump, session: SessionDouble, outlet: Outlet) -> None:
        session.schedule(Work(1, threading.get_ident, ()))
        session.schedule(Work(2, int, ("no number",)))
        pump.empty()
        await wait_until(lambda: len(session.worked) == 2, "both results")
        (thread,) = [result for result in session.worked if isinstance(result, int)]
        assert thread != threading.get_ident()
        assert any(isinstance(result, ValueError) for result in session.worked)
        assert outlet.errors == []

    pumped(scenario)


def test_deadlines_are_kept_one_after_the_other() -> None:
    async def scenario(pump: Pump, session: SessionDouble, outlet: Outlet) -> None:
        now = asyncio.get_running_loop().time()
        session.deadlines = [now - 1.0, now + 0.02, now + 0.04, now + 1000.0]
        pump.empty()
        await wait_until(lambda: len(session.deadlines) == 1, "the first three")
        assert asyncio.get_running_loop().time() >= now + 0.04

    pumped(scenario)


def test_an_error_of_the_program_is_told_and_does_not_end_the_pump() -> None:
    async def scenario(pump: Pump, session: SessionDouble, outlet: Outlet) -> None:
        def fail(_: float) -> None:
            raise ZeroDivisionError

        pump.step(fail)
        assert [type(error) for error in outlet.errors] == [ZeroDivisionError]
        pump.step(lambda now: session.peer_connected(PEER, "bob", (), now))
        assert outlet.notices == [PeerJoined(PEER, "bob")]

    pumped(scenario)


def test_nothing_is_fed_to_a_session_after_the_end() -> None:
    async def scenario(pump: Pump, session: SessionDouble, outlet: Outlet) -> None:
        await pump.close()
        pump.step(lambda now: session.peer_connected(PEER, "bob", (), now))
        assert session.links == {}

    pumped(scenario)
