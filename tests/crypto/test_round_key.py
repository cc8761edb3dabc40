"""Keys and coin of a round: proofs, commitments, joint key, fair draws; what must be refused is."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import GENERATOR, ORDER, multiply_generator, scalar_to_bytes
from p2prummi.errors import FaultCode, LocalProtocolError
from tests.crypto.rounds import CONTEXT, refused


def keys(count: int) -> list[crypto.RoundKey]:
    entropy = SeededEntropy(b"keys")
    return [crypto.make_round_key(entropy) for _ in range(count)]


def test_key_proof_is_accepted_for_its_context_seat_and_key_alone() -> None:
    key, other = keys(2)
    entropy = SeededEntropy(b"proof")
    proof = crypto.prove_key(CONTEXT, 1, key, entropy)
    assert len(proof) == crypto.KEY_PROOF_BYTES
    crypto.verify_key(CONTEXT, 1, key.public, proof)
    for context, seat, public in (
        (b"another", 1, key.public),
        (CONTEXT, 0, key.public),
        (CONTEXT, 1, other.public),
    ):
        with refused(FaultCode.KEY_PROOF_FAILED, "knowledge", seat):
            crypto.verify_key(context, seat, public, proof)
    assert crypto.prove_key(CONTEXT, 1, key, entropy) != proof


def test_rogue_key_that_cancels_the_others_can_not_be_proved() -> None:
    """The rogue seat wants the joint key to be one whose secret it knows."""
    honest, wanted = keys(2)
    rogue = (wanted.point - honest.point).to_bytes()
    assert crypto.joint_key([honest.public, rogue]).public == wanted.public
    for attempt in (wanted, honest):
        proof = crypto.prove_key(CONTEXT, 1, attempt, SeededEntropy(b"rogue"))
        with refused(FaultCode.KEY_PROOF_FAILED):
            crypto.verify_key(CONTEXT, 1, rogue, proof)


def test_copied_keys_are_refused() -> None:
    first, second = keys(2)
    with refused(FaultCode.KEY_REUSED, "distinct keys", 2):
        crypto.joint_key([first.public, second.public, first.public])


def test_keys_that_cancel_each_other_are_refused() -> None:
    key = keys(1)[0]
    with refused(FaultCode.NEUTRAL_ELEMENT, "neutral"):
        crypto.joint_key([key.public, (-key.point).to_bytes()])
    with refused(FaultCode.NEUTRAL_ELEMENT, "neutral"):
        crypto.joint_key([key.public, bytes(33)])


def test_joint_key_is_the_sum_and_needs_two() -> None:
    made = keys(3)
    joint = crypto.joint_key([key.public for key in made])
    assert joint.public == multiply_generator(sum(key.secret for key in made)).to_bytes()
    with pytest.raises(LocalProtocolError):
        crypto.joint_key([made[0].public])


def test_secret_round_trips_and_is_hidden() -> None:
    key = keys(1)[0]
    assert crypto.public_of(key.secret_bytes()) == key.public
    assert crypto.RoundKey.from_secret_bytes(key.secret_bytes()).public == key.public
    assert key.secret_bytes().hex() not in repr(key)
    assert str(key.secret) not in repr(key)
    assert key.public.hex() in repr(key)
    for bad in (bytes(32), scalar_to_bytes(-1)[:31], ORDER.to_bytes(32, "big"), None):
        with refused(
            FaultCode.INVALID_SCALAR if isinstance(bad, bytes) and len(bad) == 32 else FaultCode.WRONG_SCHEMA
        ):
            crypto.public_of(bad)


def test_commitment_binds_everything_that_is_revealed() -> None:
    key = keys(1)[0]
    proof, coin = crypto.prove_key(CONTEXT, 0, key, SeededEntropy(b"proof")), b"c" * 32
    commitment = crypto.key_commitment(CONTEXT, 0, key.public, proof, coin)
    assert len(commitment) == 32
    crypto.verify_key_commitment(CONTEXT, 0, commitment, key.public, proof, coin)
    changed = GENERATOR.to_bytes()
    for revealed in (
        (b"another", 0, commitment, key.public, proof, coin),
        (CONTEXT, 1, commitment, key.public, proof, coin),
        (CONTEXT, 0, bytes(32), key.public, proof, coin),
        (CONTEXT, 0, commitment, changed, proof, coin),
        (CONTEXT, 0, commitment, key.public, proof[:-1], coin),
        (CONTEXT, 0, commitment, key.public, proof, b"d" * 32),
    ):
        with refused(FaultCode.COMMITMENT_MISMATCH, "commitment", revealed[1]):
            crypto.verify_key_commitment(*revealed)
    with refused(FaultCode.WRONG_SCHEMA, "length"):
        crypto.verify_key_commitment(CONTEXT, 0, commitment, key.public, proof, b"c" * 31)


def test_copied_commitment_can_not_be_revealed_by_the_copier() -> None:
    """The seat is hashed, and so is the proof, which is another seat's."""
    key = keys(1)[0]
    proof = crypto.prove_key(CONTEXT, 0, key, SeededEntropy(b"proof"))
    commitment = crypto.key_commitment(CONTEXT, 0, key.public, proof, bytes(32))
    with refused(FaultCode.COMMITMENT_MISMATCH):
        crypto.verify_key_commitment(CONTEXT, 1, commitment, key.public, proof, bytes(32))


def test_joint_coin_depends_on_everything() -> None:
    coins = [bytes([seat]) * 32 for seat in range(3)]
    made = {
        crypto.joint_coin(CONTEXT, coins),
        crypto.joint_coin(b"another", coins),
        crypto.joint_coin(CONTEXT, coins[::-1]),
        *(
            crypto.joint_coin(CONTEXT, [b"x" * 32 if seat == i else coins[i] for i in range(3)])
            for seat in range(3)
        ),
    }
    assert len(made) == 6
    with refused(FaultCode.WRONG_SCHEMA, "length"):
        crypto.joint_coin(CONTEXT, [coins[0], coins[1][:31]])


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 2**80), min_size=1, max_size=5))
def test_draws_are_in_range_and_reproducible(coin: bytes, bounds: list[int]) -> None:
    first, second = crypto.coin_draw(coin), crypto.coin_draw(coin)
    drawn = [first(bound) for bound in bounds]
    assert drawn == [second(bound) for bound in bounds]
    assert all(0 <= value < bound for value, bound in zip(drawn, bounds, strict=True))


def test_draws_are_unbiased() -> None:
    draw = crypto.coin_draw(b"d" * 32)
    counted = Counter(draw(6) for _ in range(6000))
    # Chi-squared with 5 degrees of freedom; the coin is fixed.
    assert sum((counted[face] - 1000) ** 2 / 1000 for face in range(6)) < 20
    # A bound just above half of all values: half of the attempts are thrown away, none wraps around.
    bound = 2**255 + 1
    values = [draw(bound) for _ in range(40)]
    assert max(values) > 2**254
    assert min(values) < 2**254


def test_draw_of_nothing_is_refused() -> None:
    with pytest.raises(LocalProtocolError):
        crypto.coin_draw(bytes(32))(0)


def test_public_key_is_read_before_the_proof() -> None:
    with refused(FaultCode.INVALID_POINT, "encoding"):
        crypto.verify_key(CONTEXT, 0, b"\x05" * 33, bytes(65))
