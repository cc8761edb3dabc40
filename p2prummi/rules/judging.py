"""Judging a turn: every fault at once, each with words for a person.

- `judge` takes a turn as it travels, its melds legal and canonical; `judge_draft` takes tiles as someone has
  laid them out, melds or not, and finds the witness of an opening itself.
- What must hold of the tiles, of an opening and of the pool is decided here; of one meld in
  `meld_faults.py`, of jokers that lay on the table in `jokers.py`.
- Tiles have numbers: the table after holds every tile of the table before, by its number, and what is laid is
  the difference. Melds are compared by faces, because equal tiles are interchangeable.
Source: protocol/spec/rules.md, "Turns" and "The opening".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.rules.faults import TurnFaultCode, fault
from p2prummi.rules.fields import OpeningJoker
from p2prummi.rules.jokers import joker_faults
from p2prummi.rules.meld_faults import MeldError
from p2prummi.rules.melds import meld_from
from p2prummi.rules.turns import Draw, Judgement, Pass, Play
from p2prummi.rules.witness import find_witness, form_counts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from p2prummi.rules.faults import TurnFault
    from p2prummi.rules.melds import Meld, MeldKind
    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile
    from p2prummi.rules.turns import Turn
    from p2prummi.rules.witness import Form


@dataclass(frozen=True, slots=True)
class DraftMeld:
    """Tiles that someone has put together, in the order in which they lie, and the kind if it is said."""

    tiles: tuple[Tile, ...]
    kind: MeldKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftJudgement(Judgement):
    """A judgement of a draft; `play` is the turn to send, where the draft is legal."""

    play: Play | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lay:
    """A lay to be judged: all tiles on the table after it, and those of its melds that are melds."""

    ruleset: Ruleset
    table: tuple[Meld, ...]
    opened: bool
    after: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    whole: bool
    opening: tuple[Meld, ...] | None

    @property
    def laid(self) -> tuple[Tile, ...]:
        """The tiles laid, in canonical order."""
        return laid_tiles(self.table, self.after)

    @property
    def changes_melds(self) -> bool:
        """Whether a meld of the table before is not there any more."""
        return bool(form_counts(self.table) - form_counts(self.melds))

    @property
    def new_forms(self) -> Counter[Form]:
        """The melds that are new, and how often."""
        return form_counts(self.melds) - form_counts(self.table)


def judge(
    turn: Turn,
    *,
    ruleset: Ruleset,
    table: tuple[Meld, ...],
    opened: bool,
    pool_left: int,
    rack: Collection[Tile] | None = None,
) -> Judgement:
    """Judge a turn on a table; `rack` is None where the owner of the laid tiles is proved elsewhere."""
    match turn:
        case Draw():
            return Judgement(faults=() if pool_left else (fault(TurnFaultCode.POOL_EMPTY),))
        case Pass():
            return Judgement(faults=(fault(TurnFaultCode.POOL_NOT_EMPTY),) if pool_left else ())
    return _judge_lay(
        _Lay(
            ruleset=ruleset,
            table=table,
            opened=opened,
            after=tiles_of(turn.melds),
            melds=turn.melds,
            whole=True,
            opening=turn.opening,
        ),
        rack,
    )


def judge_draft(
    drafts: Sequence[DraftMeld],
    *,
    ruleset: Ruleset,
    table: tuple[Meld, ...],
    opened: bool,
    rack: Collection[Tile],
    opening: Sequence[DraftMeld] | None = None,
) -> DraftJudgement:
    """Judge a draft of the whole table after a turn; without `opening`, any witness that makes it legal.

    A fault's `meld` counts the drafts.
    """
    melds, faults = _read(drafts)
    witness: tuple[Meld, ...] | None
    after = tuple(tile for draft in drafts for tile in draft.tiles)
    if opening is not None:
        witness, opening_faults = _read(opening)
        faults += [replace(each, meld=None) for each in opening_faults]
    else:
        witness = None if opened else find_witness(ruleset, table, melds, laid_tiles(table, after))
    judgement = _judge_lay(
        _Lay(
            ruleset=ruleset,
            table=table,
            opened=opened,
            after=after,
            melds=melds,
            whole=len(melds) == len(drafts),
            opening=witness,
        ),
        rack,
    )
    faults += judgement.faults
    return DraftJudgement(
        faults=tuple(faults),
        laid=judgement.laid,
        points=judgement.points,
        play=None if faults else Play(melds, witness),
    )


def tiles_of(melds: Iterable[Meld]) -> tuple[Tile, ...]:
    """All tiles of some melds, in their order."""
    return tuple(tile for meld in melds for tile in meld.tiles)


def laid_tiles(table: Iterable[Meld], after: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles after a turn that weren't on the table before, in canonical order."""
    return tuple(sorted(set(after).difference(tiles_of(table)), key=lambda tile: tile.canonical_key))


def _read(drafts: Iterable[DraftMeld]) -> tuple[tuple[Meld, ...], list[TurnFault]]:
    """The drafts that are melds, and what keeps the others from it."""
    melds: list[Meld] = []
    faults: list[TurnFault] = []
    for index, draft in enumerate(drafts):
        try:
            melds.append(meld_from(draft.tiles, draft.kind))
        except MeldError as error:
            faults += [replace(each, meld=index) for each in error.faults]
    return tuple(melds), faults


def _judge_lay(lay: _Lay, rack: Collection[Tile] | None) -> Judgement:
    laid = lay.laid
    faults = _tile_faults(lay, laid, rack)
    if lay.opened:
        if lay.opening is not None:
            faults.append(fault(TurnFaultCode.ALREADY_OPENED))
        faults += _joker_faults(lay, lay.table)
        return Judgement(faults=tuple(faults), laid=laid)
    witness = lay.opening or ()
    points = sum(meld.value for meld in witness)
    faults += _opening_faults(lay, witness, points, laid)
    if lay.ruleset.opening_then_table:
        faults += _joker_faults(lay, (*lay.table, *witness))
    return Judgement(faults=tuple(faults), laid=laid, points=points)


def _tile_faults(lay: _Lay, laid: tuple[Tile, ...], rack: Collection[Tile] | None) -> list[TurnFault]:
    """Whether the table after is the table before and tiles from the rack, each once."""
    tile_set = lay.ruleset.tile_set
    faults = []
    for tile, count in Counter(lay.after).items():
        if count > 1:
            faults.append(fault(TurnFaultCode.TILE_TWICE, tile=str(tile)))
    for tile in sorted({*lay.after, *(rack or ())}, key=lambda tile: tile.canonical_key):
        if tile not in tile_set:
            copies = tile_set.jokers if tile.is_joker else tile_set.copies
            faults.append(fault(TurnFaultCode.NO_SUCH_TILE, tile=str(tile), count=copies))
    for tile in sorted(set(tiles_of(lay.table)).difference(lay.after), key=lambda tile: tile.canonical_key):
        code = TurnFaultCode.JOKER_NOT_USED if tile.is_joker else TurnFaultCode.TABLE_TILE_MISSING
        faults.append(fault(code, tile=str(tile)))
    if not laid:
        faults.append(fault(TurnFaultCode.NOTHING_LAID))
    if rack is not None:
        held = frozenset(rack)
        faults += [fault(TurnFaultCode.TILE_NOT_ON_RACK, tile=str(tile)) for tile in laid if tile not in held]
    return faults


def _opening_faults(
    lay: _Lay, witness: tuple[Meld, ...], points: int, laid: tuple[Tile, ...]
) -> list[TurnFault]:
    """Whether the witness opens, and nothing else happens where the table isn't open yet."""
    faults = []
    needed = lay.ruleset.opening_points
    unused = set(laid)
    for meld in witness:
        if not unused.issuperset(meld.tiles):
            faults.append(fault(TurnFaultCode.OPENING_NOT_FROM_RACK, meld=str(meld)))
        unused.difference_update(meld.tiles)
        if lay.ruleset.opening_joker is OpeningJoker.FORBIDDEN and any(tile.is_joker for tile in meld.tiles):
            faults.append(fault(TurnFaultCode.OPENING_JOKER, meld=str(meld)))
    if not witness:
        faults.append(fault(TurnFaultCode.OPENING_MISSING))
    elif points < needed:
        faults.append(fault(TurnFaultCode.OPENING_TOO_LOW, points=points, needed=needed))
    table_is_open = lay.ruleset.opening_then_table and not faults
    if lay.changes_melds and not table_is_open:
        faults.append(fault(TurnFaultCode.NOT_OPENED_MANIPULATION, needed=needed))
    elif lay.whole and not lay.ruleset.opening_then_table and lay.new_forms != form_counts(witness):
        faults.append(fault(TurnFaultCode.OPENING_DIFFERS))
    return faults


def _joker_faults(lay: _Lay, ground: tuple[Meld, ...]) -> list[TurnFault]:
    """What is wrong with the jokers of the ground, where its tiles all lie in melds after the turn."""
    if lay.whole and Counter(tiles_of(ground)) <= Counter(lay.after):
        return joker_faults(lay.ruleset, ground, lay.melds)
    return []
