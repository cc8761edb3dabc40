"""Evidence as a file: it reads back, hostile bytes are refused by name; and what it proves by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import PRESETS
from p2prummi.testing.adversaries import as_bytes, resigned, resigned_ack
from p2prummi.transcript.blame import Signed, frame_of
from p2prummi.transcript.evidence import (
    MAGIC,
    Blame,
    Evidence,
    NoProofError,
    judge,
    read_evidence,
    write_evidence,
)
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.records import write_records
from p2prummi.transcript.state import RoundState, start_round
from p2prummi.wire import events, limits
from p2prummi.wire.encoding import encode
from p2prummi.wire.events import Event
from p2prummi.wire.frames import Ack, EventFrame, Ping, encode_frame
from tests.transcript.rounds import ENTROPY, Table, match_of
from tests.transcript.test_replay import with_keys

SAID = Blame("some_fault", "seat 1 did what nobody may", b"k" * 32)


def table_at(phase: Phase, players: int = 3) -> Table:
    table = Table.of(match_of(PRESETS["official"], players))
    table.reach(phase)
    return table


def ack_of(table: Table, seat: int) -> Ack:
    """A seat's acknowledgement of the slot before the table's state."""
    state, key = table.state, table.authors[seat].key
    unsigned = Ack(state.terms.context, state.sequence - 1, seat, state.head, state.hash, b"")
    return resigned_ack(key, unsigned)


def written(signed: Sequence[Signed], said: Blame = SAID) -> bytes:
    return write_evidence(said, [encode_frame(frame_of(each)) for each in signed])


def refused(data: bytes) -> FaultCode:
    with pytest.raises(RemoteProtocolError) as raised:
        read_evidence(data)
    assert raised.value.culprit is None
    return raised.value.code


def judged(state: RoundState, *signed: Signed) -> tuple[str, int]:
    """The fault that these prove, and whose it is by seat."""
    evidence = read_evidence(written(signed))
    found = judge(evidence, state, ENTROPY)
    return found.code, state.terms.keys.index(found.culprit)


def unproved(state: RoundState, *signed: Signed) -> str:
    """Why these prove nothing."""
    with pytest.raises(NoProofError) as raised:
        judge(Evidence(SAID, signed), state, ENTROPY)
    return str(raised.value)


# The file.


def test_what_is_written_reads_back() -> None:
    table = table_at(Phase.REVEAL)
    first, second, _ = table.due()
    ack = ack_of(table, 1)
    for signed in ((first,), (first, second), (first, first), (ack,), (ack, ack)):
        evidence = read_evidence(written(signed))
        assert (evidence.said, evidence.signed) == (SAID, signed)
        assert (evidence.context, evidence.sequence) == (table.state.terms.context, signed[0].sequence)


def test_the_state_that_is_asked_for_is_the_one_before_the_slot_or_after_what_is_acknowledged() -> None:
    table = table_at(Phase.REVEAL)
    first, second, _ = table.due()
    ack = ack_of(table, 1)
    needed = [
        read_evidence(written(signed)).judged_at
        for signed in ((first,), (first, second), (first, first), (ack,), (ack, ack))
    ]
    assert needed == [1, 1, None, 1, None]
    assert (first.sequence, ack.sequence) == (1, 0)


def test_words_are_cut_before_a_character() -> None:
    table = table_at(Phase.REVEAL)
    frames = [as_bytes(table.due()[0])]
    for words, kept in (("é" * 512, "é" * 512), ("x" + "é" * 512, "x" + "é" * 511), ("\ud800", "?")):
        said = replace(SAID, text=words)
        assert read_evidence(write_evidence(said, frames)).said == replace(SAID, text=kept)


def test_bytes_that_are_no_evidence_are_refused() -> None:
    table = table_at(Phase.REVEAL)
    data = written(table.due()[:1])
    assert refused(b"") is FaultCode.WRONG_TRANSCRIPT
    assert refused(b"x" + data) is FaultCode.WRONG_TRANSCRIPT
    assert refused(MAGIC) is FaultCode.WRONG_TRANSCRIPT
    assert refused(data[:-1]) is FaultCode.WRONG_TRANSCRIPT
    assert refused(data + b"\0\0\0\0") is FaultCode.MALFORMED_FRAME
    read_evidence(data)


def test_evidence_that_is_too_long_is_refused() -> None:
    data = MAGIC + bytes(limits.EVIDENCE_BYTES_MAX - len(MAGIC))
    assert refused(data) is FaultCode.WRONG_TRANSCRIPT
    assert refused(data + b"\0") is FaultCode.LIMIT_EXCEEDED


@pytest.mark.parametrize(
    "said",
    [
        [],
        ["code", "words"],
        ["code", "words", bytes(31)],
        ["", "words", bytes(32)],
        ["c" * 33, "words", bytes(32)],
        ["code", 7, bytes(32)],
        ["code", "words", bytes(32), 0],
    ],
)
def test_what_it_says_of_itself_has_its_form(said: list[str | int | bytes]) -> None:
    frame = as_bytes(table_at(Phase.COMMIT).due()[0])
    assert refused(write_records(MAGIC, [encode(said), frame])) is FaultCode.WRONG_SCHEMA


def test_one_or_two_signed_messages_of_one_slot_are_evidence() -> None:
    table = table_at(Phase.REVEAL)
    first, second, third = table.due()
    earlier = table.steps[0][0]
    ack = ack_of(table, 1)
    for signed in (
        (),
        (first, second, third),
        (second, first),
        (earlier, first),
        (resigned(table.authors[0].key, first, context=bytes(32)), first),
        (ack, first),
        (earlier, ack_of(table, 0)),
        (ack, ack_of(table, 2)),
        (ack, resigned_ack(table.authors[1].key, ack, sequence=1)),
    ):
        assert refused(written(signed)) is FaultCode.WRONG_TRANSCRIPT, signed
    for frame in (encode_frame(Ping()), encode_frame(EventFrame(encode(["commit"]), bytes(64)))):
        assert refused(write_evidence(SAID, [frame])) is FaultCode.WRONG_SCHEMA


@given(st.binary(max_size=200), st.booleans(), st.booleans())
def test_any_bytes_give_evidence_or_a_fault(data: bytes, magic: bool, said: bool) -> None:
    beginning = write_evidence(SAID, []) if said else MAGIC if magic else b""
    try:
        read_evidence(beginning + data)
    except RemoteProtocolError:
        return


# What it proves.


def test_an_event_of_a_parallel_phase_is_judged_without_the_others() -> None:
    """The proof of a shuffle, shares, a secret: whatever the other seats signed for that slot."""
    spoilt: list[tuple[Phase, FaultCode]] = [
        (Phase.REVEAL, FaultCode.COMMITMENT_MISMATCH),
        (Phase.PROVE, FaultCode.SHUFFLE_PROOF_FAILED),
        (Phase.DEAL, FaultCode.SHARE_PROOF_FAILED),
    ]
    for phase, code in spoilt:
        for seat in range(3):
            table = table_at(phase)
            event = table.due()[seat]
            payload = event.payload
            assert isinstance(payload, events.Reveal | events.Prove | events.Deal)
            proof = payload.proof[:-1] + bytes([payload.proof[-1] ^ 1])
            wrong = resigned(table.authors[seat].key, event, payload=replace(payload, proof=proof))
            assert judged(table.state, wrong) == (code, seat)
            assert unproved(table.state, event) == "what was signed breaks no rule"


def test_a_wrong_kind_and_a_wrong_seat_are_proved() -> None:
    table = table_at(Phase.SHUFFLE)
    (event,) = table.due()
    other = resigned(table.authors[1].key, event, seat=1)
    assert judged(table.state, other) == (FaultCode.OUT_OF_TURN, 1)
    wrong = resigned(table.authors[0].key, event, payload=events.Draw())
    assert judged(table.state, wrong) == (FaultCode.WRONG_PHASE, 0)
    # Of two events for a slot that one seat fills, the other's is at fault.
    assert judged(table.state, event, other) == (FaultCode.OUT_OF_TURN, 1)


def test_a_reused_key_is_proved_by_both_events_alone() -> None:
    table = Table.of(match_of(PRESETS["official"], 3))
    with_keys(table, [5, 7, 5])
    table.reach(Phase.REVEAL)
    first, second, third = table.due()
    assert judged(table.state, first, third) == (FaultCode.KEY_REUSED, 2)
    for signed in ((first,), (third,), (first, second), (second, third)):
        assert unproved(table.state, *signed) == "what was signed breaks no rule"


def test_two_versions_are_proved_by_any_state_of_the_round() -> None:
    table = table_at(Phase.DEAL)
    start = start_round(table.state.terms)
    first = table.steps[0][1]
    other = resigned(table.authors[1].key, first, payload=events.Commit(bytes(32)), prev=bytes(32))
    assert judged(start, first, other) == (FaultCode.EQUIVOCATION, 1)
    ack = ack_of(table, 2)
    changed = resigned_ack(table.authors[2].key, ack, state=bytes(32))
    assert judged(start, changed, ack) == (FaultCode.EQUIVOCATION, 2)
    # The same twice, even under another signature, is none.
    for signed in ((first, first), (ack, ack)):
        assert unproved(start, *signed) == "what was signed breaks no rule"


def test_another_state_after_the_right_head_is_proved() -> None:
    table = table_at(Phase.REVEAL)
    ack = ack_of(table, 2)
    wrong = resigned_ack(table.authors[2].key, ack, state=bytes(32))
    assert judged(table.state, wrong) == (FaultCode.STATE_DIFFERS, 2)
    assert unproved(table.state, ack) == "what was signed breaks no rule"


def test_what_its_seat_has_not_signed_proves_nothing() -> None:
    table = table_at(Phase.SHUFFLE)
    (event,) = table.due()
    forged = resigned(table.authors[1].key, event, payload=events.Draw())
    assert unproved(table.state, forged) == "seat 0 did not sign this event"
    assert unproved(table.state, event, forged) == "seat 0 did not sign this event"
    nobody = resigned(table.authors[1].key, event, seat=3)
    assert unproved(table.state, nobody) == "there is no seat 3"
    ack = ack_of(table, 2)
    assert "seat 2 did not sign" in unproved(table.state, replace(ack, state=bytes(32)))
    assert "seat 2 did not sign" in unproved(table.state, ack, replace(ack, state=bytes(32)))
    assert unproved(table.state, replace(ack, seat=3)) == "there is no seat 3"


def test_what_is_on_another_head_proves_nothing() -> None:
    """Its signer may have been shown something else."""
    table = table_at(Phase.PROVE)
    words = "it was signed on a head that the match's file does not lead to"
    for event in table.due():
        key = table.authors[event.seat].key
        # The own shuffle's head is the right one, not that of the slot.
        for wrong in (bytes(32), table.state.head if event.seat < 2 else table.state.shuffle_heads[0]):
            other = resigned(key, event, prev=wrong, payload=events.Prove(bytes(32)))
            assert unproved(table.state, other) == words
    ack = ack_of(table, 1)
    wrong_ack = resigned_ack(table.authors[1].key, ack, head=bytes(32), state=bytes(32))
    assert unproved(table.state, wrong_ack) == words


def test_an_event_of_another_round_proves_nothing() -> None:
    table = table_at(Phase.SHUFFLE)
    (event,) = table.due()
    other: Event = resigned(table.authors[0].key, event, context=bytes(32), payload=events.Draw())
    assert unproved(table.state, other) == "the event belongs to another round or match"
