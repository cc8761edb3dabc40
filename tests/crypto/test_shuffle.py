"""Shuffles and their proofs: honest ones pass, wrong ones are named, nothing is used twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.crypto import deck as crypto
from p2prummi.crypto import shuffle_verifier
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import multiply_public
from p2prummi.crypto.shuffle_prover import ShuffleOpening
from p2prummi.errors import FaultCode, LocalProtocolError
from tests.crypto.rounds import CONTEXT, Round, play_round, refused

SIZE = 5


@pytest.fixture(scope="module")
def round_() -> Round:
    return play_round(4, SIZE)


def verify(round_: Round, *statements: crypto.ShuffleStatement) -> None:
    crypto.verify_shuffles(round_.joint, statements, round_.entropy)


def wrong(statement: crypto.ShuffleStatement) -> crypto.ShuffleStatement:
    """Its last answer (ρ') changed: only the relations between the decks fail."""
    last = int.from_bytes(statement.proof[-32:], "big")
    return replace(statement, proof=statement.proof[:-32] + (last ^ 1).to_bytes(32, "big"))


@settings(max_examples=10)
@given(size=st.integers(2, 7), players=st.integers(2, 3), seed=st.binary(max_size=4))
def test_honest_shuffles_pass_for_any_size(size: int, players: int, seed: bytes) -> None:
    round_ = play_round(players, size, seed)
    verify(round_, *round_.statements)
    for statement in round_.statements:
        verify(round_, statement)
        assert len(statement.proof) == crypto.shuffle_proof_bytes(size)
    tiles = crypto.open_tiles(round_.decks[-1], range(size), round_.secrets)
    assert sorted(tiles) == list(range(size))


def test_sizes_of_proofs() -> None:
    assert crypto.shuffle_proof_bytes(106) == 10504
    assert crypto.shuffle_proof_bytes(160) == 15688


def test_nothing_to_verify_is_fine(round_: Round) -> None:
    verify(round_)


@pytest.mark.parametrize("seat", range(4))
def test_batch_names_the_culprit(round_: Round, seat: int) -> None:
    statements = list(round_.statements)
    statements[seat] = wrong(statements[seat])
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, "first parts", seat):
        verify(round_, *statements)


def test_batch_names_the_first_of_two_culprits(round_: Round) -> None:
    first, second, third, fourth = round_.statements
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, None, 1):
        verify(round_, first, wrong(second), third, wrong(fourth))


def test_culprit_of_malformed_bytes_is_named(round_: Round) -> None:
    first, second, *rest = round_.statements
    for proof, code in (
        (second.proof[:-1], FaultCode.WRONG_SCHEMA),
        (bytes(33) + second.proof[33:], FaultCode.NEUTRAL_ELEMENT),
        (b"\x07" + second.proof[1:], FaultCode.INVALID_POINT),
        (second.proof[:-32] + b"\xff" * 32, FaultCode.INVALID_SCALAR),
    ):
        with refused(code, None, 1):
            verify(round_, first, replace(second, proof=proof), *rest)


def test_errors_of_two_proofs_do_not_cancel(round_: Round) -> None:
    """Two colluding seats put opposite errors into the same equation: the weights keep them apart."""
    first, second, *rest = round_.statements
    offsets = []
    for statement, change in ((first, 1), (second, -1)):
        last = int.from_bytes(statement.proof[-64:-32], "big") + change
        offsets.append(
            replace(statement, proof=statement.proof[:-64] + last.to_bytes(32, "big") + statement.proof[-32:])
        )
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, "powers", 0):
        verify(round_, *offsets, *rest)


def test_sum_that_fails_for_no_reason_leaves_the_judgement_to_the_equations(
    round_: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should the sum ever be wrong about good proofs, nobody is blamed: each equation is judged by itself."""
    honest = shuffle_verifier._Sum.is_neutral
    answers = iter([False])
    monkeypatch.setattr(
        shuffle_verifier._Sum,
        "is_neutral",
        lambda self, joint_key: next(answers, None) is not False and honest(self, joint_key),
    )
    verify(round_, *round_.statements)
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, "first parts", 0):
        verify(round_, wrong(round_.statements[0]))


def test_weights_are_drawn_for_every_equation_after_the_proofs_are_read(round_: Round) -> None:
    asked: list[int] = []

    def entropy(count: int) -> bytes:
        asked.append(count)
        return SeededEntropy(b"weights")(count)

    crypto.verify_shuffles(round_.joint, round_.statements, entropy)
    assert asked == [4 * 5 * 16]
    with refused(FaultCode.WRONG_SCHEMA):
        crypto.verify_shuffles(round_.joint, [replace(round_.statements[0], proof=b"")], entropy)
    assert asked == [4 * 5 * 16]


def test_decks_of_two_sizes_in_one_verification_are_misuse(round_: Round) -> None:
    other = play_round(2, SIZE + 1)
    with pytest.raises(LocalProtocolError):
        verify(round_, round_.statements[0], other.statements[0])


def test_proof_under_another_joint_key_is_refused(round_: Round) -> None:
    other = play_round(2, SIZE, b"other")
    with refused(FaultCode.SHUFFLE_PROOF_FAILED):
        crypto.verify_shuffles(other.joint, [round_.statements[0]], round_.entropy)


def apply(round_: Round) -> tuple[crypto.Deck, ShuffleOpening]:
    prepared = crypto.prepare_shuffle(SIZE, round_.entropy).with_key(round_.joint)
    return crypto.apply_shuffle(prepared, round_.decks[0])


def test_prepared_shuffle_is_used_once(round_: Round) -> None:
    plain = crypto.prepare_shuffle(SIZE, round_.entropy)
    keyed = plain.with_key(round_.joint)
    assert "used" in repr(plain)
    assert "used" not in repr(keyed)
    for use in (plain.take, lambda: plain.with_key(round_.joint)):
        with pytest.raises(LocalProtocolError):
            use()
    crypto.apply_shuffle(keyed, round_.decks[0])
    with pytest.raises(LocalProtocolError):
        crypto.apply_shuffle(keyed, round_.decks[0])


def test_shuffle_without_key_or_of_another_size_is_misuse(round_: Round) -> None:
    keyless = crypto.prepare_shuffle(SIZE, round_.entropy)
    with pytest.raises(LocalProtocolError, match="key"):
        crypto.apply_shuffle(keyless, round_.decks[0])
    assert "used" not in repr(keyless)
    prepared = crypto.prepare_shuffle(SIZE + 1, round_.entropy).with_key(round_.joint)
    with pytest.raises(LocalProtocolError, match="prepared"):
        crypto.apply_shuffle(prepared, round_.decks[0])
    assert "used" not in repr(prepared)


def test_proof_for_a_deck_of_another_size_is_misuse(round_: Round) -> None:
    after, opening = apply(round_)
    other = play_round(2, SIZE + 1).decks[0]
    for before, shuffled in ((other, after), (round_.decks[0], other)):
        with pytest.raises(LocalProtocolError):
            crypto.prove_shuffle(CONTEXT, 0, round_.joint, before, shuffled, opening, round_.entropy)


def test_masks_are_used_once_and_never_journalled(round_: Round) -> None:
    """Two proofs of one shuffle share no commitment; nor does a proof from the journal."""
    after, opening = apply(round_)
    restored = ShuffleOpening.from_bytes(opening.to_bytes())
    assert (restored.order, restored.randomness, restored.size) == (opening.order, opening.randomness, SIZE)
    proofs = [
        crypto.prove_shuffle(CONTEXT, 0, round_.joint, round_.decks[0], after, secret, round_.entropy)
        for secret in (opening, opening, restored, restored)
    ]
    for start in range(0, 8 * 33, 33):
        assert len({proof[start : start + 33] for proof in proofs}) == 4
    for proof in proofs:
        verify(
            round_,
            crypto.ShuffleStatement(
                context=CONTEXT, seat=0, before=round_.decks[0], after=after, proof=proof
            ),
        )


def test_secrets_are_hidden(round_: Round) -> None:
    prepared = crypto.prepare_shuffle(SIZE, round_.entropy)
    assert repr(prepared) == f"<PreparedShuffle of {SIZE}>"
    material = prepared.take()
    assert repr(material.opening) == f"<ShuffleOpening of {SIZE}>"
    for secret in (material, material.opening.take_masks(round_.entropy)):
        assert repr(secret).startswith("<p2prummi.crypto.shuffle_prover.")


@pytest.mark.parametrize(
    ("order", "randomness"), [([0, 0], [1, 1]), ([0, 2], [1, 1]), ([1, 0], [1]), ([0], [1]), ([], [])]
)
def test_opening_is_a_permutation_with_as_many_scalars(order: list[int], randomness: list[int]) -> None:
    with pytest.raises(LocalProtocolError):
        ShuffleOpening(order, randomness)


def test_damaged_journal_is_refused(round_: Round) -> None:
    _, opening = apply(round_)
    for damaged in (opening.to_bytes()[:-1], opening.to_bytes() + b"\0", b"", opening.to_bytes()[36:]):
        with pytest.raises(LocalProtocolError):
            ShuffleOpening.from_bytes(damaged)


def test_all_zero_re_encryption_by_all_the_others_is_harmless(round_: Round) -> None:
    """Their proofs hold, and the one honest seat's shuffle still hides the order."""
    deck = round_.decks[1]
    opening = ShuffleOpening(range(SIZE), [0] * SIZE)
    statements = [round_.statements[0]]
    for seat in (1, 2, 3):
        proof = crypto.prove_shuffle(CONTEXT, seat, round_.joint, deck, deck, opening, round_.entropy)
        statements.append(
            crypto.ShuffleStatement(context=CONTEXT, seat=seat, before=deck, after=deck, proof=proof)
        )
    verify(round_, *statements)
    assert sorted(crypto.open_tiles(deck, range(SIZE), round_.secrets)) == list(range(SIZE))
    assert set(deck.firsts).isdisjoint(round_.decks[0].firsts)
    assert set(deck.seconds).isdisjoint(round_.decks[0].seconds)


def test_answers_of_one_proof_do_not_fit_the_challenge_of_another(round_: Round) -> None:
    """Two good proofs of one shuffle; the commitments of the one with the answers of the other."""
    after, opening = apply(round_)
    first, second = (
        crypto.prove_shuffle(CONTEXT, 0, round_.joint, round_.decks[0], after, opening, round_.entropy)
        for _ in range(2)
    )
    points = 8 * 33
    for mixed in (first[:points] + second[points:], second[:points] + first[points:]):
        statement = crypto.ShuffleStatement(
            context=CONTEXT, seat=0, before=round_.decks[0], after=after, proof=mixed
        )
        with refused(FaultCode.SHUFFLE_PROOF_FAILED, "factors", 0):
            verify(round_, statement)


def false_decks(round_: Round) -> dict[str, crypto.Deck]:
    """What a cheating shuffler would like to pass off as a shuffle."""
    good = round_.statements[1].after
    firsts, seconds = list(good.firsts), list(good.seconds)
    foreign = multiply_public(2, seconds[0])
    return {
        "a tile twice, another missing": crypto.Deck([firsts[1], *firsts[1:]], [seconds[1], *seconds[1:]]),
        "a foreign tile": crypto.Deck(firsts, [foreign, *seconds[1:]]),
        "wrong re-encryption of the first part": crypto.Deck([foreign, *firsts[1:]], seconds),
        "parts of two tiles mixed": crypto.Deck([firsts[1], firsts[0], *firsts[2:]], seconds),
        "the deck of another seat": round_.decks[1],
        "the deck before": round_.statements[1].before,
        "another order after the proof": crypto.Deck(firsts[::-1], seconds[::-1]),
    }


@pytest.mark.parametrize("name", list(false_decks(play_round(4, SIZE))))
def test_false_deck_is_refused(round_: Round, name: str) -> None:
    """With the old proof, and with a new one that the prover makes as well as it can."""
    statement, after = round_.statements[1], false_decks(round_)[name]
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, None, 1):
        verify(round_, replace(statement, after=after))
    opening = ShuffleOpening(range(SIZE), [1] * SIZE)
    proof = crypto.prove_shuffle(CONTEXT, 1, round_.joint, statement.before, after, opening, round_.entropy)
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, None, 1):
        verify(round_, replace(statement, after=after, proof=proof))


def test_proof_of_another_seat_round_or_deck_is_refused(round_: Round) -> None:
    first, second, *_ = round_.statements
    for moved in (
        replace(first, seat=3),
        replace(first, context=b"another round"),
        replace(first, before=second.before, after=second.after),
        replace(second, proof=first.proof),
    ):
        with refused(FaultCode.SHUFFLE_PROOF_FAILED, None, moved.seat):
            verify(round_, moved)
