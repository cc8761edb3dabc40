"""The fields of a ruleset: their words, their spans, and what each may hold by itself.

Which values go together is decided in `p2prummi.rules.ruleset`.
Source: protocol/schema/ruleset.json.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class OpeningJoker(StrEnum):
    """Whether jokers may take part in an opening."""

    FORBIDDEN = "forbidden"
    AS_REPLACED = "as_replaced"


class JokerSwapFrom(StrEnum):
    """Where the tile comes from that replaces a joker taken from the table."""

    RACK = "rack"
    RACK_OR_TABLE = "rack_or_table"
    FREE = "free"


class JokerReuse(StrEnum):
    """Where a joker taken from the table must go."""

    NEW_MELD_WITH_TWO_RACK_TILES = "new_meld_with_two_rack_tiles"
    NEW_MELD = "new_meld"
    OTHER_MELD = "other_meld"
    ANY_MELD = "any_meld"


class Starter(StrEnum):
    """Who starts the first round."""

    HIGHEST_TILE = "highest_tile"
    RANDOM = "random"


class PoolEmpty(StrEnum):
    """When a round ends whose pool is empty."""

    ROUND_ENDS = "round_ends"
    ONE_MORE_TURN_EACH = "one_more_turn_each"
    UNTIL_ALL_PASS = "until_all_pass"  # noqa: S105 - passing is no password


class StalemateWinner(StrEnum):
    """Who wins a round that ends without an empty rack."""

    LOWEST_VALUE = "lowest_value"
    FEWEST_TILES = "fewest_tiles"
    NOBODY = "nobody"


class StalemateScoring(StrEnum):
    """How a round that ends without an empty rack is scored."""

    DIFFERENCE = "difference"
    STANDARD = "standard"
    EVERYONE_PENALISED = "everyone_penalised"


class TeamOpening(StrEnum):
    """Whether a member's opening opens for the whole team."""

    EACH = "each"
    SHARED = "shared"


PLAYERS_LEAST = 2
PLAYERS_MOST = {(2, 2): 4, (3, 4): 6}
"""The most players by the set's (copies, jokers)."""
TEAMS_BY_PLAYERS = {4: (2,), 6: (2, 3)}

ENUMERATIONS: Mapping[str, type[StrEnum]] = {
    "opening_joker": OpeningJoker,
    "joker_swap_from": JokerSwapFrom,
    "joker_reuse": JokerReuse,
    "starter": Starter,
    "pool_empty": PoolEmpty,
    "stalemate_winner": StalemateWinner,
    "stalemate_scoring": StalemateScoring,
    "team_opening": TeamOpening,
}
WHOLE_NUMBERS: Mapping[str, tuple[int, int]] = {
    "opening_points": (0, 100),
    "turn_seconds": (1, 86_400),
    "teams": (2, 3),
    "rounds": (1, 100),
    "target_score": (1, 1_000_000),
}
"""The fields that hold any whole number from a least to a most."""
OPTIONAL_FIELDS = frozenset({"turn_seconds", "teams", "target_score", "unopened_score"})
"""The fields that may be none."""
CHOICES: Mapping[str, tuple[int | tuple[int, ...] | None, ...]] = {
    "joker_penalty": (30, 50),
    "timeout_draw": (0, 1, 3),
    "deal_passes": ((14,), (7, 7)),
    "unopened_score": (None, (-100, -200)),
}
"""The fields that hold one of a few values."""
