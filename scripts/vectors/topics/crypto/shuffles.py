"""Vectors of decks and shuffles.

Bad proofs are of two kinds: good ones in which one field is changed, and forged ones (`tests/crypto`), which
a verifier accepts that leaves out one equation or forgets to hash one item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.elgamal import tile_points
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import GENERATOR
from p2prummi.crypto.shuffle_prover import ShuffleOpening
from p2prummi.errors import FaultCode
from tests.crypto.mutants import load
from tests.crypto.shuffle_forgery import SIZE as FORGED_SIZE
from tests.crypto.shuffle_forgery import Forger, Forgery
from tests.crypto.test_shuffle_mutants import FORGED, statement_module
from vectors.topics.crypto.common import Round, bad_encodings, changed, fault
from vectors.vector import Fault, Vector


def deck_vectors() -> Iterator[Vector]:
    """The first deck, and the bytes of a deck."""
    round_ = Round(2, b"decks")
    yield Vector(
        name="first_deck_good",
        notes="The deck before any shuffle",
        operation="first_deck",
        inputs={"joint_key": round_.joint.public.hex(), "size": 3},
        outputs={"deck": crypto.initial_deck(3, round_.joint).to_bytes().hex()},
    )
    data = round_.decks[-1].to_bytes()

    def deck(
        name: str, notes: str, shown: bytes, code: FaultCode | None = None, condition: str = ""
    ) -> Vector:
        return Vector(
            name=name,
            notes=notes,
            operation="read_deck",
            inputs={"size": 2, "deck": shown.hex()},
            fault=fault(code, condition) if code else None,
        )

    yield deck("deck_good", "A shuffled deck of two", data)
    fields = {"first_0": 0, "second_0": 33, "first_1": 66, "second_1": 99}
    yield from bad_encodings("deck", data, fields, {}, deck)


def shuffles(
    name: str,
    notes: str,
    joint: bytes,
    statements: list[crypto.ShuffleStatement],
    refused: Fault | None = None,
) -> Vector:
    """A vector of one or more shuffles under one joint key."""
    return Vector(
        name=f"shuffle_{name}",
        notes=notes,
        operation="shuffles",
        inputs={
            "joint_key": joint.hex(),
            "size": statements[0].before.size,
            "statements": [
                {
                    "context": statement.context.hex(),
                    "seat": statement.seat,
                    "before": statement.before.to_bytes().hex(),
                    "after": statement.after.to_bytes().hex(),
                    "proof": statement.proof.hex(),
                }
                for statement in statements
            ],
        },
        fault=refused,
    )


def shuffle_vectors() -> Iterator[Vector]:
    """Good shuffles, and good proofs shown where they don't belong."""
    for size in (2, 3, 106):
        round_ = Round(size, b"good shuffles")
        # The first seat's statement alone where decks are long.
        shown = round_.statements if size < 100 else round_.statements[:1]
        yield shuffles(f"good_{size}", f"Good shuffles of {size} tiles", round_.joint.public, shown)
    round_ = Round(3, b"shuffles")
    joint = round_.joint.public
    good = round_.statements[1]
    deck = round_.decks[1]
    opening = ShuffleOpening(range(3), [0] * 3)
    yield shuffles(
        "zero", "No re-encryption and no permutation: allowed", joint, [round_.prove(1, deck, deck, opening)]
    )

    def failed(condition: str) -> Fault:
        return fault(FaultCode.SHUFFLE_PROOF_FAILED, condition, seat=1)

    def one(
        name: str, notes: str, statement: crypto.ShuffleStatement, condition: str, key: bytes = joint
    ) -> Vector:
        return shuffles(name, notes, key, [round_.statements[0], statement], failed(condition))

    # Whatever changes the challenges breaks the first equation already.
    yield one("other_context", "A proof of another context", replace(good, context=b"other"), "factors")
    yield shuffles(
        "other_seat",
        "A proof of another seat",
        joint,
        [replace(good, seat=0)],
        fault(FaultCode.SHUFFLE_PROOF_FAILED, "factors", seat=0),
    )
    yield shuffles(
        "other_joint_key", "A proof under another joint key", GENERATOR.to_bytes(), [good], failed("factors")
    )
    yield one(
        "other_deck_before", "A proof about another input", replace(good, before=round_.decks[0]), "factors"
    )
    yield one(
        "other_deck_after", "A proof about another output", replace(good, after=round_.decks[1]), "factors"
    )
    yield one(
        "other_proof",
        "The proof of another shuffle",
        replace(good, proof=round_.statements[0].proof),
        "factors",
    )
    yield from false_deck_vectors(round_, one)
    yield from changed_proof_vectors(round_, one)


def false_deck_vectors(round_: Round, one: Callable[..., Vector]) -> Iterator[Vector]:
    """False outputs, with the best proof that an honest prover's program makes of them."""
    good = round_.statements[1]
    before = good.before
    ones = ShuffleOpening(range(3), [1] * 3)
    shifted = (
        [part + GENERATOR for part in before.firsts],
        [part + round_.joint.point for part in before.seconds],
    )
    firsts, seconds = shifted
    foreign = seconds[0] + tile_points(3)[1]
    decks = {
        "tile_twice": (
            [firsts[1], *firsts[1:]],
            [seconds[1], *seconds[1:]],
            "first parts",
            "A tile twice, another missing",
        ),
        "tile_foreign": (firsts, [foreign, *seconds[1:]], "second parts", "A tile that is none of the set"),
        "first_part_wrong": (
            [firsts[0] + GENERATOR, *firsts[1:]],
            seconds,
            "first parts",
            "A first part is wrong",
        ),
        "parts_mixed": (
            [firsts[1], firsts[0], firsts[2]],
            seconds,
            "first parts",
            "First parts of two exchanged",
        ),
    }
    for name, (some_firsts, some_seconds, condition, notes) in decks.items():
        after = crypto.Deck(some_firsts, some_seconds)
        yield one(name, notes, round_.prove(1, before, after, ones), condition)


def changed_proof_vectors(round_: Round, one: Callable[..., Vector]) -> Iterator[Vector]:
    """One field of a good proof changed, or with invalid bytes."""
    good = round_.statements[1]
    points = {
        name: 33 * place
        for place, name in enumerate(
            ("a", "b", "cd", "cdelta_small", "cdelta_large", "cbeta", "e0_first", "e0_second")
        )
    }
    for name, start in points.items():
        tag = bytes([good.proof[start] ^ 1])
        yield one(
            f"negated_{name}",
            f"The point {name} negated: every challenge after it changes",
            replace(good, proof=changed(good.proof, start, tag)),
            "factors",
        )
    # Answers change no challenge: exactly the equations that hold them fail, the first of them is named.
    answers = {
        "a1": (0, "factors"),
        "a2": (1, "factors"),
        "a3": (2, "factors"),
        "b2": (3, "product"),
        "m1": (4, "powers"),
        "m2": (5, "powers"),
        "m3": (6, "powers"),
        "ra": (7, "factors"),
        "rb": (8, "product"),
        "rm": (9, "powers"),
        "rho": (10, "first parts"),
    }
    scalars = {name: 264 + 32 * place for name, (place, _) in answers.items()}
    for name, (_, condition) in answers.items():
        end = scalars[name] + 31
        other = changed(good.proof, end, bytes([good.proof[end] ^ 1]))
        yield one(f"changed_{name}", f"The answer {name} changed", replace(good, proof=other), condition)

    def shown(name: str, notes: str, proof: bytes, code: FaultCode, condition: str) -> Vector:
        bad = replace(good, proof=proof)
        return shuffles(
            name, notes, round_.joint.public, [round_.statements[0], bad], fault(code, condition, seat=1)
        )

    yield from bad_encodings("proof", good.proof, points, scalars, shown)


def forged_shuffle_vectors() -> Iterator[Vector]:
    """Proofs of false claims that a careless verifier accepts: see `tests/crypto/test_shuffle_mutants.py`."""
    for row in FORGED:
        forgery = Forger(statement_module(load(row.mutation)), row.cheat, row.late).forge()
        name = "".join(
            letter if letter.isalnum() else " " for letter in row.mutation.name.replace("'", " after")
        )
        # Cδ and CΔ differ by case alone in the labels, which file systems may not tell apart.
        name = name.replace("CDelta", "large delta").replace("Cdelta", "small delta").lower()
        yield shuffles(
            "accepted_if_" + "_".join(name.split()),
            f"A forged proof ({FORGED_SIZE} tiles), accepted by a verifier where {row.mutation.name}",
            forgery.joint_key.to_bytes(),
            [forged_statement(forgery)],
            fault(FaultCode.SHUFFLE_PROOF_FAILED, refusing_condition(forgery), seat=forgery.seat),
        )


def forged_statement(forgery: Forgery) -> crypto.ShuffleStatement:
    """The forgery as a statement of the real modules."""
    return crypto.ShuffleStatement(
        context=forgery.context,
        seat=forgery.seat,
        before=forgery.before,
        after=forgery.after,
        proof=forgery.proof,
    )


def refusing_condition(forgery: Forgery) -> str:
    """The first condition that fails, as the verifier names it."""
    joint = crypto.JointKey(forgery.joint_key)
    try:
        crypto.verify_shuffles(joint, [forged_statement(forgery)], SeededEntropy(b"vectors: verifier"))
    except crypto.RefusalError as refusal:
        return refusal.condition
    raise ValueError("a forgery was accepted")
