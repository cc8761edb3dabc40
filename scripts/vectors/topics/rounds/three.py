"""A round of three seats with 160 tiles, dealt in two passes, and steps of it that must be refused.

It shows what two seats can't: whose share belongs to whom, and the order of shuffles, deal and turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from p2prummi.rules import deal_order, with_settings
from p2prummi.transcript.phases import Phase
from p2prummi.wire import events
from vectors.topics.rounds.faulty import Faulty, flipped, signed
from vectors.topics.rounds.played import TERMS_OF_THREE, PlayedRound, play_round

ENTROPY = SeededEntropy(b"faulty steps of three")
SEED = b"a round of three"
TURNS = 4


def round_of_three() -> PlayedRound:
    """The round up to its fifth turn."""
    return play_round(TERMS_OF_THREE, SEED, until=Phase.PLAY, turns=TURNS)


def faulty_steps(played: PlayedRound) -> Iterator[Faulty]:
    """All faults of this round."""
    yield from _orders_of_turns(played)
    yield from _deal_faults(played)
    yield from _share_faults(played)


def _orders_of_turns(played: PlayedRound) -> Iterator[Faulty]:
    """The seat after the next one comes first, shuffling and playing."""
    slot = played.slot_of(Phase.SHUFFLE) + 1
    state, (shuffle,) = played.states[slot], played.steps[slot]
    yield Faulty(
        name="three_shuffle_out_of_turn",
        notes="Seat 2 shuffles after seat 0",
        slots=slot,
        steps=((signed(state, 2, shuffle.payload),),),
        code=FaultCode.OUT_OF_TURN,
        layer="transcript",
        seat=2,
    )
    slot = played.slot_of(Phase.DRAW_SHARE) + 1
    state = played.states[slot]
    seat = (state.running_game.to_move + 1) % 3
    yield Faulty(
        name="three_turn_out_of_turn",
        notes="The seat before the one that has drawn comes next: the wrong way round",
        slots=slot,
        steps=((signed(state, seat, events.Draw()),),),
        code=FaultCode.OUT_OF_TURN,
        layer="transcript",
        seat=seat,
    )


def _deal_faults(played: PlayedRound) -> Iterator[Faulty]:
    """Seat 2 shares what the other seats would hold if the tiles were dealt in another order."""
    slot = played.slot_of(Phase.DEAL)
    state, (first, second, _) = played.states[slot], played.steps[slot]
    ruleset, starter = state.terms.ruleset, state.running_game.to_move
    orders = {
        "in_one_pass": ("in one pass", deal_order(with_settings(ruleset, ["deal_passes=14"]), 3, starter)),
        "from_another_seat": (
            "from the seat after the starter on",
            deal_order(ruleset, 3, (starter + 1) % 3),
        ),
    }
    for name, (notes, order) in orders.items():
        indices = tuple(index for index, seat in enumerate(order) if seat != 2)
        shares = decks.make_shares(
            state.proof_context(state.head), played.secrets[2].key, state.deck, indices, ENTROPY
        )
        yield Faulty(
            name=f"three_deal_{name}",
            notes=f"Seat 2 shares as if the tiles were dealt {notes}",
            slots=slot,
            steps=((first, second, signed(state, 2, events.Deal(shares.points, shares.proof))),),
            code=FaultCode.SHARE_PROOF_FAILED,
            layer="crypto",
            seat=2,
        )


def _share_faults(played: PlayedRound) -> Iterator[Faulty]:
    """Of a drawn tile two seats give their shares, each its own."""
    slot = played.slot_of(Phase.DRAW_SHARE)
    state, (first, second) = played.states[slot], played.steps[slot]
    low, high = (cast(events.DrawShare, event.payload) for event in (first, second))
    after_next = decks.make_shares(
        state.proof_context(state.head),
        played.secrets[second.seat].key,
        state.deck,
        (state.drawn[0] + 1,),
        ENTROPY,
    )
    cases = {
        "swapped": (
            "Each of the two sends the other's share and proof; the lower seat is found first",
            (high, low),
            first.seat,
        ),
        "copied": ("The higher seat repeats the lower one's share", (low, low), second.seat),
        "of_another_index": (
            "The higher seat gives its share of the tile after the one drawn",
            (low, events.DrawShare(after_next.points, after_next.proof)),
            second.seat,
        ),
        "both_with_a_bit_changed": (
            "Neither proof holds; the lower seat is found first",
            (replace(low, proof=flipped(low.proof)), replace(high, proof=flipped(high.proof))),
            first.seat,
        ),
    }
    for name, (notes, shown, seat) in cases.items():
        yield Faulty(
            name=f"three_draw_shares_{name}",
            notes=notes,
            slots=slot,
            steps=(
                tuple(signed(state, at.seat, one) for at, one in zip((first, second), shown, strict=True)),
            ),
            code=FaultCode.SHARE_PROOF_FAILED,
            layer="crypto",
            seat=seat,
        )
