"""What a session has for the outside world: frames, notices, work, links to close and dials to make.

The machines of the session put things in, the driver takes them out. Work is a pure function with its
arguments; the driver runs it wherever it likes and hands the result back under the work's id, in any order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from p2prummi.errors import FaultCode
from p2prummi.session.notices import Notice
from p2prummi.wire.frames import Frame, encode_frame


@dataclass(frozen=True, slots=True)
class Work:
    """A pure, heavy function to run elsewhere.

    Its result, or the exception it raised, goes to `Session.work_done`.
    """

    id: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def run(self) -> Any:
        """Runs the function where it stands: what a thread does, or a test inline."""
        return self.function(*self.arguments)


@dataclass(frozen=True, slots=True)
class Closing:
    """A link to close, with the fault that its peer is told; code None: closed without a fault."""

    peer: bytes
    code: FaultCode | None
    text: str


class Outbox:
    """Everything that waits to leave the session."""

    def __init__(self) -> None:
        self.frames: deque[tuple[bytes, bytes]] = deque()
        self.notices: deque[Notice] = deque()
        self.works: deque[Work] = deque()
        self.closings: deque[Closing] = deque()
        self._callbacks: dict[int, Callable[[Any, float], None]] = {}
        self._next_work_id = 1

    def send(self, peer: bytes, frame: Frame) -> None:
        """Queues a frame for one peer."""
        self.frames.append((peer, encode_frame(frame)))

    def broadcast(self, peers: Iterable[bytes], frame: Frame) -> None:
        """Queues the same frame for each of these peers."""
        data = encode_frame(frame)
        self.frames.extend((peer, data) for peer in peers)

    def notify(self, notice: Notice) -> None:
        """Queues a notice for the application."""
        self.notices.append(notice)

    def close(self, peer: bytes, code: FaultCode | None, text: str) -> None:
        """Asks for a link to be closed."""
        self.closings.append(Closing(peer, code, text))

    def schedule(
        self, then: Callable[[Any, float], None], function: Callable[..., Any], *arguments: Any
    ) -> None:
        """Queues work; `then(result or exception, now)` is called once it is done."""
        work = Work(self._next_work_id, function, arguments)
        self._next_work_id += 1
        self._callbacks[work.id] = then
        self.works.append(work)

    def work_done(self, work_id: int, result: object, now: float) -> None:
        """Hands a work's result, or the exception that it raised, to whoever scheduled it."""
        self._callbacks.pop(work_id)(result, now)
