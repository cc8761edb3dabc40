"""What this peer hands on of a round to whoever asks, and what it asks the others for.

Events and acknowledgements are signed, so anyone may hand them on: what a player keeps from one peer alone
comes from the others. Each is given once to each peer that asks, however often it asks. What is missing here
is asked for when it has had time to come by itself, and again after as long. Judging what comes is the
affair of `round.py`; what is held is in `slots.py` and `finality.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from p2prummi.session.finality import Finality
from p2prummi.session.outbox import Outbox
from p2prummi.session.slots import Slots
from p2prummi.transcript.blame import Signed, frame_of
from p2prummi.transcript.state import RoundState, RoundTerms
from p2prummi.wire import limits
from p2prummi.wire.frames import Want


@dataclass(frozen=True, slots=True)
class _Question:
    """When to ask for what is missing, unless the slot `sequence` is filled before."""

    sequence: int
    due: float


class Relay:
    """The relaying of one round, for the player of `seat`."""

    def __init__(
        self, *, terms: RoundTerms, seat: int, slots: Slots, finality: Finality, outbox: Outbox
    ) -> None:
        self.context = terms.context
        self._seat = seat
        self._keys = terms.keys
        self._slots = slots
        self._finality = finality
        self._outbox = outbox
        self._given: set[tuple[bytes, bytes]] = set()
        self._question: _Question | None = None

    def give_slot(self, peer: bytes, sequence: int) -> None:
        """Sends what is held of a slot and has not been given to this peer before."""
        self._give(peer, self._slots.at(sequence))
        self.give_acks(peer, sequence)

    def give_acks(self, peer: bytes, sequence: int) -> None:
        """Sends the acknowledgements alone: of a round that is over, whoever asks has all events."""
        self._give(peer, self._finality.at(sequence))

    def _give(self, peer: bytes, held: Iterable[Signed]) -> None:
        for signed in held:
            if self._keys[signed.seat] != peer and (peer, signed.signature) not in self._given:
                self._given.add((peer, signed.signature))
                self._outbox.send(peer, frame_of(signed))

    def look(self, state: RoundState, now: float) -> None:
        """Notes since when something is missing in the state's next slot or the one before it."""
        if not self._missing(state):
            self._question = None
        elif self._question is None or self._question.sequence != state.sequence:
            self._question = _Question(state.sequence, now + limits.GAP_SECONDS_MAX)

    def deadline(self) -> float | None:
        """When `handle_deadline` is due."""
        return None if self._question is None else self._question.due

    def handle_deadline(self, state: RoundState, now: float) -> None:
        """Asks everyone else for what is missing, who may be the only one to hold it."""
        if self._question is not None and now >= self._question.due:
            self._question = _Question(state.sequence, now + limits.GAP_SECONDS_MAX)
            others = [key for seat, key in enumerate(self._keys) if seat != self._seat]
            for sequence in self._missing(state):
                self._outbox.broadcast(others, Want(self.context, sequence))

    def _missing(self, state: RoundState) -> list[int]:
        """The slots of which others may hold what is not here, as far as this peer can tell."""
        before, sequence = state.sequence - 1, state.sequence
        missing = [] if before < 0 or self._finality.is_final(before) else [before]
        filled = {self._seat, *(event.seat for event in self._slots.filling(state))}
        is_begun = self._slots.at(sequence) or self._finality.at(sequence)
        return [*missing, sequence] if is_begun and not filled.issuperset(state.fillers) else missing
