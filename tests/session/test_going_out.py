"""A round that ends as a game should: somebody lays the last tile, and everyone comes to the same scores."""

from __future__ import annotations

from p2prummi.rules import (
    Draw,
    EndReason,
    Meld,
    MeldError,
    Pass,
    Play,
    Tile,
    Turn,
    find_opening,
    judge,
    meld_from,
)
from p2prummi.session.notices import RoundEnded, TurnStarted, TurnTaken
from tests.session.matches import Checkers, seated, told

# One of the seeds with which somebody goes out.
SEED = 7


def lay_whatever_fits(started: TurnStarted) -> Turn:
    """Lays what melds the rack holds; else, once it has opened, one tile wherever a meld takes it."""
    game = started.game
    has_opened = game.opened[started.seat]
    melds = find_opening(game.ruleset, started.rack)
    if melds:
        return Play(melds=(*game.table, *melds), opening=None if has_opened else melds)
    for tile in started.rack if has_opened else ():
        for place, meld in enumerate(game.table):
            longer = _longer(meld, tile)
            if longer is None:
                continue
            turn = Play(melds=(*game.table[:place], longer, *game.table[place + 1 :]), opening=None)
            if _is_legal(started, turn):
                return turn
    return Draw() if game.pool_left else Pass()


def _is_legal(started: TurnStarted, turn: Turn) -> bool:
    game = started.game
    judgement = judge(
        turn,
        ruleset=game.ruleset,
        table=game.table,
        opened=game.opened[started.seat],
        pool_left=game.pool_left,
        rack=started.rack,
    )
    return judgement.legal


def _longer(meld: Meld, tile: Tile) -> Meld | None:
    try:
        return meld_from((*meld.tiles, tile))
    except MeldError:
        return None


def test_whoever_lays_the_last_tile_wins_the_round() -> None:
    turns: list[Turn] = []

    def choose(started: TurnStarted) -> Turn:
        turns.append(lay_whatever_fits(started))
        return turns[-1]

    network = seated(2, SEED, "opening_points=0", choose=choose)
    checkers = Checkers(network)
    network.run()
    checkers.assert_worked()
    for peer in network:
        assert [notice.turn for notice in told(peer, TurnTaken)] == turns
        (ended,) = told(peer, RoundEnded)
        assert ended.why == EndReason.RUMMIKUB
        winner = ended.scores.winner
        assert winner is not None
        assert ended.racks[winner] == ()
        assert all(rack for seat, rack in enumerate(ended.racks) if seat != winner)
        assert ended.scores.points[winner] == sum(ended.scores.values) > 0


def test_the_melds_of_an_opening_may_be_named_in_any_order() -> None:
    network = seated(2, 6, choose=open_in_reverse)
    anna = network.by_name("anna")
    network.run(until=lambda: any(isinstance(notice.turn, Play) for notice in told(anna, TurnTaken)))
    (played,) = (notice.turn for notice in told(anna, TurnTaken) if isinstance(notice.turn, Play))
    assert played.opening == played.melds
    assert len(played.melds) == 2


def open_in_reverse(started: TurnStarted) -> Turn:
    opening = find_opening(started.game.ruleset, started.rack)
    return Play(melds=opening, opening=opening[::-1]) if opening else Draw()
