"""Acknowledgements: who has checked the round up to which slot, and what all agree on.

A slot is final when every seat has acknowledged the same head after it. Two seats that name different heads hold
different events of that slot or an earlier one: `Mismatch` says where to look. The same head with another state means
that its signer reckons wrongly, since the state follows from the head; two different acknowledgements of one slot by one
seat are equivocation of their own kind.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2prummi.crypto.labels import Label
from p2prummi.crypto.signing import SigningKey, verify
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.session.faults import SignedFault
from p2prummi.transcript.state import RoundState
from p2prummi.wire import limits
from p2prummi.wire.frames import Ack


@dataclass(frozen=True, slots=True)
class Mismatch:
    """This seat has another head after this slot."""

    seat: int
    sequence: int


class Finality:
    """The acknowledgements of one round, and the slots that they make final."""

    def __init__(self, state: RoundState) -> None:
        self._keys = state.terms.keys
        self._context = state.terms.context
        self._acks: dict[int, dict[int, Ack]] = {}
        self._own: dict[int, tuple[bytes, bytes]] = {}

    def acknowledge(self, key: SigningKey, seat: int, state: RoundState) -> Ack:
        """Signs for all slots before the state's next one; the frame goes to everyone."""
        sequence = state.sequence - 1
        unsigned = Ack(self._context, sequence, seat, state.head, state.hash, b"")
        signature = key.sign(Label.SIGN_ACK, unsigned.signed_part())
        ack = Ack(self._context, sequence, seat, state.head, state.hash, signature)
        self._own[sequence] = (state.head, state.hash)
        self._acks.setdefault(sequence, {})[seat] = ack
        return ack

    def put(self, ack: Ack, current: int) -> None:
        """Keeps a seat's acknowledgement. `current` is the sequence number of the slot to fill next here.

        Raises RemoteProtocolError: without a culprit for one that its seat did not sign or that is too far ahead,
        with the signer's key for one that contradicts itself.
        """
        if ack.seat >= len(self._keys):
            raise RemoteProtocolError(FaultCode.WRONG_SEAT, f"there is no seat {ack.seat}")
        if not verify(self._keys[ack.seat], Label.SIGN_ACK, ack.signed_part(), ack.signature):
            raise RemoteProtocolError(FaultCode.BAD_SIGNATURE, f"seat {ack.seat} did not sign this acknowledgement")
        if ack.sequence > current + limits.SLOTS_AHEAD_MAX:
            raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, f"slot {ack.sequence} is too far ahead")
        known = self._acks.setdefault(ack.sequence, {}).setdefault(ack.seat, ack)
        if (known.head, known.state) != (ack.head, ack.state):
            raise SignedFault(
                FaultCode.EQUIVOCATION,
                f"seat {ack.seat} acknowledged two states after slot {ack.sequence}",
                self._keys[ack.seat],
            )

    def mismatches(self, sequence: int) -> list[Mismatch]:
        """The seats that name another head after a slot that is filled here; raises for one that names another state."""
        own = self._own.get(sequence)
        if own is None:
            return []
        different: list[Mismatch] = []
        for seat, ack in self._acks[sequence].items():
            if ack.head != own[0]:
                different.append(Mismatch(seat, sequence))
            elif ack.state != own[1]:
                raise SignedFault(
                    FaultCode.STATE_DIFFERS,
                    f"seat {seat} has the same events but another state after slot {sequence}",
                    self._keys[seat],
                )
        return different

    def is_final(self, sequence: int) -> bool:
        """Whether every seat has acknowledged the head that this peer has after the slot."""
        own = self._own.get(sequence)
        acks = self._acks.get(sequence, {})
        return own is not None and len(acks) == len(self._keys) and all(ack.head == own[0] for ack in acks.values())

    def missing(self, sequence: int) -> tuple[int, ...]:
        """The seats that have not acknowledged this slot."""
        acks = self._acks.get(sequence, {})
        return tuple(seat for seat in range(len(self._keys)) if seat not in acks)
