"""What evidence proves beside the files of matches, and that nothing else lets it prove anything.

The evidence of every attack on a running match is judged in `tests/session`; here it is tampered with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from p2prummi.testing.adversaries import as_bytes, resigned
from p2prummi.transcript.evidence import MAGIC, Blame, write_evidence
from p2prummi.transcript.file import read_transcript, write_transcript
from p2prummi.transcript.state import RoundTerms
from p2prummi.verifier import EvidenceVerdict, Player, verify_evidence
from p2prummi.wire import events
from p2prummi.wire.events import Event
from tests.local_match import match_ended, played_match

ENDED = match_ended(played_match(rounds=2)[0])
MATCH, EVENTS = read_transcript(ENDED.transcript)
KEYS = {peer.public: peer.key for peer in played_match(rounds=2)}
CULPRIT = 1
SAID = Blame(FaultCode.WRONG_RESULT, "seat 1 signs other points than the round has", MATCH.keys[CULPRIT])


def right_result(round_number: int = 1, seat: int = CULPRIT) -> Event:
    """A seat's signed result of a round."""
    results = [event for event in EVENTS if event.kind == "result" and event.seat == seat]
    return results[round_number - 1]


def wrong_result(round_number: int = 1, seat: int = CULPRIT) -> Event:
    """The same with other points, signed by its seat."""
    return resigned(KEYS[MATCH.keys[seat]], right_result(round_number, seat), payload=events.Result((7, -7)))


def evidence_of(*signed: Event, said: Blame = SAID) -> bytes:
    return write_evidence(said, map(as_bytes, signed))


def verified(data: bytes, transcripts: Sequence[bytes] = (ENDED.transcript,)) -> EvidenceVerdict:
    return verify_evidence(data, transcripts, SeededEntropy(b"weights"))


def assert_unproved(verdict: EvidenceVerdict, why: str) -> None:
    assert not verdict.ok
    assert verdict.found is None
    assert why in verdict.why


@pytest.mark.parametrize("round_number", [1, 2])
def test_a_fault_is_proved_and_placed(round_number: int) -> None:
    wrong = wrong_result(round_number)
    verdict = verified(evidence_of(wrong))
    assert verdict == EvidenceVerdict(
        said=SAID,
        match_id=MATCH.id,
        players=tuple(map(Player, MATCH.keys, MATCH.names)),
        round_number=round_number,
        sequence=wrong.sequence,
        found=SAID,
    )
    assert verdict.ok


def test_the_right_match_is_found_among_others() -> None:
    other = match_ended(played_match(rounds=1)[0]).transcript
    shorter = write_transcript(MATCH, [EVENTS[:20]])
    for transcripts in (
        [b"garbage", other, ENDED.transcript],
        [ENDED.transcript, other],
        [shorter, ENDED.transcript],
        [ENDED.transcript, shorter],
    ):
        assert verified(evidence_of(wrong_result()), transcripts).ok
    for transcripts in ([], [b"garbage"], [other, other]):
        verdict = verified(evidence_of(wrong_result()), transcripts)
        assert_unproved(verdict, "none of the files beside it is that of its match")
        assert (verdict.said, verdict.match_id, verdict.players) == (SAID, None, ())


def test_a_file_that_ends_before_the_fault_proves_nothing() -> None:
    count = EVENTS.index(right_result(seat=0))
    assert verified(evidence_of(wrong_result()), [write_transcript(MATCH, [EVENTS[:count]])]).ok
    for shorter in (count - 1, 0):
        verdict = verified(evidence_of(wrong_result()), [write_transcript(MATCH, [EVENTS[:shorter]])])
        assert_unproved(verdict, "the match's file ends before that slot")
        assert (verdict.match_id, verdict.round_number) == (MATCH.id, 1)


def test_a_file_that_does_not_hold_before_the_fault_proves_nothing() -> None:
    held = [replace(EVENTS[0], signature=bytes(64)), *EVENTS[1:]]
    verdict = verified(evidence_of(wrong_result()), [write_transcript(MATCH, [held])])
    assert_unproved(verdict, "the match's file does not hold up to that slot: event 1 breaks a rule")
    # What comes after does not matter.
    late = [*EVENTS[:-1], replace(EVENTS[-1], signature=bytes(64))]
    assert verified(evidence_of(wrong_result()), [write_transcript(MATCH, [late])]).ok


def test_a_fault_at_the_first_slot_of_a_round_that_the_file_does_not_show_is_proved() -> None:
    second = next(event for event in EVENTS if event.context != EVENTS[0].context)
    first_round = write_transcript(MATCH, [EVENTS[: EVENTS.index(second)]])
    wrong = resigned(KEYS[MATCH.keys[second.seat]], second, payload=events.Draw())
    said = Blame(FaultCode.WRONG_PHASE, "", MATCH.keys[second.seat])
    assert verified(evidence_of(wrong, said=said), [first_round]).ok


def test_two_versions_need_the_agreement_alone() -> None:
    said = Blame(FaultCode.EQUIVOCATION, "", MATCH.keys[CULPRIT])
    agreement = write_transcript(MATCH, [])
    for number in (1, 2):
        pair = (right_result(number), wrong_result(number))
        assert verified(evidence_of(*pair, said=said), [agreement]).ok
    # A round that the match can't have is none of its.
    third = RoundTerms.of_match(MATCH, 3, None).context
    beyond = [resigned(KEYS[MATCH.keys[CULPRIT]], event, context=third) for event in pair]
    assert_unproved(verified(evidence_of(*beyond, said=said), [agreement]), "none of the files")


def test_it_is_said_where_something_else_is_proved_than_it_says() -> None:
    for said in (
        replace(SAID, culprit=MATCH.keys[1 - CULPRIT]),
        replace(SAID, culprit=bytes(32)),
        replace(SAID, code=FaultCode.ILLEGAL_TURN),
        replace(SAID, code="a_fault_of_a_later_version"),
    ):
        verdict = verified(evidence_of(wrong_result(), said=said))
        assert not verdict.ok
        assert (verdict.said, verdict.found, verdict.why) == (said, SAID, "")
    # The words are its writer's own.
    assert verified(evidence_of(wrong_result(), said=replace(SAID, text="points!"))).ok


def test_an_innocents_event_proves_nothing() -> None:
    for event in (EVENTS[0], EVENTS[10], right_result(), right_result(2, 0)):
        said = replace(SAID, culprit=MATCH.keys[event.seat])
        assert_unproved(verified(evidence_of(event, said=said)), "what was signed breaks no rule")
        assert_unproved(verified(evidence_of(event, event, said=said)), "what was signed breaks no rule")


def test_nobody_can_be_framed_with_a_signature_of_ones_own() -> None:
    innocent = right_result(seat=0)
    forged = resigned(KEYS[MATCH.keys[CULPRIT]], innocent, payload=events.Result((7, -7)))
    said = replace(SAID, culprit=MATCH.keys[0])
    assert_unproved(verified(evidence_of(forged, said=said)), "seat 0 did not sign this event")
    assert_unproved(verified(evidence_of(innocent, forged, said=said)), "seat 0 did not sign this event")


def test_evidence_of_another_match_proves_nothing() -> None:
    ended = match_ended(played_match(rounds=1)[0])
    verdict = verified(evidence_of(wrong_result()), [ended.transcript])
    assert_unproved(verdict, "none of the files beside it is that of its match")
    assert (verdict.said, verdict.match_id, verdict.round_number) == (SAID, None, None)


@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=60, deadline=None)
def test_no_bit_of_what_was_signed_can_be_changed(share: float, bit: int) -> None:
    data = evidence_of(right_result(), wrong_result(), said=replace(SAID, code=FaultCode.EQUIVOCATION))
    assert verified(data).ok
    start = len(evidence_of(said=replace(SAID, code=FaultCode.EQUIVOCATION)))
    changed = bytearray(data)
    changed[start + int(share * (len(data) - start))] ^= 1 << bit
    assert not verified(bytes(changed)).ok


@given(data=st.binary(max_size=200))
@settings(max_examples=50)
def test_any_bytes_give_a_verdict(data: bytes) -> None:
    for each in (data, MAGIC + data):
        verdict = verified(each)
        assert not verdict.ok
        assert verdict.why
        assert verdict.said is None
