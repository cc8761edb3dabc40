"""Vectors of hashes and signatures."""

from __future__ import annotations

from collections.abc import Iterator

from p2prummi.crypto.challenge import RunningChallenge
from p2prummi.crypto.group import hash_to_group, scalar_to_bytes
from p2prummi.crypto.labels import Label, digest
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from vectors.topics.crypto.common import CONTEXT, fault
from vectors.vector import Vector

PREFIX = "p2prummi/1 "

# A point of the prime-order group plus one of order eight, and what fits it under the equation times eight.
KEY_OF_MIXED_ORDER = bytes.fromhex("9fecaeca6d49ae3a14b510529b3ab12961c4e28222ba519ef1f0e1d390ceae79")
SIGNATURE_WITH_COFACTOR = bytes.fromhex(
    "c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022"
    "eb75ba53e87bfdc2baa54538101ca3a5462a4ad770761d2c3798acd782dc1d04"
)


def hash_vectors() -> Iterator[Vector]:
    """Framed digests, hash to group, running challenges."""
    for name, parts in (
        ("no_parts", []),
        ("empty_part", [b""]),
        ("two_parts", [b"ab", b"c"]),
        ("shifted", [b"a", b"bc"]),
    ):
        yield Vector(
            name=f"digest_{name}",
            notes="A label and parts, each with its length",
            operation="digest",
            inputs={"label": "chain head", "parts": [part.hex() for part in parts]},
            outputs={"digest": digest(Label.CHAIN_HEAD, *parts).hex()},
        )
    for label, index in (
        (Label.TILE, 0),
        (Label.TILE, 105),
        (Label.TILE, 159),
        (Label.GENERATOR, 1),
        (Label.GENERATOR, 160),
    ):
        word = label.value.removeprefix(PREFIX)
        yield Vector(
            name=f"hash_to_group_{word}_{index}",
            notes="Try and increment, even y",
            operation="hash_to_group",
            inputs={"label": word, "index": index},
            outputs={"point": hash_to_group(label, index).to_bytes().hex()},
        )
    running = RunningChallenge(Label.KEY_PROOF)
    running.absorb("context", CONTEXT)
    first, second = running.draw("x"), running.draw("y")
    running.absorb("empty", b"")
    drawn = [first, second, running.draw("x")]
    yield Vector(
        name="challenge_sequence",
        notes="Each challenge is absorbed in turn, and a later one of the same name differs",
        operation="challenge",
        inputs={
            "label": "key proof",
            "steps": [
                {"absorb": "context", "item": CONTEXT.hex()},
                {"draw": "x"},
                {"draw": "y"},
                {"absorb": "empty", "item": ""},
                {"draw": "x"},
            ],
        },
        outputs={"challenges": [scalar_to_bytes(challenge).hex() for challenge in drawn]},
    )


def signature_vectors() -> Iterator[Vector]:
    """Signatures: good, wrong, of another form, under keys of small order."""
    key = SigningKey(bytes(range(32)))
    body = b"the body of an event"
    good = key.sign(Label.SIGN_EVENT, body)
    s = int.from_bytes(good[32:], "little")
    order = 2**252 + 27742317777372353535851937790883648493
    not_reduced = good[:32] + (s + order).to_bytes(32, "little")
    other = SigningKey(bytes(32)).public
    cases: list[tuple[str, str, bytes, str, bytes, bytes]] = [
        ("good", "A good signature", key.public, "sign event", body, good),
        ("other_label", "The signature is under another label", key.public, "sign ack", body, good),
        ("other_body", "The signature is over another body", key.public, "sign event", body + b"!", good),
        ("other_key", "The signature is another key's", other, "sign event", body, good),
        ("not_reduced", "S is not below the order", key.public, "sign event", body, not_reduced),
        ("short", "The signature lacks a byte", key.public, "sign event", body, good[:-1]),
        ("short_key", "The key lacks a byte", key.public[:-1], "sign event", body, good),
        ("small_order_key", "A key of small order", bytes(32), "sign event", body, good),
        (
            "small_order_forged",
            "The neutral element as the key: under it, S = 0 fits every body",
            (1).to_bytes(32, "little"),
            "sign event",
            body,
            (1).to_bytes(32, "little") + bytes(32),
        ),
        (
            "only_with_cofactor",
            "The key has a part of small order: S·B = R + k·A holds only with both sides taken eight times",
            KEY_OF_MIXED_ORDER,
            "sign event",
            body,
            SIGNATURE_WITH_COFACTOR,
        ),
    ]
    for name, notes, public, label, signed, signature in cases:
        yield Vector(
            name=f"signature_{name}",
            notes=notes,
            operation="signature",
            inputs={"key": public.hex(), "label": label, "body": signed.hex(), "signature": signature.hex()},
            fault=None if name == "good" else fault(FaultCode.BAD_SIGNATURE, "signature"),
        )
