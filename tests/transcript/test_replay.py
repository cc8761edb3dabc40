"""The only acceptance rule: what each phase takes, and what it refuses with whose name.

What an attacker sends in a running match is in `tests/session`; here are the checks that need
a state of their own making.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2prummi.crypto import deck as decks
from p2prummi.crypto.round_key import RoundKey
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import PRESETS, Draw, Meld, Play, find_opening, with_settings
from p2prummi.session.duties import RoundSecrets, make_secrets
from p2prummi.transcript import replay
from p2prummi.transcript.chain import first_head, head_after, round_context
from p2prummi.transcript.phases import NEED_FINALITY, NEXT, SLOTS, Filler, Outcome, Phase
from p2prummi.transcript.state import RoundTerms
from p2prummi.wire import events
from p2prummi.wire.events import PAYLOADS, Event, sign_event
from p2prummi.wire.melds import meld_to_wire
from tests.transcript.rounds import ENTROPY, Table, match_of

RULES = PRESETS["official"]


def refused(call: Callable[..., object], *arguments: object) -> tuple[FaultCode, bytes | None]:
    with pytest.raises(RemoteProtocolError) as raised:
        call(*arguments)
    return raised.value.code, raised.value.culprit


def new_table(players: int = 2) -> Table:
    return Table.of(match_of(RULES, players))


def with_keys(table: Table, secrets: list[int]) -> None:
    """Gives the seats round keys of these secrets."""
    context = table.state.terms.context
    for seat, secret in enumerate(secrets):
        key = RoundKey(secret)
        proof = decks.prove_key(context, seat, key, ENTROPY)
        table.secrets[seat] = replace(table.secrets[seat], key=key, key_proof=proof)


# The tables.


def test_every_phase_but_the_last_has_a_slot_and_leads_somewhere() -> None:
    assert set(SLOTS) == set(Phase) - {Phase.DONE}
    assert set(replay.STEPS) == set(SLOTS)
    assert {phase for phase, _ in NEXT} == set(SLOTS)
    assert set(NEXT.values()) == set(Phase) - {Phase.COMMIT}
    # Every kind of event has its one phase.
    kinds = [kind for slot in SLOTS.values() for kind in slot.kinds]
    assert sorted(kinds) == sorted(PAYLOADS)
    # Whatever carries shares or keys waits for finality, but a lay, whose tiles are open anyway.
    assert {"deal", "draw_share", "settle"} == NEED_FINALITY
    assert NEXT[Phase.SHUFFLE, Outcome.MORE] is Phase.SHUFFLE
    assert {slot.filler for slot in SLOTS.values()} == set(Filler)


# One event alone.


def test_an_event_is_admitted_for_its_slot_alone() -> None:
    table = new_table(3)
    state = table.state
    event = table.due()[1]
    culprit = state.terms.keys[1]
    replay.admit(state, event)

    def signed(**changes: Any) -> Event:
        values: dict[str, Any] = {
            "context": event.context,
            "sequence": 0,
            "prev": event.prev,
            "seat": 1,
            "payload": event.payload,
        }
        return sign_event(table.authors[1].key, **{**values, **changes})

    wrongs: tuple[tuple[dict[str, Any], tuple[FaultCode, bytes | None]], ...] = (
        ({"context": bytes(32)}, (FaultCode.WRONG_CONTEXT, None)),
        ({"seat": 3}, (FaultCode.WRONG_SEAT, None)),
        ({"seat": 2}, (FaultCode.BAD_SIGNATURE, None)),
        ({"sequence": 1}, (FaultCode.WRONG_SEQUENCE, culprit)),
        ({"prev": bytes(32)}, (FaultCode.WRONG_HEAD, culprit)),
        ({"payload": events.Draw()}, (FaultCode.WRONG_PHASE, culprit)),
    )
    for change, expected in wrongs:
        wrong = signed(**change)
        assert refused(replay.admit, state, wrong) == expected
    table.reach(Phase.SHUFFLE)
    late = sign_event(
        table.authors[1].key,
        context=event.context,
        sequence=2,
        prev=table.state.head,
        seat=1,
        payload=events.Shuffle(bytes(66)),
    )
    assert refused(lambda: replay.admit(table.state, late)) == (FaultCode.OUT_OF_TURN, culprit)


def test_nothing_is_admitted_once_the_round_is_done() -> None:
    table = new_table()
    state = table.with_state(phase=Phase.DONE)
    assert state.fillers == ()
    assert refused(lambda: replay.admit(state, table.due()[0]))[0] is FaultCode.OUT_OF_TURN


def test_a_slot_is_filled_by_exactly_its_seats_in_their_order() -> None:
    table = new_table()
    first, second = table.due()
    for step in ((first,), (second, first), (first, second, second), ()):
        code, culprit = refused(replay.advance, table.state, step, ENTROPY)
        assert (code, culprit) == (FaultCode.WRONG_TRANSCRIPT, None)
    # Each of them is admitted.
    forged = replace(second, signature=bytes(64))
    assert (
        refused(lambda: replay.advance(table.state, (first, forged), ENTROPY))[0] is FaultCode.BAD_SIGNATURE
    )


# Keys.


def test_the_same_key_at_two_seats_is_blamed_on_the_later() -> None:
    table = new_table(3)
    with_keys(table, [5, 7, 5])
    table.reach(Phase.REVEAL)
    expected = (FaultCode.KEY_REUSED, table.state.terms.keys[2])
    assert refused(table.advance) == expected


def test_keys_that_cancel_each_other_are_nobodys_fault_alone() -> None:
    table = new_table()
    with_keys(table, [5, decks_order() - 5])
    table.reach(Phase.REVEAL)
    assert refused(table.advance) == (FaultCode.NEUTRAL_ELEMENT, None)


def decks_order() -> int:
    """The order of the group (SEC 2, secp256k1)."""
    return 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def test_each_seat_is_blamed_for_its_own_reveal() -> None:
    for seat in range(3):
        table = new_table(3)
        table.reach(Phase.REVEAL)
        other = make_secrets(table.state.terms.context, seat, table.secrets[seat].shuffle, ENTROPY)
        table.secrets[seat] = other
        assert refused(table.advance) == (FaultCode.COMMITMENT_MISMATCH, table.state.terms.keys[seat])


def test_all_seats_random_bytes_make_the_coin() -> None:
    coins = set()
    for changed in (None, 0, 1):
        table = new_table()
        for seat in range(2):
            coin = bytes([9 if seat == changed else 1] * 32)
            table.secrets[seat] = replace(table.secrets[seat], coin=coin)
        table.reach(Phase.SHUFFLE)
        coins.add(table.state.coin)
    assert len(coins) == 3


def test_a_later_round_starts_where_the_match_says() -> None:
    for starter in (0, 1):
        table = new_table()
        terms = replace(table.state.terms, starter=starter)
        table.state = replace(table.state, terms=terms)
        table.reach(Phase.PLAY)
        assert table.state.starting is not None
        assert (table.state.starting.seat, table.state.starting.draws) == (starter, ())
        assert table.state.running_game.to_move == starter


# Decks and shares.


def test_each_seat_is_blamed_for_its_own_shuffle() -> None:
    for seat in range(3):
        table = new_table(3)
        table.reach(Phase.PROVE)
        step = list(table.due())
        payload = step[seat].payload
        assert isinstance(payload, events.Prove)
        proof = payload.proof[:-1] + bytes([payload.proof[-1] ^ 1])
        step[seat] = table.authors[seat].sign(table.state, events.Prove(proof))
        assert refused(table.advance, tuple(step)) == (
            FaultCode.SHUFFLE_PROOF_FAILED,
            table.state.terms.keys[seat],
        )


def test_a_proof_of_another_seat_or_round_proves_nothing() -> None:
    table = new_table()
    table.reach(Phase.PROVE)
    first, second = table.due()
    swapped = (
        table.authors[0].sign(table.state, second.payload),
        table.authors[1].sign(table.state, first.payload),
    )
    assert refused(lambda: table.advance(swapped))[0] is FaultCode.SHUFFLE_PROOF_FAILED
    other = Table(
        state=replace(table.state, terms=replace(table.state.terms, number=2)),
        authors=table.authors,
        secrets=list(table.secrets),
    )
    assert other.state.terms.context != table.state.terms.context
    replayed = tuple(
        author.sign(other.state, event.payload)
        for author, event in zip(other.authors, (first, second), strict=True)
    )
    assert refused(lambda: other.advance(replayed))[0] is FaultCode.SHUFFLE_PROOF_FAILED


def test_each_seat_is_blamed_for_its_own_shares() -> None:
    for seat in range(2):
        table = new_table()
        table.reach(Phase.DEAL)
        step = list(table.due())
        payload = step[seat].payload
        assert isinstance(payload, events.Deal)
        swapped = payload.shares[33:66] + payload.shares[:33] + payload.shares[66:]
        step[seat] = table.authors[seat].sign(table.state, events.Deal(swapped, payload.proof))
        assert refused(table.advance, tuple(step)) == (
            FaultCode.SHARE_PROOF_FAILED,
            table.state.terms.keys[seat],
        )


# Play.


def table_with_a_lay() -> Table:
    """A round in which a seat has opened, and another that could is to move."""
    rules = with_settings(RULES, ["opening_points=1"])
    table = Table.of(match_of(rules))
    table.reach(Phase.PLAY)
    while len(table.state.running_game.table) == 0 or _opening(table) is None:
        opening = None if table.state.running_game.table else _opening(table)
        turn = Draw() if opening is None else Play(melds=opening, opening=opening)
        table.advance((table.turn(turn),))
        while table.state.phase is Phase.DRAW_SHARE:
            table.advance()
    return table


def _opening(table: Table) -> tuple[Meld, ...] | None:
    game = table.state.running_game
    if game.opened[game.to_move]:
        return None
    return find_opening(game.ruleset, tuple(table.hand(game.to_move).values()))


def test_a_lay_is_checked_against_the_table_before() -> None:
    table = table_with_a_lay()
    game, seat = table.state.running_game, table.state.running_game.to_move
    culprit = table.state.terms.keys[seat]
    tile_set = game.ruleset.tile_set
    opening = _opening(table)
    assert opening is not None
    good = table.turn(Play(melds=(*game.table, *opening), opening=opening))
    payload = good.payload
    assert isinstance(payload, events.Play)

    def signed(**changes: Any) -> tuple[Event]:
        return (table.authors[seat].sign(table.state, replace(payload, **changes)),)

    # The table's own tiles are gone, or are laid once more.
    without = signed(melds=payload.melds[len(game.table) :], opening=(0,))
    assert refused(table.advance, without) == (FaultCode.ILLEGAL_TURN, culprit)
    lain = meld_to_wire(game.table[0], tile_set)[1][0]
    again = signed(laid=((lain, payload.laid[0][1]), *payload.laid[1:]))
    assert refused(table.advance, again) == (FaultCode.ILLEGAL_TURN, culprit)
    unknown = signed(
        laid=((150, payload.laid[0][1]), *payload.laid[1:]), melds=(*payload.melds[:-1], (1, (150, 151, 152)))
    )
    assert refused(table.advance, unknown) == (FaultCode.ILLEGAL_TURN, culprit)
    assert refused(table.advance, signed(opening=(len(payload.melds),))) == (
        FaultCode.ILLEGAL_TURN,
        culprit,
    )
    before = table.state
    table.advance((good,))
    after = table.state
    assert after.running_game.opened == (True, True)
    indices = [index for _, index in payload.laid]
    assert all(index in before.shares and index not in after.shares for index in indices)
    assert {index: after.laid[index] for index in indices} == {index: tile for tile, index in payload.laid}
    # An index once laid is not on the rack any more.
    assert set(after.indices_held(seat)) == set(before.indices_held(seat)) - set(indices)
    assert after.drawn_last[seat] == ()


def test_what_was_drawn_last_is_known_by_index() -> None:
    table = new_table()
    table.reach(Phase.PLAY)
    seat = table.state.running_game.to_move
    assert not any(table.state.drawn_last)
    table.advance((table.turn(Draw()),))
    assert table.state.drawer == seat
    assert table.state.fillers == (1 - seat,)
    assert table.state.drawn_last[seat] == (28,)
    table.advance()
    after = table.state
    assert after.drawer is None
    assert 28 in table.state.indices_held(seat)
    assert len(table.hand(seat)) == 15


# Heads and hashes.


def test_heads_hash_bodies_in_seat_order_and_never_signatures() -> None:
    table = new_table()
    first, second = table.due()
    head = head_after(table.state.head, (first, second))
    assert head != head_after(table.state.head, (second, first))
    assert head == head_after(table.state.head, (replace(first, signature=bytes(64)), second))
    assert head != head_after(bytes(32), (first, second))
    assert first_head(bytes(32)) != first_head(b"\1" * 32)


def test_a_context_names_everything_that_a_round_is() -> None:
    values: dict[str, Any] = {
        "version": 1,
        "match_id": bytes(32),
        "number": 1,
        "ruleset": {"a": 1},
        "keys": [b"a", b"b"],
    }
    others = {"version": 2, "match_id": b"\1" * 32, "number": 2, "ruleset": {"a": 2}, "keys": [b"b", b"a"]}
    contexts = {round_context(**values)}
    for name, other in others.items():
        contexts.add(round_context(**{**values, name: other}))
    assert len(contexts) == 6


def test_the_state_that_is_acknowledged_is_all_that_is_public() -> None:
    table = new_table()
    table.reach(Phase.PLAY)
    state = table.state
    changes = {
        "phase": Phase.DRAW_SHARE,
        "sequence": 99,
        "head": bytes(32),
        "publics": (),
        "coin": bytes(32),
        "game": replace(state.running_game, turn_number=9),
        "holders": state.holders[:-1],
        "laid": {3: 4},
    }
    hashes = {state.hash} | {table.with_state(**{name: value}).hash for name, value in changes.items()}
    assert len(hashes) == 1 + len(changes)
    assert replace(state, shares={}).hash == state.hash


def test_terms_follow_from_the_match() -> None:
    match = match_of(RULES, 3)
    terms = RoundTerms.of_match(match, 2, 1)
    assert (terms.players, terms.number, terms.starter, terms.keys) == (3, 2, 1, match.keys)
    assert isinstance(new_table().secrets[0], RoundSecrets)
