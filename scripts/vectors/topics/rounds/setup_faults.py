"""Steps that must be refused before the first turn: commit, reveal, shuffle, prove, deal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import ORDER
from p2prummi.errors import FaultCode
from p2prummi.session import duties
from p2prummi.session.duties import RoundSecrets
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.replay import advance
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event
from vectors.topics.rounds.faulty import Faulty, flipped, signed
from vectors.topics.rounds.played import PlayedRound, author

ENTROPY = SeededEntropy(b"faulty steps of the setup")


def faulty_steps(played: PlayedRound) -> Iterator[Faulty]:
    """All faults of these phases."""
    yield from _reveal_faults(played)
    yield from _committed_faults(played)
    yield _fault_of_each_seat(played)
    yield from _shuffle_faults(played)
    yield from _prove_faults(played)
    yield from _deal_faults(played)


def _reveal_faults(played: PlayedRound) -> Iterator[Faulty]:
    slot = played.slot_of(Phase.REVEAL)
    state, (first, second) = played.states[slot], played.steps[slot]
    good = cast(events.Reveal, second.payload)
    changed = {
        "key": replace(good, public=played.secrets[0].key.public),
        "proof": replace(good, proof=flipped(good.proof)),
        "coin": replace(good, coin=flipped(good.coin)),
    }
    for name, payload in changed.items():
        yield Faulty(
            name=f"reveal_of_another_{name}",
            notes=f"Seat 1 reveals another {name} than it committed to",
            slots=slot,
            steps=((first, signed(state, 1, payload)),),
            code=FaultCode.COMMITMENT_MISMATCH,
            layer="crypto",
            seat=1,
        )
    yield Faulty(
        name="reveal_before_the_slot_before",
        notes="Seat 1 reveals in the slot of the commitments",
        slots=0,
        steps=((played.steps[0][0], signed(played.states[0], 1, good)),),
        code=FaultCode.WRONG_PHASE,
        layer="transcript",
        seat=1,
    )


def _committed_faults(played: PlayedRound) -> Iterator[Faulty]:
    """What seat 1 has committed to in good order, but must not reveal."""
    start, context = played.states[0], played.states[0].terms.context
    commit_0 = played.steps[0][0]
    own, other = played.secrets[1], played.secrets[0]
    negative = decks.RoundKey(ORDER - other.key.secret)
    cases: dict[str, tuple[str, RoundSecrets, FaultCode, int | None]] = {
        "key_with_a_wrong_proof": (
            "The proof of its key does not hold",
            replace(own, key_proof=flipped(own.key_proof)),
            FaultCode.KEY_PROOF_FAILED,
            1,
        ),
        "key_with_the_proof_of_another_seat": (
            "Its key and proof are copied from seat 0",
            replace(own, key=other.key, key_proof=other.key_proof),
            FaultCode.KEY_PROOF_FAILED,
            1,
        ),
        "key_of_another_seat": (
            "It has the same key as seat 0, and knows its secret",
            replace(own, key=other.key, key_proof=decks.prove_key(context, 1, other.key, ENTROPY)),
            FaultCode.KEY_REUSED,
            1,
        ),
        "keys_that_cancel": (
            "Its key is the negative of that of seat 0, whose secret it knows: nobody can be blamed alone",
            replace(own, key=negative, key_proof=decks.prove_key(context, 1, negative, ENTROPY)),
            FaultCode.NEUTRAL_ELEMENT,
            None,
        ),
    }
    for name, (notes, secrets, code, seat) in cases.items():
        committed = (commit_0, _made(start, 1, secrets, Phase.COMMIT))
        state = advance(start, committed, ENTROPY)
        revealed = (
            _made(state, 0, other, Phase.REVEAL),
            _made(state, 1, secrets, Phase.REVEAL),
        )
        yield Faulty(
            name=f"reveal_of_{name}",
            notes=f"Seat 1 reveals what it committed to. {notes}",
            slots=0,
            steps=(committed, revealed),
            code=code,
            layer="crypto",
            seat=seat,
        )
    copied = (commit_0, signed(start, 1, commit_0.payload))
    state = advance(start, copied, ENTROPY)
    reveal_0 = _made(state, 0, other, Phase.REVEAL)
    yield Faulty(
        name="reveal_of_a_copied_commitment",
        notes="Seat 1 copies the commitment of seat 0, and then what it reveals",
        slots=0,
        steps=(copied, (reveal_0, signed(state, 1, reveal_0.payload))),
        code=FaultCode.COMMITMENT_MISMATCH,
        layer="crypto",
        seat=1,
    )


def _fault_of_each_seat(played: PlayedRound) -> Faulty:
    """Which of two faults in one step is named, and who is blamed."""
    start, (wrong, good) = played.states[0], played.secrets
    wrong = replace(wrong, key_proof=flipped(wrong.key_proof))
    committed = (_made(start, 0, wrong, Phase.COMMIT), played.steps[0][1])
    state = advance(start, committed, ENTROPY)
    second = cast(events.Reveal, _made(state, 1, good, Phase.REVEAL).payload)
    revealed = (
        _made(state, 0, wrong, Phase.REVEAL),
        signed(state, 1, replace(second, coin=flipped(second.coin))),
    )
    return Faulty(
        name="reveal_with_a_fault_of_each_seat",
        notes="Seat 0's proof does not hold, seat 1 shows another coin: the first is found before the second",
        slots=0,
        steps=(committed, revealed),
        code=FaultCode.KEY_PROOF_FAILED,
        layer="crypto",
        seat=0,
    )


def _made(state: RoundState, seat: int, secrets: RoundSecrets, phase: Phase) -> Event:
    return duties.DUTIES[phase](state, author(state.terms, seat), secrets, ENTROPY)[0]


def _shuffle_faults(played: PlayedRound) -> Iterator[Faulty]:
    slot = played.slot_of(Phase.SHUFFLE)
    state = played.states[slot]
    deck = cast(events.Shuffle, played.steps[slot][0].payload).deck
    bad = {
        "too_short": (deck[:-66], FaultCode.WRONG_SCHEMA),
        "with_no_point": (bytes([5]) + deck[1:], FaultCode.INVALID_POINT),
        "with_the_neutral_element": (bytes(33) + deck[33:], FaultCode.NEUTRAL_ELEMENT),
    }
    for name, (data, code) in bad.items():
        yield Faulty(
            name=f"shuffle_{name}",
            notes=f"The deck of seat 0: {name.replace('_', ' ')}",
            slots=slot,
            steps=((signed(state, 0, events.Shuffle(data)),),),
            code=code,
            layer="crypto",
            seat=0,
        )
    yield Faulty(
        name="shuffle_out_of_turn",
        notes="Seat 1 shuffles first",
        slots=slot,
        steps=((signed(state, 1, events.Shuffle(deck)),),),
        code=FaultCode.OUT_OF_TURN,
        layer="transcript",
        seat=1,
    )
    yield Faulty(
        name="shuffle_on_another_head",
        notes="Seat 0 builds its shuffle on the head before the keys were revealed",
        slots=slot,
        steps=((signed(state, 0, events.Shuffle(deck), prev=played.states[slot - 1].head),),),
        code=FaultCode.WRONG_HEAD,
        layer="transcript",
        seat=0,
    )


def _prove_faults(played: PlayedRound) -> Iterator[Faulty]:
    slot = played.slot_of(Phase.PROVE)
    state, (first, second) = played.states[slot], played.steps[slot]
    proofs = [cast(events.Prove, event.payload).proof for event in (first, second)]

    def refused(name: str, notes: str, by_seat: tuple[bytes, bytes], seat: int) -> Faulty:
        step = tuple(signed(state, at, events.Prove(proof)) for at, proof in enumerate(by_seat))
        return Faulty(
            name=name,
            notes=notes,
            slots=slot,
            steps=(step,),
            code=FaultCode.SHUFFLE_PROOF_FAILED,
            layer="crypto",
            seat=seat,
        )

    yield refused("prove_swapped", "Each seat sends the other's proof", (proofs[1], proofs[0]), 0)
    yield refused("prove_with_a_bit_changed", "One bit of seat 1's proof", (proofs[0], flipped(proofs[1])), 1)
    yield refused("prove_with_another_proof", "Seat 1 repeats seat 0's proof", (proofs[0], proofs[0]), 1)
    yield Faulty(
        name="prove_on_the_head_of_the_phase",
        notes="Seat 0 builds its proof on the last head instead of the one after its own shuffle",
        slots=slot,
        steps=((signed(state, 0, first.payload, prev=state.head), second),),
        code=FaultCode.WRONG_HEAD,
        layer="transcript",
        seat=0,
    )
    yield from _skipped_shuffle(played)


def _skipped_shuffle(played: PlayedRound) -> Iterator[Faulty]:
    """Seat 1 shuffles the deck before seat 0's, and proves that: it did not shuffle the last deck."""
    slot = played.slot_of(Phase.SHUFFLE) + 1
    state = played.states[slot]
    assert state.joint is not None
    before = state.decks[0]
    prepared = decks.prepare_shuffle(before.size, ENTROPY).with_key(state.joint)
    after, opening = decks.apply_shuffle(prepared, before)
    shuffle = signed(state, 1, events.Shuffle(after.to_bytes()))
    proving = advance(state, (shuffle,), ENTROPY)
    proof = decks.prove_shuffle(
        proving.proof_context(proving.prev_for(1)), 1, state.joint, before, after, opening, ENTROPY
    )
    first = signed(proving, 0, played.steps[slot + 1][0].payload)
    yield Faulty(
        name="prove_of_a_shuffle_of_the_first_deck",
        notes="Seat 1 shuffles the first deck instead of the one that seat 0 made, and proves that",
        slots=slot,
        steps=((shuffle,), (first, signed(proving, 1, events.Prove(proof)))),
        code=FaultCode.SHUFFLE_PROOF_FAILED,
        layer="crypto",
        seat=1,
    )


def _deal_faults(played: PlayedRound) -> Iterator[Faulty]:
    slot = played.slot_of(Phase.DEAL)
    state, (first, second) = played.states[slot], played.steps[slot]
    good = cast(events.Deal, second.payload)
    shares, proof = good.shares, good.proof
    own = state.indices_held(1)
    of_own = decks.make_shares(
        state.proof_context(state.head), played.secrets[1].key, state.deck, own, ENTROPY
    )
    elsewhere = decks.make_shares(
        state.proof_context(bytes(32)),
        played.secrets[1].key,
        state.deck,
        state.indices_to_share(1),
        ENTROPY,
    )
    bad = {
        "swapped": (shares[33:66] + shares[:33] + shares[66:], proof, FaultCode.SHARE_PROOF_FAILED),
        "of_the_own_rack": (of_own.points, of_own.proof, FaultCode.SHARE_PROOF_FAILED),
        "proved_on_another_head": (elsewhere.points, elsewhere.proof, FaultCode.SHARE_PROOF_FAILED),
        "of_the_other_seat": (
            *(getattr(first.payload, name) for name in ("shares", "proof")),
            FaultCode.SHARE_PROOF_FAILED,
        ),
        "with_one_left_out": (shares[:-33], proof, FaultCode.WRONG_SCHEMA),
        "with_one_too_many": (shares + shares[-33:], proof, FaultCode.WRONG_SCHEMA),
        "with_the_neutral_element": (bytes(33) + shares[33:], proof, FaultCode.NEUTRAL_ELEMENT),
        "with_a_short_proof": (shares, proof[:-1], FaultCode.WRONG_SCHEMA),
    }
    for name, (points, proved, code) in bad.items():
        yield Faulty(
            name=f"deal_{name}",
            notes=f"The shares that seat 1 deals: {name.replace('_', ' ')}",
            slots=slot,
            steps=((first, signed(state, 1, events.Deal(points, proved))),),
            code=code,
            layer="crypto",
            seat=1,
        )
