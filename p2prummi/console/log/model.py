"""The log's state: the latest entries, oldest first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ENTRIES_MAX = 500


class Kind(StrEnum):
    """What an entry is about; it gives the entry its look."""

    TURN = "turn"
    NEWS = "news"
    CHAT = "chat"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log, as a text that may be shown."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class LogModel:
    """The entries."""

    entries: tuple[Entry, ...] = ()


def with_entry(log: LogModel, entry: Entry) -> LogModel:
    """The log with one more entry; the oldest ones go."""
    return LogModel((*log.entries, entry)[-ENTRIES_MAX:])


def without_latest(log: LogModel, texts: tuple[str, ...]) -> LogModel:
    """The log without the latest entry of each of these texts."""
    entries = list(log.entries)
    for text in texts:
        place = next((place for place, entry in reversed([*enumerate(entries)]) if entry.text == text), None)
        if place is not None:
            del entries[place]
    return LogModel(tuple(entries))
