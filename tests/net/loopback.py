"""Peers within one test, on loopback and without mDNS, and a stranger who says whatever a test wants."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from p2prummi.crypto.signing import SigningKey
from p2prummi.net.addresses import HostPort
from p2prummi.net.dialling import reach
from p2prummi.net.driver import AnyNotice, Driver
from p2prummi.net.identity import Secret, open_profile
from p2prummi.net.pump import SessionLike
from p2prummi.net.tls import make_credentials
from p2prummi.net.transport import ConnectionOverError, FrameStream, shake_hands
from p2prummi.rules.ruleset import PRESETS
from p2prummi.session.commands import SendChat
from p2prummi.session.dialler import Dialler
from p2prummi.session.handshake import CodeAttempts, Errand, Linked, LocalPeer, Side
from p2prummi.session.notices import ChatReceived
from p2prummi.session.pairing import Pairing
from p2prummi.wire import limits
from p2prummi.wire.hello import PROTOCOL_VERSIONS
from tests.net.double import SessionDouble

LOCALHOST = "127.0.0.1"
PATIENCE_SECONDS = 30.0

T = TypeVar("T")


async def wait_until(look: Callable[[], T | None], what: str) -> T:
    """Looks again and again, with much patience, until `look` returns something true."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE_SECONDS
    while not (found := look()):
        assert loop.time() < end, f"waited in vain for: {what}"
        await asyncio.sleep(0.01)
    return found


def doubled(key: SigningKey, name: str) -> SessionLike:
    """The session's double."""
    return SessionDouble(key.public, name)


class Player:
    """A driver and all notices that it has given."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.notices: list[AnyNotice] = []
        self.following = asyncio.ensure_future(self._follow())

    async def _follow(self) -> None:
        async for notice in self.driver.notices():
            self.notices.append(notice)

    @property
    def key(self) -> bytes:
        return self.driver.key

    @property
    def address(self) -> str:
        return f"{LOCALHOST}:{self.driver.port}"

    def told(self, kind: type[T]) -> list[T]:
        """The notices of one kind so far."""
        return [notice for notice in self.notices if isinstance(notice, kind)]

    def open_room(self, name: str = "kitchen") -> None:
        self.driver.open_room(name, PRESETS["official"], 4)


@contextlib.asynccontextmanager
async def players(
    directory: Path,
    count: int,
    make_session: Callable[[SigningKey, str], SessionLike] = doubled,
    versions: Sequence[tuple[int, ...]] = (),
    meeting_place: Path | None = None,
) -> AsyncIterator[list[Player]]:
    """So many players on one machine, closed at the end; an error of the program fails the test.

    `versions` are the protocol versions of the first players, where they are not ours.
    """
    made: list[Player] = []
    try:
        for number in range(count):
            profile = open_profile(directory / f"state-{number}")
            session = make_session(profile.key, f"player {number}")
            spoken = versions[number] if number < len(versions) else PROTOCOL_VERSIONS
            driver = await Driver.start(
                profile,
                f"player {number}",
                session,
                discovery=False,
                versions=spoken,
                meeting_place=meeting_place,
            )
            made.append(Player(driver))
        yield made
    finally:
        for player in made:
            await player.driver.close()
            await player.following


class Stranger:
    """A peer of its own key, whose frames the test makes."""

    def __init__(self, directory: Path) -> None:
        secret = Secret(secrets.token_bytes(32))
        self.signing = SigningKey(secret.data)
        self.key = self.signing.public
        self._context: ssl.SSLContext = make_credentials(secret, directory).client

    async def link(self, port: int, room_id: bytes, host: str = LOCALHOST) -> FrameStream:
        """Goes through the handshake as an honest peer does, and returns the link's stream."""
        reached = await reach([HostPort(host, port)], self._context, own_key=self.key, sought=None)
        clock = asyncio.get_running_loop().time
        side = Side(
            local=LocalPeer(key=self.signing, name="stranger", program="other", port=0),
            certificate_hash=reached.certificate_hash,
            pairing=Pairing(self.key),
            attempts=CodeAttempts(),
            entropy=secrets.token_bytes,
            now=clock(),
        )
        handshake = Dialler(side, Errand(purpose="join", room_id=room_id), peer_key=reached.key)
        outcome = await shake_hands(reached.stream, handshake, clock)
        assert isinstance(outcome, Linked), outcome
        return reached.stream


async def join(opener: Player, *joiners: Player) -> None:
    """One opens a room, the others join it; all of them come to be linked with all."""
    opener.open_room()
    for joiner in joiners:
        await joiner.driver.join_address(opener.address)
    everyone = (opener, *joiners)
    await wait_until(
        lambda: all(len(player.driver.linked_peers()) == len(everyone) - 1 for player in everyone),
        "a link for each pair",
    )


async def still_talks(one: Player, other: Player, text: str) -> None:
    """Sees that the link between these two is there and works."""
    one.driver.command(SendChat(text))
    await wait_until(
        lambda: [said for said in other.told(ChatReceived) if said.text == text], f"{text} at the other side"
    )


async def read_until_closed(stream: FrameStream) -> None:
    """Reads whatever comes until the other side closes."""
    await frames_until_closed(stream)


async def frames_until_closed(stream: FrameStream) -> list[bytes]:
    """The frames that come until the other side closes."""
    frames: list[bytes] = []
    with contextlib.suppress(ConnectionOverError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                frames.append(await stream.read_frame(limits.FRAME_BYTES_MAX))
    return frames


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The lines in the log that a person sees."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]


async def send_raw(port: int, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects without TLS and sends these bytes."""
    reader, writer = await asyncio.open_connection(LOCALHOST, port)
    writer.write(data)
    return reader, writer
