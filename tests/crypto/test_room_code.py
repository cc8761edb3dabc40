"""Room codes and the exchange that proves one: only equal codes on the same connection confirm each other."""

from __future__ import annotations

import hmac
from dataclasses import replace
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.labels import Label, framed
from p2prummi.crypto.room_code import (
    CodeExchange,
    CodeProofs,
    ExchangeContext,
    RoomCode,
    Side,
    make_room_code,
    parse_room_code,
)
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError

CONTEXT = ExchangeContext(
    dialler_key=bytes([1]) * 32,
    dialler_nonce=bytes([2]) * 32,
    certificate_hash=bytes([3]) * 32,
    listener_nonce=bytes([4]) * 32,
)
CODE = RoomCode("0123456789")


def begin(side: Side, code: RoomCode = CODE, context: ExchangeContext = CONTEXT) -> CodeExchange:
    return CodeExchange(code, side, context, SeededEntropy(f"{side} {code.digits}".encode()))


def run(dialler: CodeExchange, listener: CodeExchange) -> tuple[CodeProofs, CodeProofs]:
    return dialler.finish(listener.message), listener.finish(dialler.message)


def confirmed(dialler: CodeExchange, listener: CodeExchange) -> tuple[bool, bool]:
    at_dialler, at_listener = run(dialler, listener)
    return at_dialler.confirms(at_listener.own), at_listener.confirms(at_dialler.own)


@given(st.binary(max_size=16))
def test_a_made_code_reads_back_as_it_is_written(seed: bytes) -> None:
    code = make_room_code(SeededEntropy(seed))
    assert parse_room_code(code.written) == code
    assert len(code.digits) == 10


def test_made_codes_use_the_whole_range() -> None:
    assert make_room_code(bytes).digits == "0000000000"
    assert make_room_code(lambda count: (9999999999 << 6).to_bytes(count, "big")).digits == "9999999999"


@pytest.mark.parametrize(
    "text",
    [
        "012-345-6789",
        " 0123456789\n",
        "01 23 45 67 89",
        "012\u2013345\u2011 6789",
        "٠١٢٣٤٥٦٧٨٩",
        "0.1.2.3.456789",
    ],
)
def test_a_code_is_read_as_people_type_it(text: str) -> None:
    assert parse_room_code(text) == CODE


@pytest.mark.parametrize("text", ["", "012345678", "01234567890", "012345678x", "012345678²", "-"])
def test_what_is_no_code_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(LocalProtocolError, match="10 digits"):
        parse_room_code(text)


@pytest.mark.parametrize("digits", ["012345678", "٠١٢٣٤٥٦٧٨٩", "01234 6789"])
def test_a_code_holds_ten_ascii_digits(digits: str) -> None:
    with pytest.raises(LocalProtocolError):
        RoomCode(digits)


def test_secrets_do_not_show() -> None:
    proofs, _ = run(begin("dialler"), begin("listener"))
    assert "0123456789" not in repr(CODE)
    assert "012-345-6789" not in repr(CODE)
    assert repr(proofs) == "CodeProofs()"


def test_equal_codes_confirm_each_other() -> None:
    assert confirmed(begin("dialler"), begin("listener")) == (True, True)


def test_the_two_proofs_differ_so_that_none_can_be_sent_back() -> None:
    proofs, _ = run(begin("dialler"), begin("listener"))
    assert not proofs.confirms(proofs.own)


def test_other_codes_do_not_confirm() -> None:
    assert confirmed(begin("dialler", RoomCode("0123456780")), begin("listener")) == (False, False)


@pytest.mark.parametrize("name", ["dialler_key", "dialler_nonce", "certificate_hash", "listener_nonce"])
def test_an_exchange_is_bound_to_its_connection(name: str) -> None:
    other = replace(CONTEXT, **{name: bytes([9]) * 32})
    assert confirmed(begin("dialler", context=other), begin("listener")) == (False, False)


def _on_no_curve() -> bytes:
    return b"B" + (2).to_bytes(32, "little")


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"B",
        b"B" + bytes(31),
        b"B" + bytes(33),
        b"B" + bytes(32),
        b"B" + b"\x01" + bytes(31),
        b"B" + b"\xff" * 32,
        _on_no_curve(),
        b"A" + begin("listener").message[1:],
        b"S" + begin("listener").message[1:],
        begin("dialler").message,
        b"B" + begin("dialler").message[1:],
    ],
    ids=[
        "empty",
        "side only",
        "short",
        "long",
        "small order",
        "neutral",
        "too large",
        "off the curve",
        "own side",
        "symmetric side",
        "reflected",
        "reflected under the other side",
    ],
)
def test_what_is_no_message_of_the_other_side_is_refused(message: bytes) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        begin("dialler").finish(message)
    assert caught.value.code is FaultCode.HANDSHAKE_FAILED


# A second reading of the specification: the arithmetic of Ed25519, and the formulas as they stand there.

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, FIELD) % FIELD
NEUTRAL = (0, 1)
M = "15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312"
N = "f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3"

Affine = tuple[int, int]


def plus(one: Affine, other: Affine) -> Affine:
    (x1, y1), (x2, y2) = one, other
    product = CURVE_D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, FIELD)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, FIELD)
    return x % FIELD, y % FIELD


def times(scalar: int, point: Affine) -> Affine:
    total = NEUTRAL
    for bit in f"{scalar % ORDER:b}":
        total = plus(total, total)
        total = plus(total, point) if bit == "1" else total
    return total


def read_point(text: bytes) -> Affine:
    value = int.from_bytes(text, "little")
    y = value & (2**255 - 1)
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if x * x % FIELD != square:
        x = x * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
    assert x * x % FIELD == square
    return (FIELD - x if x % 2 != value >> 255 else x), y


def write_point(point: Affine) -> bytes:
    x, y = point
    return (y | (x % 2) << 255).to_bytes(32, "little")


def minus(one: Affine, other: Affine) -> Affine:
    return plus(one, (-other[0] % FIELD, other[1]))


def test_the_exchange_is_the_one_of_the_specification() -> None:
    base = read_point(bytes.fromhex("58" + "66" * 31))
    seeds = {"dialler": b"dialler 0123456789", "listener": b"listener 0123456789"}
    x, y = (int.from_bytes(SeededEntropy(seed)(64), "big") % ORDER for seed in seeds.values())
    password = framed(Label.ROOM_CODE, b"0123456789")
    wide = HKDF(algorithm=SHA256(), length=48, salt=None, info=b"SPAKE2 pw").derive(password)
    w = int.from_bytes(wide, "big") % ORDER
    blind_a, blind_b = (times(w, read_point(bytes.fromhex(text))) for text in (M, N))
    a, b = plus(times(x, base), blind_a), plus(times(y, base), blind_b)
    shared = times(x, minus(b, blind_b))
    assert shared == times(y, minus(a, blind_a))
    parts = [password, bytes([1]) * 32 + bytes([2]) * 32, bytes([3]) * 32 + bytes([4]) * 32]
    hashes = b"".join(sha256(part).digest() for part in parts)
    key = sha256(hashes + write_point(a) + write_point(b) + write_point(shared)).digest()

    dialler, listener = begin("dialler"), begin("listener")
    assert (dialler.message, listener.message) == (b"A" + write_point(a), b"B" + write_point(b))
    at_dialler, at_listener = run(dialler, listener)
    assert at_dialler.own == hmac.digest(key, framed(Label.ROOM_CODE_CONFIRM_DIALLER), "sha256")
    assert at_listener.own == hmac.digest(key, framed(Label.ROOM_CODE_CONFIRM_LISTENER), "sha256")
