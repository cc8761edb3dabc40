"""Rooms for tests: who sits in one, who is ready, and what travels or is refused there."""

from __future__ import annotations

from typing import TypeVar

from p2prummi.errors import FaultCode
from p2prummi.session.commands import JoinRoom, OpenRoom, SetReady
from p2prummi.session.lobby import Lobby
from p2prummi.session.notices import FaultSeen, MatchStarted
from p2prummi.testing.network import Network, Passage, Peer, Watcher
from p2prummi.wire.frames import Frame, Terms, parse_frame
from tests.session.matches import new_network, rules_for, told

F = TypeVar("F", bound=Frame)


def room(
    players: int, seed: int = 1, *, seats: int | None = None, link: bool = True
) -> tuple[Network, list[Peer]]:
    """A room in which everyone sits and nobody is ready."""
    network = new_network(players, seed)
    peers = list(network)
    rules = rules_for(players, "pool_empty=round_ends")
    network.command(peers[0], OpenRoom(name="room", ruleset=rules, seats=seats or players))
    identity = peers[0].session.advert().room_id
    for peer in peers[1:]:
        network.command(peer, JoinRoom(room_id=identity, name="room"))
    if link:
        network.link_all()
        network.run()
    return network, peers


def lobby_of(peer: Peer) -> Lobby:
    """The room that a peer is in."""
    lobby = peer.session._lobby
    assert lobby is not None
    return lobby


def terms_of(peer: Peer) -> Terms:
    """The terms of the room that a peer is in."""
    terms = lobby_of(peer).terms
    assert terms is not None
    return terms.frame()


def ready(network: Network, *peers: Peer) -> None:
    """Lets these peers say that they are ready, and everything take its course."""
    for peer in peers:
        network.command(peer, SetReady(ready=True))
    network.run()


def has_begun(peer: Peer) -> bool:
    """Whether a match has started for a peer."""
    return bool(told(peer, MatchStarted))


def refusals(peer: Peer) -> list[tuple[FaultCode, bytes | None, bool]]:
    """The faults that a peer was told of: the code, whom it names, and whether it is a signed one."""
    return [(fault.code, fault.peer, fault.signed) for fault in told(peer, FaultSeen)]


def is_proposed(network: Network) -> bool:
    """Whether anyone has a proposal in hand."""
    return any(
        peer.session._lobby is not None and peer.session._lobby._agreement is not None for peer in network
    )


def heard(network: Network, kind: type[F]) -> list[tuple[Peer, F]]:
    """A list that every frame of this kind joins, with its sender, as sessions send it from here on."""
    frames: list[tuple[Peer, F]] = []

    class Listening(Watcher):
        def sent(self, passage: Passage) -> None:
            parsed = parse_frame(passage.frame)
            if isinstance(parsed, kind):
                frames.append((passage.sender, parsed))

    network.watchers.append(Listening())
    return frames
