"""Matches in memory for tests: a network from a seed, every checker, and what its peers were told."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeVar

from p2prummi.rules import PRESETS, Ruleset, with_settings
from p2prummi.session.commands import Command
from p2prummi.session.notices import FaultSeen, MatchEnd, MatchEnded, Notice, TurnStarted
from p2prummi.testing.checkers import PeersAgree, SharesWaitForFinality, TilesAreKept, TilesStayHidden
from p2prummi.testing.network import Network, Peer
from p2prummi.testing.players import Choice, Player, draw_always, seat_players

NAMES = ("anna", "bob", "cy", "dora", "eve", "finn")
N = TypeVar("N", bound=Notice)


def rules_for(players: int, *settings: str, preset: str = "official") -> Ruleset:
    """The preset with these settings; with more tiles where there are more than four players."""
    many = ("copies=3", "jokers=4", "players=2-6") if players > 4 else ()
    return with_settings(PRESETS[preset], [*many, *settings])


def new_network(players: int, seed: int) -> Network:
    """So many peers, not yet linked."""
    return Network(NAMES[:players], Random(seed))


def seated(
    players: int,
    seed: int,
    *settings: str,
    choose: Choice = draw_always,
    preset: str = "official",
    matches: int = 1,
) -> Network:
    """A network whose peers sit in one room, and play as soon as it runs."""
    network = new_network(players, seed)
    rules = rules_for(players, *settings, preset=preset)
    seat_players(network, rules, [Player(choose, matches) for _ in range(players)])
    return network


class Thoughtful(Player):
    """Takes no turn."""

    def __call__(self, notice: Notice) -> Command | None:
        return None if isinstance(notice, TurnStarted) else super().__call__(notice)


class Checkers:
    """All checkers, put on a network of honest peers."""

    def __init__(self, network: Network) -> None:
        self.tiles = TilesAreKept()
        self.shares = SharesWaitForFinality()
        self.hidden = TilesStayHidden()
        network.watchers += [self.tiles, self.shares, self.hidden, PeersAgree()]

    def assert_worked(self) -> None:
        """They have seen what they were there for."""
        assert self.tiles.turns > 0
        assert self.shares.sent_after_finality > 0
        assert self.hidden.shares > 0


def told(peer: Peer, kind: type[N]) -> list[N]:
    """The notices of a kind that a peer has had."""
    return [notice for notice in peer.notices if isinstance(notice, kind)]


def ends(network: Network) -> Iterator[tuple[Peer, MatchEnded]]:
    """The last end of a match that each peer was told of; every peer was."""
    for peer in network:
        yield peer, told(peer, MatchEnded)[-1]


def assert_all_finished(network: Network) -> None:
    """Everyone has played to the same end, and was told of no fault."""
    assert {end.reason for _, end in ends(network)} == {MatchEnd.FINISHED}
    assert len({(end.totals, end.head) for _, end in ends(network)}) == 1
    assert all(told(peer, FaultSeen) == [] for peer in network)
