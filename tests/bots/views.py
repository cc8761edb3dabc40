"""Views to choose from: racks and tables that can lie together, under every ruleset."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from p2prummi.bots import PlayerView
from p2prummi.bots.easy import melds_from
from p2prummi.rules import PRESETS, Game, parse_meld, with_settings

if TYPE_CHECKING:
    from p2prummi.rules import Meld, Ruleset, Tile

RULESETS = {
    **PRESETS,
    "160 tiles": with_settings(PRESETS["official"], ["copies=3", "jokers=4", "players=2-6"]),
    "teams": with_settings(PRESETS["official"], ["players=4", "teams=2", "team_opening=shared"]),
    "no points": with_settings(PRESETS["nl-digitaal"], ["opening_points=0"]),
}
SEATS = {name: 6 if name == "160 tiles" else 4 for name in RULESETS}


def view_of(
    ruleset: Ruleset,
    rack: tuple[Tile, ...],
    *,
    opened: bool,
    table: tuple[Meld, ...] = (),
    pool_left: int = 10,
) -> PlayerView:
    game = Game(
        ruleset=ruleset,
        players=2,
        table=table,
        opened=(opened, True),
        rack_sizes=(len(rack), 14),
        pool_left=pool_left,
        to_move=0,
        drawn_last=(None, None),
    )
    return PlayerView(seat=0, rack=rack, game=game)


@st.composite
def views(draw: st.DrawFn, racks_max: int = 40) -> PlayerView:
    """Any rack beside any table that can lie together, opened or not, with a pool or without."""
    ruleset = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    tiles = draw(st.permutations(ruleset.tile_set.tiles))
    on_table = draw(st.integers(0, 60))
    size = draw(st.integers(1, racks_max))
    table = melds_from(tiles[:on_table], random.Random(draw(st.integers(0, 9))))
    rack = tuple(tiles[on_table : on_table + size])
    return view_of(
        ruleset, rack, opened=draw(st.booleans()), table=table, pool_left=draw(st.sampled_from([0, 1, 30]))
    )


def melds_of(text: str) -> tuple[Meld, ...]:
    """Melds written one after another with `;` between them, equal tiles in copies of their own."""
    found: list[Meld] = []
    for part in filter(None, text.split(";")):
        found.append(parse_meld(part, [tile for meld in found for tile in meld.tiles]))
    return tuple(found)
