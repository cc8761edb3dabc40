"""What typed commands do to a draft, and what a draft becomes when its turn is to be ended.

Pure: a draft and a command give another draft, a table gives the turn to send or every reason why there is
none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from p2prummi.bots import PlayerView
from p2prummi.console import draft as drafts
from p2prummi.console.typed import Add, Lay, Move, Split, Swap, Take
from p2prummi.errors import LocalProtocolError
from p2prummi.rules import Draw, Pass

if TYPE_CHECKING:
    from p2prummi.console.draft import Draft
    from p2prummi.console.table.model import Position, TableModel
    from p2prummi.rules import Play

DraftCommand: TypeAlias = Lay | Add | Take | Move | Split | Swap


class NoTurnError(LocalProtocolError):
    """A turn that can't be sent; `reasons` are sentences, each of which is one fault."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons


def changed_by(draft: Draft, typed: DraftCommand) -> Draft:
    """The draft after a command; DraftError where it can't be done, and then nothing of it is."""
    match typed:
        case Lay(melds=melds):
            for tiles, kind in melds:
                draft = drafts.lay(draft, tiles, kind)
            return draft
        case Add(tiles=tiles, meld=meld):
            return drafts.add(draft, tiles, meld)
        case Take(tiles=tiles, meld=meld):
            return drafts.take(draft, tiles, meld)
        case Move(tiles=tiles, source=source, target=target):
            return drafts.move(draft, tiles, source, target)
        case Split(meld=meld, after=after):
            return drafts.split(draft, meld, after)
        case Swap(meld=meld, tile=tile):
            return drafts.swap(draft, meld, tile)


def play_of(table: TableModel) -> Play:
    """The draft as a turn; NoTurnError with all that is wrong with it."""
    judgement = _own_turn(table).judgement
    if judgement.play is None:
        raise NoTurnError(
            tuple(
                fault.text if fault.meld is None else f"Meld {fault.meld + 1}: {fault.text}"
                for fault in judgement.faults
            )
        )
    return judgement.play


def draw_of(table: TableModel) -> Draw | Pass:
    """What `draw` does now: with an empty pool it is a pass."""
    return Draw() if _own_turn(table).game.pool_left else Pass()


def pass_of(table: TableModel) -> Pass:
    """The pass that `pass` asks for, which there is only with an empty pool."""
    if _own_turn(table).game.pool_left:
        raise NoTurnError(("You can pass only once the pool is empty: lay a tile or draw.",))
    return Pass()


def view_of(table: TableModel, totals: tuple[int, ...]) -> PlayerView:
    """What one knows at the beginning of one's own turn, without the draft; NoTurnError where it is none."""
    position = _own_turn(table)
    if len(position.draft.rack_before) != position.game.rack_sizes[table.seat]:
        raise NoTurnError(("The tile that you drew is still on its way to you.",))
    return PlayerView(seat=table.seat, rack=position.draft.rack_before, game=position.game, totals=totals)


def _own_turn(table: TableModel) -> Position:
    """The position in which one's own turn is to be taken; NoTurnError where there is none."""
    if table.position is None or table.position.game.ended is not None:
        raise NoTurnError(("No round is being played now.",))
    if not table.my_turn:
        raise NoTurnError(("It is not your turn.",))
    return table.position
