"""The links that are up, and whether their peers are alive: heartbeats, away, lost.

A link here is only a peer's key with what is known of it; sockets are in `net/transport.py`. Any frame is a
sign of life; a ping goes out when nothing else has for a heartbeat.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from p2prummi.session.notices import PeerAway, PeerBack
from p2prummi.session.outbox import Outbox
from p2prummi.wire import limits
from p2prummi.wire.frames import Ping


@dataclass(slots=True)
class Link:
    """One peer on the other end of a link that is up."""

    name: str
    addresses: tuple[str, ...]
    heard_at: float
    ping_at: float
    away: bool = False
    chat_times: deque[float] = field(default_factory=deque)
    introduction_times: deque[float] = field(default_factory=deque)


def _count_within(times: deque[float], count: int, per_minute_max: int, now: float) -> bool:
    """Counts so much of the last minute's allowance; what would be more is not counted, and False."""
    while times and times[0] <= now - 60.0:
        times.popleft()
    if len(times) + count > per_minute_max:
        return False
    times.extend([now] * count)
    return True


class Links:
    """All links of a session, by the peers' keys in the order in which they came up, and the dials wanted."""

    def __init__(self, outbox: Outbox) -> None:
        self._links: dict[bytes, Link] = {}
        self._outbox = outbox
        self.dials: deque[tuple[bytes, tuple[str, ...]]] = deque()

    def __contains__(self, peer: object) -> bool:
        return peer in self._links

    def __iter__(self) -> Iterator[bytes]:
        return iter(tuple(self._links))

    def keys(self) -> tuple[bytes, ...]:
        """The keys of all linked peers."""
        return tuple(self._links)

    def name(self, peer: bytes) -> str:
        """The peer's name, which is only a label."""
        return self._links[peer].name

    def addresses(self, peer: bytes) -> tuple[str, ...]:
        """Where the peer can be dialled."""
        return self._links[peer].addresses

    def want(self, peer: bytes, addresses: tuple[str, ...]) -> None:
        """Asks for a dial."""
        self.dials.append((peer, addresses))

    def up(self, peer: bytes, name: str, addresses: tuple[str, ...], now: float) -> None:
        """A link is up; one that was there before is replaced."""
        self._links[peer] = Link(name, addresses, now, now + limits.HEARTBEAT_SECONDS)

    def down(self, peer: bytes) -> Link | None:
        """A link is down; returns what was known of it, None where there was none."""
        return self._links.pop(peer, None)

    def heard(self, peer: bytes, now: float) -> None:
        """Anything came from this peer."""
        link = self._links[peer]
        link.heard_at = now
        if link.away:
            link.away = False
            self._outbox.notify(PeerBack(peer, link.name))

    def may_chat(self, peer: bytes, now: float) -> bool:
        """Counts a line of talk, and says whether the peer is within its rate."""
        return _count_within(self._links[peer].chat_times, 1, limits.CHAT_PER_MINUTE_MAX, now)

    def may_introduce(self, peer: bytes, count: int, now: float) -> bool:
        """Counts members that this peer has named, unless they are more than may be in a minute."""
        times = self._links[peer].introduction_times
        return _count_within(times, count, limits.INTRODUCTIONS_PER_MINUTE_MAX, now)

    def deadline(self) -> float | None:
        """When the next ping, away or lost is due."""
        return min(
            (
                min(
                    link.ping_at,
                    link.heard_at + (limits.LINK_SILENT_SECONDS_MAX if link.away else limits.AWAY_SECONDS),
                )
                for link in self._links.values()
            ),
            default=None,
        )

    def handle_deadline(self, now: float) -> list[bytes]:
        """Sends the pings that are due, marks who is away, and returns who has been silent for too long."""
        silent: list[bytes] = []
        for peer, link in self._links.items():
            if now >= link.ping_at:
                link.ping_at = now + limits.HEARTBEAT_SECONDS
                self._outbox.send(peer, Ping())
            if now >= link.heard_at + limits.AWAY_SECONDS and not link.away:
                link.away = True
                self._outbox.notify(PeerAway(peer, link.name))
            if now >= link.heard_at + limits.LINK_SILENT_SECONDS_MAX:
                silent.append(peer)
        return silent
