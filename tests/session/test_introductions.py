"""Members whom others name are dialled; whoever names too many costs itself its link, and nobody more."""

from __future__ import annotations

from p2prummi.errors import FaultCode
from p2prummi.testing.network import Network, Peer
from p2prummi.wire import limits
from p2prummi.wire.frames import Presence, encode_frame
from tests.session.rooms import refusals, room

NAMED_AT_ONCE = 16


def name_strangers(network: Network, sender: Peer, receiver: Peer, numbers: range) -> None:
    """Lets one member say that it is linked with these others, each at an address."""
    linked = tuple((number.to_bytes(32, "big"), ("10.9.0.1:1",)) for number in numbers)
    identity = receiver.session.advert().room_id
    network.send_raw(sender, receiver, encode_frame(Presence(identity, False, linked)))


def test_as_many_as_the_limit_may_be_named_in_a_minute_and_no_more() -> None:
    network, (anna, bob, cy) = room(3)
    network.advance(120)
    anna.session.dials_wanted()
    for start in range(0, limits.INTRODUCTIONS_PER_MINUTE_MAX, NAMED_AT_ONCE):
        name_strangers(network, bob, anna, range(start, start + NAMED_AT_ONCE))
    network.run()
    assert refusals(anna) == []
    assert len(anna.session._links.dials) == limits.INTRODUCTIONS_PER_MINUTE_MAX
    name_strangers(network, bob, anna, range(1000, 1001))
    network.run()
    assert refusals(anna) == [(FaultCode.LIMIT_EXCEEDED, bob.public, False)]
    assert not network.is_linked(anna, bob)
    assert network.is_linked(anna, cy)
    assert len(anna.session._links.dials) == limits.INTRODUCTIONS_PER_MINUTE_MAX


def test_a_minute_later_as_many_may_be_named_again_and_a_repeat_is_none() -> None:
    network, (anna, bob, _) = room(3)
    for minute in range(3):
        network.advance(61)
        for start in range(0, limits.INTRODUCTIONS_PER_MINUTE_MAX, NAMED_AT_ONCE):
            for _ in range(3):
                name_strangers(network, bob, anna, range(minute + start, minute + start + NAMED_AT_ONCE))
    network.run()
    assert refusals(anna) == []
    assert network.is_linked(anna, bob)
