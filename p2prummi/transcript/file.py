"""A match as a file that anyone can verify offline: the agreement, then every accepted event in order.

A file holds records (`records.py`), each a canonical value. The first is the signed proposal with the
acceptances, every further one an event's body and signature.
Nothing else is needed, since all that happened follows from these by `replay.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.transcript.agreement import Match, Proposal
from p2prummi.transcript.records import read_records, write_records
from p2prummi.wire import frames, limits
from p2prummi.wire.encoding import Encodable, decode, encode
from p2prummi.wire.events import HASH_BYTES, SIGNATURE_BYTES, Event, parse_event
from p2prummi.wire.schema import array, blob, record

MAGIC = b"p2prummi transcript 1\n"

_SIGNATURE = blob(SIGNATURE_BYTES)
_AGREEMENT = record(
    blob(1, limits.BLOB_BYTES_MAX),
    _SIGNATURE,
    array(record(blob(frames.KEY_BYTES), blob(HASH_BYTES), _SIGNATURE), limits.SEATS_MAX),
)
_EVENT = record(blob(1, limits.BLOB_BYTES_MAX), _SIGNATURE)


class MalformedEventError(RemoteProtocolError):
    """A record that is no event; `event` counts the file's events from 1."""

    def __init__(self, error: RemoteProtocolError, event: int) -> None:
        super().__init__(error.code, error.text)
        self.event = event


def write_transcript(match: Match, steps: Iterable[Sequence[Event]]) -> bytes:
    """Returns the bytes of a match's file: the agreement and the events of all its rounds' steps."""
    accepts: list[Encodable] = [
        [key, accept.nonce, accept.signature] for key, accept in sorted(match.acceptances.items())
    ]
    records: list[Encodable] = [[match.proposal.body, match.proposal_signature, accepts]]
    records.extend([event.body, event.signature] for step in steps for event in step)
    return write_records(MAGIC, map(encode, records))


def read_transcript(data: bytes) -> tuple[Match, list[Event]]:
    """Returns the match and its events. Raises RemoteProtocolError for bytes that are no transcript.

    The agreement's signatures are checked; the events are only read, not judged. Where one can't be read, the
    error is a MalformedEventError.
    """
    records = read_records(
        data, magic=MAGIC, bytes_max=limits.TRANSCRIPT_BYTES_MAX, noun="transcript of a match"
    )
    first = next(records, None)
    if first is None:
        raise RemoteProtocolError(FaultCode.WRONG_TRANSCRIPT, "the transcript holds no agreement")
    body, signature, accepts = _AGREEMENT(decode(first))
    keys = [key for key, _, _ in accepts]
    if keys != sorted(set(keys)):
        raise RemoteProtocolError(
            FaultCode.WRONG_TRANSCRIPT, "the acceptances are not in ascending order of distinct keys"
        )
    proposal = Proposal.from_body(body)
    match = Match(
        proposal=proposal,
        proposal_signature=signature,
        acceptances={key: frames.Accept(proposal.hash, nonce, signed) for key, nonce, signed in accepts},
    )
    return match, [_event(number, each) for number, each in enumerate(records, 1)]


def _event(number: int, data: bytes) -> Event:
    try:
        return parse_event(*_EVENT(decode(data)))
    except RemoteProtocolError as error:
        raise MalformedEventError(error, number) from error
