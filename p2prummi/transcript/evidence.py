"""The evidence of a fault as a file, and how anyone who has the match's file judges it.

A file holds records (`records.py`): first what its writer says of it, code, words and culprit's key, then the
one or two frames that show the fault, as they came. Nobody need believe the first record: `judge` comes to a
verdict of its own, by the functions that judged when the fault was found, from what was signed and the state
that the match's file leads to. `protocol/spec/evidence.md` is the normative text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from p2prummi.crypto.entropy import Entropy
from p2prummi.errors import FaultCode, P2PRummiError, RemoteProtocolError
from p2prummi.transcript import replay
from p2prummi.transcript.blame import Signed, check_ack_origin, check_same, check_state
from p2prummi.transcript.records import read_records, write_records
from p2prummi.transcript.state import RoundState
from p2prummi.wire import limits
from p2prummi.wire.encoding import decode, encode
from p2prummi.wire.events import Event, parse_event
from p2prummi.wire.frames import KEY_BYTES, Ack, EventFrame, parse_frame
from p2prummi.wire.schema import blob, record, text

MAGIC: Final = b"p2prummi evidence 1\n"
SIGNED_MAX: Final = 2
CODE_BYTES_MAX: Final = 32

_BLAME: Final = record(text(CODE_BYTES_MAX, bytes_min=1), text(limits.TEXT_BYTES_MAX), blob(KEY_BYTES))


class NoProofError(P2PRummiError):
    """The evidence proves nothing; says why."""


@dataclass(frozen=True, slots=True)
class Blame:
    """A fault by its code, words for a person, and the key of whom it is blamed on.

    The code is one of `FaultCode`, or one of a later version where a file says it.
    """

    code: str
    text: str
    culprit: bytes


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a file holds: what it says itself, and what was signed, one or two of one round and slot.

    Two are two words of one seat, or events of two seats in ascending order.
    """

    said: Blame
    signed: tuple[Signed, ...]

    @property
    def context(self) -> bytes:
        """The context of the round."""
        return self.signed[0].context

    @property
    def sequence(self) -> int:
        """The slot that was filled, or that was acknowledged."""
        return self.signed[0].sequence

    @property
    def judged_at(self) -> int | None:
        """The next slot of the state by which this is judged; None where any state of the round will do."""
        if len({each.seat for each in self.signed}) < len(self.signed):
            return None
        return self.sequence + 1 if isinstance(self.signed[0], Ack) else self.sequence


def write_evidence(said: Blame, frames: Iterable[bytes]) -> bytes:
    """Returns the bytes of a file; the words are cut to what a text may have."""
    words = said.text.encode(errors="replace")[: limits.TEXT_BYTES_MAX].decode(errors="ignore")
    return write_records(MAGIC, [encode([said.code, words, said.culprit]), *frames])


def read_evidence(data: bytes) -> Evidence:
    """Returns what a file holds, unjudged. Raises RemoteProtocolError for bytes that are no evidence."""
    records = list(read_records(data, magic=MAGIC, bytes_max=limits.EVIDENCE_BYTES_MAX, noun="evidence"))
    said, frames = records[:1], records[1:]
    if not 1 <= len(frames) <= SIGNED_MAX:
        raise RemoteProtocolError(
            FaultCode.WRONG_TRANSCRIPT,
            f"the evidence holds {len(frames)} frames instead of 1 to {SIGNED_MAX}",
        )
    evidence = Evidence(Blame(*_BLAME(decode(said[0]))), tuple(map(_signed, frames)))
    if not _belong_together(*evidence.signed):
        raise RemoteProtocolError(
            FaultCode.WRONG_TRANSCRIPT,
            "the frames of the evidence are not of one slot in order of seats",
        )
    return evidence


def _signed(frame: bytes) -> Signed:
    match parse_frame(frame):
        case EventFrame(body, signature):
            return parse_event(body, signature)
        case Ack() as ack:
            return ack
    raise RemoteProtocolError(
        FaultCode.WRONG_SCHEMA, "the evidence holds a frame that no seat signs in a round"
    )


def _belong_together(first: Signed, second: Signed | None = None) -> bool:
    if second is None:
        return True
    is_one_slot = (first.context, first.sequence) == (second.context, second.sequence)
    match first, second:
        case Ack(), Ack():
            return is_one_slot and first.seat == second.seat
        case Event(), Event():
            return is_one_slot and first.seat <= second.seat
    return False


def judge(evidence: Evidence, state: RoundState, entropy: Entropy) -> Blame:
    """Returns the fault that evidence proves, whatever it says itself.

    `state` is the one before the slot `evidence.judged_at`, on the way to which everything was accepted, or
    any of the round where that is None. `entropy` gives the weights of batched checks. Raises NoProofError.
    """
    try:
        _judge(evidence, state, entropy)
    except RemoteProtocolError as error:
        if error.culprit is None:
            raise NoProofError(error.text) from error
        return Blame(error.code, error.text, error.culprit)
    raise NoProofError("what was signed breaks no rule")


def _judge(evidence: Evidence, state: RoundState, entropy: Entropy) -> None:
    """Raises RemoteProtocolError, with the culprit's key where a fault is proved."""
    for signed in evidence.signed:
        if isinstance(signed, Ack):
            check_ack_origin(state.terms, signed)
        else:
            replay.check_origin(state, signed)
    first, *others = evidence.signed
    key = state.terms.keys[first.seat]
    if evidence.judged_at is None:
        check_same(first, others[0], key)
    elif isinstance(first, Ack):
        _check_head(first.head == state.head)
        check_state(first, state.head, state.hash, key)
    else:
        events = [each for each in evidence.signed if isinstance(each, Event)]
        _check_head(all(event.prev == state.prev_for(event.seat) for event in events))
        replay.examine(state, events, entropy)


def _check_head(is_known: bool) -> None:
    """What is signed on another head is not judged: its signer may have been shown something else."""
    if not is_known:
        raise RemoteProtocolError(
            FaultCode.WRONG_HEAD, "it was signed on a head that the match's file does not lead to"
        )
