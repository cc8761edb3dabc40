"""What can be wrong with a meld or a turn: a code for programs and words for people.

Each code has one sentence in `WORDS`, with named places for tiles and numbers, which are written alike in
every language: a translation needs only the sentences. Which fault is found where: `meld_faults.py` and
`judging.py`. What a *peer* does wrong on the wire is `p2prummi.errors.FaultCode`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class TurnFaultCode(StrEnum):
    """What is wrong with a meld or a turn."""

    # One meld by itself.
    MELD_TOO_SHORT = "meld_too_short"
    NO_NUMBER_TILE = "no_number_tile"
    AMBIGUOUS_MELD = "ambiguous_meld"
    NOT_A_MELD = "not_a_meld"
    NOT_CANONICAL = "not_canonical"
    GROUP_TOO_LARGE = "group_too_large"
    GROUP_NUMBERS_DIFFER = "group_numbers_differ"
    DUPLICATE_COLOUR = "duplicate_colour"
    RUN_COLOURS_DIFFER = "run_colours_differ"
    RUN_REPEATS_NUMBER = "run_repeats_number"
    RUN_HAS_GAP = "run_has_gap"
    RUN_WRAPS = "run_wraps"
    RUN_TOO_LONG = "run_too_long"
    # The tiles of the turn.
    NO_SUCH_TILE = "no_such_tile"
    TILE_TWICE = "tile_twice"
    TILE_NOT_ON_RACK = "tile_not_on_rack"
    MORE_THAN_RACK = "more_than_rack"
    TABLE_TILE_MISSING = "table_tile_missing"
    TABLE_ILLEGAL = "table_illegal"
    NOTHING_LAID = "nothing_laid"
    # The opening.
    NOT_OPENED_MANIPULATION = "not_opened_manipulation"
    OPENING_TOO_LOW = "opening_too_low"
    OPENING_JOKER = "opening_joker"
    OPENING_MISSING = "opening_missing"
    OPENING_NOT_FROM_RACK = "opening_not_from_rack"
    OPENING_DIFFERS = "opening_differs"
    ALREADY_OPENED = "already_opened"
    # Jokers that lay on the table.
    JOKER_NOT_USED = "joker_not_used"
    JOKER_NOT_REPLACED = "joker_not_replaced"
    JOKER_TILE_NOT_ON_TABLE = "joker_tile_not_on_table"
    JOKER_NOT_IN_NEW_MELD = "joker_not_in_new_meld"
    JOKER_WITHOUT_RACK_TILES = "joker_without_rack_tiles"
    JOKER_BACK_IN_ITS_MELD = "joker_back_in_its_meld"
    JOKER_RULES_CONFLICT = "joker_rules_conflict"
    # The pool.
    POOL_EMPTY = "pool_empty"
    POOL_NOT_EMPTY = "pool_not_empty"


_C = TurnFaultCode
WORDS: Mapping[TurnFaultCode, str] = {
    _C.MELD_TOO_SHORT: "{meld} is too short: a meld has at least three tiles.",
    _C.NO_NUMBER_TILE: "{meld} has no number tile: a meld needs at least one beside its jokers.",
    _C.AMBIGUOUS_MELD: "{meld} could be a group or a run: say which of the two it is.",
    _C.NOT_A_MELD: "{meld} is no meld: lay one number in different colours, or one colour in sequence.",
    _C.NOT_CANONICAL: "{meld} is not in its canonical form, which is {right}.",
    _C.GROUP_TOO_LARGE: "{meld} is too large: a group has at most four tiles, jokers included.",
    _C.GROUP_NUMBERS_DIFFER: "{meld} is no group: all its number tiles must carry the same number.",
    _C.DUPLICATE_COLOUR: "{meld} holds {tile} twice: the colours of a group all differ.",
    _C.RUN_COLOURS_DIFFER: "{meld} is no run: all its number tiles must have the same colour.",
    _C.RUN_REPEATS_NUMBER: "{meld} holds {tile} twice: each number comes once in a run.",
    _C.RUN_HAS_GAP: "{meld} has gaps: {tiles} would fill them.",
    _C.RUN_WRAPS: "{meld} goes on after 13: 1 is the lowest number and never follows 13.",
    _C.RUN_TOO_LONG: "{meld} leaves a joker nothing to stand for: a run goes from 1 to 13 at most.",
    _C.NO_SUCH_TILE: "There is one {tile} too many: the set holds {count} of it.",
    _C.TILE_TWICE: "The same {tile} lies in two places: each tile can be laid once.",
    _C.TILE_NOT_ON_RACK: "{tile} was neither on the table nor on the rack: lay only tiles from the rack.",
    _C.MORE_THAN_RACK: "{count} tiles were laid from a rack that holds {rack}: lay only tiles from the rack.",
    _C.TABLE_TILE_MISSING: "{tile} lay on the table and is gone: put it back into a meld.",
    _C.TABLE_ILLEGAL: "The table before the turn can't have been so: {meld} is no meld.",
    _C.NOTHING_LAID: "No tile was laid: lay at least one from the rack, or draw.",
    _C.NOT_OPENED_MANIPULATION: (
        "The melds on the table were changed before opening: open first with {needed} points from the "
        "rack alone."
    ),
    _C.OPENING_TOO_LOW: "The opening is worth {points} of {needed} points: lay more from the rack alone.",
    _C.OPENING_JOKER: "{meld} holds a joker: the opening must do without jokers.",
    _C.OPENING_MISSING: "No meld opens: a first lay needs at least one meld from the rack alone.",
    _C.OPENING_NOT_FROM_RACK: (
        "{meld} of the opening isn't made of tiles laid in this turn: open with those alone."
    ),
    _C.OPENING_DIFFERS: "The melds named as the opening aren't the new melds on the table: name just these.",
    _C.ALREADY_OPENED: "The turn names an opening, but the player has opened before: name none.",
    _C.JOKER_NOT_USED: "A joker was taken from the table and not laid again: lay it in this turn.",
    _C.JOKER_NOT_REPLACED: (
        "The joker of {meld} was taken without being replaced: lay {tiles} from the rack, for this joker"
        " alone."
    ),
    _C.JOKER_TILE_NOT_ON_TABLE: (
        "The joker of {meld} was taken without being replaced: {tiles} must lie on the table after the turn."
    ),
    _C.JOKER_NOT_IN_NEW_MELD: (
        "The joker taken from {meld} must go into a new meld: no three tiles of it may have lain in one "
        "meld before."
    ),
    _C.JOKER_WITHOUT_RACK_TILES: (
        "The joker taken from {meld} must go into a new meld with at least two tiles from the rack, "
        "besides those that replace jokers."
    ),
    _C.JOKER_BACK_IN_ITS_MELD: (
        "The joker taken from {meld} is back beside all its tiles: it must go into another meld."
    ),
    _C.JOKER_RULES_CONFLICT: (
        "The joker taken from {meld} can be replaced, and its new meld would do, but not both at once: "
        "a tile that replaces a joker doesn't count for its new meld."
    ),
    _C.POOL_EMPTY: "The pool is empty: lay a tile or pass.",
    _C.POOL_NOT_EMPTY: "The pool isn't empty: lay a tile or draw.",
}
"""The English sentence of each code, which is also its key in the translations."""


def untranslated(sentence: str) -> str:
    """The sentence as it is: the translation into English."""
    return sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFault:
    """One fault: its code, what its sentence speaks of, and the index of the meld concerned, if it is one's.

    `meld` counts the melds after the turn.
    """

    code: TurnFaultCode
    values: tuple[tuple[str, str | int], ...] = ()
    meld: int | None = None

    @property
    def text(self) -> str:
        """The fault in English words."""
        return self.words()

    def words(self, translate: Callable[[str], str] = untranslated) -> str:
        """The fault in the words of the language that `translate` turns the English sentences into."""
        return translate(WORDS[self.code]).format(**dict(self.values))


def fault(code: TurnFaultCode, /, **values: str | int) -> TurnFault:
    """Build a fault, of no meld's index yet; `values` fill its sentence's places."""
    return TurnFault(code=code, values=tuple(values.items()))
