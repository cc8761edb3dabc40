"""Whole matches of real sessions in one thread, from a seed, for tests of files, logs and bots."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from p2prummi.bots import Easy, PlayerView, decide
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.rules import PRESETS, with_settings
from p2prummi.session import Session, commands, notices

if TYPE_CHECKING:
    from p2prummi.rules import Ruleset

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")


@dataclass
class LocalPeer:
    """One session with an easy bot at it, and all that it has been told."""

    session: Session
    rng: random.Random
    told: list[notices.Notice] = field(default_factory=list)


class LocalNetwork:
    """Peers that are linked all to all; `turns_max` stops the bots after so many turns of one's own each."""

    def __init__(self, ruleset: Ruleset, players: int, seed: int, turns_max: int | None = None) -> None:
        entropy = SeededEntropy(seed.to_bytes(8, "big"))
        self._turns_left: dict[int, int | None] = dict.fromkeys(range(players), turns_max)
        self.peers: dict[bytes, LocalPeer] = {}
        for number in range(players):
            session = Session(SigningKey(entropy(32)), NAMES[number], entropy.child(number))
            self.peers[session.public] = LocalPeer(session, random.Random(f"{seed} {number}"))
        first, *others = self.peers.values()
        first.session.command(commands.OpenRoom(name="kitchen", ruleset=ruleset, seats=players), 0.0)
        room = first.session.advert().room_id
        for peer in others:
            peer.session.command(commands.JoinRoom(room_id=room, name="kitchen"), 0.0)
        for key, peer in self.peers.items():
            for other, link in self.peers.items():
                if key != other:
                    peer.session.peer_connected(other, link.session.name, (), 0.0)
        self.run()

    def run(self) -> None:
        """Carries frames, does work and answers notices until nobody has anything left to do."""
        is_busy = True
        while is_busy:
            is_busy = False
            for number, (key, peer) in enumerate(self.peers.items()):
                for other, data in peer.session.frames_to_send():
                    is_busy = True
                    self.peers[other].session.receive(key, data, 0.0)
                while (work := peer.session.next_work()) is not None:
                    is_busy = True
                    peer.session.work_done(work.id, work.run(), 0.0)
                while (notice := peer.session.next_notice()) is not None:
                    is_busy = True
                    peer.told.append(notice)
                    self._answer(number, peer, notice)

    def _answer(self, number: int, peer: LocalPeer, notice: notices.Notice) -> None:
        match notice:
            case notices.RoomUpdated(ruleset=ruleset, members=members):
                is_ready = any(member.ready for member in members if member.is_self)
                has_played = any(isinstance(each, notices.MatchStarted) for each in peer.told)
                if ruleset is not None and not is_ready and not has_played:
                    peer.session.command(commands.SetReady(ready=True), 0.0)
            case notices.TurnStarted(mine=True):
                left = self._turns_left[number]
                if left == 0:
                    return
                if left is not None:
                    self._turns_left[number] = left - 1
                view = PlayerView(seat=notice.seat, rack=notice.rack, game=notice.game)
                peer.session.command(commands.TakeTurn(decide(Easy(), view, peer.rng).turn), 0.0)
            case notices.RoundEnded(match_over=False):
                peer.session.command(commands.NextRound(), 0.0)


def short_rules(*settings: str) -> Ruleset:
    """Rules by which a match of easy bots is over soon."""
    return with_settings(PRESETS["sv-klassisk"], settings)


@lru_cache
def played_match(players: int = 2, rounds: int = 2, seed: int = 1) -> tuple[LocalPeer, ...]:
    """The peers after a match that was played to its end."""
    network = LocalNetwork(short_rules(f"rounds={rounds}"), players, seed)
    return tuple(network.peers.values())


@lru_cache
def left_match(players: int = 3, seed: int = 2) -> tuple[LocalPeer, ...]:
    """The peers after a match that one of them has left in its first round."""
    network = LocalNetwork(short_rules(), players, seed, turns_max=2)
    first, *_ = network.peers.values()
    first.session.command(commands.LeaveRoom(), 0.0)
    network.run()
    return tuple(network.peers.values())


def match_ended(peer: LocalPeer) -> notices.MatchEnded:
    """The notice that ended this peer's match."""
    (ended,) = (notice for notice in peer.told if isinstance(notice, notices.MatchEnded))
    return ended
