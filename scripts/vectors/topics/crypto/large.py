"""A shuffle of the set of 160 tiles by the third of four seats: a good proof, and the same one misplaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from vectors.topics.crypto.common import CONTEXT, fault
from vectors.topics.crypto.shuffles import shuffles
from vectors.vector import Vector

SIZE, SEATS, SEAT = 160, 4, 2


def large_vectors() -> Iterator[Vector]:
    """All vectors of the larger set."""
    entropy = SeededEntropy(b"vectors: 160 tiles")
    joint = crypto.joint_key([crypto.make_round_key(entropy).public for _ in range(SEATS)])
    before = crypto.initial_deck(SIZE, joint)
    for _ in range(SEAT):
        before, _ = crypto.apply_shuffle(crypto.prepare_shuffle(SIZE, entropy).with_key(joint), before)
    after, opening = crypto.apply_shuffle(crypto.prepare_shuffle(SIZE, entropy).with_key(joint), before)
    good = crypto.ShuffleStatement(
        context=CONTEXT,
        seat=SEAT,
        before=before,
        after=after,
        proof=crypto.prove_shuffle(CONTEXT, SEAT, joint, before, after, opening, entropy),
    )
    yield Vector(
        name="first_deck_of_160",
        notes="The deck of 160 tiles before any shuffle, under the keys of four seats",
        operation="first_deck",
        inputs={"joint_key": joint.public.hex(), "size": SIZE},
        outputs={"deck": crypto.initial_deck(SIZE, joint).to_bytes().hex()},
    )
    yield shuffles(f"good_{SIZE}", "The third of four seats shuffles 160 tiles", joint.public, [good])
    yield shuffles(
        f"of_{SIZE}_by_another_seat",
        "The same proof, said to be by the fourth of four seats",
        joint.public,
        [replace(good, seat=SEAT + 1)],
        fault(FaultCode.SHUFFLE_PROOF_FAILED, "factors", seat=SEAT + 1),
    )
