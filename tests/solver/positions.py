"""The positions of `positions.json`, and short ways to write others."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2prummi.rules import PRESETS, Judgement, Meld, Ruleset, Tile, judge, meld_from, parse_meld, parse_tiles
from p2prummi.solver import Objective, Solution, solve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FREE = PRESETS["da-online"]
FREE_LARGE = Ruleset(
    name="da-online",
    joker_swap_from=FREE.joker_swap_from,
    joker_reuse=FREE.joker_reuse,
    copies=3,
    jokers=4,
    players=(2, 6),
)
OBJECTIVES = {
    "max_tiles": (Objective.TILES, 30),
    "max_value_j0": (Objective.VALUE, 0),
    "max_value_j30": (Objective.VALUE, 30),
}


@dataclass(frozen=True)
class Position:
    table: tuple[Meld, ...]
    rack: tuple[Tile, ...]
    optima: dict[str, int]


def read_positions() -> list[Position]:
    text = (Path(__file__).parent / "positions.json").read_text(encoding="utf-8")
    return [
        Position(*read(each["table"], each["rack"]), {name: each[name] for name in OBJECTIVES})
        for each in json.loads(text)["positions"]
    ]


def read(table: Iterable[Sequence[str]], rack: Sequence[str]) -> tuple[tuple[Meld, ...], tuple[Tile, ...]]:
    """A table and a rack; a meld with one number tile is taken for a group."""
    used: list[Tile] = []
    melds = []
    for texts in table:
        tiles = parse_tiles(texts, taken=used)
        used += tiles
        is_unsaid = sum(not tile.is_joker for tile in tiles) == 1
        melds.append(meld_from(tiles, "group" if is_unsaid else None))
    return tuple(melds), parse_tiles(rack, taken=used)


def table_of(*texts: str) -> tuple[Meld, ...]:
    """Melds from texts such as `[R4 R5 J]`."""
    melds: list[Meld] = []
    for text in texts:
        melds.append(parse_meld(text, taken=[tile for meld in melds for tile in meld.tiles]))
    return tuple(melds)


def rack_of(text: str, table: Sequence[Meld] = ()) -> tuple[Tile, ...]:
    return parse_tiles(text, taken=[tile for meld in table for tile in meld.tiles])


def weights_of(objective: Objective, joker_value: int) -> tuple[list[int], int]:
    """What a tile counts by its number, and a joker."""
    return ([1] * 14, 1) if objective is Objective.TILES else (list(range(14)), joker_value)


def worth(solution: Solution, objective: Objective) -> int:
    return solution.tiles if objective is Objective.TILES else solution.value


def solved(
    ruleset: Ruleset, table: tuple[Meld, ...], rack: Sequence[Tile], *, opened: bool = True, **asked: Any
) -> Solution:
    """The solution, which must be true to itself and legal by the rules."""
    solution = solve(ruleset, table, rack, opened=opened, **asked)
    assert solution.tiles == len(solution.laid)
    if solution.play is None:
        assert (solution.tiles, solution.changed, solution.points) == (0, 0, 0)
        return solution
    judgement = judgement_of(solution, ruleset, table, rack, opened=opened)
    assert judgement.legal, [fault.text for fault in judgement.faults]
    assert judgement.laid == solution.laid
    assert judgement.points == solution.points
    assert solution.changed == sum(meld not in solution.play.melds for meld in table)
    return solution


def judgement_of(
    solution: Solution, ruleset: Ruleset, table: tuple[Meld, ...], rack: Sequence[Tile], *, opened: bool
) -> Judgement:
    assert solution.play is not None
    return judge(solution.play, ruleset=ruleset, table=table, opened=opened, pool_left=0, rack=rack)
