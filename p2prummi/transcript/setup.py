"""The phases before the first turn: commit, reveal, shuffle, prove, deal.

Each phase has a function that takes the state, the events of one filled slot in seat order and local entropy;
it checks what these events claim and returns the state with what they add, and the outcome by which
`phases.NEXT` finds the next phase. Where that takes all events, what can be checked of some is a function of
its own (`check_..`). The cryptographic statements themselves are in `crypto/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.group import Point
from p2prummi.errors import RemoteProtocolError
from p2prummi.rules import Starting, deal_order, new_game, starter_from_coin
from p2prummi.transcript.chain import head_after
from p2prummi.transcript.phases import Outcome
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event

P = TypeVar("P", bound=events.Payload)


def payloads(step: Sequence[Event], kind: type[P]) -> list[P]:
    """The payloads of a step whose events are all of this kind, as the phase's table has made sure."""
    return [event.payload for event in step if isinstance(event.payload, kind)]


def blamed(error: RemoteProtocolError, state: RoundState, seat: int | None) -> RemoteProtocolError:
    """The same fault, blamed on the player of `seat`; on nobody where no seat is known."""
    culprit = None if seat is None else state.terms.keys[seat]
    return RemoteProtocolError(error.code, error.text, culprit)


def commit(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Takes everyone's commitment.

    A copied one is refused at the reveal, where it cannot be opened for another seat.
    """
    commitments = tuple(payload.commitment for payload in payloads(step, events.Commit))
    return replace(state, commitments=commitments), Outcome.COMPLETE


def reveal(state: RoundState, step: Sequence[Event], entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Checks that everyone shows what it committed to, and derives joint key, coin, starter and deck 0."""
    check_reveals(state, step, entropy)
    revealed = payloads(step, events.Reveal)
    publics = tuple(payload.public for payload in revealed)
    joint = decks.joint_key(publics)
    coin = decks.joint_coin(state.terms.context, [payload.coin for payload in revealed])
    ruleset = state.terms.ruleset
    starting = (
        starter_from_coin(ruleset, state.terms.players, decks.coin_draw(coin))
        if state.terms.starter is None
        else Starting(seat=state.terms.starter, draws=())
    )
    return (
        replace(
            state,
            publics=publics,
            joint=joint,
            coin=coin,
            starting=starting,
            decks=(decks.initial_deck(ruleset.tile_set.size, joint),),
            game=new_game(ruleset, state.terms.players, starting.seat),
        ),
        Outcome.COMPLETE,
    )


def check_reveals(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> None:
    """Checks that each of these shows what it committed to, and a key of its own whose secret it knows."""
    context = state.terms.context
    revealed = payloads(step, events.Reveal)
    for event, payload in zip(step, revealed, strict=True):
        commitment = state.commitments[event.seat]
        try:
            decks.verify_key_commitment(
                context, event.seat, commitment, payload.public, payload.proof, payload.coin
            )
            decks.verify_key(context, event.seat, payload.public, payload.proof)
        except RemoteProtocolError as error:
            raise blamed(error, state, event.seat) from error
    try:
        decks.check_distinct(
            {event.seat: payload.public for event, payload in zip(step, revealed, strict=True)}
        )
    except decks.RefusalError as refusal:
        raise blamed(refusal, state, refusal.seat) from refusal


def shuffle(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Takes one seat's deck; that it holds the same tiles is proved in the prove phase."""
    (event,) = step
    (payload,) = payloads(step, events.Shuffle)
    try:
        deck = decks.Deck.from_bytes(payload.deck, state.terms.ruleset.tile_set.size)
    except RemoteProtocolError as error:
        raise blamed(error, state, event.seat) from error
    shuffled = replace(
        state,
        decks=(*state.decks, deck),
        shuffle_heads=(*state.shuffle_heads, head_after(state.head, step)),
    )
    last = len(shuffled.shuffle_heads) == state.terms.players
    return shuffled, Outcome.COMPLETE if last else Outcome.MORE


def prove(state: RoundState, step: Sequence[Event], entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Checks the proofs of all shuffles at once; the deck that is left is the one that is dealt from."""
    assert state.joint is not None, "the joint key is known since the reveal"
    statements = [
        decks.ShuffleStatement(
            context=state.proof_context(event.prev),
            seat=event.seat,
            before=state.decks[event.seat],
            after=state.decks[event.seat + 1],
            proof=payload.proof,
        )
        for event, payload in zip(step, payloads(step, events.Prove), strict=True)
    ]
    try:
        decks.verify_shuffles(state.joint, statements, entropy)
    except decks.RefusalError as refusal:
        raise blamed(refusal, state, refusal.seat) from refusal
    game = state.running_game
    holders = deal_order(state.terms.ruleset, state.terms.players, game.to_move)
    return replace(state, decks=state.decks[-1:], holders=holders), Outcome.COMPLETE


def collect_shares(state: RoundState, step: Sequence[Event]) -> RoundState:
    """Checks each seat's batch of shares and files them by deck index, in seat order."""
    collected: dict[int, tuple[Point, ...]] = dict(state.shares)
    for event in step:
        payload = cast(events.Deal | events.DrawShare, event.payload)
        indices = state.indices_to_share(event.seat)
        try:
            points = decks.verify_shares(
                state.proof_context(event.prev),
                state.publics[event.seat],
                state.deck,
                indices,
                decks.Shares(points=payload.shares, proof=payload.proof),
            )
        except RemoteProtocolError as error:
            raise blamed(error, state, event.seat) from error
        for index, point in zip(indices, points, strict=True):
            collected[index] = (*collected.get(index, ()), point)
    return replace(state, shares=collected)


def deal(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Takes everyone's shares for the tiles dealt to others; from here on each seat knows its own rack."""
    dealt = collect_shares(state, step)
    return replace(dealt, drawn_last=(None,) * state.terms.players), Outcome.COMPLETE
