"""Events and frames: all that the specification's schema allows is read, and every single thing else refused.

The sweep takes each field of each message and changes its type, drops it, doubles it, goes under its least
and over its most, down to the fields of nested records (`schema_file.py`).
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.labels import Label, digest
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.wire import limits
from p2prummi.wire.encoding import Value, decode, encode
from p2prummi.wire.events import PAYLOADS, Draw, Event, parse_event, sign_event
from p2prummi.wire.frames import FRAMES, Ack, Ping, encode_frame, parse_frame
from p2prummi.wire.hello import HANDSHAKE_FRAMES, decode_handshake, encode_handshake
from tests.wire.samples import refusal_of, result_or_refusal, values
from tests.wire.schema_file import Node, edge, field_names, fitting, messages, wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EVENTS = messages("events")
FRAME_SCHEMAS = messages("frames")
HANDSHAKE_SCHEMAS = messages("handshake")
SIGNATURE = bytes(range(64))
HEADER = ["context", "sequence", "prev", "seat"]
KEY = SigningKey(bytes(32))


def read_event(data: bytes) -> Event:
    return parse_event(data, SIGNATURE)


def event_bytes(event: Event) -> bytes:
    """The event written anew from what was read, without the bytes that it came as."""
    return sign_event(
        KEY,
        context=event.context,
        sequence=event.sequence,
        prev=event.prev,
        seat=event.seat,
        payload=event.payload,
    ).body


READERS: dict[str, tuple[dict[str, Node], Callable[[bytes], Any], Callable[[Any], bytes]]] = {
    "event": (EVENTS, read_event, event_bytes),
    "frame": (FRAME_SCHEMAS, parse_frame, encode_frame),
    "handshake": (HANDSHAKE_SCHEMAS, decode_handshake, encode_handshake),
}
EVERY_MESSAGE = [
    pytest.param(schema, read, write, id=f"{of} {name}")
    for of, (schemas, read, write) in READERS.items()
    for name, schema in schemas.items()
]


def every_wrong_one() -> Iterator[Any]:
    for of, (schemas, read, _) in READERS.items():
        for schema in schemas.values():
            for label, value in wrong(schema):
                yield pytest.param(read, value, id=f"{of} {label}")


def test_the_schema_names_the_messages_that_there_are() -> None:
    assert list(EVENTS) == list(PAYLOADS)
    assert list(FRAME_SCHEMAS) == list(FRAMES)
    assert list(HANDSHAKE_SCHEMAS) == list(HANDSHAKE_FRAMES)


@pytest.mark.parametrize("name", PAYLOADS)
def test_the_schema_names_the_fields_of_an_event(name: str) -> None:
    assert field_names(EVENTS[name]) == HEADER + [field.name for field in fields(PAYLOADS[name])]


@pytest.mark.parametrize("name", FRAMES)
def test_the_schema_names_the_fields_of_a_frame(name: str) -> None:
    assert field_names(FRAME_SCHEMAS[name]) == [field.name for field in fields(FRAMES[name])]


@pytest.mark.parametrize("name", HANDSHAKE_FRAMES)
def test_the_schema_names_the_fields_of_a_handshake(name: str) -> None:
    assert field_names(HANDSHAKE_SCHEMAS[name]) == [field.name for field in fields(HANDSHAKE_FRAMES[name])]


@pytest.mark.parametrize("side", [0, 1], ids=["smallest", "greatest"])
@pytest.mark.parametrize(("schema", "read", "write"), EVERY_MESSAGE)
def test_the_edges_of_every_field_are_read(
    schema: Node, read: Callable[[bytes], Any], write: Callable[[Any], bytes], side: int
) -> None:
    data = encode(edge(schema, side))
    assert write(read(data)) == data


@pytest.mark.parametrize(("schema", "read", "write"), EVERY_MESSAGE)
@given(data=st.data())
def test_messages_come_back(
    data: st.DataObject, schema: Node, read: Callable[[bytes], Any], write: Callable[[Any], bytes]
) -> None:
    form = encode(data.draw(fitting(schema)))
    message = read(form)
    assert write(message) == form
    assert read(write(message)) == message


@pytest.mark.parametrize(("read", "value"), list(every_wrong_one()))
def test_one_single_fault_is_refused(read: Callable[[bytes], Any], value: Value) -> None:
    """A field that may be as long as any value fails in the encoding already, before it is a field."""
    data = msgpack.packb(value)
    in_encoding = isinstance(result_or_refusal(decode, data), RemoteProtocolError)
    expected = (
        {FaultCode.LIMIT_EXCEEDED, FaultCode.OVERSIZED_FRAME} if in_encoding else {FaultCode.WRONG_SCHEMA}
    )
    assert refusal_of(read, data).code in expected


@pytest.mark.parametrize("of", READERS)
@given(value=values())
def test_any_value_gives_a_message_or_a_refusal(of: str, value: Value) -> None:
    _, read, write = READERS[of]
    data = encode(value)
    match result_or_refusal(read, data):
        case RemoteProtocolError(code=code):
            assert code is FaultCode.WRONG_SCHEMA
        case message:
            assert write(message) == data


@pytest.mark.parametrize("of", READERS)
@given(data=st.binary(max_size=200))
def test_any_bytes_give_a_message_or_a_refusal(of: str, data: bytes) -> None:
    _, read, write = READERS[of]
    message = result_or_refusal(read, data)
    assert isinstance(message, RemoteProtocolError) or write(message) == data


@pytest.mark.parametrize("read", [read_event, parse_frame], ids=["event", "frame"])
@pytest.mark.parametrize("value", [(), 1, "ping", {}, ("",), ("x" * 17,), (b"ping",)], ids=repr)
def test_what_has_no_known_name_is_refused(read: Callable[[bytes], Any], value: Value) -> None:
    assert refusal_of(read, encode(value)).code is FaultCode.WRONG_SCHEMA


def test_a_frame_may_be_just_as_long_as_the_limit() -> None:
    """At the limit its content is looked at, one byte over it nothing is."""
    assert refusal_of(parse_frame, bytes(limits.FRAME_BYTES_MAX)).code is FaultCode.MALFORMED_FRAME
    assert refusal_of(parse_frame, bytes(limits.FRAME_BYTES_MAX + 1)).code is FaultCode.OVERSIZED_FRAME


def test_bytes_that_are_no_value_are_refused_as_such() -> None:
    assert refusal_of(read_event, b"\x91\xcc\x01").code is FaultCode.NOT_CANONICAL
    assert refusal_of(parse_frame, b"\x91\xc1").code is FaultCode.MALFORMED_FRAME


def test_an_event_keeps_the_bytes_that_came() -> None:
    body = encode(edge(EVENTS["draw"], 1))
    event = parse_event(body, SIGNATURE)
    assert (event.body, event.signature, event.kind) == (body, SIGNATURE, "draw")
    assert (event.sequence, event.seat) == (limits.SEQUENCE_MAX, limits.SEATS_MAX - 1)


def test_an_event_is_signed_over_its_label_and_body() -> None:
    event = sign_event(KEY, context=bytes(32), sequence=3, prev=bytes([1]) * 32, seat=2, payload=Draw())
    assert event.body == encode(["draw", bytes(32), 3, bytes([1]) * 32, 2])
    assert event.signature == KEY.sign(Label.SIGN_EVENT, event.body)
    assert event.signed_by(KEY.public)
    assert not event.signed_by(SigningKey(bytes([1]) * 32).public)
    assert parse_event(event.body, event.signature) == event
    assert not parse_event(event.body, SIGNATURE).signed_by(KEY.public)


def test_the_hash_of_an_event_leaves_its_signature_out() -> None:
    body = encode(edge(EVENTS["draw"], 0))
    assert parse_event(body, SIGNATURE).hash == parse_event(body, bytes(64)).hash
    assert parse_event(body, SIGNATURE).hash == digest(Label.EVENT_BODY, body)


def test_an_acknowledgement_signs_all_its_fields() -> None:
    ack = Ack(bytes([1]) * 32, 2, 3, bytes([4]) * 32, bytes([5]) * 32, SIGNATURE)
    assert ack.signed_part() == encode([bytes([1]) * 32, 2, 3, bytes([4]) * 32, bytes([5]) * 32])


def test_a_frame_is_an_array_that_begins_with_its_name() -> None:
    assert encode_frame(Ping()) == b"\x91\xa4ping"
