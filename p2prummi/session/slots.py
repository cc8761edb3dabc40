"""The events of a round as they come in: the current slot, those that are ahead, and all that are past.

Every event here is known to be of this round and signed by its seat. A seat has one event for a slot: an
exact duplicate changes nothing, and two different ones are equivocation, with the pair as the evidence,
whatever heads they build on. What may fill a slot is decided in `transcript/replay.py`; this module keeps.
"""

from __future__ import annotations

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.transcript.blame import check_same
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
        known = self._held.setdefault(event.sequence, {}).setdefault(event.seat, event)
        check_same(known, event, self._keys[event.seat])
        return known is event

    def has(self, sequence: int, seat: int) -> bool:
        """Whether this seat's event for this slot is held."""
        return seat in self._held.get(sequence, {})

    def at(self, sequence: int) -> tuple[Event, ...]:
        """All events held for a slot, in seat order."""
        held = self._held.get(sequence, {})
        return tuple(held[seat] for seat in sorted(held))

    def filling(self, state: RoundState) -> tuple[Event, ...]:
        """The events so far that fill the state's next slot, in seat order.

        One that builds on another head fills nothing; one by a seat that does not fill the slot is a fault
        that ends the match before anything is made of this.
        """
        return tuple(event for event in self.at(state.sequence) if event.prev == state.prev_for(event.seat))

    def step(self, state: RoundState) -> tuple[Event, ...] | None:
        """All events that fill the state's next slot, in seat order, or None while one is missing."""
        filling = self.filling(state)
        return filling if filling and len(filling) == len(state.fillers) else None
