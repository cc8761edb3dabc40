"""One link a pair: which of several connections between the same two peers lives.

Both may dial at the same moment, and one may dial anew while the other still holds a link that is dead. One
rule decides, and one of the two applies it: **the peer with the smaller key.** It claims the pair for a
connection just before it accepts (as listener) or starts (as dialler), and refuses whatever it can't claim as
`duplicate_link`. A claim younger than `limits.CLAIM_SECONDS_MIN` stands: the other side dialled before it
knew of it. An older one yields: an honest peer dials only while it holds no link, so it must have lost the
old one. The peer with the larger key claims for whatever the other has claimed.

Stopping a handshake between the claim and the start gives the claim back.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2prummi.wire import limits


@dataclass(frozen=True, slots=True)
class Claim:
    """A pair's one connection.

    `number` tells the claims of one process apart, `since` is when it was made.
    """

    peer: bytes
    number: int
    since: float


class Pairing:
    """The claims of one peer, at most one for each other peer."""

    def __init__(self, own_key: bytes) -> None:
        self._own_key = own_key
        self._claims: dict[bytes, Claim] = {}
        self._count = 0

    def claim(self, peer: bytes, now: float) -> Claim | None:
        """Claims the pair with `peer` for one connection, or returns None where that has to go.

        Another one lives.
        """
        held = self._claims.get(peer)
        if held is not None and self._own_key < peer and now - held.since < limits.CLAIM_SECONDS_MIN:
            return None
        self._count += 1
        made = Claim(peer, self._count, now)
        self._claims[peer] = made
        return made

    def holds(self, claim: Claim) -> bool:
        """Whether `claim` is still the one for its pair; where it isn't, its connection has been replaced."""
        return self._claims.get(claim.peer) == claim

    def release(self, claim: Claim) -> None:
        """Gives a claim back, because its connection is gone; does nothing where another has replaced it."""
        if self.holds(claim):
            del self._claims[claim.peer]

    def peers(self) -> frozenset[bytes]:
        """The peers with which a link is up or being accepted."""
        return frozenset(self._claims)
