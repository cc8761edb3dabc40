"""What is wrong with tiles that someone lays as a meld: every fault at once, with words for a person.

Its rules are those of `p2prummi.rules.melds`, read the other way round: tiles without a fault here are a meld
in some order.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from p2prummi.errors import P2PRummiError
from p2prummi.rules.faults import TurnFaultCode, fault
from p2prummi.rules.tiles import FACES, HIGHEST_NUMBER, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2prummi.rules.faults import TurnFault
    from p2prummi.rules.tiles import Tile

LEAST_TILES = 3
GROUP_MOST_TILES = 4


class MeldError(P2PRummiError, ValueError):
    """Tiles that are no meld, or not in its canonical form; `faults` says all that is wrong."""

    def __init__(self, faults: Sequence[TurnFault]) -> None:
        super().__init__(" ".join(each.text for each in faults))
        self.faults = tuple(faults)


def format_bare(tiles: Iterable[Tile]) -> str:
    """Tiles in brackets, whether they are a meld or not."""
    return f"[{format_tiles(tiles)}]"


def unsaid_kind_faults(tiles: Sequence[Tile]) -> list[TurnFault]:
    """What keeps tiles from being a meld whose kind goes without saying."""
    faults = _size_faults(tiles)
    numbered = [tile for tile in tiles if not tile.is_joker]
    if len(numbered) == 1 and not faults:
        faults.append(fault(TurnFaultCode.AMBIGUOUS_MELD, meld=format_bare(tiles)))
    colours, numbers = {tile.colour for tile in numbered}, {tile.number for tile in numbered}
    if len(colours) > 1 and len(numbers) > 1:
        faults.append(fault(TurnFaultCode.NOT_A_MELD, meld=format_bare(tiles)))
    return faults


def group_faults(tiles: Sequence[Tile]) -> list[TurnFault]:
    """What keeps tiles, in any order, from being a group."""
    faults = _size_faults(tiles)
    numbered = [tile for tile in tiles if not tile.is_joker]
    if len(tiles) > GROUP_MOST_TILES:
        faults.append(fault(TurnFaultCode.GROUP_TOO_LARGE, meld=format_bare(tiles)))
    if len({tile.number for tile in numbered}) > 1:
        faults.append(fault(TurnFaultCode.GROUP_NUMBERS_DIFFER, meld=format_bare(tiles)))
    return faults + _repeated(numbered, TurnFaultCode.DUPLICATE_COLOUR, tiles)


def run_faults(tiles: Sequence[Tile]) -> list[TurnFault]:
    """What keeps tiles, in any order, from being a run."""
    faults = _size_faults(tiles)
    numbered = [tile for tile in tiles if not tile.is_joker]
    if len({tile.colour for tile in numbered}) > 1:
        faults.append(fault(TurnFaultCode.RUN_COLOURS_DIFFER, meld=format_bare(tiles)))
    if len(tiles) > HIGHEST_NUMBER:
        faults.append(fault(TurnFaultCode.RUN_TOO_LONG, meld=format_bare(tiles)))
    faults += _repeated(numbered, TurnFaultCode.RUN_REPEATS_NUMBER, tiles)
    return faults or _gap_faults(numbered, tiles)


def _size_faults(tiles: Sequence[Tile]) -> list[TurnFault]:
    faults = []
    if len(tiles) < LEAST_TILES:
        faults.append(fault(TurnFaultCode.MELD_TOO_SHORT, meld=format_bare(tiles)))
    if all(tile.is_joker for tile in tiles):
        faults.append(fault(TurnFaultCode.NO_NUMBER_TILE, meld=format_bare(tiles)))
    return faults


def _repeated(numbered: Sequence[Tile], code: TurnFaultCode, tiles: Sequence[Tile]) -> list[TurnFault]:
    counts = Counter(tile.face for tile in numbered)
    return [
        fault(code, meld=format_bare(tiles), tile=str(face)) for face, count in counts.items() if count > 1
    ]


def _gap_faults(numbered: Sequence[Tile], tiles: Sequence[Tile]) -> list[TurnFault]:
    """The fault of a one-coloured meld of different numbers whose jokers don't fill its gaps, if so."""
    jokers = len(tiles) - len(numbered)
    numbers = sorted(tile.number for tile in numbered)
    missing = [number for number in range(numbers[0], numbers[-1]) if number not in numbers]
    if len(missing) <= jokers:
        return []
    # Turned by each of its numbers: were 13 followed by 1, would some reading have no gap left?
    for place in range(1, len(numbers)):
        span = numbers[place - 1] + HIGHEST_NUMBER - numbers[place] + 1
        if span - len(numbers) <= jokers:
            return [fault(TurnFaultCode.RUN_WRAPS, meld=format_bare(tiles))]
    colour = numbered[0].face_index // HIGHEST_NUMBER
    filling = format_tiles(FACES[colour * HIGHEST_NUMBER + number - 1] for number in missing)
    return [fault(TurnFaultCode.RUN_HAS_GAP, meld=format_bare(tiles), tiles=filling)]
