"""The vectors of links through this program: certificates, fingerprints, hellos and room codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from generate_vectors import generate
from vectors.notation import to_json

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.room_code import CodeExchange, ExchangeContext, RoomCode
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.net.tls import certificate_hash, certificate_key
from p2prummi.session.handshake import CodeAttempts, LocalPeer, Side
from p2prummi.session.listener import Listener
from p2prummi.session.pairing import Pairing
from p2prummi.wire.encoding import decode
from p2prummi.wire.hello import Hello, Welcome, decode_handshake, decode_offer, encode_handshake
from tests.vectors.layers import layer_of

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "links"
FILES = sorted(FOLDER.glob("*.json"))

Values = dict[str, Any]


class WrongCodeError(RemoteProtocolError):
    """The proof of a room code does not hold."""


def raw(value: str) -> bytes:
    return bytes.fromhex(value)


def run_certificate(given: Values) -> Values:
    data = raw(given["certificate"])
    return {"key": certificate_key(data).hex(), "hash": certificate_hash(data).hex()}


def run_fingerprint(given: Values) -> Values:
    return {"fingerprint": fingerprint(raw(given["key"]))}


def run_hello(given: Values) -> Values:
    """The hello comes to a listener that has said this welcome."""
    welcome = decode_handshake(raw(given["welcome"]))
    assert isinstance(welcome, Welcome)
    listener_key = raw(given["listener"])
    local = LocalPeer(
        # A listener signs nothing, so that its public key will do.
        key=cast("SigningKey", SimpleNamespace(public=listener_key)),
        name=welcome.name,
        program=welcome.program,
        port=4711,
        room_id=welcome.room_id,
        versions=welcome.versions,
    )
    side = Side(
        local=local,
        certificate_hash=raw(given["certificate_hash"]),
        pairing=Pairing(listener_key),
        attempts=CodeAttempts(),
        entropy=lambda count: welcome.nonce[:count],
        now=0.0,
    )
    listener = Listener(side)
    assert listener.frames_to_send() == [raw(given["welcome"])]
    listener._peer_versions = decode_offer(raw(given["hello"])).versions
    hello = decode_handshake(raw(given["hello"]))
    assert isinstance(hello, Hello)
    listener._on_hello(hello, 0.0)
    return {"value": to_json(decode(encode_handshake(hello)))}


def run_room_code(given: Values) -> Values:
    names = ("dialler_key", "dialler_nonce", "certificate_hash", "listener_nonce")
    exchange = CodeExchange(
        RoomCode(given["code"]),
        given["side"],
        ExchangeContext(**{name: raw(given[name]) for name in names}),
        lambda count: int(given["secret"], 16).to_bytes(count, "big"),
    )
    proofs = exchange.finish(raw(given["message"]))
    if not proofs.confirms(raw(given["proof"])):
        raise WrongCodeError(FaultCode.WRONG_CODE, "the other side does not know the code")
    return {"message": exchange.message.hex(), "proof": proofs.own.hex()}


OPERATIONS: dict[str, Callable[[Values], Values]] = {
    name.removeprefix("run_"): function for name, function in globals().items() if name.startswith("run_")
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vector(path: Path) -> None:
    vector = json.loads(path.read_text(encoding="ascii"))
    operation = OPERATIONS[vector["operation"]]
    if vector["expect"] == "ok":
        assert operation(vector["input"]) == vector["output"]
        return
    with pytest.raises(RemoteProtocolError) as caught:
        operation(vector["input"])
    refusal = caught.value
    layer = "link" if isinstance(refusal, WrongCodeError) else layer_of(refusal)
    assert {"fault": refusal.code, "layer": layer} == vector["expect"]


def test_every_operation_has_a_good_and_a_bad_vector() -> None:
    """But the fingerprint, which any key has."""
    seen: dict[str, set[bool]] = {}
    for path in FILES:
        vector = json.loads(path.read_text(encoding="ascii"))
        seen.setdefault(vector["operation"], set()).add(vector["expect"] == "ok")
    assert seen == {name: {True} if name == "fingerprint" else {True, False} for name in OPERATIONS}


def test_vectors_are_made_anew_without_a_difference(tmp_path: Path) -> None:
    generate("links", tmp_path)
    made = {path.name: path.read_bytes() for path in (tmp_path / "links").iterdir()}
    assert made == {path.name: path.read_bytes() for path in FOLDER.iterdir()}
