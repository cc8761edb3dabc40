"""Vectors of events, frames, agreement and chain: `protocol/spec/events.md` and `session.md`, to the byte.

Keys, nonces and the like come from a seed that is written here; every signature can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from vectors.topics.events import agreement, evidence, messages, rounds
from vectors.vector import Vector


def vectors() -> Iterator[Vector]:
    """All vectors of this topic."""
    yield from messages.vectors()
    yield from agreement.vectors()
    yield from rounds.vectors()
    yield from evidence.vectors()
