"""What a seat contributes to a round: the events that it owes, made from the state and its own secrets.

`DUTIES` says how the event of each phase is made; a turn is the player's own decision and is made by
`take_turn`. All functions are pure but for the entropy they are given, and heavy enough to be work
(`outbox.Work`); each returns the event and the secrets as they are afterwards. When an event is due is
decided in `round.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.rules import Draw, Pass, Play, Tile, Turn
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event, sign_event
from p2prummi.wire.melds import table_to_wire


@dataclass(frozen=True, kw_only=True)
class Author:
    """Who signs: the identity key and its seat."""

    key: SigningKey
    seat: int

    def sign(self, state: RoundState, payload: events.Payload) -> Event:
        """Signs `payload` as this seat's event for the state's next slot."""
        return sign_event(
            self.key,
            context=state.terms.context,
            sequence=state.sequence,
            prev=state.prev_for(self.seat),
            seat=self.seat,
            payload=payload,
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class RoundSecrets:
    """What only this player knows of a round: its key, what it has committed to, how it shuffles.

    `is_keyed`: the prepared shuffle has been made ready for the joint key. `opening`: how the own deck came
    about.
    """

    key: decks.RoundKey
    key_proof: bytes
    coin: bytes
    shuffle: decks.PreparedShuffle
    is_keyed: bool = False
    opening: decks.ShuffleOpening | None = None


Made: TypeAlias = tuple[Event, RoundSecrets]
Duty: TypeAlias = Callable[[RoundState, Author, RoundSecrets, Entropy], Made]


def make_secrets(context: bytes, seat: int, shuffle: decks.PreparedShuffle, entropy: Entropy) -> RoundSecrets:
    """Fresh secrets for one round; `shuffle` was prepared beforehand and serves this round only."""
    key = decks.make_round_key(entropy)
    proof = decks.prove_key(context, seat, key, entropy)
    return RoundSecrets(key=key, key_proof=proof, coin=entropy(32), shuffle=shuffle)


def make_keyed(secrets: RoundSecrets, joint: decks.JointKey) -> RoundSecrets:
    """The secrets with all of the shuffle made ready that needs the joint key but no deck."""
    return replace(secrets, shuffle=secrets.shuffle.with_key(joint), is_keyed=True)


def _commit(state: RoundState, author: Author, secrets: RoundSecrets, _entropy: Entropy) -> Made:
    commitment = decks.key_commitment(
        state.terms.context, author.seat, secrets.key.public, secrets.key_proof, secrets.coin
    )
    return author.sign(state, events.Commit(commitment)), secrets


def _reveal(state: RoundState, author: Author, secrets: RoundSecrets, _entropy: Entropy) -> Made:
    return author.sign(state, events.Reveal(secrets.key.public, secrets.key_proof, secrets.coin)), secrets


def _shuffle(state: RoundState, author: Author, secrets: RoundSecrets, _entropy: Entropy) -> Made:
    deck, opening = decks.apply_shuffle(secrets.shuffle, state.deck)
    return author.sign(state, events.Shuffle(deck.to_bytes())), replace(secrets, opening=opening)


def prove(state: RoundState, author: Author, secrets: RoundSecrets, sequence: int, entropy: Entropy) -> Made:
    """Proves the seat's own shuffle, from any state after it.

    `sequence` is that of the prove phase to come.
    """
    assert state.joint is not None, "the joint key is known since the reveal"
    assert secrets.opening is not None, "the seat has shuffled"
    head = state.shuffle_heads[author.seat]
    before, after = state.decks[author.seat : author.seat + 2]
    proof = decks.prove_shuffle(
        state.proof_context(head), author.seat, state.joint, before, after, secrets.opening, entropy
    )
    event = sign_event(
        author.key,
        context=state.terms.context,
        sequence=sequence,
        prev=head,
        seat=author.seat,
        payload=events.Prove(proof),
    )
    return event, replace(secrets, opening=None)


def _shares(
    state: RoundState, author: Author, secrets: RoundSecrets, indices: Iterable[int], entropy: Entropy
) -> decks.Shares:
    context = state.proof_context(state.prev_for(author.seat))
    return decks.make_shares(context, secrets.key, state.deck, tuple(indices), entropy)


def _deal(state: RoundState, author: Author, secrets: RoundSecrets, entropy: Entropy) -> Made:
    shares = _shares(state, author, secrets, state.indices_to_share(author.seat), entropy)
    return author.sign(state, events.Deal(shares.points, shares.proof)), secrets


def _draw_share(state: RoundState, author: Author, secrets: RoundSecrets, entropy: Entropy) -> Made:
    shares = _shares(state, author, secrets, state.indices_to_share(author.seat), entropy)
    return author.sign(state, events.DrawShare(shares.points, shares.proof)), secrets


def _settle(state: RoundState, author: Author, secrets: RoundSecrets, _entropy: Entropy) -> Made:
    return author.sign(state, events.Settle(secrets.key.secret_bytes())), secrets


def _result(state: RoundState, author: Author, secrets: RoundSecrets, _entropy: Entropy) -> Made:
    assert state.scores is not None, "the scores are known since the settlement"
    return author.sign(state, events.Result(state.scores.points)), secrets


DUTIES: Mapping[Phase, Duty] = MappingProxyType(
    {
        Phase.COMMIT: _commit,
        Phase.REVEAL: _reveal,
        Phase.SHUFFLE: _shuffle,
        Phase.DEAL: _deal,
        Phase.DRAW_SHARE: _draw_share,
        Phase.SETTLE: _settle,
        Phase.RESULT: _result,
    }
)
"""How a seat makes what it owes in a phase.

The proof is made as soon as the own shuffle is accepted (`prove`).
"""


def take_turn(
    state: RoundState,
    author: Author,
    secrets: RoundSecrets,
    turn: Turn,
    hand: Mapping[int, Tile],
    entropy: Entropy,
) -> Made:
    """Signs the seat's own turn; `hand` maps the deck indices of its rack to their tiles."""
    match turn:
        case Draw():
            payload: events.Payload = events.Draw()
        case Pass():
            payload = events.Pass()
        case _:
            payload = _play(state, author, secrets, turn, hand, entropy)
    return author.sign(state, payload), secrets


def _play(
    state: RoundState,
    author: Author,
    secrets: RoundSecrets,
    turn: Play,
    hand: Mapping[int, Tile],
    entropy: Entropy,
) -> events.Play:
    tile_set = state.terms.ruleset.tile_set
    after = {tile for meld in turn.melds for tile in meld.tiles}
    laid = [(tile_set.number(tile), index) for index, tile in sorted(hand.items()) if tile in after]
    shares = _shares(state, author, secrets, (index for _, index in laid), entropy)
    return events.Play(
        melds=table_to_wire(turn.melds, tile_set),
        opening=tuple(sorted(turn.melds.index(meld) for meld in turn.opening or ())),
        laid=tuple(laid),
        shares=shares.points,
        proof=shares.proof,
    )


def open_hand(state: RoundState, secrets: RoundSecrets, indices: tuple[int, ...]) -> dict[int, Tile]:
    """Opens one's own tiles at these deck indices.

    All others' shares are in the state, one's own is made here.
    """
    tile_set = state.terms.ruleset.tile_set
    own_shares = decks.own_shares(secrets.key, state.deck, indices)
    return {
        index: tile_set.tile(decks.open_tile(state.deck, index, (*state.shares[index], own)))
        for index, own in zip(indices, own_shares, strict=True)
    }
