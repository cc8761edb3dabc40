"""Copies of a network at one moment, so that many attacks can branch off one match that is played once."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import TypeAlias

from p2prummi.crypto.deck import Deck, JointKey, RoundKey
from p2prummi.crypto.group import Point
from p2prummi.crypto.signing import SigningKey
from p2prummi.session.notices import MatchStarted
from p2prummi.testing.adversaries import as_bytes
from p2prummi.testing.checkers import event_in
from p2prummi.testing.network import Network, Peer
from p2prummi.transcript.agreement import Match
from p2prummi.transcript.state import RoundState
from p2prummi.wire.events import Event
from p2prummi.wire.frames import Frame

Sent: TypeAlias = Event | Frame | bytes
# Values that nobody changes are shared by all copies; the library's points could not be copied at all.
SHARED = (Deck, Event, JointKey, MappingProxyType, Match, Point, RoundKey, RoundState, SigningKey)
# The one place where a kind of value that is not one's own can be told to stay as it is.
vars(copy)["_deepcopy_dispatch"].update(dict.fromkeys(SHARED, lambda value, _memo: value))


def branch(network: Network) -> Network:
    """A copy that goes its own way. There must be no work under way, whose callbacks could not be copied."""
    assert not any(peer.session._outbox._callbacks for peer in network)
    return copy.deepcopy(network)


def in_seat_order(network: Network) -> list[Peer]:
    """The peers by seat."""
    match = next(
        notice.match for peer in network for notice in peer.notices if isinstance(notice, MatchStarted)
    )
    return [network.peers[key] for key in match.keys]


def replace_in_flight(
    network: Network, sender: Peer, event: Event, instead: Callable[[Peer], Iterable[Sent]]
) -> None:
    """Puts something else in the place of an event that is on its way to others."""
    for (source, target), wire in network._wires.items():
        if source != sender.public:
            continue
        frames: deque[bytes] = deque()
        for frame in wire:
            carried = event_in(frame)
            if carried is not None and carried.body == event.body:
                frames.extend(as_bytes(each) for each in instead(network.peers[target]))
            else:
                frames.append(frame)
        network._wires[source, target] = frames
