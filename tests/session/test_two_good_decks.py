"""Two decks by the last shuffler, each with a good proof, shown to two peers: found before anyone deals."""

from __future__ import annotations

import pytest

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from p2prummi.testing.adversaries import Adversary, other_deck
from p2prummi.testing.checkers import event_in
from p2prummi.testing.network import Network, Passage, Peer, Watcher
from p2prummi.wire.events import Event
from tests.session.branching import in_seat_order
from tests.session.matches import seated
from tests.session.scenes import assert_blamed, round_of


class _Deals(Watcher):
    """Notes what is dealt, by whomever."""

    def __init__(self) -> None:
        self.seen: list[Event] = []

    def sent(self, passage: Passage) -> None:
        event = event_in(passage.frame)
        if event is not None and event.kind == "deal":
            self.seen.append(event)


class _LastSeat:
    """Shows the other seat `victim` another deck than its own, and proves both; any other seat is honest."""

    def __init__(self, network: Network, peer: Peer, victim: int) -> None:
        self._peer = peer
        self._victim = victim
        self.sent: list[Event] = []
        self._other: tuple[Event, Event] | None = None
        adversary = Adversary(network, peer)
        adversary.on_event("shuffle", self._shuffle)
        adversary.on_event("prove", self._prove)

    def _strikes(self, event: Event, far: Peer) -> bool:
        return (event.seat, round_of(self._peer).seat, round_of(far).seat) == (2, 2, self._victim)

    def _shuffle(self, event: Event, far: Peer) -> list[Event]:
        if not self._strikes(event, far):
            return [event]
        if self._other is None:
            self._other = other_deck(round_of(self._peer), self._peer.key, event, SeededEntropy(b"other"))
        self.sent.append(self._other[0])
        return [self._other[0]]

    def _prove(self, event: Event, far: Peer) -> list[Event]:
        if not self._strikes(event, far) or self._other is None:
            return [event]
        self.sent.append(self._other[1])
        return [self._other[1]]


@pytest.mark.parametrize("victim", [0, 1])
def test_each_would_verify_all_proofs_over_its_own_deck_and_none_deals(victim: int) -> None:
    network = seated(3, 1)
    deals = _Deals()
    network.watchers.append(deals)
    liars = [_LastSeat(network, peer, victim) for peer in network]
    network.run()
    (last,) = (liar for liar in liars if liar.sent)
    assert {event.kind for event in last.sent} == {"shuffle", "prove"}
    assert_blamed(network, in_seat_order(network)[2], FaultCode.EQUIVOCATION)
    assert deals.seen == []
