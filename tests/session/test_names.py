"""Names of players: whatever somebody calls itself can be passed on in a proposal, and nobody is blamed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.rules import PRESETS
from p2prummi.session import Session
from p2prummi.session.handshake import Errand, Linked, Probed
from p2prummi.session.notices import FaultSeen, MatchStarted
from p2prummi.testing.network import Network
from p2prummi.testing.players import Player, draw_always, seat_players
from p2prummi.wire import limits
from p2prummi.wire.shown import shown, shown_name
from tests.session.handshakes import LARGE, guest, host, run
from tests.session.matches import told

NOTHING_TO_SEE = "\u200b"
GROWS = "\u0958" * 10
"""Thirty bytes, which the normal form makes sixty."""

names = st.text(min_size=1, max_size=limits.NAME_BYTES_MAX).filter(
    lambda text: len(text.encode(errors="replace")) <= limits.NAME_BYTES_MAX
)


@given(names)
@example(NOTHING_TO_SEE)
@example(GROWS)
@example("a" * 31 + " \u0958")
def test_a_name_that_is_passed_on_is_one_that_may_be_passed_on(text: str) -> None:
    name = shown_name(text, "nobody")
    assert 1 <= len(name.encode()) <= limits.NAME_BYTES_MAX
    assert shown_name(name, "nobody") == name == shown(name)
    if 0 < len(shown(text).encode()) <= limits.NAME_BYTES_MAX:
        assert name == shown(text)


@pytest.mark.parametrize("name", [NOTHING_TO_SEE, GROWS])
def test_both_sides_of_a_handshake_and_the_peer_itself_agree_on_its_name(name: str) -> None:
    alice, bob = guest(), host()
    alice.name = bob.name = name
    called = {peer.key: shown_name(name, fingerprint(peer.key.public)) for peer in (alice, bob)}
    for errand in (None, Errand(purpose="probe")):
        dialler, listener = alice.dial(LARGE, errand), bob.listen()
        run(dialler, listener)
        for side, other in ((dialler, bob), (listener, alice)):
            assert isinstance(side.outcome, Linked | Probed)
            assert side.outcome.name == called[other.key]
    assert Session(alice.key, name, SeededEntropy(b"any")).name == called[alice.key]


@pytest.mark.parametrize("name", [NOTHING_TO_SEE, GROWS, "\x1b]52;c;AAAA\x07"])
def test_a_match_begins_whatever_a_player_is_called(name: str) -> None:
    network = Network(("anna", "bob", name), Random(3))
    seat_players(network, PRESETS["official"], [Player(draw_always, 1) for _ in range(3)])
    network.run(until=lambda: all(told(peer, MatchStarted) for peer in network))
    for peer in network:
        assert told(peer, FaultSeen) == []
        assert len(told(peer, MatchStarted)) == 1
