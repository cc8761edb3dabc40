"""Verdicts on saved matches: whole ones, ones that ended early, and every kind of tampering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from p2prummi.rules import PRESETS
from p2prummi.session import notices
from p2prummi.transcript.agreement import Match
from p2prummi.transcript.file import MAGIC, read_transcript, write_transcript
from p2prummi.transcript.phases import Phase
from p2prummi.verifier import Player, Verdict, verify_transcript
from p2prummi.wire import events
from p2prummi.wire.events import Event, sign_event
from tests.local_match import left_match, match_ended, played_match
from tests.transcript.rounds import Table, match_of
from tests.transcript.test_replay import decks_order, with_keys


def verified(data: bytes) -> Verdict:
    return verify_transcript(data, SeededEntropy(b"weights"))


@lru_cache
def one_round() -> tuple[Match, tuple[Event, ...]]:
    match, each = read_transcript(match_ended(played_match(rounds=1)[0]).transcript)
    return match, tuple(each)


def rewritten(change: Callable[[list[Event]], object]) -> bytes:
    """The file of a match of one round after a change to the list of its events."""
    match, held = one_round()
    changed = list(held)
    change(changed)
    return write_transcript(match, [changed])


def player(seat: int) -> Player:
    match, _ = one_round()
    return Player(match.keys[seat], match.names[seat])


def signed_again(event: Event, payload: events.Payload, **changes: int) -> Event:
    """The event with other content, signed by the player of its seat."""
    match, _ = one_round()
    (key,) = (
        peer.key
        for peer in played_match(rounds=1)
        if peer.public == match.keys[changes.get("seat", event.seat)]
    )
    fields = {"sequence": event.sequence, "seat": event.seat, **changes}
    return sign_event(
        key,
        context=event.context,
        sequence=fields["sequence"],
        prev=event.prev,
        seat=fields["seat"],
        payload=payload,
    )


def test_a_whole_match_is_verified_and_told() -> None:
    peers = played_match()
    ended = match_ended(peers[0])
    verdict = verified(ended.transcript)
    assert (verdict.ok, verdict.complete, verdict.fault) == (True, True, None)
    match = verdict.match
    assert match is not None
    told = [notice for notice in peers[0].notices if isinstance(notice, notices.RoundEnded)]
    assert [
        (each.number, each.why, each.winner, each.points, each.totals, each.head) for each in match.rounds
    ] == [
        (
            each.round_number,
            each.why,
            each.scores.winner,
            each.scores.points,
            each.totals,
            each.head,
        )
        for each in told
    ]
    assert len(told) == 2
    assert (match.totals, match.winners, match.head) == (ended.totals, ended.winners, ended.head)
    assert (match.match_id, match.ruleset) == (ended.match.id, ended.match.ruleset)
    assert match.players == tuple(map(Player, ended.match.keys, ended.match.names))


def test_a_match_that_ended_early_holds_as_far_as_it_goes() -> None:
    ended = match_ended(left_match()[1])
    verdict = verified(ended.transcript)
    assert (verdict.ok, verdict.complete) == (True, False)
    assert verdict.match is not None
    assert (verdict.match.rounds, verdict.match.winners) == ((), ())
    assert verdict.match.head == ended.head


def test_the_head_is_that_after_the_last_step_that_a_file_shows() -> None:
    """A round of which it shows none has no part in it."""
    match, held = read_transcript(match_ended(played_match()[0]).transcript)
    second = next(place for place, event in enumerate(held) if event.context != held[0].context)
    for count in (second, second + 1):
        verdict = verified(write_transcript(match, [held[:count]]))
        assert verdict.match is not None
        assert verdict.match.head == verdict.match.rounds[0].head
    verdict = verified(write_transcript(match, []))
    assert verdict.match is not None
    assert verdict.match.head == match.id


def test_everyone_keeps_the_same_file() -> None:
    assert len({match_ended(peer).transcript for peer in played_match()}) == 1


def test_every_beginning_of_a_match_holds_and_is_not_complete() -> None:
    match, held = one_round()
    for count in (*range(12), len(held) - 3, len(held) - 2, len(held) - 1):
        verdict = verified(write_transcript(match, [held[:count]]))
        assert (count, verdict.ok, verdict.complete) == (count, True, False)


def test_a_file_that_breaks_off_inside_a_record_is_no_transcript() -> None:
    data = rewritten(lambda _: None)
    verdict = verified(data[:-1])
    assert verdict.match is None
    assert verdict.fault is not None
    assert verdict.fault.code is FaultCode.WRONG_TRANSCRIPT
    assert (verdict.ok, verdict.complete, verdict.fault.event) == (False, False, None)


def test_an_event_that_cannot_be_read_is_counted() -> None:
    match, held = one_round()
    start = write_transcript(match, [held[:5]])
    for record in (b"\x00", b"\x92\xc4\x01\x00\xc4\x01\x00"):
        verdict = verified(start + len(record).to_bytes(4, "big") + record)
        assert verdict.fault is not None
        assert (verdict.fault.event, verdict.fault.culprit, verdict.match) == (6, None, None)
        assert verdict.fault.code is FaultCode.WRONG_SCHEMA


@given(data=st.binary(max_size=200))
@settings(max_examples=50)
def test_any_bytes_give_a_verdict(data: bytes) -> None:
    assert not verified(data).ok
    assert not verified(MAGIC + data).ok


@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=60)
def test_no_bit_can_be_changed(share: float, bit: int) -> None:
    data = bytearray(rewritten(lambda _: None))
    data[int(share * len(data))] ^= 1 << bit
    assert not verified(bytes(data)).ok


def _drop(position: int, each: list[Event]) -> None:
    del each[position]


def test_a_missing_event_is_found_and_blamed_on_nobody() -> None:
    _, held = one_round()
    for position in (*range(10), *range(10, len(held) - 8, 7), *range(len(held) - 8, len(held) - 1)):
        verdict = verified(rewritten(partial(_drop, position)))
        assert verdict.fault is not None, f"event {position + 1} is not missed"
        assert verdict.fault.culprit is None, f"event {position + 1} of nobody's fault"
        assert verdict.fault.event is not None
        assert position + 1 <= verdict.fault.event <= position + 2
        assert verdict.fault.round_number == 1


@pytest.mark.parametrize("position", [0, 2, 4, 9])
def test_an_event_that_comes_twice_is_found(position: int) -> None:
    verdict = verified(rewritten(lambda each: each.insert(position, each[position])))
    assert verdict.fault is not None
    assert (verdict.fault.event, verdict.fault.culprit) == (position + 2, None)


def test_events_of_one_step_in_another_order_are_found() -> None:
    def swap(each: list[Event]) -> None:
        each[0], each[1] = each[1], each[0]

    verdict = verified(rewritten(swap))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.event) == (FaultCode.WRONG_TRANSCRIPT, 1)


def test_an_event_out_of_order_at_the_end_of_a_broken_off_file_is_found() -> None:
    match, held = one_round()
    verdict = verified(write_transcript(match, [held[1:2]]))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.event) == (FaultCode.WRONG_TRANSCRIPT, 1)


def test_whoever_follows_a_changed_event_is_not_blamed() -> None:
    def change(each: list[Event]) -> None:
        each[0] = signed_again(each[0], events.Commit(bytes(32)))

    verdict = verified(rewritten(change))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.event) == (FaultCode.WRONG_HEAD, 3)
    assert verdict.fault.culprit is None


def test_the_last_events_of_a_broken_off_file_are_checked_too() -> None:
    match, held = one_round()
    forged = replace(held[0], signature=held[1].signature)
    verdict = verified(write_transcript(match, [[forged]]))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.event) == (FaultCode.BAD_SIGNATURE, 1)


@pytest.mark.parametrize(
    ("kind", "code"),
    [("reveal", FaultCode.COMMITMENT_MISMATCH), ("settle", FaultCode.COMMITMENT_MISMATCH)],
)
def test_the_proofs_of_a_slot_that_a_file_breaks_off_are_checked_too(kind: str, code: FaultCode) -> None:
    match, held = one_round()
    position = first_of(kind, 0, held)
    wrong = signed_again(held[position], held[position + 1].payload)
    verdict = verified(write_transcript(match, [held[:position], [wrong]]))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.event) == (code, position + 1)
    assert verdict.fault.culprit == player(0)


def test_keys_that_cancel_each_other_are_blamed_on_nobody() -> None:
    table = Table.of(match_of(PRESETS["official"]))
    with_keys(table, [5, decks_order() - 5])
    table.reach(Phase.REVEAL)
    step = table.due()
    verdict = verified(write_transcript(match_of(PRESETS["official"]), [*table.steps, step]))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.culprit) == (FaultCode.NEUTRAL_ELEMENT, None)
    # One of them alone is a key like any other.
    assert verified(write_transcript(match_of(PRESETS["official"]), [*table.steps, step[:1]])).ok


def test_a_signature_of_somebody_else_is_found_and_blamed_on_nobody() -> None:
    for position in (0, 1, 4, 8):

        def spoil(each: list[Event], position: int = position) -> None:
            each[position] = replace(each[position], signature=each[position - 1].signature)

        verdict = verified(rewritten(spoil))
        assert verdict.fault is not None
        assert verdict.fault.code is FaultCode.BAD_SIGNATURE
        assert (verdict.fault.event, verdict.fault.culprit) == (position + 1, None)


def test_what_goes_on_after_the_end_is_found() -> None:
    _, held = one_round()
    verdict = verified(rewritten(lambda each: each.append(each[0])))
    assert verdict.fault is not None
    assert verdict.fault.code is FaultCode.WRONG_TRANSCRIPT
    assert verdict.fault.event == len(held) + 1
    assert verdict.match is not None
    assert len(verdict.match.rounds) == 1
    assert not verdict.complete


def first_of(kind: str, seat: int, each: Sequence[Event]) -> int:
    return next(place for place, event in enumerate(each) if event.kind == kind and event.seat == seat)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("kind", "payload", "code"),
    [
        ("reveal", None, FaultCode.COMMITMENT_MISMATCH),
        ("prove", None, FaultCode.SHUFFLE_PROOF_FAILED),
        ("result", events.Result((-1, 1)), FaultCode.WRONG_RESULT),
        ("settle", events.Settle(bytes(31) + b"\1"), FaultCode.COMMITMENT_MISMATCH),
        ("draw", events.Pass(), FaultCode.ILLEGAL_TURN),
    ],
)
def test_a_lie_is_blamed_on_who_signed_it(
    kind: str, payload: events.Payload | None, code: FaultCode, seat: int
) -> None:
    position = -1

    def lie(each: list[Event]) -> None:
        nonlocal position
        position = first_of(kind, seat, each)
        other = each[first_of(kind, 1 - seat, each)].payload
        each[position] = signed_again(each[position], payload or other)

    verdict = verified(rewritten(lie))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.culprit) == (code, player(seat))
    assert verdict.fault.event == position + 1


def test_a_turn_of_the_wrong_seat_is_blamed_on_it() -> None:
    position = seat = -1

    def jump_in(each: list[Event]) -> None:
        nonlocal position, seat
        position = next(place for place, event in enumerate(each) if event.kind in ("draw", "play"))
        each[position] = signed_again(each[position], events.Draw(), seat=1 - each[position].seat)
        seat = each[position].seat

    verdict = verified(rewritten(jump_in))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.event) == (FaultCode.OUT_OF_TURN, position + 1)
    assert verdict.fault.culprit == player(seat)
