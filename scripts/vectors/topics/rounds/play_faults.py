"""Steps that must be refused from the first turn on: turns, shares of draws, settlement, result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from vectors.topics.rounds.faulty import Faulty, flipped, signed
from vectors.topics.rounds.played import PlayedRound

ENTROPY = SeededEntropy(b"faulty steps of play")


def faulty_steps(played: PlayedRound) -> Iterator[Faulty]:
    """All faults of these phases."""
    yield from _turn_faults(played)
    yield from _lay_faults(played)
    yield from _second_lay_faults(played)
    yield from _share_faults(played)
    yield from _end_faults(played)


def _turn_faults(played: PlayedRound) -> Iterator[Faulty]:
    slot = played.slot_of(Phase.PLAY)
    state = played.states[slot]
    mover = state.running_game.to_move
    yield Faulty(
        name="turn_of_the_other_seat",
        notes="The seat that is not to move draws",
        slots=slot,
        steps=((signed(state, 1 - mover, events.Draw()),),),
        code=FaultCode.OUT_OF_TURN,
        layer="transcript",
        seat=1 - mover,
    )
    yield Faulty(
        name="turn_of_no_turn",
        notes="The mover settles",
        slots=slot,
        steps=((signed(state, mover, events.Settle(bytes([1]) * 32)),),),
        code=FaultCode.WRONG_PHASE,
        layer="transcript",
        seat=mover,
    )
    yield Faulty(
        name="turn_for_the_slot_after",
        notes="The mover draws in the slot after the next",
        slots=slot,
        steps=((signed(state, mover, events.Draw(), sequence=state.sequence + 1),),),
        code=FaultCode.WRONG_SEQUENCE,
        layer="transcript",
        seat=mover,
    )
    yield Faulty(
        name="turn_of_the_other_seat_on_another_head",
        notes="The seat that is not to move draws, on the head before: the wrong head is found first",
        slots=slot,
        steps=((signed(state, 1 - mover, events.Draw(), prev=played.states[slot - 1].head),),),
        code=FaultCode.WRONG_HEAD,
        layer="transcript",
        seat=1 - mover,
    )
    strangers = {
        "of_another_round": (
            signed(state, mover, events.Draw(), context=replace(state.terms, number=2).context),
            FaultCode.WRONG_CONTEXT,
        ),
        "of_a_seat_that_is_not_there": (
            signed(state, 2, events.Draw(), signer=mover),
            FaultCode.WRONG_SEAT,
        ),
        "signed_by_the_other_seat": (
            signed(state, mover, events.Draw(), signer=1 - mover),
            FaultCode.BAD_SIGNATURE,
        ),
    }
    for name, (event, code) in strangers.items():
        yield Faulty(
            name=f"turn_{name}",
            notes=f"A draw {name.replace('_', ' ')}: nobody is blamed",
            slots=slot,
            steps=((event,),),
            code=code,
            layer="transcript",
            seat=None,
        )
    yield Faulty(
        name="turn_passed_while_tiles_are_left",
        notes="The mover passes although the pool holds tiles",
        slots=slot,
        steps=((signed(state, mover, events.Pass()),),),
        code=FaultCode.ILLEGAL_TURN,
        layer="transcript",
        seat=mover,
    )
    slot = played.slot_of(Phase.PLAY, events.Pass.kind)
    state = played.states[slot]
    mover = state.running_game.to_move
    yield Faulty(
        name="turn_drawn_from_an_empty_pool",
        notes="The mover draws although the pool is empty",
        slots=slot,
        steps=((signed(state, mover, events.Draw()),),),
        code=FaultCode.ILLEGAL_TURN,
        layer="transcript",
        seat=mover,
    )


def _lay_faults(played: PlayedRound) -> Iterator[Faulty]:
    """What is wrong with the second lay of the round, when there is a meld on the table already."""
    slot = [at for at, step in enumerate(played.steps) if step[0].kind == "play"][1]
    state, (event,) = played.states[slot], played.steps[slot]
    good = cast(events.Play, event.payload)
    seat = event.seat
    number, index = good.laid[0]
    twin = number - 52 if number >= 52 else number + 52
    *before, (kind, tiles) = good.melds
    renamed = (*before, (kind, tuple(twin if tile == number else tile for tile in tiles)))
    spare = next(at for at in state.indices_held(seat) if at not in {at for _, at in good.laid})
    illegal, wrong = FaultCode.ILLEGAL_TURN, FaultCode.WRONG_INDEX
    cases: dict[str, tuple[events.Play, FaultCode, str]] = {
        "of_another_copy": (
            _proved(played, state, replace(good, melds=renamed, laid=((twin, index), *good.laid[1:]))),
            FaultCode.TILE_NOT_HELD,
            "transcript",
        ),
        "from_another_index": (
            _proved(played, state, replace(good, laid=_ascending(((number, spare), *good.laid[1:])))),
            FaultCode.TILE_NOT_HELD,
            "transcript",
        ),
        "from_the_other_rack": (
            replace(good, laid=_ascending(((number, state.indices_held(1 - seat)[0]), *good.laid[1:]))),
            wrong,
            "transcript",
        ),
        "from_the_pool": (
            replace(good, laid=_ascending(((number, len(state.holders)), *good.laid[1:]))),
            wrong,
            "transcript",
        ),
        "from_an_index_beyond_the_deck": (
            replace(good, laid=_ascending(((number, state.deck.size), *good.laid[1:]))),
            wrong,
            "transcript",
        ),
        "from_one_index_twice": (replace(good, laid=(good.laid[0], *good.laid)), wrong, "transcript"),
        "with_indices_descending": (replace(good, laid=good.laid[::-1]), wrong, "transcript"),
        "with_a_tile_not_said_to_be_laid": (replace(good, laid=good.laid[1:]), illegal, "transcript"),
        "with_a_table_tile_gone": (replace(good, melds=good.melds[1:]), illegal, "transcript"),
        "with_a_meld_in_another_order": (
            replace(good, melds=(*before, (kind, (*tiles[1:], tiles[0])))),
            illegal,
            "rules",
        ),
        "with_a_meld_of_the_other_kind": (
            replace(good, melds=(*before, (1 - kind, tiles))),
            illegal,
            "rules",
        ),
        "with_an_opening_not_on_the_table": (
            replace(good, opening=(len(good.melds),)),
            illegal,
            "transcript",
        ),
        "with_an_opening_twice": (replace(good, opening=(0, 0)), illegal, "transcript"),
        "with_a_melds_opening_that_is_not_new": (replace(good, opening=(0,)), illegal, "transcript"),
        "with_a_bit_of_its_proof_changed": (
            replace(good, proof=flipped(good.proof)),
            FaultCode.SHARE_PROOF_FAILED,
            "crypto",
        ),
        "with_shares_swapped": (
            replace(good, shares=good.shares[33:66] + good.shares[:33] + good.shares[66:]),
            FaultCode.SHARE_PROOF_FAILED,
            "crypto",
        ),
        "with_a_share_left_out": (
            replace(good, shares=good.shares[:-33]),
            FaultCode.WRONG_SCHEMA,
            "crypto",
        ),
    }
    for name, (payload, code, layer) in cases.items():
        yield Faulty(
            name=f"lay_{name}",
            notes=f"A lay of three tiles: {name.replace('_', ' ')}",
            slots=slot,
            steps=((signed(state, seat, payload),),),
            code=code,
            layer=layer,
            seat=seat,
        )


def _second_lay_faults(played: PlayedRound) -> Iterator[Faulty]:
    """What is wrong with the first lay of a seat that has laid before."""
    lays = [(at, step[0]) for at, step in enumerate(played.steps) if step[0].kind == events.Play.kind]
    seat = lays[0][1].seat
    slot, event = next(each for each in lays[1:] if each[1].seat == seat)
    state = played.states[slot]
    good, earlier = cast(events.Play, event.payload), cast(events.Play, lays[0][1].payload)
    number, _ = good.laid[0]
    index_laid_before = earlier.laid[0][1]
    cases = {
        "from_an_index_laid_before": (
            replace(good, laid=_ascending(((number, index_laid_before), *good.laid[1:]))),
            FaultCode.WRONG_INDEX,
        ),
        "with_an_opening_by_who_has_opened": (
            replace(good, opening=(len(good.melds) - 1,)),
            FaultCode.ILLEGAL_TURN,
        ),
    }
    for name, (payload, code) in cases.items():
        yield Faulty(
            name=f"lay_{name}",
            notes=f"The second lay of a seat: {name.replace('_', ' ')}",
            slots=slot,
            steps=((signed(state, seat, payload),),),
            code=code,
            layer="transcript",
            seat=seat,
        )


def _ascending(laid: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(laid, key=lambda pair: pair[1]))


def _proved(played: PlayedRound, state: RoundState, payload: events.Play) -> events.Play:
    """The lay with good shares for whatever indices it names."""
    seat = state.running_game.to_move
    indices = tuple(index for _, index in payload.laid)
    shares = decks.make_shares(
        state.proof_context(state.head), played.secrets[seat].key, state.deck, indices, ENTROPY
    )
    return replace(payload, shares=shares.points, proof=shares.proof)


def _share_faults(played: PlayedRound) -> Iterator[Faulty]:
    slot = played.slot_of(Phase.DRAW_SHARE)
    state, (event,) = played.states[slot], played.steps[slot]
    seat = event.seat
    key = played.secrets[seat].key
    after_next = (state.drawn[0] + 1,)
    other = decks.make_shares(state.proof_context(state.head), key, state.deck, after_next, ENTROPY)
    drawers = decks.make_shares(
        state.proof_context(state.head), played.secrets[1 - seat].key, state.deck, state.drawn, ENTROPY
    )
    for name, shares in {"of_another_index": other, "of_the_drawers_key": drawers}.items():
        yield Faulty(
            name=f"draw_share_{name}",
            notes=f"The share of a drawn tile: {name.replace('_', ' ')}",
            slots=slot,
            steps=((signed(state, seat, events.DrawShare(shares.points, shares.proof)),),),
            code=FaultCode.SHARE_PROOF_FAILED,
            layer="crypto",
            seat=seat,
        )
    yield Faulty(
        name="draw_share_by_the_drawer",
        notes="The seat that draws shares with everyone what it draws",
        slots=slot,
        steps=((signed(state, 1 - seat, events.DrawShare(drawers.points, drawers.proof)),),),
        code=FaultCode.OUT_OF_TURN,
        layer="transcript",
        seat=1 - seat,
    )


def _end_faults(played: PlayedRound) -> Iterator[Faulty]:
    slot = played.slot_of(Phase.SETTLE)
    state, (first, _) = played.states[slot], played.steps[slot]
    secrets = {
        "of_another_key": (
            played.secrets[0].key.secret_bytes(),
            FaultCode.COMMITMENT_MISMATCH,
            "transcript",
        ),
        "of_zero": (bytes(32), FaultCode.INVALID_SCALAR, "crypto"),
        "of_the_order_or_more": (b"\xff" * 32, FaultCode.INVALID_SCALAR, "crypto"),
    }
    for name, (secret, code, layer) in secrets.items():
        yield Faulty(
            name=f"settle_{name}",
            notes=f"The secret that seat 1 shows: {name.replace('_', ' ')}",
            slots=slot,
            steps=((first, signed(state, 1, events.Settle(secret))),),
            code=code,
            layer=layer,
            seat=1,
        )
    slot = played.slot_of(Phase.RESULT)
    state, (first, second) = played.states[slot], played.steps[slot]
    points = cast(events.Result, second.payload).points
    for name, claimed in {"other": (points[0] - 1, points[1] + 1), "of_three_seats": (*points, 0)}.items():
        yield Faulty(
            name=f"result_{name}",
            notes=f"Seat 1 signs other points than those that follow: {name.replace('_', ' ')}",
            slots=slot,
            steps=((first, signed(state, 1, events.Result(claimed))),),
            code=FaultCode.WRONG_RESULT,
            layer="transcript",
            seat=1,
        )
