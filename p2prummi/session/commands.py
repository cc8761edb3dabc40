"""What the local player asks of a session.

Each is refused with words where it does not fit (LocalProtocolError).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2prummi.errors import LocalProtocolError
from p2prummi.rules import Ruleset, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRoom:
    """Opens a room for up to `seats` players, its opener included."""

    name: str
    ruleset: Ruleset
    seats: int
    code_required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRoom:
    """Enters the room of this id; the links to its members are the network's affair."""

    room_id: bytes
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReady:
    """Says whether this player is ready; a full room in which all are begins by itself."""

    ready: bool


@dataclass(frozen=True, slots=True)
class StartMatch:
    """The opener begins with those who are there and ready, before the room is full."""


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """Ends the own turn with this lay, draw or pass."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class NextRound:
    """Agrees to the next round of a match that has more."""


@dataclass(frozen=True, slots=True)
class SendChat:
    """Says a line to everyone in the room."""

    text: str


@dataclass(frozen=True, slots=True)
class LeaveRoom:
    """Leaves the room; in a running match this ends it for all."""


Command: TypeAlias = OpenRoom | JoinRoom | SetReady | StartMatch | TakeTurn | NextRound | SendChat | LeaveRoom


def check_text(text: str, what: str, bytes_max: int) -> None:
    """Refuses a text that could not be sent, or is empty or too long. Raises LocalProtocolError."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise LocalProtocolError(f"{what} holds characters that cannot be sent.") from error
    if not 0 < size <= bytes_max:
        raise LocalProtocolError(f"{what} has 1 to {bytes_max} bytes.")
