"""What is shown of each player: turn, tiles left, opened or not, total, connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2prummi.console.people import People
    from p2prummi.console.players.model import PlayersModel
    from p2prummi.rules import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """One player; one's own name is without the mark for namesakes, since the row says whose it is."""

    name: str
    is_self: bool
    to_move: bool
    tiles: int
    opened: bool
    total: int
    away: bool


def present(players: PlayersModel, game: Game, people: People) -> tuple[PlayerRow, ...]:
    """What to show of the players, by seat."""
    return tuple(
        PlayerRow(
            name=people.names[key] if key == people.own_key else people.label(key),
            is_self=key == people.own_key,
            to_move=game.ended is None and seat == game.to_move,
            tiles=game.rack_sizes[seat],
            opened=game.opened[seat],
            total=players.totals[seat] if players.totals else 0,
            away=key in players.away,
        )
        for seat, key in enumerate(people.seats)
    )
