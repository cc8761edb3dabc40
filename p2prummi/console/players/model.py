"""The players' state beside the game itself: totals over the rounds, and who is away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.session import notices

if TYPE_CHECKING:
    from p2prummi.session.notices import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersModel:
    """`totals` by seat.

    `away` holds the keys of those who have not been heard of for some seconds, or are gone.
    """

    totals: tuple[int, ...] = ()
    away: frozenset[bytes] = frozenset()


def after_notice(players: PlayersModel, notice: Notice) -> PlayersModel:
    """The players after a notice."""
    match notice:
        case notices.MatchStarted(match=match):
            return PlayersModel(totals=(0,) * match.players)
        case notices.RoundEnded(totals=totals) | notices.MatchEnded(totals=totals):
            return replace(players, totals=totals)
        case notices.PeerAway(peer=peer) | notices.PeerLeft(peer=peer):
            return replace(players, away=players.away | {peer})
        case notices.PeerBack(peer=peer) | notices.PeerJoined(peer=peer):
            return replace(players, away=players.away - {peer})
    return players
