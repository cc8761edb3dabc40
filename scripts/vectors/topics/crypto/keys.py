"""Vectors of round keys: proofs, commitments, the joint key and the joint coin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import GENERATOR
from p2prummi.errors import FaultCode
from vectors.topics.crypto.common import CONTEXT, INVALID_POINTS, bad_encodings, fault
from vectors.vector import Fault, Vector


def key_vectors() -> Iterator[Vector]:
    """Proofs of round keys, then commitments and joint keys."""
    entropy = SeededEntropy(b"vectors: keys")
    first, second = crypto.make_round_key(entropy), crypto.make_round_key(entropy)
    proof = crypto.prove_key(CONTEXT, 1, first, entropy)

    def key_proof(
        name: str,
        notes: str,
        shown: bytes,
        code: FaultCode | None = None,
        condition: str = "",
        context: bytes = CONTEXT,
        seat: int = 1,
        public: bytes = first.public,
    ) -> Vector:
        return Vector(
            name=name,
            notes=notes,
            operation="key_proof",
            inputs={"context": context.hex(), "seat": seat, "key": public.hex(), "proof": shown.hex()},
            fault=fault(code, condition) if code else None,
        )

    yield key_proof("key_proof_good", "A good proof", proof)
    failed = (FaultCode.KEY_PROOF_FAILED, "knowledge")
    yield key_proof(
        "key_proof_other_context", "A good proof in another context", proof, *failed, context=b"other"
    )
    yield key_proof("key_proof_other_seat", "A good proof of another seat", proof, *failed, seat=0)
    yield key_proof(
        "key_proof_other_key", "A good proof of another key", proof, *failed, public=second.public
    )
    rogue = (second.point - first.point).to_bytes()
    for name, public, secret in (("cancelled", rogue, second), ("own", rogue, first)):
        yield key_proof(
            f"key_proof_rogue_{name}",
            "A key that cancels another's, proved with a secret not its own",
            crypto.prove_key(CONTEXT, 1, secret, entropy),
            *failed,
            public=public,
        )
    yield key_proof("key_proof_answer_changed", "s + 1", proof[:-1] + bytes([proof[-1] ^ 1]), *failed)
    yield key_proof("key_proof_negated_k", "-K", bytes([proof[0] ^ 1]) + proof[1:], *failed)
    yield from bad_encodings("key_proof", proof, {"k": 0}, {"s": 33}, key_proof)
    for what, (public, code, notes) in INVALID_POINTS.items():
        condition = "neutral" if code is FaultCode.NEUTRAL_ELEMENT else "encoding"
        yield key_proof(f"key_{what}", f"The key: {notes}", proof, code, condition, public=public)
    yield from commitment_vectors(first, proof)
    yield from joint_vectors([first, second])


def commitment_vectors(key: crypto.RoundKey, proof: bytes) -> Iterator[Vector]:
    """What was committed to, and everything that may differ from it."""
    coin = bytes(range(32))
    commitment = crypto.key_commitment(CONTEXT, 1, key.public, proof, coin)
    good: dict[str, Any] = {
        "context": CONTEXT.hex(),
        "seat": 1,
        "commitment": commitment.hex(),
        "key": key.public.hex(),
        "proof": proof.hex(),
        "coin": coin.hex(),
    }
    mismatch = fault(FaultCode.COMMITMENT_MISMATCH, "commitment")
    yield Vector(name="commitment_good", notes="What was committed to", operation="commitment", inputs=good)
    for field, value in (
        ("context", b"other".hex()),
        ("seat", 0),
        ("commitment", bytes(32).hex()),
        ("key", GENERATOR.to_bytes().hex()),
        ("proof", proof[::-1].hex()),
        ("coin", bytes(32).hex()),
    ):
        yield Vector(
            name=f"commitment_other_{field}",
            notes=f"Another {field} than was committed to",
            operation="commitment",
            inputs={**good, field: value},
            fault=mismatch,
        )
    yield Vector(
        name="commitment_short_coin",
        notes="A coin of 31 bytes",
        operation="commitment",
        inputs={**good, "coin": coin[:-1].hex()},
        fault=fault(FaultCode.WRONG_SCHEMA, "length"),
    )


def joint_vectors(keys: list[crypto.RoundKey]) -> Iterator[Vector]:
    """The joint key, the joint coin and the draws from it."""
    publics = [key.public for key in keys]

    def joint(name: str, notes: str, shown: list[bytes], refused: Fault | None = None) -> Vector:
        outputs = {} if refused else {"joint_key": crypto.joint_key(shown).public.hex()}
        return Vector(
            name=f"joint_key_{name}",
            notes=notes,
            operation="joint_key",
            inputs={"keys": [public.hex() for public in shown]},
            outputs=outputs,
            fault=refused,
        )

    yield joint("good", "The sum of two keys", publics)
    yield joint("three", "The sum of three keys", [*publics, GENERATOR.to_bytes()])
    yield joint(
        "copied",
        "The last seat shows the first one's key",
        [*publics, publics[0]],
        fault(FaultCode.KEY_REUSED, "distinct keys", seat=2),
    )
    yield joint(
        "cancelled",
        "The keys cancel each other",
        [publics[0], (-keys[0].point).to_bytes()],
        fault(FaultCode.NEUTRAL_ELEMENT, "neutral"),
    )
    yield joint(
        "neutral", "A neutral key", [publics[0], bytes(33)], fault(FaultCode.NEUTRAL_ELEMENT, "neutral")
    )
    coins = [bytes([seat]) * 32 for seat in range(3)]
    coin = crypto.joint_coin(CONTEXT, coins)
    bounds = [2, 6, 106, 2**255 + 1, 2**255 + 1, 2**255 + 1, 160, 1]
    draw = crypto.coin_draw(coin)
    yield Vector(
        name="joint_coin_good",
        notes="A coin of three seats and numbers drawn from it; those just above half of all reject often",
        operation="joint_coin",
        inputs={
            "context": CONTEXT.hex(),
            "coins": [part.hex() for part in coins],
            "bounds": [f"{bound:x}" for bound in bounds],
        },
        outputs={"joint_coin": coin.hex(), "draws": [f"{draw(bound):x}" for bound in bounds]},
    )
    yield Vector(
        name="joint_coin_short",
        notes="A coin of 31 bytes",
        operation="joint_coin",
        inputs={"context": CONTEXT.hex(), "coins": [coins[0].hex(), coins[1][:-1].hex()], "bounds": []},
        fault=fault(FaultCode.WRONG_SCHEMA, "length"),
    )
