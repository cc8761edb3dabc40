"""When the search has to end: the caller's clock is looked at between bounded pieces of work.

Whoever works for long looks on the way, and leaves by TimeUp; whoever called it knows what was found so far.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

IsTimeUp: TypeAlias = "Callable[[], bool]"


class TimeUp(Exception):  # noqa: N818 - it is no error: the search was told when to end
    """The time is up."""


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
