"""Bytes of every kind: what cannot be read costs its sender the link, and whatever comes raises nothing."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.errors import FaultCode
from p2prummi.session.notices import FaultSeen, PeerLeft
from p2prummi.testing.network import Network
from p2prummi.wire import frames, limits
from p2prummi.wire.encoding import encode
from p2prummi.wire.frames import FRAMES, Bye, Chat, EventFrame, Ping, Want, encode_frame, parse_frame
from tests.session.branching import branch
from tests.session.matches import told
from tests.session.rooms import heard, room, terms_of
from tests.session.scenes import assert_link_refused, scene_of

# What cannot be read.

UNREADABLE: dict[str, tuple[bytes, FaultCode]] = {
    "nothing": (b"", FaultCode.MALFORMED_FRAME),
    "garbage": (b"\xc1\xff\x00garbage", FaultCode.MALFORMED_FRAME),
    "a value that is no frame": (encode(7), FaultCode.WRONG_SCHEMA),
    "a frame of no known name": (encode(["dance"]), FaultCode.WRONG_SCHEMA),
    "a frame with a field too many": (encode(["ping", 1]), FaultCode.WRONG_SCHEMA),
    "a frame in another encoding": (b"\xdc\x00\x01\xa4ping", FaultCode.NOT_CANONICAL),
    "a frame that is too long": (bytes(limits.FRAME_BYTES_MAX + 1), FaultCode.OVERSIZED_FRAME),
    "an event that is none": (encode(["event", b"\xc1", bytes(64)]), FaultCode.MALFORMED_FRAME),
    "an event of an unknown kind": (
        encode(["event", encode(["jump", bytes(32), 0, bytes(32), 0]), bytes(64)]),
        FaultCode.WRONG_SCHEMA,
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_costs_its_sender_the_link_alone(what: str) -> None:
    data, code = UNREADABLE[what]
    scene = scene_of("draw").branch()
    scene.send_to_all(data)
    scene.wait()
    assert_link_refused(scene.network, scene.attacker, code)
    # Its sender is told why, and names nobody.
    assert all(code.value in notice.why for notice in told(scene.attacker, PeerLeft)[:1])
    assert told(scene.attacker, FaultSeen) == []


def test_a_long_fault_fits_into_the_goodbye() -> None:
    network, (anna, bob) = room(2)
    terms = terms_of(anna)
    rules = {**terms.ruleset, "ä" * 400: 1}
    farewells = heard(network, Bye)
    network.send_raw(anna, bob, encode_frame(replace(terms, ruleset=rules)))
    network.run()
    assert [farewell.code for _, farewell in farewells] == ["wrong_schema"]
    assert told(anna, FaultSeen) == []


# Whatever comes.


def valid_frames() -> list[bytes]:
    """Frames of every name, as they travel in a match."""
    scene = scene_of("draw")
    seen: dict[str, bytes] = {}
    for wire in scene.network._wires.values():
        for frame in wire:
            seen.setdefault(parse_frame(frame).name, frame)
    ack = frames.Ack(scene.event.context, 3, 1, bytes(32), bytes(32), bytes(64))
    made: list[frames.Frame] = [
        Ping(),
        Chat("x"),
        Want(scene.event.context, 2),
        ack,
        frames.Presence(bytes(32), True, ((bytes(32), ("a:1",)),)),
        frames.Accept(bytes(32), bytes(32), bytes(64)),
        frames.Proposal(b"x", bytes(64)),
        frames.Terms(bytes(32), "r", {"name": "official"}, 2, False),
        EventFrame(scene.event.body, scene.event.signature),
        Bye("left", "", ""),
    ]
    assert {frame.name for frame in made} == set(FRAMES)
    return [*seen.values(), *map(encode_frame, made)]


@given(data=st.data())
@settings(max_examples=60)
def test_whatever_bytes_come_nothing_is_raised(data: st.DataObject) -> None:
    """Any bytes, and frames with bytes changed, at any time: a session takes them and goes on."""
    kind = data.draw(st.sampled_from(["commit", "shuffle", "draw", "result"]), label="scene")
    network = branch(scene_of(kind).network)
    peers = list(network)
    mutants = st.builds(
        lambda frame, position, byte: (
            frame[: position % len(frame)] + bytes([byte]) + frame[position % len(frame) + 1 :]
        ),
        st.sampled_from(valid_frames()),
        st.integers(0, 2000),
        st.integers(0, 255),
    )
    for frame in data.draw(st.lists(st.one_of(st.binary(max_size=60), mutants), max_size=4), label="frames"):
        peers[0].session.receive(peers[1].public, frame, network.now)
        network._collect()
    network.run()


HASH = st.binary(min_size=32, max_size=32)
SHORT = st.text(min_size=1, max_size=9)
RULE_VALUES = st.one_of(st.integers(0, 9), SHORT, st.lists(st.integers(0, 9), max_size=3), st.booleans())
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("nonce", "room_id", "proposal", "context", "head", "state"), HASH),
    **dict.fromkeys(("room_name", "text", "code"), SHORT),
    **dict.fromkeys(("code_required", "ready"), st.booleans()),
    "signature": st.binary(min_size=64, max_size=64),
    "body": st.binary(min_size=1, max_size=99),
    "ruleset": st.dictionaries(SHORT, RULE_VALUES),
    "seats": st.integers(2, 6),
    "linked": st.lists(st.tuples(HASH, st.lists(st.just("a:1"), max_size=2)), max_size=3),
    "sequence": st.integers(0, 4096),
    "seat": st.integers(0, 5),
    "reason": st.sampled_from(["left", "fault", "match_over"]),
}


@given(data=st.data())
@settings(max_examples=80)
def test_whatever_frames_come_nothing_is_raised(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(list(FRAMES.values())), label="frame")
    network = branch(_room())
    anna, bob = network
    values: list[Any] = [data.draw(FIELDS[field.name], label=field.name) for field in fields(kind)]
    anna.session.receive(bob.public, encode_frame(kind(*values)), network.now)
    network.run()
    assert all(not fault.signed for fault in told(anna, FaultSeen))


@cache
def _room() -> Network:
    return room(2)[0]
