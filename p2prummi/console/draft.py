"""A draft: how a player has rearranged table and rack so far in a turn, before anything is sent.

- A draft is a value. Each operation gives a new draft, or raises DraftError with words and changes nothing;
  the turn's start is kept in it, so that `reset` is exact.
- Tiles move, they are never made or lost: rack and melds together always hold the tiles of the start.
- Operations don't ask whether a meld stands; that is shown at once and asked at the end of the turn
  (`p2prummi.rules.judging`). A meld that stands is put into its canonical order, any other is sorted for the
  eye.
- A table tile may be taken up meanwhile; it lies beside the rack, and is laid before equal tiles of the rack.

What people type for an operation: `typed.py`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.errors import P2PRummiError
from p2prummi.rules import MeldError, format_tiles, meld_from
from p2prummi.rules.judging import DraftMeld

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from p2prummi.rules import Face, Meld, MeldKind, Tile


class DraftError(P2PRummiError):
    """An operation that can't be done; says why in words for the player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The table's melds as they lie now, and the tiles in hand.

    The rack, and what was taken up from the table.
    """

    table_before: tuple[Meld, ...]
    rack_before: tuple[Tile, ...]
    melds: tuple[DraftMeld, ...]
    hand: tuple[Tile, ...]

    @property
    def changed(self) -> bool:
        """Whether anything lies otherwise than at the turn's start."""
        before = {meld.tiles for meld in self.table_before}
        return {meld.tiles for meld in self.melds} != before

    @property
    def laid(self) -> frozenset[Tile]:
        """The tiles that have gone from the rack to the table."""
        return frozenset(self.rack_before).difference(self.hand)

    @property
    def taken_up(self) -> tuple[Tile, ...]:
        """The table tiles that lie in no meld now."""
        return tuple(tile for tile in self.hand if tile not in self.rack_before)


def start(table: tuple[Meld, ...], rack: Iterable[Tile]) -> Draft:
    """The draft of a turn in which nothing has been done."""
    rack = tuple(rack)
    melds = tuple(DraftMeld(meld.tiles, _said(meld.tiles, meld.kind)) for meld in table)
    return Draft(table_before=table, rack_before=rack, melds=melds, hand=rack)


def reset(draft: Draft) -> Draft:
    """Back to the turn's start."""
    return start(draft.table_before, draft.rack_before)


def lay(draft: Draft, faces: Sequence[Face], kind: MeldKind | None = None) -> Draft:
    """Put tiles from the hand down as a new meld."""
    tiles, hand = _taken(faces, draft.hand, preferred=draft.taken_up, place="on your rack")
    return replace(draft, melds=(*draft.melds, _arranged(tiles, kind)), hand=hand)


def add(draft: Draft, faces: Sequence[Face], meld: int) -> Draft:
    """Put tiles from the hand to a meld, numbered from 1."""
    target = _meld(draft, meld)
    tiles, hand = _taken(faces, draft.hand, preferred=draft.taken_up, place="on your rack")
    return _with_meld(replace(draft, hand=hand), meld, (*target.tiles, *tiles))


def take(draft: Draft, faces: Sequence[Face], meld: int) -> Draft:
    """Take tiles of a meld into the hand; a meld without tiles is gone."""
    tiles, rest = _taken(faces, _meld(draft, meld).tiles, preferred=draft.laid, place=f"in meld {meld}")
    return _with_meld(replace(draft, hand=(*draft.hand, *tiles)), meld, rest)


def move(draft: Draft, faces: Sequence[Face], source: int, target: int | None) -> Draft:
    """Move tiles from one meld to another, or to a new one (None)."""
    tiles, rest = _taken(faces, _meld(draft, source).tiles, preferred=draft.laid, place=f"in meld {source}")
    if target is None:
        moved = replace(draft, melds=(*draft.melds, _arranged(tiles, None)))
    elif target == source:
        raise DraftError(f"{format_tiles(tiles)} lies in meld {source} already.")
    else:
        moved = _with_meld(draft, target, (*_meld(draft, target).tiles, *tiles))
    return _with_meld(moved, source, rest)


def split(draft: Draft, meld: int, after: Face) -> Draft:
    """Make two melds of one, the first ending with the tile `after`."""
    parted = _meld(draft, meld)
    faces = [tile.face for tile in parted.tiles]
    if after not in faces:
        raise DraftError(f"There is no {after} in meld {meld}.")
    cut = faces.index(after) + 1
    if cut == len(faces):
        raise DraftError(f"{after} is the last tile of meld {meld}: name the tile after which to part it.")
    parts = (_arranged(parted.tiles[:cut], parted.kind), _arranged(parted.tiles[cut:], parted.kind))
    return replace(draft, melds=(*draft.melds[: meld - 1], *parts, *draft.melds[meld:]))


def swap(draft: Draft, meld: int, face: Face) -> Draft:
    """Put a tile from the hand in the place of a meld's joker, which is then in the hand."""
    target = _meld(draft, meld)
    if face.is_joker:
        raise DraftError("Name the number tile that takes the joker's place.")
    place = next((place for place, tile in enumerate(target.tiles) if tile.is_joker), None)
    if place is None:
        raise DraftError(f"There is no joker in meld {meld}.")
    tiles, hand = _taken([face], draft.hand, preferred=draft.taken_up, place="on your rack")
    # Of several jokers any will do: the meld puts itself in order.
    swapped = (*target.tiles[:place], *tiles, *target.tiles[place + 1 :])
    return _with_meld(replace(draft, hand=(*hand, target.tiles[place])), meld, swapped)


def rebased(draft: Draft, table: tuple[Meld, ...], rack: tuple[Tile, ...]) -> Draft | None:
    """The draft on another table and rack, or None where it doesn't fit there.

    It fits where the tiles laid are still on the rack and every meld that it touched still lies as it did.
    """
    melds_before = [meld.tiles for meld in draft.table_before]
    melds_now = [meld.tiles for meld in draft.melds]
    made = [meld for meld in draft.melds if meld.tiles not in melds_before]
    touched = [tiles for tiles in melds_before if tiles not in melds_now]
    tables_melds = [meld.tiles for meld in table]
    if not all(tiles in tables_melds for tiles in touched) or not draft.laid <= set(rack):
        return None
    kept = tuple(meld for meld in start(table, rack).melds if meld.tiles not in touched)
    hand = (*(tile for tile in rack if tile not in draft.laid), *draft.taken_up)
    return Draft(table_before=table, rack_before=rack, melds=(*kept, *made), hand=hand)


def stands(tiles: Sequence[Tile], kind: MeldKind | None) -> bool:
    """Whether the tiles are a meld; `kind` counts only where the tiles don't say it themselves."""
    try:
        meld_from(tiles, _said(tiles, kind))
    except MeldError:
        return False
    return True


def _said(tiles: Sequence[Tile], kind: MeldKind | None) -> MeldKind | None:
    """The kind where it must be said: with one number tile; otherwise the tiles say it."""
    return kind if sum(not tile.is_joker for tile in tiles) == 1 else None


def _meld(draft: Draft, number: int) -> DraftMeld:
    if not draft.melds:
        raise DraftError("There is no meld on the table yet.")
    if not 1 <= number <= len(draft.melds):
        raise DraftError(f"There is no meld {number}: the melds are numbered 1 to {len(draft.melds)}.")
    return draft.melds[number - 1]


def _with_meld(draft: Draft, number: int, tiles: Sequence[Tile]) -> Draft:
    changed = (_arranged(tiles, draft.melds[number - 1].kind),) if tiles else ()
    return replace(draft, melds=(*draft.melds[: number - 1], *changed, *draft.melds[number:]))


def _arranged(tiles: Sequence[Tile], kind: MeldKind | None) -> DraftMeld:
    """The tiles as they lie on the table.

    Canonical if they stand, else by number, jokers where they were put.
    """
    said = _said(tiles, kind)
    try:
        return DraftMeld(meld_from(tiles, said).tiles, said)
    except MeldError:
        pass
    jokers = [tile for tile in tiles if tile.is_joker]
    numbered = [tile for tile in tiles if not tile.is_joker]
    if len({tile.number for tile in numbered}) == 1:
        numbered.sort(key=lambda tile: tile.canonical_key)
    else:
        numbered.sort(key=lambda tile: (tile.number, tile.canonical_key))
    return DraftMeld((*numbered, *jokers), said)


def _taken(
    faces: Sequence[Face], tiles: Sequence[Tile], *, preferred: Collection[Tile], place: str
) -> tuple[tuple[Tile, ...], tuple[Tile, ...]]:
    """The tiles of these faces, preferred ones first, and the rest; DraftError names all that are missing."""
    missing = Counter(faces) - Counter(tile.face for tile in tiles)
    if missing:
        named = ", ".join(
            f"{face} ({count} of them)" if count > 1 else str(face) for face, count in missing.items()
        )
        raise DraftError(f"Not {place}: {named}.")
    rest = sorted(tiles, key=lambda tile: tile not in preferred)
    taken = []
    for face in faces:
        tile = next(tile for tile in rest if tile.face == face)
        rest.remove(tile)
        taken.append(tile)
    return tuple(taken), tuple(tile for tile in tiles if tile in rest)
