"""What the peers of a laboratory know of each other: whom they list, whom they are linked with."""

from __future__ import annotations

from functools import partial

from tests.net.processes import Peer, wait_for


def all_see_all(*peers: Peer) -> bool:
    """Whether each of these peers lists just the others."""
    return all(peer.sees(*(other for other in peers if other is not peer)) for peer in peers)


def room_named(peer: Peer, name: str) -> bool:
    """Whether a peer lists a room of this name that can be joined."""
    return any(room["name"] == name and room["joinable"] for room in peer.ask("rooms")["rooms"])


def meshed(*peers: Peer) -> bool:
    """Whether each of these peers has a link with each other one, and its session knows of no other."""
    for peer in peers:
        links = peer.ask("links")
        others = sorted(other.key for other in peers if other is not peer)
        if links["linked"] != others or links["session"] != others:
            return False
    return True


def addresses_told(peer: Peer, other: Peer) -> list[str]:
    """The IPv4 addresses under which one knows the other."""
    listed = peer.ask("peers")["peers"]
    told = next(entry["addresses"] for entry in listed if entry["fingerprint"] == other.fingerprint)
    return [address for address in told if not address.startswith("[")]


def open_and_join(opener: Peer, *joiners: Peer, name: str = "kitchen") -> None:
    """One opens a room, the others join it; all of them come to be linked with all."""
    opener.ask("open", name=name)
    for joiner in joiners:
        wait_for(partial(room_named, joiner, name), f"the room at {joiner.fingerprint}")
        assert "error" not in joiner.ask("join", name=name)
    wait_for(lambda: meshed(opener, *joiners), "a link for each pair")
