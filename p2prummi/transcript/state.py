"""The state of a round: all that follows from its events, and nothing that only one player knows.

`RoundTerms` is what is fixed before the first event, `RoundState` what the events so far have led to; both
are values. Deck indices stand for tiles until a tile is laid or the round is settled. `replay.py` makes one
state of another; `secrets` of the local player live in the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from p2prummi.crypto.deck import Deck, JointKey
from p2prummi.crypto.group import Point
from p2prummi.crypto.labels import Label, digest
from p2prummi.rules import Game, RoundScores, Ruleset, Starting, Tile
from p2prummi.transcript.agreement import PROTOCOL_VERSION, Match
from p2prummi.transcript.chain import first_head, round_context
from p2prummi.transcript.phases import SLOTS, Filler, Phase
from p2prummi.wire.encoding import Encodable, encode

_NO_SHARES: Mapping[int, tuple[Point, ...]] = MappingProxyType({})
_NO_TILES: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class RoundTerms:
    """What is fixed when a round begins.

    `starter` is the first seat to move, or None where the joint coin chooses it.
    """

    match_id: bytes
    number: int
    ruleset: Ruleset
    keys: tuple[bytes, ...]
    starter: int | None

    @classmethod
    def of_match(cls, match: Match, number: int, starter: int | None) -> RoundTerms:
        """The terms of the match's round `number`, counted from 1."""
        return cls(match_id=match.id, number=number, ruleset=match.ruleset, keys=match.keys, starter=starter)

    @property
    def players(self) -> int:
        """How many seats take part."""
        return len(self.keys)

    @cached_property
    def context(self) -> bytes:
        """The 32 bytes that bind every event and proof to this round."""
        return round_context(
            version=PROTOCOL_VERSION,
            match_id=self.match_id,
            number=self.number,
            ruleset=self.ruleset.to_dict(),
            keys=self.keys,
        )


@dataclass(frozen=True, kw_only=True)
class RoundState:
    """Where a round stands.

    `holders` names the seat of each deck index that has been dealt or drawn; `laid` maps an index to the
    number of the tile that was laid from it; `shares` holds, for each index still in a rack, the shares of
    all other seats.
    """

    terms: RoundTerms
    phase: Phase
    sequence: int
    head: bytes
    commitments: tuple[bytes, ...] = ()
    publics: tuple[bytes, ...] = ()
    joint: JointKey | None = None
    coin: bytes = b""
    starting: Starting | None = None
    decks: tuple[Deck, ...] = ()
    shuffle_heads: tuple[bytes, ...] = ()
    game: Game | None = None
    holders: tuple[int, ...] = ()
    laid: Mapping[int, int] = field(default_factory=lambda: _NO_TILES)
    shares: Mapping[int, tuple[Point, ...]] = field(default_factory=lambda: _NO_SHARES)
    drawer: int | None = None
    drawn: tuple[int, ...] = ()
    drawn_last: tuple[tuple[int, ...] | None, ...] = ()
    racks: tuple[tuple[Tile, ...], ...] = ()
    pool: tuple[Tile, ...] = ()
    scores: RoundScores | None = None

    @property
    def deck(self) -> Deck:
        """The deck that is shuffled next, or that is played with."""
        return self.decks[-1]

    @property
    def fillers(self) -> tuple[int, ...]:
        """The seats that fill the next slot, ascending; none once the round is done."""
        if self.phase is Phase.DONE:
            return ()
        everyone = tuple(range(self.terms.players))
        match SLOTS[self.phase].filler:
            case Filler.EVERYONE:
                return everyone
            case Filler.NEXT_SHUFFLER:
                return (len(self.shuffle_heads),)
            case Filler.MOVER:
                return (self.running_game.to_move,)
            case _:
                return tuple(seat for seat in everyone if seat != self.drawer)

    @property
    def running_game(self) -> Game:
        """The game on the table, once tiles are dealt."""
        assert self.game is not None, "the game begins with the reveal"
        return self.game

    def prev_for(self, seat: int) -> bytes:
        """The head that this seat's event for the next slot builds on.

        In the prove phase, that after its own shuffle.
        """
        return self.shuffle_heads[seat] if self.phase is Phase.PROVE else self.head

    def proof_context(self, prev: bytes) -> bytes:
        """What a proof in an event that builds on `prev` is bound to, beside its seat."""
        return self.terms.context + prev

    def indices_held(self, seat: int) -> tuple[int, ...]:
        """The deck indices of this seat's rack, ascending."""
        return tuple(
            index for index, holder in enumerate(self.holders) if holder == seat and index not in self.laid
        )

    def indices_to_share(self, seat: int) -> tuple[int, ...]:
        """The deck indices that this seat owes shares for in the deal or the draw under way, ascending."""
        if self.phase is Phase.DEAL:
            return tuple(index for index, holder in enumerate(self.holders) if holder != seat)
        return self.drawn

    @cached_property
    def hash(self) -> bytes:
        """The 32 bytes that an Ack vouches for: a labelled hash of the public state."""
        value: list[Encodable] = [
            self.phase.value,
            self.sequence,
            self.head,
            list(self.publics),
            self.coin,
            [] if self.game is None else self.game.to_value(),
            list(self.holders),
            [[index, tile] for index, tile in sorted(self.laid.items())],
            list(self.scores.points) if self.scores else [],
        ]
        return digest(Label.GAME_STATE, encode(value))


def start_round(terms: RoundTerms) -> RoundState:
    """The state before a round's first event."""
    return RoundState(terms=terms, phase=Phase.COMMIT, sequence=0, head=first_head(terms.context))
