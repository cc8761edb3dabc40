"""Members whom others name are dialled, but only so many in a minute, whoever it is that comes there."""

from __future__ import annotations

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


def dials(peer: Peer) -> int:
    """How many dials wait, for a peer that nobody asks for them."""
    return len(peer.session._links.dials)


def name_as_many_as_may_be(network: Network, sender: Peer, receiver: Peer, first: int = 0) -> None:
    for start in range(first, first + limits.INTRODUCTIONS_PER_MINUTE_MAX, NAMED_AT_ONCE):
        name_strangers(network, sender, receiver, range(start, start + NAMED_AT_ONCE))
    network.run()


def test_as_many_as_the_limit_are_dialled_in_a_minute_and_no_more_and_nobody_is_to_blame() -> None:
    network, (anna, bob, cy) = room(3)
    network.advance(120)
    anna.session.dials_wanted()
    name_as_many_as_may_be(network, bob, anna)
    assert dials(anna) == limits.INTRODUCTIONS_PER_MINUTE_MAX
    for _ in range(2):
        name_strangers(network, bob, anna, range(1000, 1001))
    network.run()
    assert dials(anna) == limits.INTRODUCTIONS_PER_MINUTE_MAX
    name_strangers(network, cy, anna, range(2000, 2001))
    network.run()
    assert dials(anna) == limits.INTRODUCTIONS_PER_MINUTE_MAX + 1, "each member may name as many"
    assert refusals(anna) == []
    assert network.is_linked(anna, bob)


def test_a_minute_later_as_many_are_dialled_again_and_a_repeat_is_none() -> None:
    network, (anna, bob, _) = room(3)
    for minute in range(3):
        network.advance(61)
        anna.session.dials_wanted()
        name_as_many_as_may_be(network, bob, anna, 1000 * minute)
        assert dials(anna) == limits.INTRODUCTIONS_PER_MINUTE_MAX
        end = 1000 * minute + limits.INTRODUCTIONS_PER_MINUTE_MAX
        name_strangers(network, bob, anna, range(end - NAMED_AT_ONCE, end))
        network.run()
        assert dials(anna) == limits.INTRODUCTIONS_PER_MINUTE_MAX
