"""Rounds without a session: the events of all seats made by the duties' own functions, folded by `replay`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.rules import Ruleset, Tile, Turn
from p2prummi.session import duties
from p2prummi.session.duties import DUTIES, Author, RoundSecrets
from p2prummi.transcript import replay
from p2prummi.transcript.agreement import (
    Match,
    Proposal,
    nonce_commitment,
    sign_acceptance,
    sign_proposal,
)
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.state import RoundState, RoundTerms, start_round
from p2prummi.wire.events import Event

ENTROPY = SeededEntropy(b"rounds")


def keys_of(players: int) -> list[SigningKey]:
    """So many identity keys, by ascending public key."""
    return sorted((SigningKey(bytes([seat + 1] * 32)) for seat in range(players)), key=lambda key: key.public)


def proposal_of(ruleset: Ruleset, players: int = 2) -> Proposal:
    """A proposal by the first key."""
    keys = keys_of(players)
    return Proposal(
        room=bytes(32),
        opener=keys[0].public,
        number=1,
        ruleset=ruleset,
        roster=tuple((key.public, f"player {index}") for index, key in enumerate(keys)),
        commitment=nonce_commitment(bytes(32)),
    )


def match_of(ruleset: Ruleset, players: int = 2) -> Match:
    """A match that all have signed; the opener's nonce is all zeros."""
    proposal = proposal_of(ruleset, players)
    return Match(
        proposal=proposal,
        proposal_signature=sign_proposal(keys_of(players)[0], proposal).signature,
        acceptances={
            key.public: sign_acceptance(key, proposal, bytes([index] * 32))
            for index, key in enumerate(keys_of(players))
        },
    )


@dataclass
class Table:
    """All seats of one round, played from outside; `steps` holds what has been accepted."""

    state: RoundState
    authors: list[Author]
    secrets: list[RoundSecrets]
    steps: list[tuple[Event, ...]] = field(default_factory=list)

    @classmethod
    def of(cls, match: Match) -> Table:
        """The first round of a match."""
        terms = RoundTerms.of_match(match, 1, None)
        keys = {key.public: key for key in keys_of(match.players)}
        return cls(
            state=start_round(terms),
            authors=[Author(key=keys[key], seat=seat) for seat, key in enumerate(match.keys)],
            secrets=[
                duties.make_secrets(
                    terms.context, seat, decks.prepare_shuffle(terms.ruleset.tile_set.size, ENTROPY), ENTROPY
                )
                for seat in range(match.players)
            ],
        )

    def due(self) -> tuple[Event, ...]:
        """What the seats owe to the state, outside of play."""
        return tuple(self._made(seat) for seat in self.state.fillers)

    def _made(self, seat: int) -> Event:
        state, author, secrets = self.state, self.authors[seat], self.secrets[seat]
        if state.phase is Phase.PROVE:
            event, _ = duties.prove(state, author, secrets, state.sequence, ENTROPY)
        else:
            if state.phase is Phase.SHUFFLE:
                assert state.joint is not None
                secrets = duties.make_keyed(secrets, state.joint)
            event, self.secrets[seat] = DUTIES[state.phase](state, author, secrets, ENTROPY)
        return event

    def advance(self, step: tuple[Event, ...] | None = None) -> None:
        """Accepts a step: the one given, else what is due."""
        step = self.due() if step is None else step
        self.state = replay.advance(self.state, step, ENTROPY)
        self.steps.append(step)

    def reach(self, phase: Phase) -> None:
        """Goes on to the next slot of this phase; there is no turn on the way."""
        while self.state.phase is not phase:
            self.advance()

    def hand(self, seat: int) -> dict[int, Tile]:
        """A seat's tiles by deck index."""
        return duties.open_hand(self.state, self.secrets[seat], self.state.indices_held(seat))

    def turn(self, turn: Turn) -> Event:
        """The mover's turn, signed and proved."""
        seat = self.state.running_game.to_move
        event, _ = duties.take_turn(
            self.state, self.authors[seat], self.secrets[seat], turn, self.hand(seat), ENTROPY
        )
        return event

    def with_state(self, **changes: object) -> RoundState:
        """The state with other fields."""
        return replace(self.state, **changes)  # type: ignore[arg-type] # a state's own fields
