"""A match's file: what is written reads back, and bytes that are no file are refused by name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import PRESETS
from p2prummi.transcript.file import MAGIC, read_transcript, write_transcript
from p2prummi.wire import limits
from p2prummi.wire.encoding import encode
from tests.transcript.rounds import Table, match_of

MATCH = match_of(PRESETS["official"])


def file_of_one_step() -> tuple[bytes, Table]:
    table = Table.of(MATCH)
    table.advance()
    return write_transcript(MATCH, table.steps), table


def refused(data: bytes) -> FaultCode:
    with pytest.raises(RemoteProtocolError) as raised:
        read_transcript(data)
    return raised.value.code


def test_what_is_written_reads_back() -> None:
    data, table = file_of_one_step()
    match, events = read_transcript(data)
    assert match.id == MATCH.id
    assert match.acceptances == MATCH.acceptances
    assert [(event.body, event.signature) for event in events] == [
        (event.body, event.signature) for event in table.steps[0]
    ]
    # The order in which acceptances came leaves no trace.
    others = replace(MATCH, acceptances=dict(reversed(list(MATCH.acceptances.items()))))
    assert write_transcript(others, table.steps) == data


def test_bytes_that_are_no_file_are_refused() -> None:
    data, _ = file_of_one_step()
    assert refused(b"") is FaultCode.WRONG_TRANSCRIPT
    assert refused(b"x" + data) is FaultCode.WRONG_TRANSCRIPT
    assert refused(MAGIC.upper() + data[len(MAGIC) :]) is FaultCode.WRONG_TRANSCRIPT
    assert refused(MAGIC) is FaultCode.WRONG_TRANSCRIPT
    assert refused(data[:-1]) is FaultCode.WRONG_TRANSCRIPT
    assert refused(data + b"\0") is FaultCode.WRONG_TRANSCRIPT
    assert refused(data + b"\0\0\0\0") is FaultCode.MALFORMED_FRAME
    assert refused(data + b"\0\0\0\1\x07") is FaultCode.WRONG_SCHEMA
    record = encode([b"\x07", bytes(64)])
    assert refused(data + len(record).to_bytes(4, "big") + record) is FaultCode.WRONG_SCHEMA


def test_a_file_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data, _ = file_of_one_step()
    monkeypatch.setattr(limits, "TRANSCRIPT_BYTES_MAX", len(data))
    read_transcript(data)
    assert refused(data + b"\0") is FaultCode.LIMIT_EXCEEDED


def test_acceptances_out_of_order_or_twice_are_refused() -> None:
    keys = sorted(MATCH.acceptances)
    accepts = [[key, MATCH.acceptances[key].nonce, MATCH.acceptances[key].signature] for key in keys]
    for wrong in (accepts[::-1], [accepts[0], *accepts]):
        record = encode([MATCH.proposal.body, MATCH.proposal_signature, wrong])
        assert refused(MAGIC + len(record).to_bytes(4, "big") + record) is FaultCode.WRONG_TRANSCRIPT


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_give_a_file_or_a_fault(data: bytes, magic: bool) -> None:
    try:
        read_transcript((MAGIC if magic else b"") + data)
    except RemoteProtocolError:
        return
