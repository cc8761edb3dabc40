"""Joining: how a peer comes to be linked with the members of a room, the first of them and then all others.

Without the first link there is no joining: a room is entered once one of its members has let this peer in.
The others become known by gossip, and each pair sees to its own link, the one with the smaller key first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from p2prummi.crypto.room_code import RoomCode
from p2prummi.errors import FaultCode, P2PRummiError
from p2prummi.net.addresses import Address
from p2prummi.net.connections import Connections, Dialled
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.sightings import PeerSighting, Status
from p2prummi.session.handshake import Errand, Linked, Stopped

DIALS_MAX: Final = 8
DIALS_AT_ONCE_MAX: Final = 4
MEMBERS_DIALLED_MAX: Final = 32
FIRST_WAIT_SECONDS: Final = 0.25
DIAL_WAIT_SECONDS_MAX: Final = 5.0
# How long the peer with the larger key leaves the dial to the other, before it dials itself.
LARGER_KEY_WAIT_SECONDS: Final = 1.0
# After these, no other member of the room gives another answer.
FINAL_CODES: Final = frozenset({FaultCode.WRONG_CODE, FaultCode.LIMIT_EXCEEDED})


log: Final = logging.getLogger(__name__)


class JoinError(P2PRummiError):
    """A room could not be joined; `code` is the fault's name where there was one, `text` is for a person."""

    def __init__(self, code: str | None, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


async def dial_room(
    connections: Connections,
    members: tuple[PeerSighting, ...],
    room_id: bytes,
    code: RoomCode | None,
) -> Dialled:
    """Goes to the members of a room in turn until one of them lets this peer in. Raises JoinError."""
    refusal = JoinError(None, "nobody in this room answers")
    for member in sorted(members, key=lambda member: member.status is not Status.LIVE):
        try:
            return await _dial(connections, member.key, member.addresses, room_id, code)
        except JoinError as error:
            refusal = error
            if error.code in FINAL_CODES:
                break
    raise refusal


async def _dial(
    connections: Connections,
    peer: bytes,
    addresses: tuple[Address, ...],
    room_id: bytes,
    code: RoomCode | None,
) -> Dialled:
    try:
        dialled = await connections.dial(
            addresses, Errand(purpose="join", room_id=room_id, code=code, sought=peer)
        )
    except UnreachableError as error:
        raise JoinError(None, str(error)) from error
    if isinstance(dialled.outcome, Linked):
        return dialled
    if isinstance(dialled.outcome, Stopped):
        raise JoinError(dialled.outcome.code, dialled.outcome.text)
    raise JoinError(None, "another player answers there")


class Mesh:
    """Sees to a link with every member of the room that the session has heard of, while the room lasts."""

    def __init__(
        self, connections: Connections, own_key: bytes, on_unreachable: Callable[[bytes, JoinError], None]
    ) -> None:
        self._connections = connections
        self._own_key = own_key
        self._on_unreachable = on_unreachable
        self._dialling: dict[bytes, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(DIALS_AT_ONCE_MAX)

    def want(
        self, peer: bytes, addresses: tuple[Address, ...], room_id: bytes, code: RoomCode | None
    ) -> None:
        """Begins to dial a member, unless it is linked or being dialled.

        Others name the members, so there may be many that are none: those beyond some are left to dial
        themselves.
        """
        if peer == self._own_key or peer in self._dialling or peer in self._connections.peers:
            return
        if len(self._dialling) >= MEMBERS_DIALLED_MAX:
            log.info("%s is not dialled: %d others are already", peer.hex()[:8], len(self._dialling))
            return
        task = asyncio.ensure_future(self._link(peer, addresses, room_id, code))
        self._dialling[peer] = task
        task.add_done_callback(lambda done: self._forget(peer, done))

    def stop(self) -> list[asyncio.Task[None]]:
        """Ends all dialling, as the room is left; returns the tasks that are ending."""
        ending = list(self._dialling.values())
        self._dialling.clear()
        for task in ending:
            task.cancel()
        return ending

    def _forget(self, peer: bytes, task: asyncio.Task[None]) -> None:
        if self._dialling.get(peer) is task:
            del self._dialling[peer]

    async def _link(
        self, peer: bytes, addresses: tuple[Address, ...], room_id: bytes, code: RoomCode | None
    ) -> None:
        if self._own_key > peer:
            await asyncio.sleep(LARGER_KEY_WAIT_SECONDS)
        wait, failure = FIRST_WAIT_SECONDS, JoinError(None, "no address is known")
        for _ in range(DIALS_MAX):
            if peer in self._connections.peers:
                return
            try:
                async with self._slots:
                    dialled = await _dial(self._connections, peer, addresses, room_id, code)
                self._connections.adopt(dialled)
            except JoinError as error:
                failure = error
            else:
                return
            await asyncio.sleep(wait)
            wait = min(2 * wait, DIAL_WAIT_SECONDS_MAX)
        if peer not in self._connections.peers:
            self._on_unreachable(peer, failure)
