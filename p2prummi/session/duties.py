"""What a seat contributes to a round: the events that it owes, made from the state and its own secrets.

All functions here are pure but for the entropy they are given, and heavy enough to be work (`outbox.Work`). When an
event is due is decided in `round.py`. `RoundSecrets` is everything that only this player knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.rules import Draw, Pass, Play, Tile, Turn
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event, sign_event
from p2prummi.wire.melds import table_to_wire


@dataclass(frozen=True, kw_only=True, repr=False)
class RoundSecrets:
    """One seat's secrets of one round: its key, what it has committed to, how it shuffles."""

    key: decks.RoundKey
    key_proof: bytes
    coin: bytes
    shuffle: decks.PreparedShuffle
    opening: decks.ShuffleOpening | None = None


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


def make_secrets(context: bytes, seat: int, shuffle: decks.PreparedShuffle, entropy: Entropy) -> RoundSecrets:
    """Fresh secrets for one round; `shuffle` was prepared beforehand and serves this round only."""
    key = decks.make_round_key(entropy)
    proof = decks.prove_key(context, seat, key, entropy)
    return RoundSecrets(key=key, key_proof=proof, coin=entropy(32), shuffle=shuffle)


def commit(state: RoundState, author: Author, secrets: RoundSecrets) -> Event:
    """Binds the seat to its key share, proof and coin."""
    commitment = decks.key_commitment(
        state.terms.context, author.seat, secrets.key.public, secrets.key_proof, secrets.coin
    )
    return author.sign(state, events.Commit(commitment))


def reveal(state: RoundState, author: Author, secrets: RoundSecrets) -> Event:
    """Shows what the seat has committed to."""
    return author.sign(state, events.Reveal(secrets.key.public, secrets.key_proof, secrets.coin))


def prepare_for_key(state: RoundState, secrets: RoundSecrets) -> RoundSecrets:
    """Adds to the prepared shuffle what needs the joint key, before it is this seat's turn to shuffle."""
    assert state.joint is not None, "the joint key is known since the reveal"
    return replace(secrets, shuffle=secrets.shuffle.with_key(state.joint))


def shuffle(state: RoundState, author: Author, secrets: RoundSecrets) -> tuple[Event, RoundSecrets]:
    """Re-encrypts and permutes the deck; the opening that is kept serves the proof."""
    deck, opening = decks.apply_shuffle(secrets.shuffle, state.deck)
    return author.sign(state, events.Shuffle(deck.to_bytes())), replace(secrets, opening=opening)


def prove(
    state: RoundState, author: Author, secrets: RoundSecrets, sequence: int, entropy: Entropy
) -> Event:
    """Proves the seat's own shuffle, from the state just after it; `sequence` is that of the prove phase to come."""
    assert state.joint is not None, "the joint key is known since the reveal"
    assert secrets.opening is not None, "the seat has shuffled"
    head = state.shuffle_heads[author.seat]
    before, after = state.decks[author.seat : author.seat + 2]
    proof = decks.prove_shuffle(
        state.proof_context(head), author.seat, state.joint, before, after, secrets.opening, entropy
    )
    return sign_event(
        author.key,
        context=state.terms.context,
        sequence=sequence,
        prev=head,
        seat=author.seat,
        payload=events.Prove(proof),
    )


def _shares(
    state: RoundState, author: Author, secrets: RoundSecrets, indices: Iterable[int], entropy: Entropy
) -> decks.Shares:
    context = state.proof_context(state.prev_for(author.seat))
    return decks.make_shares(context, author.seat, secrets.key, state.deck, tuple(indices), entropy)


def deal(state: RoundState, author: Author, secrets: RoundSecrets, entropy: Entropy) -> Event:
    """Gives the seat's shares for every tile dealt to others."""
    shares = _shares(state, author, secrets, state.indices_to_share(author.seat), entropy)
    return author.sign(state, events.Deal(shares.points, shares.proof))


def draw_share(state: RoundState, author: Author, secrets: RoundSecrets, entropy: Entropy) -> Event:
    """Gives the seat's shares for what another seat draws."""
    shares = _shares(state, author, secrets, state.indices_to_share(author.seat), entropy)
    return author.sign(state, events.DrawShare(shares.points, shares.proof))


def settle(state: RoundState, author: Author, secrets: RoundSecrets) -> Event:
    """Shows the secret of the seat's key, as the round is over."""
    return author.sign(state, events.Settle(secrets.key.secret_bytes()))


def result(state: RoundState, author: Author) -> Event:
    """Signs the points."""
    assert state.scores is not None, "the scores are known since the settlement"
    return author.sign(state, events.Result(state.scores.points))


def take_turn(
    state: RoundState,
    author: Author,
    secrets: RoundSecrets,
    turn: Turn,
    hand: Mapping[int, Tile],
    entropy: Entropy,
) -> Event:
    """Signs the seat's own turn; `hand` maps the deck indices of its rack to their tiles."""
    match turn:
        case Draw():
            return author.sign(state, events.Draw())
        case Pass():
            return author.sign(state, events.Pass())
        case Play():
            return author.sign(state, _play(state, author, secrets, turn, hand, entropy))


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


def open_hand(
    state: RoundState, secrets: RoundSecrets, indices: Iterable[int]
) -> dict[int, Tile]:
    """Opens one's own tiles at these deck indices: all others' shares are in the state, one's own is made here."""
    tile_set = state.terms.ruleset.tile_set
    return {
        index: tile_set.tile(
            decks.open_tile(
                state.deck, index, (*state.shares[index], decks.own_share(secrets.key, state.deck, index))
            )
        )
        for index in indices
    }
