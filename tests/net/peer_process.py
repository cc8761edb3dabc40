"""A peer as a process of its own, driven by JSON lines on standard input and output.

Run by the laboratory (`lab.py`) inside a network namespace, with its state directory in XDG_STATE_HOME. One
line in gives one line out, in order; one that begins with `started` comes first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import resource
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from p2prummi.crypto.room_code import parse_room_code
from p2prummi.errors import P2PRummiError
from p2prummi.net.driver import Driver
from p2prummi.net.identity import open_profile
from p2prummi.net.joining import DIALS_MAX, JoinError
from p2prummi.net.notices import LookoutChanged, VersionsDiffer
from p2prummi.net.sightings import PeerSighting
from p2prummi.rules.ruleset import PRESETS
from p2prummi.session.commands import JoinRoom, LeaveRoom, SendChat
from p2prummi.session.handshake import Errand, Linked
from p2prummi.session.notices import ChatReceived
from tests.net.double import SessionDouble

Answer = dict[str, Any]


class PeerProcess:
    """One driver with a session's double, asked by a test."""

    def __init__(self, driver: Driver, session: SessionDouble, meets: str) -> None:
        self._driver = driver
        self._session = session
        self._notices: Counter[str] = Counter()
        self._chat: list[list[str]] = []
        self._differences: list[str] = []
        self._meets = meets
        if meets:
            self._enter(meets)
        self._following = asyncio.ensure_future(self._follow())

    async def _follow(self) -> None:
        async for notice in self._driver.notices():
            self._notices[type(notice).__name__] += 1
            if isinstance(notice, ChatReceived):
                self._chat.append([notice.peer.hex(), notice.name, notice.text])
            if isinstance(notice, VersionsDiffer):
                self._differences.append(notice.text)
            if isinstance(notice, LookoutChanged) and self._meets:
                for peer in notice.peers:
                    self._driver.want_link(peer.key, tuple(map(str, peer.addresses)))

    async def answer(self, request: dict[str, Any]) -> Answer:
        """Does what a line asks for; what a person would be told comes back as `error`."""
        does: dict[str, Callable[[dict[str, Any]], Awaitable[Answer]]] = {
            "peers": self._peers,
            "rooms": self._rooms,
            "links": self._links,
            "open": self._open,
            "join": self._join,
            "connect": self._connect,
            "leave": self._leave,
            "dial_all": self._dial_all,
            "chat": self._say,
            "heard": self._heard,
            "usage": self._usage,
        }
        try:
            return await does[request["do"]](request)
        except JoinError as error:
            return {"error": error.text, "code": error.code}
        except P2PRummiError as error:
            return {"error": str(error)}

    async def _peers(self, request: dict[str, Any]) -> Answer:
        return {
            "peers": [
                {
                    "fingerprint": peer.fingerprint,
                    "name": peer.name,
                    "status": peer.status,
                    "compatible": peer.compatible,
                    "versions": peer.versions,
                    "addresses": [str(address) for address in peer.addresses],
                }
                for peer in self._driver.peers()
            ]
        }

    async def _rooms(self, request: dict[str, Any]) -> Answer:
        return {
            "rooms": [
                {
                    "name": room.facts.name,
                    "opener": room.facts.opener,
                    "joinable": room.joinable,
                    "compatible": room.compatible,
                    "members": len(room.members),
                }
                for room in self._driver.rooms()
            ]
        }

    async def _links(self, request: dict[str, Any]) -> Answer:
        known = {key.hex(): list(addresses) for key, (_, addresses) in self._session.links.items()}
        return {
            "linked": sorted(key.hex() for key in self._driver.linked_peers()),
            "session": sorted(known),
            "addresses": known,
            "notices": dict(self._notices),
        }

    async def _open(self, request: dict[str, Any]) -> Answer:
        code = self._driver.open_room(
            request["name"], PRESETS["official"], 6, with_code=request.get("with_code", False)
        )
        return {"room": self._driver.room_id.hex(), "code": code.written if code else None}

    async def _join(self, request: dict[str, Any]) -> Answer:
        code = parse_room_code(request["code"]) if request.get("code") else None
        for room in self._driver.rooms():
            if room.facts.name == request["name"]:
                await self._driver.join_room(room, code)
                return {"room": self._driver.room_id.hex()}
        return {"error": "no such room", "code": None}

    async def _connect(self, request: dict[str, Any]) -> Answer:
        await self._driver.join_address(request["address"])
        return {"room": self._driver.room_id.hex()}

    async def _leave(self, request: dict[str, Any]) -> Answer:
        self._driver.command(LeaveRoom())
        return {}

    def _enter(self, room: str) -> None:
        """Sits in a room without having been let in: all who do so at once are its members."""
        self._driver.command(JoinRoom(room_id=bytes.fromhex(room), name="together"))
        self._driver._room_id = bytes.fromhex(room)

    async def _dial_all(self, request: dict[str, Any]) -> Answer:
        """Dials everyone at once, without leaving it to the one with the smaller key."""
        self._enter(request["room"])
        connections = self._driver._connections

        async def dial(peer: PeerSighting) -> None:
            errand = Errand(purpose="join", room_id=bytes.fromhex(request["room"]), sought=peer.key)
            for _ in range(DIALS_MAX):
                if peer.key in connections.peers:
                    return
                dialled = await connections.dial(peer.addresses, errand)
                if isinstance(dialled.outcome, Linked):
                    connections.adopt(dialled)
                    return
                await asyncio.sleep(0.1)

        await asyncio.gather(*map(dial, self._driver.peers()))
        return {}

    async def _say(self, request: dict[str, Any]) -> Answer:
        self._driver.command(SendChat(request["text"]))
        return {}

    async def _heard(self, request: dict[str, Any]) -> Answer:
        return {"chat": self._chat, "differences": self._differences, "notices": dict(self._notices)}

    async def _usage(self, request: dict[str, Any]) -> Answer:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return {"rss_kb_max": usage.ru_maxrss, "cpu_seconds": usage.ru_utime + usage.ru_stime}


async def run(arguments: argparse.Namespace) -> None:
    """Serves lines until standard input ends."""
    profile = open_profile()
    session = SessionDouble(profile.key.public, arguments.name)
    versions = tuple(map(int, arguments.versions.split(",")))
    driver = await Driver.start(
        profile,
        arguments.name,
        session,
        port=arguments.port,
        versions=versions,
        discovery=not arguments.quiet,
    )
    process = PeerProcess(driver, session, arguments.meet)
    started = {
        "started": driver.fingerprint,
        "key": driver.key.hex(),
        "port": driver.port,
        "process": os.getpid(),
    }
    sys.stdout.write(json.dumps(started) + "\n")
    sys.stdout.flush()
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        sys.stdout.write(json.dumps(await process.answer(json.loads(line))) + "\n")
        sys.stdout.flush()
    await driver.close()


def main(arguments: list[str] | None = None) -> int:
    """Runs one peer; a port that is taken ends it with one line and exit code 3."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="player")
    parser.add_argument("--port", type=int)
    parser.add_argument("--versions", default="1")
    parser.add_argument("--meet", default="", help="the room to be linked in with everyone who is seen")
    parser.add_argument("--quiet", action="store_true", help="without mDNS")
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    try:
        asyncio.run(run(parser.parse_args(arguments)))
    except P2PRummiError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
