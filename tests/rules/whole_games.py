"""A whole round in the rules engine alone: a shuffled deck, full racks, players who lay what they can."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2prummi.rules import (
    Draw,
    Group,
    OpeningJoker,
    Pass,
    Play,
    Run,
    deal_order,
    find_opening,
    laid_tiles,
    leave,
    new_game,
    score_round,
    take_timeout,
    take_turn,
    tiles_of,
)

if TYPE_CHECKING:
    from random import Random

    from p2prummi.rules import Game, RoundScores, Ruleset, Tile, Turn


class WholeRound:
    """One round with all tiles in sight; every event is checked to conserve them."""

    def __init__(self, ruleset: Ruleset, players: int, random: Random) -> None:
        self.ruleset, self.random = ruleset, random
        deck = list(ruleset.tile_set.tiles)
        random.shuffle(deck)
        starter = random.randrange(players)
        order = deal_order(ruleset, players, starter)
        self.racks: list[set[Tile]] = [set() for _ in range(players)]
        for seat, tile in zip(order, deck, strict=False):
            self.racks[seat].add(tile)
        self.pool = deck[len(order) :]
        self.drawn_last: list[tuple[Tile, ...] | None] = [None] * players
        self.game: Game = new_game(ruleset, players, starter)
        self.check()

    def check(self) -> None:
        """No tile is lost or doubled, and the public state counts them rightly."""
        game = self.game
        everywhere = [*self.pool, *tiles_of(game.table), *(tile for rack in self.racks for tile in rack)]
        assert sorted(map(self.ruleset.tile_set.number, everywhere)) == [*range(self.ruleset.tile_set.size)]
        assert game.rack_sizes == tuple(map(len, self.racks))
        assert game.pool_left == len(self.pool)

    def choose(self) -> Turn:
        """Melds from the rack alone, else a tile more on a run where that goes, else a draw or a pass."""
        seat = self.game.to_move
        rack = self.racks[seat]
        if not self.game.opened[seat]:
            opening = find_opening(self.ruleset, rack)
            if opening is not None:
                return Play((*self.game.table, *opening), opening)
        else:
            any_meld = replace(self.ruleset, opening_points=0, opening_joker=OpeningJoker.AS_REPLACED)
            melds = find_opening(any_meld, rack)
            if melds is not None:
                return Play((*self.game.table, *melds))
            extended = self.extend(rack)
            if extended is not None:
                return extended
        return Draw() if self.pool else Pass()

    def extend(self, rack: set[Tile]) -> Play | None:
        """A turn that adds one tile of the rack to a run on the table, if one fits."""
        table = self.game.table
        for place, meld in enumerate(table):
            if isinstance(meld, Group):
                continue
            for tile in sorted(rack, key=lambda tile: tile.canonical_key):
                if tile.colour is meld.colour and tile.number == meld.start - 1:
                    longer = Run((tile, *meld.tiles))
                elif tile.colour is meld.colour and tile.number == meld.start + len(meld.tiles):
                    longer = Run((*meld.tiles, tile))
                else:
                    continue
                return Play((*table[:place], longer, *table[place + 1 :]))
        return None

    def move(self) -> None:
        """One turn of the seat to move."""
        seat, turn = self.game.to_move, self.choose()
        if isinstance(turn, Play):
            laid = laid_tiles(self.game.table, tiles_of(turn.melds))
            self.game = take_turn(self.game, turn, rack=self.racks[seat])
            self.racks[seat] -= set(laid)
            self.drawn_last[seat] = ()
        else:
            self.game = take_turn(self.game, turn)
            self._take_drawn(seat)
        self.check()

    def time_out(self) -> None:
        """The time of the seat to move is up."""
        seat = self.game.to_move
        self.game = take_timeout(self.game)
        self._take_drawn(seat)
        self.check()

    def leave(self, seat: int) -> None:
        """A seat leaves."""
        self.game = leave(self.game, seat)
        self.check()

    def scores(self) -> RoundScores:
        """The scores of the round that has ended."""
        assert self.game.ended is not None
        return score_round(
            self.ruleset,
            racks=[tuple(rack) for rack in self.racks],
            opened=self.game.opened,
            winner=self.game.ended.winner,
            next_seat=self.game.ended.next,
            drawn_last=self.drawn_last,
            left=self.game.left,
        )

    def _take_drawn(self, seat: int) -> None:
        count = self.game.drawn_last[seat]
        assert count is not None
        drawn, self.pool = tuple(self.pool[:count]), self.pool[count:]
        self.racks[seat].update(drawn)
        self.drawn_last[seat] = drawn
