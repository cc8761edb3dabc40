"""Signatures: bound to key, label and body; any bytes give an answer; keys of small order never verify."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto import signing
from p2prummi.crypto.labels import Label, framed
from p2prummi.crypto.signing import SigningKey, verify
from p2prummi.errors import LocalProtocolError

KEY = SigningKey(bytes(range(32)))
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493


def test_signature_is_bound_to_key_label_and_body() -> None:
    signature = KEY.sign(Label.SIGN_EVENT, b"body")
    assert len(signature) == 64
    assert verify(KEY.public, Label.SIGN_EVENT, b"body", signature)
    assert not verify(KEY.public, Label.SIGN_ACK, b"body", signature)
    assert not verify(KEY.public, Label.SIGN_EVENT, b"bodY", signature)
    assert not verify(SigningKey(bytes(32)).public, Label.SIGN_EVENT, b"body", signature)


def test_every_bit_of_a_signature_counts() -> None:
    signature = KEY.sign(Label.SIGN_EVENT, b"body")
    for position in range(64 * 8):
        changed = bytearray(signature)
        changed[position // 8] ^= 1 << position % 8
        assert not verify(KEY.public, Label.SIGN_EVENT, b"body", bytes(changed))


def test_second_form_of_the_same_signature_is_refused() -> None:
    """S plus the group's order would verify in a careless implementation."""
    signature = KEY.sign(Label.SIGN_EVENT, b"body")
    s = int.from_bytes(signature[32:], "little") + GROUP_ORDER
    assert not verify(KEY.public, Label.SIGN_EVENT, b"body", signature[:32] + s.to_bytes(32, "little"))


def test_signature_that_holds_only_with_the_cofactor_is_refused() -> None:
    """Its key has a part of small order; a verifier that multiplies the equation by eight accepts it."""
    public = bytes.fromhex("9fecaeca6d49ae3a14b510529b3ab12961c4e28222ba519ef1f0e1d390ceae79")
    signature = bytes.fromhex(
        "c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022"
        "eb75ba53e87bfdc2baa54538101ca3a5462a4ad770761d2c3798acd782dc1d04"
    )
    assert not verify(public, Label.SIGN_EVENT, b"the body of an event", signature)


@given(st.binary(max_size=40), st.binary(max_size=70))
def test_any_bytes_give_an_answer(public: bytes, signature: bytes) -> None:
    assert not verify(public, Label.SIGN_EVENT, b"body", signature)
    assert not verify(KEY.public, Label.SIGN_EVENT, b"body", signature)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64))
def test_any_bytes_of_the_right_length_give_an_answer(public: bytes, signature: bytes) -> None:
    assert not verify(public, Label.SIGN_EVENT, b"body", signature)


@pytest.mark.parametrize("value", [None, 5, "x" * 32, bytearray(32)])
def test_other_types_are_no_key_and_no_signature(value: object) -> None:
    assert not verify(value, Label.SIGN_EVENT, b"", KEY.sign(Label.SIGN_EVENT, b""))  # type: ignore[arg-type]  # On purpose.
    assert not verify(KEY.public, Label.SIGN_EVENT, b"", value)  # type: ignore[arg-type]  # On purpose.


@pytest.mark.parametrize("public", [KEY.public[:-1], KEY.public + b"\0", b""])
def test_key_of_another_length_never_verifies(public: bytes) -> None:
    assert not verify(public, Label.SIGN_EVENT, b"body", KEY.sign(Label.SIGN_EVENT, b"body"))


def small_order_keys() -> list[bytes]:
    return [(y | sign << 255).to_bytes(32, "little") for y in signing._SMALL_ORDER_Y for sign in (0, 1)]


def test_keys_of_small_order_never_verify() -> None:
    """With S = 0 and R = -c·A for a small multiple, the bare check passes for many bodies.

    Here for some of them.
    """
    fooled = 0
    for public in small_order_keys():
        for nonce_point in small_order_keys():
            signature = nonce_point + bytes(32)
            for number in range(4):
                body = bytes([number])
                assert not verify(public, Label.SIGN_EVENT, body, signature)
                fooled += _bare_check_passes(public, body, signature)
    assert fooled > 0


def _bare_check_passes(public: bytes, body: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, framed(Label.SIGN_EVENT, body))
    except InvalidSignature:
        return False
    return True


def test_small_order_list_is_complete() -> None:
    """By arithmetic: the eight points of small order have five y; two of those have a second encoding."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p
    reduced = {y for y in signing._SMALL_ORDER_Y if y < p}
    # Order one and two have x = 0, so y = 1 and y = -1; order four has y = 0.
    assert reduced >= {0, 1, p - 1}
    order_eight = reduced - {0, 1, p - 1}
    # The double of a point of order eight has y = 0, so x² = -y², and the curve's equation becomes this one.
    assert len(order_eight) == 2
    assert all((2 * y * y - 1 + d * pow(y, 4, p)) % p == 0 for y in order_eight)
    assert signing._SMALL_ORDER_Y - reduced == {y + p for y in reduced if y + p < 2**255}


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "x" * 32, None])
def test_signing_key_is_made_from_32_bytes(secret: object) -> None:
    with pytest.raises(LocalProtocolError):
        SigningKey(secret)  # type: ignore[arg-type]  # On purpose.


def test_repr_hides_the_secret() -> None:
    secret = b"very secret signing key bytes!!!"
    key = SigningKey(secret)
    assert secret.hex() not in repr(key)
    assert key.public.hex() in repr(key)
