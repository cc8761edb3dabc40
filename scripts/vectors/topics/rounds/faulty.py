"""What a refused step is: after how many good slots it comes, its events, and the fault that it shows."""

from __future__ import annotations

from dataclasses import dataclass

from p2prummi.errors import FaultCode
from p2prummi.transcript.state import RoundState
from p2prummi.wire.events import Event, Payload, sign_event
from vectors.topics.rounds.played import SIGNERS


@dataclass(frozen=True, kw_only=True)
class Faulty:
    """Steps after the first `slots` of the good round; the last one is refused, and `seat` blamed for it."""

    name: str
    notes: str
    slots: int
    steps: tuple[tuple[Event, ...], ...]
    code: FaultCode
    layer: str
    seat: int | None


def signed(
    state: RoundState,
    seat: int,
    payload: Payload,
    *,
    sequence: int | None = None,
    prev: bytes | None = None,
    context: bytes | None = None,
    signer: int | None = None,
) -> Event:
    """The event of `seat` for the state's next slot, true or not, signed by it or by another `signer`."""
    return sign_event(
        SIGNERS[state.terms.keys[seat if signer is None else signer]],
        context=state.terms.context if context is None else context,
        sequence=state.sequence if sequence is None else sequence,
        prev=state.prev_for(seat) if prev is None else prev,
        seat=seat,
        payload=payload,
    )


def flipped(data: bytes, at: int = -1) -> bytes:
    """The same bytes with one bit changed."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)
