"""When the search has to end: the caller's clock is looked at between bounded pieces of work.

Whoever works for long looks on the way, and leaves by TimeUp; whoever called it knows what was found so far.
A search ends before its deadline, since it then gives back its memory, which takes the longer the longer it
went on.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

IsTimeUp: TypeAlias = "Callable[[], bool]"


SHARE_TO_END: Final = 0.15
"""What part of the time is left for the end: giving back what a search has made takes about a ninth of what
making it took (docs/adr/0011-solver.md)."""


class TimeUp(Exception):  # noqa: N818 - it is no error: the search was told when to end
    """The time is up."""


def times_out(clock: Callable[[], float] | None, deadline: float | None) -> IsTimeUp:
    """Says when a search that begins now has to end, by the caller's clock; without a deadline, never."""
    if clock is None or deadline is None:
        return lambda: False
    end = deadline - SHARE_TO_END * max(deadline - clock(), 0.0)
    return lambda: clock() >= end


def look(is_time_up: IsTimeUp) -> None:
    """Raise TimeUp if the time is up."""
    if is_time_up():
        raise TimeUp


@contextmanager
def collections_put_off() -> Iterator[None]:
    """Let no collection of garbage begin until the end: a full one takes as long as many nodes.

    Little is left to collect, since nothing in the search points in a circle.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
