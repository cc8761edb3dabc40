"""Acknowledgements: who has checked the round up to which slot, and what all agree on.

A slot is final when every seat has acknowledged the same head after it, or after a later one. Two seats that
name different heads hold different events of that slot or an earlier one. The same head with another state
means that its signer reckons wrongly, since the state follows from the head; two different acknowledgements
of one slot by one seat are equivocation of their own kind.
"""

from __future__ import annotations

from dataclasses import replace

from p2prummi.crypto.labels import Label
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.session.duties import Author
from p2prummi.transcript.blame import check_ack_origin, check_same, check_state
from p2prummi.transcript.state import RoundState, RoundTerms
from p2prummi.wire import limits
from p2prummi.wire.frames import Ack


class Finality:
    """The acknowledgements of one round, and the slots that they make final."""

    def __init__(self, terms: RoundTerms, author: Author) -> None:
        self._terms = terms
        self._author = author
        self._acks: dict[int, dict[int, Ack]] = {}

    def acknowledge(self, state: RoundState) -> Ack:
        """Signs for all slots before the state's next one; the frame goes to everyone."""
        author, sequence = self._author, state.sequence - 1
        unsigned = Ack(self._terms.context, sequence, author.seat, state.head, state.hash, b"")
        ack = replace(unsigned, signature=author.key.sign(Label.SIGN_ACK, unsigned.signed_part()))
        self._acks.setdefault(sequence, {})[author.seat] = ack
        return ack

    def put(self, ack: Ack, current: int) -> bool:
        """Keeps a seat's acknowledgement; says whether it is new.

        `current` is the sequence number of the slot to fill next here. Raises RemoteProtocolError for one
        that its seat did not sign or that is too far ahead, SignedFaultError for one that contradicts an
        earlier one.
        """
        check_ack_origin(self._terms, ack)
        if ack.sequence > current + limits.SLOTS_AHEAD_MAX:
            raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, f"slot {ack.sequence} is too far ahead")
        known = self._acks.setdefault(ack.sequence, {}).setdefault(ack.seat, ack)
        check_same(known, ack, self._terms.keys[ack.seat])
        return known is ack

    def at(self, sequence: int) -> list[Ack]:
        """All acknowledgements held for a slot, in the order in which they came."""
        return list(self._acks.get(sequence, {}).values())

    def differing(self, sequence: int) -> list[Ack]:
        """The acknowledgements that name another head after a slot than this peer does.

        None where the slot is not filled here yet. Raises SignedFaultError (state_differs) for one that names
        the same head and another state.
        """
        acks = self._acks.get(sequence, {})
        own = acks.get(self._author.seat)
        if own is None:
            return []
        for ack in acks.values():
            check_state(ack, own.head, own.state, self._terms.keys[ack.seat])
        return [ack for ack in acks.values() if ack.head != own.head]

    def is_final(self, sequence: int) -> bool:
        """Whether every seat has acknowledged the head that this peer has after the slot, or a later one.

        Who acknowledges a head has acknowledged all that leads to it.
        """
        return any(
            later >= sequence and len(acks) == self._terms.players and not self.differing(later)
            for later, acks in self._acks.items()
        )
