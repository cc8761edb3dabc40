"""The events of a round as they come in: the current slot, those that are ahead, and all that are past.

Every event here is known to be of this round and signed by its seat. An exact duplicate changes nothing; two
different events by one seat for one slot are equivocation, and the pair is the evidence. What may fill a slot
is decided in `transcript/replay.py`; this module only keeps.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.session.faults import SignedFaultError
from p2prummi.transcript.state import RoundState
from p2prummi.wire import limits
from p2prummi.wire.events import Event


class Slots:
    """All events of one round that are held, by slot and seat."""

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        self._keys = keys
        self._held: dict[int, dict[int, Event]] = {}

    def put(self, event: Event, current: int) -> bool:
        """Keeps an event; says whether it is new. `current` is the sequence number of the slot to fill next.

        Raises SignedFaultError (equivocation), and RemoteProtocolError (limit_exceeded) for one too far ahead
        to be kept.
        """
        if event.sequence > current + limits.SLOTS_AHEAD_MAX:
            raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, f"slot {event.sequence} is too far ahead")
        held = self._held.setdefault(event.sequence, {})
        known = held.get(event.seat)
        if known is None:
            held[event.seat] = event
            return True
        if known.body != event.body:
            raise SignedFaultError(
                FaultCode.EQUIVOCATION,
                f"seat {event.seat} signed two events for slot {event.sequence}",
                self._keys[event.seat],
                (known, event),
            )
        return False

    def drop(self, event: Event) -> None:
        """Forgets an event that does not fit the state that its slot has come to be filled in."""
        del self._held[event.sequence][event.seat]

    def get(self, sequence: int, seat: int) -> Event | None:
        """The event that is held for this slot and seat."""
        return self._held.get(sequence, {}).get(seat)

    def at(self, sequence: int) -> tuple[Event, ...]:
        """All events held for a slot, in seat order."""
        held = self._held.get(sequence, {})
        return tuple(held[seat] for seat in sorted(held))

    def step(self, state: RoundState) -> tuple[Event, ...] | None:
        """The events that fill the state's next slot, in seat order, or None while one is missing."""
        held = self._held.get(state.sequence, {})
        fillers = state.fillers
        if not fillers or not all(seat in held for seat in fillers):
            return None
        return tuple(held[seat] for seat in fillers)

    def steps(self, up_to: int) -> Iterator[tuple[Event, ...]]:
        """The steps before slot `up_to`, in order: what a transcript keeps."""
        for sequence in range(up_to):
            yield self.at(sequence)
