"""What `play` was started with: the terms of rooms that are opened here, and what to do first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2prummi.crypto.room_code import RoomCode
    from p2prummi.rules import Ruleset


class Outcome(StrEnum):
    """How the console ended; the command line turns it into an exit code."""

    DONE = "done"
    ENDED_EARLY = "ended_early"
    PEER_FAULT = "peer_fault"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`room`: the name to join or open at once. `connect`: `host:port` of someone whose room to join.

    `code` is the one that rooms are opened and joined with. `ready`: be ready in one's own room without being
    asked, as with bots for company.
    """

    ruleset: Ruleset
    players: int | None = None
    with_code: bool = False
    code: RoomCode | None = None
    room: str | None = None
    connect: str | None = None
    ready: bool = False

    @property
    def seats(self) -> int:
        """How many seats a room has that is opened here."""
        return self.ruleset.players[1] if self.players is None else self.players
