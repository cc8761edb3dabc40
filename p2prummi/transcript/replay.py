"""The only acceptance rule: from a round's state and the events of its next slot to the state after it.

The session asks it before it appends an event, and the verifier folds the very same functions over a file, so
what was accepted live and what is verified years later cannot differ. `admit` is the cheap part, asked of
each event alone: is it of this round, signed by its seat, for this slot, on this head? `advance` is the whole
rule, asked of all events of a slot together: it admits each, checks every proof and every rule, and returns
the next state. `examine` is as much of that rule as some of these events let one ask. All raise
RemoteProtocolError with the culprit's key. What each phase demands is in `setup.py`, `play.py` and
`settlement.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from p2prummi.crypto.entropy import Entropy
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.transcript import play, settlement, setup
from p2prummi.transcript.chain import head_after
from p2prummi.transcript.phases import NEXT, SLOTS, Outcome, Phase
from p2prummi.transcript.state import RoundState
from p2prummi.wire.events import Event

Step: TypeAlias = Callable[[RoundState, Sequence[Event], Entropy], tuple[RoundState, Outcome]]

STEPS: MappingProxyType[Phase, Step] = MappingProxyType(
    {
        Phase.COMMIT: setup.commit,
        Phase.REVEAL: setup.reveal,
        Phase.SHUFFLE: setup.shuffle,
        Phase.PROVE: setup.prove,
        Phase.DEAL: setup.deal,
        Phase.PLAY: play.turn,
        Phase.DRAW_SHARE: play.draw_share,
        Phase.SETTLE: settlement.settle,
        Phase.RESULT: settlement.result,
    }
)


CHECKS: MappingProxyType[Phase, Callable[[RoundState, Sequence[Event], Entropy], object]] = MappingProxyType(
    {
        **STEPS,
        Phase.REVEAL: setup.check_reveals,
        Phase.SETTLE: settlement.check_secrets,
    }
)
"""What of a step can be judged where some of its events are missing; what takes all of them is left out."""


def check_origin(state: RoundState, event: Event) -> None:
    """Checks that an event is of this round and signed by its seat.

    Only then may its seat be blamed for it.
    """
    if event.context != state.terms.context:
        raise RemoteProtocolError(FaultCode.WRONG_CONTEXT, "the event belongs to another round or match")
    if event.seat >= state.terms.players:
        raise RemoteProtocolError(FaultCode.WRONG_SEAT, f"there is no seat {event.seat}")
    if not event.signed_by(state.terms.keys[event.seat]):
        raise RemoteProtocolError(FaultCode.BAD_SIGNATURE, f"seat {event.seat} did not sign this event")


def admit(state: RoundState, event: Event) -> None:
    """Checks all of an event that needs no proof: origin, slot, head, seat and kind, in this order."""
    check_origin(state, event)
    culprit = state.terms.keys[event.seat]
    if event.sequence != state.sequence:
        raise RemoteProtocolError(
            FaultCode.WRONG_SEQUENCE,
            f"slot {event.sequence} is not the next, which is {state.sequence}",
            culprit,
        )
    if event.prev != state.prev_for(event.seat):
        raise RemoteProtocolError(FaultCode.WRONG_HEAD, "the event builds on another head", culprit)
    if event.seat not in state.fillers:
        raise RemoteProtocolError(
            FaultCode.OUT_OF_TURN, f"slot {event.sequence} is not for seat {event.seat} to fill", culprit
        )
    if event.kind not in SLOTS[state.phase].kinds:
        raise RemoteProtocolError(
            FaultCode.WRONG_PHASE, f"{event.kind} does not fit the phase {state.phase.value}", culprit
        )


def advance(state: RoundState, step: Sequence[Event], entropy: Entropy) -> RoundState:
    """Returns the state after the next slot is filled by `step`, its events in seat order.

    `entropy` gives the local weights of batched checks, which no prover can foresee; the result does not
    depend on it. Raises RemoteProtocolError with the culprit's key, or without one where nobody signed the
    fault.
    """
    if tuple(event.seat for event in step) != state.fillers:
        raise RemoteProtocolError(
            FaultCode.WRONG_TRANSCRIPT,
            f"slot {state.sequence} is not filled by exactly the seats {state.fillers}",
        )
    for event in step:
        admit(state, event)
    after, outcome = STEPS[state.phase](state, step, entropy)
    return replace(
        after,
        phase=NEXT[state.phase, outcome],
        sequence=state.sequence + 1,
        head=head_after(state.head, step),
    )


def examine(state: RoundState, events: Sequence[Event], entropy: Entropy) -> None:
    """Judges some of the events of the next slot, of different seats in ascending order, as `advance` would.

    Others may be missing: their signers are not at fault for that, nor does it matter whether they are good.
    Raises RemoteProtocolError as `advance` does.
    """
    for event in events:
        admit(state, event)
    CHECKS[state.phase](state, events, entropy)
