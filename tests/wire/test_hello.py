"""The frames of a handshake: they read back as they were written, and nothing else is read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.encoding import Value, decode, encode
from p2prummi.wire.hello import (
    HANDSHAKE_FRAMES,
    Accepted,
    CodeProof,
    CodeReply,
    HandshakeFrame,
    Hello,
    Offer,
    Refused,
    RoomAdvert,
    RoomInfo,
    Start,
    Welcome,
    advert_from_value,
    decode_handshake,
    decode_offer,
    encode_handshake,
)

ROOM = RoomAdvert(
    room_id=bytes([1]) * 32,
    name="kitchen",
    opener=bytes([2]) * 32,
    ruleset_name="official",
    ruleset_hash=bytes([3]) * 32,
    seats_taken=2,
    seats=4,
    state="open",
    code_required=True,
)
WELCOME = Welcome(
    versions=(1, 2), program="p2prummi 0.1", nonce=bytes(32), name="bob", room_id=b"", code_needed=False
)
HELLO = Hello(
    versions=(1,),
    program="p2prummi 0.1",
    version=1,
    key=bytes([4]) * 32,
    nonce=bytes([5]) * 32,
    name="alice",
    port=4711,
    addresses=("10.77.0.1:4711", "[fd00::1]:4711"),
    purpose="join",
    room_id=ROOM.room_id,
    advert=ROOM,
    code_message=bytes(33),
    signature=bytes([6]) * 64,
)
FRAMES: tuple[HandshakeFrame, ...] = (
    WELCOME,
    HELLO,
    CodeReply(message=bytes(33)),
    CodeProof(proof=bytes(32)),
    Accepted(proof=b""),
    Accepted(proof=bytes(32)),
    RoomInfo(advert=ROOM),
    RoomInfo(advert=RoomAdvert()),
    Start(),
    Refused(versions=(1,), program="p2prummi 0.1", code="wrong_room", text="no"),
)
names = pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.frame)


WRONG_FOR_ANY_FIELD: tuple[Value, ...] = ({}, -1, 2**40, "\u00e9" * 500, b"\x01" * 700, (("x",),), True)


def refusal(data: bytes) -> FaultCode:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_handshake(data)
    return caught.value.code


@names
def test_a_frame_reads_back_as_it_was_written(frame: HandshakeFrame) -> None:
    assert decode_handshake(encode_handshake(frame)) == frame


def test_every_frame_is_covered_here() -> None:
    assert {frame.frame for frame in FRAMES} == set(HANDSHAKE_FRAMES)


def values_of(frame: HandshakeFrame) -> tuple[Value, ...]:
    value = decode(encode_handshake(frame))
    assert isinstance(value, tuple)
    return value


@names
def test_a_field_left_out_added_or_retyped_is_refused(frame: HandshakeFrame) -> None:
    values = values_of(frame)
    assert refusal(encode((*values, 0))) == FaultCode.WRONG_SCHEMA
    for place in range(1, len(values)):
        without = (*values[:place], *values[place + 1 :])
        assert refusal(encode(without)) == FaultCode.WRONG_SCHEMA
        for other in WRONG_FOR_ANY_FIELD:
            if isinstance(other, bool) and isinstance(values[place], bool):
                continue
            changed = (*values[:place], other, *values[place + 1 :])
            assert refusal(encode(changed)) == FaultCode.WRONG_SCHEMA


@pytest.mark.parametrize(
    ("frame", "changes"),
    [
        (WELCOME, {"versions": ()}),
        (WELCOME, {"versions": (0,)}),
        (WELCOME, {"versions": (65536,)}),
        (WELCOME, {"versions": tuple(range(1, 18))}),
        (WELCOME, {"program": "x" * 33}),
        (WELCOME, {"nonce": bytes(31)}),
        (WELCOME, {"name": ""}),
        (WELCOME, {"name": "x" * (limits.NAME_BYTES_MAX + 1)}),
        (WELCOME, {"room_id": bytes(31)}),
        (HELLO, {"version": 0}),
        (HELLO, {"key": bytes(33)}),
        (HELLO, {"nonce": bytes(33)}),
        (HELLO, {"port": -1}),
        (HELLO, {"port": 65536}),
        (HELLO, {"addresses": ("10.77.0.1:4711",) * (limits.ADDRESSES_MAX + 1)}),
        (HELLO, {"addresses": ("x" * (limits.ADDRESS_BYTES_MAX + 1),)}),
        (HELLO, {"addresses": ("",)}),
        (HELLO, {"purpose": "look"}),
        (HELLO, {"code_message": bytes(32)}),
        (HELLO, {"signature": bytes(63)}),
        (Accepted(proof=b""), {"proof": bytes(31)}),
        (CodeProof(proof=bytes(32)), {"proof": b""}),
        (CodeReply(message=bytes(33)), {"message": b""}),
        (Refused(versions=(1,), program="", code="x", text=""), {"code": ""}),
        (Refused(versions=(1,), program="", code="x", text=""), {"code": "x" * 41}),
        (Refused(versions=(1,), program="", code="x", text=""), {"text": "x" * 401}),
    ],
)
def test_a_field_over_its_limit_is_refused(frame: HandshakeFrame, changes: dict[str, object]) -> None:
    changed = replace(frame, **changes)  # type: ignore[arg-type]  # wrong on purpose
    assert refusal(encode_handshake(changed)) == FaultCode.WRONG_SCHEMA


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "idle"},
        {"room_id": b""},
        {"opener": b""},
        {"ruleset_hash": b""},
        {"seats_taken": 5},
        {"seats": 7},
        {"state": "closed"},
    ],
)
def test_an_advert_that_contradicts_itself_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        advert_from_value(replace(ROOM, **changes).to_value())  # type: ignore[arg-type]  # wrong on purpose
    assert caught.value.code is FaultCode.WRONG_SCHEMA


def test_a_full_room_in_play_can_be_advertised() -> None:
    playing = replace(ROOM, seats_taken=4, state="playing")
    assert advert_from_value(playing.to_value()) == playing


@pytest.mark.parametrize(
    "value", [(), 5, "welcome", {"welcome": 1}, (5, (1,), "x"), ((), (1,), "x"), ("nothing", (1,), "x")]
)
def test_what_is_no_frame_is_refused(value: Value) -> None:
    assert refusal(encode(value)) == FaultCode.WRONG_SCHEMA


def test_a_frame_longer_than_a_handshakes_is_refused_before_it_is_read() -> None:
    assert refusal(b"\xff" * (limits.HANDSHAKE_FRAME_BYTES_MAX + 1)) == FaultCode.OVERSIZED_FRAME
    assert refusal(b"\xc1" * limits.HANDSHAKE_FRAME_BYTES_MAX) == FaultCode.MALFORMED_FRAME


def test_the_longest_hello_fits() -> None:
    longest = replace(
        HELLO,
        versions=tuple(range(65000, 65016)),
        program="x" * 32,
        name="x" * limits.NAME_BYTES_MAX,
        addresses=("x" * limits.ADDRESS_BYTES_MAX,) * limits.ADDRESSES_MAX,
        advert=replace(ROOM, name="x" * limits.ROOM_NAME_BYTES_MAX, ruleset_name="x" * limits.NAME_BYTES_MAX),
    )
    assert decode_handshake(encode_handshake(longest)) == longest


def test_the_beginning_is_read_whatever_follows() -> None:
    offer = Offer(frame="welcome", versions=(2, 3), program="next")
    assert decode_offer(encode(("welcome", (2, 3), "next", {"new": ()}))) == offer
    assert decode_offer(encode(("welcome", (2, 3), "next"))) == offer


@pytest.mark.parametrize(
    "value", [("welcome",), ("welcome", (1,)), ("welcome", 1, "x"), ("welcome", (1,), b"x")]
)
def test_a_beginning_that_is_none_is_refused(value: Value) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_offer(encode(value))
    assert caught.value.code is FaultCode.WRONG_SCHEMA


@given(st.binary(max_size=300))
def test_any_bytes_give_a_frame_or_a_fault(data: bytes) -> None:
    try:
        frame = decode_handshake(data)
    except RemoteProtocolError:
        return
    assert encode_handshake(frame) == data
