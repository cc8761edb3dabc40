"""Players for tests: who sits down in a room, says "ready", takes every turn and agrees to every next round.

`seat_players` opens a room and joins everyone to it; `Player` answers a peer's notices. How a turn is chosen
is a function from the notice, so that a test can have a round of draws alone, or one with lays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from p2prummi.rules import Draw, Pass, Play, Ruleset, Turn, find_opening
from p2prummi.session.commands import Command, JoinRoom, NextRound, OpenRoom, SetReady, TakeTurn
from p2prummi.session.notices import Notice, RoomUpdated, RoundEnded, TurnStarted
from p2prummi.testing.network import Network, Peer

Choice: TypeAlias = Callable[[TurnStarted], Turn]
"""How a player takes a turn."""


def draw_always(started: TurnStarted) -> Turn:
    """The turn that lays nothing: a draw, or a pass once the pool is empty."""
    return Draw() if started.game.pool_left else Pass()


def open_and_draw(started: TurnStarted) -> Turn:
    """Opens as soon as the rack holds an opening, and draws in every other turn."""
    game = started.game
    if not game.opened[started.seat]:
        opening = find_opening(game.ruleset, started.rack)
        if opening is not None:
            return Play(melds=(*game.table, *opening), opening=opening)
    return draw_always(started)


class Player:
    """Answers one peer's notices: ready for so many matches, a turn when it is due, always another round."""

    def __init__(self, choose: Choice = draw_always, matches: int = 1) -> None:
        self.choose = choose
        self.matches = matches

    def __call__(self, notice: Notice) -> Command | None:
        """The command that answers this notice, if any."""
        match notice:
            case RoomUpdated(ruleset=Ruleset(), members=members):
                is_ready = any(member.is_self and member.ready for member in members)
                if not is_ready and self.matches:
                    self.matches -= 1
                    return SetReady(ready=True)
            case TurnStarted(mine=True):
                return TakeTurn(self.choose(notice))
            case RoundEnded(match_over=False):
                return NextRound()
        return None


def seat_players(network: Network, ruleset: Ruleset, players: Iterable[Player]) -> list[Peer]:
    """Opens a room for all peers of the network, the first as its opener, and links all; nothing runs yet."""
    peers = list(network)
    opener, *others = peers
    network.command(opener, OpenRoom(name="room", ruleset=ruleset, seats=len(peers)))
    room_id = opener.session.advert().room_id
    for peer in others:
        network.command(peer, JoinRoom(room_id=room_id, name="room"))
    for peer, player in zip(peers, players, strict=True):
        peer.on_notice = player
    network.link_all()
    return peers
