"""Events and acknowledgements of a round that has not begun here, as others may be a step ahead.

They are kept as they came, unjudged, and are given back when their round has begun. Each peer has room for
as many as it may send before it needs an answer, so that nobody can crowd out another.
"""

from __future__ import annotations

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.transcript.blame import Signed
from p2prummi.wire import limits


class Ahead:
    """What waits, by the peer it came from."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, list[Signed]] = {}

    def put(self, peer: bytes, message: Signed) -> None:
        """Keeps a message. Raises RemoteProtocolError (limit_exceeded)."""
        waiting = self._waiting.setdefault(peer, [])
        if len(waiting) >= limits.MESSAGES_AHEAD_MAX:
            raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, "too much for a round that has not begun")
        waiting.append(message)

    def take(self, context: bytes) -> list[tuple[bytes, Signed]]:
        """Gives back what belongs to the round that has begun; nothing else is of use any more."""
        waiting, self._waiting = self._waiting, {}
        return [
            (peer, message)
            for peer, messages in waiting.items()
            for message in messages
            if message.context == context
        ]

    def forget(self, peer: bytes) -> None:
        """Drops what came from a peer that is gone."""
        self._waiting.pop(peer, None)

    def clear(self) -> None:
        """Drops everything."""
        self._waiting.clear()
