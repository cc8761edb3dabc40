"""Every vector of the cryptography through this program: outputs agree, faults are refused as they say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generate_vectors import generate

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.challenge import RunningChallenge
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import Point, hash_to_group, scalar_to_bytes
from p2prummi.crypto.labels import Label, digest
from p2prummi.crypto.refusal import RefusalError
from p2prummi.crypto.signing import verify
from p2prummi.errors import FaultCode

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "crypto"
FILES = sorted(FOLDER.glob("*.json"))

Values = dict[str, Any]


def label(name: str) -> Label:
    return Label(f"p2prummi/1 {name}")


def raw(value: str) -> bytes:
    return bytes.fromhex(value)


def run_digest(given: Values) -> Values:
    return {"digest": digest(label(given["label"]), *map(raw, given["parts"])).hex()}


def run_hash_to_group(given: Values) -> Values:
    return {"point": hash_to_group(label(given["label"]), given["index"]).to_bytes().hex()}


def run_challenge(given: Values) -> Values:
    running = RunningChallenge(label(given["label"]))
    drawn = []
    for step in given["steps"]:
        if "draw" in step:
            drawn.append(scalar_to_bytes(running.draw(step["draw"])).hex())
        else:
            running.absorb(step["absorb"], raw(step["item"]))
    return {"challenges": drawn}


def run_signature(given: Values) -> Values:
    if not verify(raw(given["key"]), label(given["label"]), raw(given["body"]), raw(given["signature"])):
        raise RefusalError(FaultCode.BAD_SIGNATURE, "signature", "the signature is wrong")
    return {}


def run_key_proof(given: Values) -> Values:
    crypto.verify_key(raw(given["context"]), given["seat"], raw(given["key"]), raw(given["proof"]))
    return {}


def run_commitment(given: Values) -> Values:
    crypto.verify_key_commitment(
        raw(given["context"]),
        given["seat"],
        raw(given["commitment"]),
        raw(given["key"]),
        raw(given["proof"]),
        raw(given["coin"]),
    )
    return {}


def run_joint_key(given: Values) -> Values:
    return {"joint_key": crypto.joint_key([raw(key) for key in given["keys"]]).public.hex()}


def run_joint_coin(given: Values) -> Values:
    coin = crypto.joint_coin(raw(given["context"]), [raw(part) for part in given["coins"]])
    draw = crypto.coin_draw(coin)
    return {"joint_coin": coin.hex(), "draws": [f"{draw(int(bound, 16)):x}" for bound in given["bounds"]]}


def run_first_deck(given: Values) -> Values:
    joint = crypto.JointKey(Point.from_bytes(raw(given["joint_key"])))
    return {"deck": crypto.initial_deck(given["size"], joint).to_bytes().hex()}


def run_read_deck(given: Values) -> Values:
    data = raw(given["deck"])
    assert crypto.Deck.from_bytes(data, given["size"]).to_bytes() == data
    return {}


def run_shuffles(given: Values) -> Values:
    size = given["size"]
    statements = [
        crypto.ShuffleStatement(
            context=raw(statement["context"]),
            seat=statement["seat"],
            before=crypto.Deck.from_bytes(raw(statement["before"]), size),
            after=crypto.Deck.from_bytes(raw(statement["after"]), size),
            proof=raw(statement["proof"]),
        )
        for statement in given["statements"]
    ]
    joint = crypto.JointKey(Point.from_bytes(raw(given["joint_key"])))
    crypto.verify_shuffles(joint, statements, SeededEntropy(b"weights"))
    return {}


def run_shares(given: Values) -> Values:
    deck = crypto.Deck.from_bytes(raw(given["deck"]), given["size"])
    shares = crypto.Shares(raw(given["shares"]), raw(given["proof"]))
    crypto.verify_shares(raw(given["context"]), raw(given["key"]), deck, given["indices"], shares)
    return {}


def run_open(given: Values) -> Values:
    deck = crypto.Deck.from_bytes(raw(given["deck"]), given["size"])
    return {"tile": crypto.open_tile(deck, given["index"], [raw(share) for share in given["shares"]])}


def run_settle(given: Values) -> Values:
    deck = crypto.Deck.from_bytes(raw(given["deck"]), given["size"])
    secrets = [raw(secret) for secret in given["secrets"]]
    return {
        "tiles": list(crypto.open_tiles(deck, range(deck.size), secrets)),
        "keys": [crypto.public_of(secret).hex() for secret in secrets],
    }


OPERATIONS: dict[str, Callable[[Values], Values]] = {
    name.removeprefix("run_"): function for name, function in globals().items() if name.startswith("run_")
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vector(path: Path) -> None:
    vector = json.loads(path.read_text(encoding="ascii"))
    operation = OPERATIONS[vector["operation"]]
    if vector["expect"] == "ok":
        assert operation(vector["input"]) == vector.get("output", {})
        return
    with pytest.raises(RefusalError) as caught:
        operation(vector["input"])
    expected = vector["expect"]
    assert expected["layer"] == "crypto"
    assert (caught.value.code, caught.value.condition) == (expected["fault"], expected["condition"])
    if "seat" in expected:
        assert caught.value.seat == expected["seat"]


def test_every_operation_has_a_good_and_a_bad_vector() -> None:
    """Where nothing can be refused (bare hashes, the first deck) there are good ones only."""
    seen: dict[str, set[bool]] = {}
    for path in FILES:
        vector = json.loads(path.read_text(encoding="ascii"))
        seen.setdefault(vector["operation"], set()).add(vector["expect"] == "ok")
    never_refuse = {"digest", "hash_to_group", "challenge", "first_deck"}
    assert seen == {name: {True} if name in never_refuse else {True, False} for name in OPERATIONS}


def test_vectors_are_made_anew_without_a_difference(tmp_path: Path) -> None:
    assert generate("crypto", tmp_path) == len(FILES)
    made = {path.name: path.read_bytes() for path in (tmp_path / "crypto").iterdir()}
    assert made == {path.name: path.read_bytes() for path in FILES}
