"""What the table shows: numbered melds, which of them stand, what is new, and how far the draft is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from p2prummi.console.draft import stands

if TYPE_CHECKING:
    from p2prummi.console.people import People
    from p2prummi.console.table.model import Position, TableModel
    from p2prummi.rules import Tile
    from p2prummi.rules.judging import DraftMeld


class Mark(StrEnum):
    """What there is to say of a tile besides its face."""

    NONE = ""
    NEW = "new"
    MINE = "mine"


class Standing(StrEnum):
    """What there is to say of a meld.

    Nothing, changed by the last turn, or part of the draft and right or wrong.
    """

    OLD = "old"
    CHANGED = "changed"
    STANDS = "stands"
    FAILS = "fails"


@dataclass(frozen=True, slots=True)
class TileShown:
    """A tile to show; `NEW` was laid by the last turn (or drawn last), `MINE` has just been laid here."""

    tile: Tile
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldShown:
    """A meld to show, under its number."""

    number: int
    standing: Standing
    tiles: tuple[TileShown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftWords:
    """How far the draft is, in words; `good`: it could be sent."""

    text: str
    good: bool = False


def present(table: TableModel, position: Position) -> tuple[MeldShown, ...]:
    """What to show of the table."""
    draft = position.draft
    before = {meld.tiles for meld in draft.table_before}
    laid = draft.laid
    return tuple(
        MeldShown(
            number=number,
            standing=_standing(meld, before, table),
            tiles=tuple(
                TileShown(tile, Mark.MINE if tile in laid else Mark.NEW if tile in table.fresh else Mark.NONE)
                for tile in meld.tiles
            ),
        )
        for number, meld in enumerate(draft.melds, start=1)
    )


def _standing(meld: DraftMeld, before: set[tuple[Tile, ...]], table: TableModel) -> Standing:
    if meld.tiles not in before:
        return Standing.STANDS if stands(meld.tiles, meld.kind) else Standing.FAILS
    return Standing.CHANGED if meld.tiles in table.changed else Standing.OLD


def draft_words(table: TableModel, position: Position, people: People) -> DraftWords:
    """How far the draft is, or what there is to do."""
    game, draft, judgement = position.game, position.draft, position.judgement
    opened, needed = game.opened[table.seat], game.ruleset.opening_points
    if game.to_move == table.seat and not table.my_turn:
        is_sent = table.sent == table.turn
        return DraftWords(
            text="Your turn is on its way: everyone checks it." if is_sent else "Your turn begins."
        )
    if not draft.changed and not draft.taken_up:
        if not table.my_turn:
            return DraftWords(
                text=f"{people.seat_label(game.to_move)} is at turn; you may try things out meanwhile."
            )
        choice = "`draw`" if game.pool_left else "`pass`"
        ways = "`help` shows how to lay, `hint` what."
        opening = f" To open you need {_opening(needed)} from your rack alone. {ways}"
        return DraftWords(text=f"Your turn: `lay` tiles, then `end`, or {choice}.{'' if opened else opening}")
    points = "" if opened or not needed else f"Opening: {judgement.points} of {needed} points. "
    if judgement.legal:
        way = "`end` ends your turn so." if table.my_turn else "It is not your turn yet."
        count = len(draft.laid)
        return DraftWords(
            text=f"{points}Legal: {count} {'tile' if count == 1 else 'tiles'} laid. {way}", good=True
        )
    return DraftWords(text=f"{points}Not yet: {judgement.faults[0].text}")


def _opening(needed: int) -> str:
    """What opening takes; where the rules ask for no points, it still takes a meld."""
    return f"{needed} {'point' if needed == 1 else 'points'}" if needed else "a meld"
