"""A match as a file that anyone can verify offline: the agreement, then every accepted event in order.

A file is the magic line, then records: each a length in four bytes (big endian) and a canonical value. The
first record holds the signed proposal and the acceptances, every further one an event's body and signature.
Nothing else is needed, since all that happened follows from these by `replay.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.transcript.agreement import Match, Proposal
from p2prummi.wire import frames, limits
from p2prummi.wire.encoding import Encodable, decode, encode
from p2prummi.wire.events import HASH_BYTES, SIGNATURE_BYTES, Event, parse_event
from p2prummi.wire.schema import array, blob, record

MAGIC = b"p2prummi transcript 1\n"
_LENGTH_BYTES = 4

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
    return MAGIC + b"".join(_framed(encode(value)) for value in records)


def read_transcript(data: bytes) -> tuple[Match, list[Event]]:
    """Returns the match and its events. Raises RemoteProtocolError for bytes that are no transcript.

    The agreement's signatures are checked; the events are only read, not judged. Where one can't be read, the
    error is a MalformedEventError.
    """
    if len(data) > limits.TRANSCRIPT_BYTES_MAX:
        raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, f"a transcript of {len(data)} bytes")
    if not data.startswith(MAGIC):
        raise RemoteProtocolError(FaultCode.WRONG_TRANSCRIPT, "this is no transcript of a match")
    records = _records(data)
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


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH_BYTES, "big") + data


def _records(data: bytes) -> Iterator[bytes]:
    position = len(MAGIC)
    while position < len(data):
        start = position + _LENGTH_BYTES
        end = start + int.from_bytes(data[position:start], "big")
        if end > len(data):
            raise RemoteProtocolError(
                FaultCode.WRONG_TRANSCRIPT, "the transcript ends in the middle of a record"
            )
        yield data[start:end]
        position = end
