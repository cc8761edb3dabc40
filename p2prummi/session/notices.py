"""What a session tells its application: everything a console shows or a bot prints, as values.

Peers are named by their identity keys, seats by their number; the words for people are made by the
application.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from p2prummi.errors import FaultCode
from p2prummi.rules import Game, RoundScores, Ruleset, Starting, Tile, Turn
from p2prummi.transcript.agreement import Match
from p2prummi.transcript.phases import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One player in a room, as seen from here."""

    key: bytes
    name: str
    ready: bool
    is_self: bool
    is_opener: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomUpdated:
    """The room has changed; `ruleset` is None until the opener's terms have arrived."""

    room_id: bytes
    name: str
    ruleset: Ruleset | None
    seats: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class RoomClosed:
    """The room is gone, and why, in words."""

    why: str


@dataclass(frozen=True, slots=True)
class PeerJoined:
    """A link to this peer is up."""

    peer: bytes
    name: str


@dataclass(frozen=True, slots=True)
class PeerLeft:
    """The link to this peer is down: `left` on purpose, otherwise lost; `why` in words."""

    peer: bytes
    name: str
    left: bool
    why: str


@dataclass(frozen=True, slots=True)
class PeerAway:
    """Nothing has been heard of this peer for some seconds."""

    peer: bytes
    name: str


@dataclass(frozen=True, slots=True)
class PeerBack:
    """A peer that was away is heard again."""

    peer: bytes
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted:
    """Everyone has signed; `seat` is one's own."""

    match: Match
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseProgress:
    """A phase of the round's setup or settlement: which seats have done their part so far."""

    round_number: int
    phase: Phase
    seats_done: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckVerified:
    """Every shuffle of this round's deck is proved, and checked here."""

    round_number: int
    proofs: int
    tiles: int
    starting: Starting


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """One's own rack is open to oneself; the game begins."""

    round_number: int
    rack: tuple[Tile, ...]
    game: Game


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """It is this seat's turn. `rack` is one's own, whoever moves."""

    round_number: int
    sequence: int
    seat: int
    mine: bool
    game: Game
    rack: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTaken:
    """A turn has been checked and accepted here: the game after it, and what was laid."""

    round_number: int
    sequence: int
    seat: int
    turn: Turn
    laid: tuple[Tile, ...]
    game: Game
    head: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnConfirmed:
    """Everyone has acknowledged this turn: all hold it, and nothing can take it back."""

    round_number: int
    sequence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesDrawn:
    """What one has drawn, seen by oneself alone."""

    tiles: tuple[Tile, ...]
    rack: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    """The round is settled and signed by all: every rack is open."""

    round_number: int
    why: str
    racks: tuple[tuple[Tile, ...], ...]
    scores: RoundScores
    totals: tuple[int, ...]
    head: bytes
    match_over: bool


class MatchEnd(StrEnum):
    """Why a match has ended."""

    FINISHED = "finished"
    FAULT = "fault"
    LINK_LOST = "link_lost"
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded:
    """The match is over.

    `transcript` is the whole file's bytes; `peer` is who broke the protocol, was lost or left.
    """

    reason: MatchEnd
    match: Match
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    head: bytes
    transcript: bytes
    peer: bytes | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultSeen:
    """A peer broke the protocol: the fault's name, words for it, and whom it is blamed on.

    `signed` says that the fault is proved by what the peer signed, which `evidence` holds as the frames that
    carry it; otherwise the fault only cost the peer its link. `peer` is None where what several have
    signed is at fault together, and nobody is to blame alone.
    """

    code: FaultCode
    text: str
    peer: bytes | None
    signed: bool
    evidence: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatReceived:
    """A line of talk, as it came: the application removes what could act on a terminal."""

    peer: bytes
    name: str
    text: str


Notice: TypeAlias = (
    RoomUpdated
    | RoomClosed
    | PeerJoined
    | PeerLeft
    | PeerAway
    | PeerBack
    | MatchStarted
    | PhaseProgress
    | DeckVerified
    | Dealt
    | TurnStarted
    | TurnTaken
    | TurnConfirmed
    | TilesDrawn
    | RoundEnded
    | MatchEnded
    | FaultSeen
    | ChatReceived
)
