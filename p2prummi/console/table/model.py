"""The table's state: the game as it stands, one's own draft on it, and what the last turn changed.

The draft is there from the deal on, also while others move. When a turn changes the table under it, it is
kept if it still fits; otherwise all its tiles are back on the rack. A draft's judgement is made together with
it, so that what is shown of a draft is always of that draft.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.console.draft import Draft, rebased, start
from p2prummi.rules.judging import DraftJudgement, judge_draft
from p2prummi.session import notices

if TYPE_CHECKING:
    from p2prummi.rules import Game, Tile
    from p2prummi.session.notices import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A game with one's own draft in it. `drawn`: the tiles that came to the rack last."""

    game: Game
    draft: Draft
    judgement: DraftJudgement
    drawn: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableModel:
    """`position` is there from the deal to the round's end.

    `seat` is one's own; `fresh` the tiles that the last turn laid; `changed` the melds, as their tiles, that
    it made or changed. `my_turn` holds until the turn is sent, which `sent` then
    names by round and sequence number. `dropped`: the last notice took the draft off
    the table.
    """

    seat: int = 0
    position: Position | None = None
    turn: tuple[int, int] = (0, 0)
    my_turn: bool = False
    sent: tuple[int, int] | None = None
    dropped: bool = False
    fresh: frozenset[Tile] = frozenset()
    changed: frozenset[tuple[Tile, ...]] = frozenset()


def position_of(game: Game, draft: Draft, seat: int, drawn: tuple[Tile, ...] = ()) -> Position:
    """A game with a draft, and the draft's judgement."""
    judgement = judge_draft(
        draft.melds,
        ruleset=game.ruleset,
        table=draft.table_before,
        opened=game.opened[seat],
        rack=draft.rack_before,
    )
    return Position(game=game, draft=draft, judgement=judgement, drawn=drawn)


def with_draft(table: TableModel, draft: Draft) -> TableModel:
    """The table with another draft on it."""
    assert table.position is not None, "there is a draft only in a game"
    position = position_of(table.position.game, draft, table.seat, table.position.drawn)
    return replace(table, position=position, dropped=False)


def turn_sent(table: TableModel) -> TableModel:
    """The table once one's turn is on its way; being told again that it is one's turn doesn't change that."""
    return replace(table, my_turn=False, sent=table.turn)


def after_notice(table: TableModel, notice: Notice) -> TableModel:
    """The table after a notice."""
    table = replace(table, dropped=False)
    match notice:
        case notices.MatchStarted(seat=seat):
            return TableModel(seat=seat)
        case notices.Dealt(game=game, rack=rack):
            position = position_of(game, start(game.table, rack), table.seat)
            return TableModel(seat=table.seat, position=position)
        case notices.TurnStarted(round_number=number, sequence=sequence, mine=mine):
            turn = (number, sequence)
            return replace(
                _on(table, notice.game, notice.rack), turn=turn, my_turn=mine and turn != table.sent
            )
        case notices.TurnTaken():
            return _after_turn(table, notice)
        case notices.TilesDrawn(tiles=tiles, rack=rack) if table.position is not None:
            moved = _on(table, table.position.game, rack)
            assert moved.position is not None, "a game that was there is there"
            return replace(moved, position=replace(moved.position, drawn=tiles))
        case notices.RoundEnded() | notices.MatchEnded():
            return TableModel(seat=table.seat)
    return table


def _after_turn(table: TableModel, taken: notices.TurnTaken) -> TableModel:
    if table.position is None:
        return table
    before = {meld.tiles for meld in table.position.game.table}
    rack = table.position.draft.rack_before
    if taken.seat == table.seat:
        rack = tuple(tile for tile in rack if tile not in taken.laid)
        own = start(taken.game.table, rack)
        table = replace(table, position=position_of(taken.game, own, table.seat), my_turn=False)
    table = _on(table, taken.game, rack)
    changed = frozenset(meld.tiles for meld in taken.game.table if meld.tiles not in before)
    return replace(table, fresh=frozenset(taken.laid), changed=changed)


def _on(table: TableModel, game: Game, rack: tuple[Tile, ...]) -> TableModel:
    """The table on another game and rack, with the draft where it still fits."""
    if table.position is None:
        return replace(table, position=position_of(game, start(game.table, rack), table.seat))
    draft, drawn = table.position.draft, table.position.drawn
    if draft.table_before == game.table and draft.rack_before == rack:
        moved, dropped = draft, table.dropped
    else:
        fitting = rebased(draft, game.table, rack) if draft.changed else None
        moved = fitting or start(game.table, rack)
        dropped = table.dropped or (draft.changed and fitting is None)
    return replace(table, position=position_of(game, moved, table.seat, drawn), dropped=dropped)
