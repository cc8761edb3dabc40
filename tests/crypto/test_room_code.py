"""Room codes and the exchange that proves one: only equal codes on the same connection confirm each other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.entropy import SeededEntropy
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
