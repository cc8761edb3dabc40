"""Whole matches of easy bots in one thread, from a seed, for tests of files, logs and bots."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

from p2prummi.bots import Easy, PlayerView, decide
from p2prummi.rules import PRESETS, with_settings
from p2prummi.session.commands import LeaveRoom
from p2prummi.session.notices import MatchEnded, TurnStarted, TurnTaken
from p2prummi.testing.network import Network, Peer
from p2prummi.testing.players import Player, seat_players

if TYPE_CHECKING:
    from p2prummi.rules import Ruleset, Turn

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")


class EasyPlayer(Player):
    """A player whose turns the level easy chooses."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(self._choose)
        self._rng = rng

    def _choose(self, started: TurnStarted) -> Turn:
        view = PlayerView(seat=started.seat, rack=started.rack, game=started.game)
        return decide(Easy(), view, self._rng).turn


def short_rules(*settings: str) -> Ruleset:
    """Rules by which a match of easy bots is over soon."""
    return with_settings(PRESETS["sv-klassisk"], settings)


def seated(players: int, seed: int, *settings: str) -> Network:
    """A network of peers that are about to play."""
    rng = random.Random(seed)
    network = Network(NAMES[:players], rng)
    seat_players(network, short_rules(*settings), [EasyPlayer(rng) for _ in range(players)])
    return network


@lru_cache
def played_match(players: int = 2, rounds: int = 2, seed: int = 1) -> tuple[Peer, ...]:
    """The peers after a match that was played to its end."""
    network = seated(players, seed, f"rounds={rounds}")
    network.run()
    return tuple(network)


@lru_cache
def left_match(players: int = 3, seed: int = 2) -> tuple[Peer, ...]:
    """The peers after a match that the first of them has left in its first round."""
    network = seated(players, seed)
    first, *_ = network
    network.run(until=lambda: sum(isinstance(notice, TurnTaken) for notice in first.notices) == 4)
    network.command(first, LeaveRoom())
    network.run()
    return tuple(network)


def match_ended(peer: Peer) -> MatchEnded:
    """The notice that ended this peer's match."""
    (ended,) = (notice for notice in peer.notices if isinstance(notice, MatchEnded))
    return ended
