"""Vectors of a round's context, chain, public state, acknowledgements and first slot, and of transcripts.

Operations: `context` hashes a round's terms, `chain` the bodies of its steps; `state` hashes a public state;
`ack` checks a signed acknowledgement; `admit` asks whether an event fits the first slot of a round;
`transcript` reads a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from p2prummi.crypto.labels import Label
from p2prummi.errors import FaultCode
from p2prummi.rules import new_game
from p2prummi.transcript.chain import first_head, head_after
from p2prummi.transcript.file import MAGIC, write_transcript
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.state import RoundState, RoundTerms, start_round
from p2prummi.wire.encoding import Encodable, encode
from p2prummi.wire.events import Commit, Draw, Event, Payload, Reveal, sign_event
from p2prummi.wire.frames import Accept, Ack, encode_frame
from vectors.notation import to_json
from vectors.topics.events.agreement import MATCH
from vectors.topics.events.common import PLAYERS, STRANGER
from vectors.vector import Fault, Vector

TERMS = RoundTerms.of_match(MATCH, 1, None)
START = start_round(TERMS)
KEYS = {player.key.public: player.key for player in (*PLAYERS, STRANGER)}
ROSTER = MATCH.proposal.keys
SEAT_KEYS = [KEYS[key] for key in MATCH.keys]


def vectors() -> Iterator[Vector]:
    """All vectors of rounds."""
    yield from _contexts()
    yield _chain()
    yield from _states()
    yield from _acknowledgements()
    yield from _admissions()
    yield from _transcripts()


def terms_in_words(terms: RoundTerms) -> dict[str, Any]:
    """What a round is bound to, as vectors write it."""
    return {
        "match": terms.match_id.hex(),
        "number": terms.number,
        "ruleset": to_json(terms.ruleset.to_dict()),
        "keys": [key.hex() for key in terms.keys],
    }


def _contexts() -> Iterator[Vector]:
    for number in (1, 2):
        terms = replace(TERMS, number=number)
        yield Vector(
            name=f"context_of_round_{number}",
            notes=f"Context and first head of round {number}",
            operation="context",
            inputs=terms_in_words(terms),
            outputs={"context": terms.context.hex(), "head": first_head(terms.context).hex()},
        )


def event_of(
    payload: Payload,
    *,
    seat: int = 1,
    sequence: int = 0,
    prev: bytes = START.head,
    context: bytes = TERMS.context,
    signer: int | None = None,
) -> Event:
    """An event for the round of these vectors, signed by its seat or by another `signer`."""
    key = SEAT_KEYS[seat if signer is None else signer]
    return sign_event(key, context=context, sequence=sequence, prev=prev, seat=seat, payload=payload)


def _chain() -> Vector:
    first = [event_of(Commit(bytes([seat]) * 32), seat=seat) for seat in range(3)]
    head = head_after(START.head, first)
    second = [event_of(Draw(), seat=1, sequence=1, prev=head)]
    return Vector(
        name="chain_of_two_steps",
        notes="A parallel step of three seats, then a step of one; heads hash bodies in seat order",
        operation="chain",
        inputs={
            "context": TERMS.context.hex(),
            "steps": [[event.body.hex() for event in step] for step in (first, second)],
        },
        outputs={"heads": [START.head.hex(), head.hex(), head_after(head, second).hex()]},
    )


def _states() -> Iterator[Vector]:
    points = [bytes([2]) + bytes([seat]) * 32 for seat in range(3)]
    game = replace(
        new_game(TERMS.ruleset, 3, 2),
        drawn_last=(1, None, 0),
        opened=(True, False, False),
        rack_sizes=(12, 15, 14),
        pool_left=63,
        to_move=1,
        turn_number=2,
    )
    playing = replace(
        START,
        phase=Phase.PLAY,
        sequence=11,
        head=bytes([7]) * 32,
        publics=tuple(points),
        coin=bytes([9]) * 32,
        game=game,
        holders=(0, 1, 2) * 14 + (1,),
        laid={5: 30, 2: 29},
    )
    for name, state in (("before_the_first_event", START), ("in_play", playing)):
        yield Vector(
            name=f"state_{name}",
            notes=f"The public state {name.replace('_', ' ')}",
            operation="state",
            inputs={"state": to_json(_public_state(state))},
            outputs={"hash": state.hash.hex()},
        )


def _public_state(state: RoundState) -> list[Encodable]:
    """The public state as the specification lists it; that its hash agrees is for the tests to see."""
    return [
        state.phase.value,
        state.sequence,
        state.head,
        list(state.publics),
        state.coin,
        [] if state.game is None else state.game.to_value(),
        list(state.holders),
        [[index, state.laid[index]] for index in sorted(state.laid)],
        [],
    ]


def _acknowledgements() -> Iterator[Vector]:
    unsigned = Ack(TERMS.context, 4, 1, bytes([7]) * 32, bytes([8]) * 32, bytes(64))
    body = unsigned.signed_part()
    good = replace(unsigned, signature=SEAT_KEYS[1].sign(Label.SIGN_ACK, body))
    bad = {
        "signed_by_another_seat": replace(good, signature=SEAT_KEYS[0].sign(Label.SIGN_ACK, body)),
        "signed_under_another_label": replace(good, signature=SEAT_KEYS[1].sign(Label.SIGN_EVENT, body)),
        "of_another_context": replace(good, context=bytes(32)),
        "of_another_slot": replace(good, sequence=5),
        "of_another_head": replace(good, head=bytes(32)),
        "of_another_state": replace(good, state=bytes(32)),
        "of_another_seat": replace(good, seat=2),
    }
    yield _ack("good", good, None)
    for name, ack in bad.items():
        yield _ack(name, ack, Fault(code=FaultCode.BAD_SIGNATURE.value, layer="session"))


def _ack(name: str, ack: Ack, fault: Fault | None) -> Vector:
    return Vector(
        name=f"ack_{name}",
        notes=f"An acknowledgement: {name.replace('_', ' ')}",
        operation="ack",
        inputs={"frame": encode_frame(ack).hex(), "keys": [key.hex() for key in TERMS.keys]},
        fault=fault,
    )


def _admissions() -> Iterator[Vector]:
    commit = Commit(bytes([5]) * 32)
    good = event_of(commit)
    yield _admission("good", good, None)
    bad: dict[str, tuple[Event, FaultCode]] = {
        "of_another_round": (
            event_of(commit, context=replace(TERMS, number=2).context),
            FaultCode.WRONG_CONTEXT,
        ),
        "of_another_match": (
            event_of(commit, context=replace(TERMS, match_id=bytes(32)).context),
            FaultCode.WRONG_CONTEXT,
        ),
        "of_a_seat_that_is_not_there": (event_of(commit, seat=3, signer=0), FaultCode.WRONG_SEAT),
        "signed_by_another_seat": (event_of(commit, seat=1, signer=0), FaultCode.BAD_SIGNATURE),
        "signature_changed": (
            replace(good, signature=good.signature[:-1] + bytes([good.signature[-1] ^ 1])),
            FaultCode.BAD_SIGNATURE,
        ),
        "signed_under_another_label": (
            replace(good, signature=SEAT_KEYS[1].sign(Label.SIGN_ACK, good.body)),
            FaultCode.BAD_SIGNATURE,
        ),
        "for_a_later_slot": (event_of(commit, sequence=1), FaultCode.WRONG_SEQUENCE),
        "on_another_head": (event_of(commit, prev=bytes(32)), FaultCode.WRONG_HEAD),
        "of_a_later_phase": (
            event_of(Reveal(bytes([2]) * 33, bytes(65), bytes(32))),
            FaultCode.WRONG_PHASE,
        ),
        "of_play": (event_of(Draw()), FaultCode.WRONG_PHASE),
    }
    for name, (event, code) in bad.items():
        yield _admission(name, event, Fault(code=code.value, layer="transcript"))


def _admission(name: str, event: Event, fault: Fault | None) -> Vector:
    return Vector(
        name=f"admit_{name}",
        notes=f"An event for the first slot of a round: {name.replace('_', ' ')}",
        operation="admit",
        inputs={**terms_in_words(TERMS), "body": event.body.hex(), "signature": event.signature.hex()},
        fault=fault,
    )


def _transcripts() -> Iterator[Vector]:
    step = tuple(event_of(Commit(bytes([seat]) * 32), seat=seat) for seat in range(3))
    empty = write_transcript(MATCH, [])
    good = write_transcript(MATCH, [step])
    yield _transcript("of_a_match_without_events", empty, 0)
    yield _transcript("of_one_step", good, 3)
    wrong = FaultCode.WRONG_TRANSCRIPT, "transcript"
    bad: dict[str, tuple[bytes, tuple[FaultCode, str]]] = {
        "empty": (b"", wrong),
        "of_another_version": (MAGIC.replace(b"1", b"2") + good[len(MAGIC) :], wrong),
        "without_agreement": (MAGIC, wrong),
        "cut_in_a_length": (empty + bytes(3), wrong),
        "cut_in_a_record": (good[: len(empty) + 10], wrong),
        "with_a_stray_byte": (good + b"\0", wrong),
        "with_acceptances_descending": (_agreement(MATCH.acceptances, *reversed(ROSTER)), wrong),
        "with_an_acceptance_twice": (_agreement(MATCH.acceptances, *ROSTER, ROSTER[-1]), wrong),
        "with_an_acceptance_missing": (
            _agreement(MATCH.acceptances, *ROSTER[:-1]),
            (FaultCode.WRONG_PROPOSAL, "agreement"),
        ),
        "without_acceptances": (_agreement(MATCH.acceptances), (FaultCode.WRONG_PROPOSAL, "agreement")),
        "with_seven_acceptances": (
            _agreement(MATCH.acceptances, *ROSTER, *ROSTER, ROSTER[0]),
            (FaultCode.WRONG_SCHEMA, "schema"),
        ),
        "that_begins_with_an_event": (
            MAGIC + _record(encode([step[0].body, step[0].signature])),
            (FaultCode.WRONG_SCHEMA, "schema"),
        ),
        "whose_first_record_is_empty": (MAGIC + _record(b""), (FaultCode.MALFORMED_FRAME, "encoding")),
        "with_a_record_of_no_event": (
            good + _record(encode([encode(["unheard-of", TERMS.context, 1, bytes(32), 0]), bytes(64)])),
            (FaultCode.WRONG_SCHEMA, "schema"),
        ),
        "with_a_record_of_one_field": (
            good + _record(encode([step[0].body])),
            (FaultCode.WRONG_SCHEMA, "schema"),
        ),
        "with_an_empty_record": (good + _record(b""), (FaultCode.MALFORMED_FRAME, "encoding")),
        "with_another_opener_signature": (
            good.replace(MATCH.proposal_signature, bytes(64)),
            (FaultCode.BAD_SIGNATURE, "agreement"),
        ),
        "with_another_nonce": (
            good.replace(PLAYERS[0].nonce, bytes(32)),
            (FaultCode.BAD_SIGNATURE, "agreement"),
        ),
    }
    for name, (data, (code, layer)) in bad.items():
        yield _transcript(name, data, Fault(code=code.value, layer=layer))


def _agreement(acceptances: Mapping[bytes, Accept], *keys: bytes) -> bytes:
    """A file that holds the agreement alone, with the acceptances by these keys in this order."""
    accepts = [[key, acceptances[key].nonce, acceptances[key].signature] for key in keys]
    return MAGIC + _record(encode([MATCH.proposal.body, MATCH.proposal_signature, accepts]))


def _record(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _transcript(name: str, data: bytes, result: Fault | int) -> Vector:
    return Vector(
        name=f"transcript_{name}",
        notes=f"A transcript: {name.replace('_', ' ')}",
        operation="transcript",
        inputs={"bytes": data.hex()},
        outputs={} if isinstance(result, Fault) else {"match": MATCH.id.hex(), "events": result},
        fault=result if isinstance(result, Fault) else None,
    )
