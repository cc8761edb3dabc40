"""The ruleset: every field in which the rule texts differ, which combinations go together, and the presets.

- A ruleset is checked when it is built and never changes. What each field may hold: `p2prummi.rules.fields`.
- People start from a preset, one for each rule text, and change fields of it (`p2prummi.rules.settings`).
  Where a text is silent, the value is ours; protocol/spec/rules.md says where.
- Plain values travel and are hashed: strings, whole numbers, booleans and lists; none is the string "none".
What the fields mean, in words for players: `p2prummi.rules.words`.
Source: protocol/spec/rules.md, "The ruleset"; protocol/schema/ruleset.json; protocol/rulesets.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from p2prummi.errors import P2PRummiError
from p2prummi.rules.fields import (
    CHOICES,
    ENUMERATIONS,
    OPTIONAL_FIELDS,
    PLAYERS_LEAST,
    PLAYERS_MOST,
    TEAMS_BY_PLAYERS,
    WHOLE_NUMBERS,
    JokerReuse,
    JokerSwapFrom,
    OpeningJoker,
    PoolEmpty,
    StalemateScoring,
    StalemateWinner,
    Starter,
    TeamOpening,
)
from p2prummi.rules.tiles import TILE_SETS, TileSet

if TYPE_CHECKING:
    from collections.abc import Mapping

TILES_DEALT = 14
"""The tiles that each player is dealt."""
PlainField: TypeAlias = str | bool | int | list[int]
PRESET_NAMES = ("official", "nl-klassiek", "nl-digitaal", "da-online", "sv-klassisk", "fi-klassinen")


class RulesetError(P2PRummiError, ValueError):
    """A ruleset that can't be played; says what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The rules that a room plays by; the defaults are the preset `official`.

    `name` is the preset that the ruleset started from. `None` stands for none. Enumerations may be given by
    their words. Raises RulesetError for anything that can't be played.
    """

    name: str = "official"
    opening_points: int = 30
    opening_joker: OpeningJoker = OpeningJoker.AS_REPLACED
    opening_then_table: bool = False
    joker_swap_from: JokerSwapFrom = JokerSwapFrom.RACK
    joker_reuse: JokerReuse = JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES
    joker_penalty: int = 30
    turn_seconds: int | None = 120
    timeout_draw: int = 1
    starter: Starter = Starter.HIGHEST_TILE
    deal_passes: tuple[int, ...] = (14,)
    pool_empty: PoolEmpty = PoolEmpty.UNTIL_ALL_PASS
    stalemate_winner: StalemateWinner = StalemateWinner.LOWEST_VALUE
    stalemate_scoring: StalemateScoring = StalemateScoring.DIFFERENCE
    unopened_score: tuple[int, int] | None = None
    teams: int | None = None
    team_opening: TeamOpening = TeamOpening.EACH
    copies: int = 2
    jokers: int = 2
    players: tuple[int, int] = (2, 4)
    rounds: int = 1
    target_score: int | None = None

    def __post_init__(self) -> None:
        _require(self.name in PRESET_NAMES, f"name is one of {', '.join(PRESET_NAMES)}, not {self.name!r}")
        for name, enumeration in ENUMERATIONS.items():
            object.__setattr__(self, name, _word(name, enumeration, getattr(self, name)))
        _require(type(self.opening_then_table) is bool, "opening_then_table is true or false")
        for name, (least, most) in WHOLE_NUMBERS.items():
            value = getattr(self, name)
            absent = value is None and name in OPTIONAL_FIELDS
            _require(
                absent or (type(value) is int and least <= value <= most),
                f"{name} is {'none or ' if name in OPTIONAL_FIELDS else ''}a whole number "
                f"from {least} to {most}, not {value!r}",
            )
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            _require(
                any(type(value) is type(choice) and value == choice for choice in choices),
                f"{name} is {' or '.join(map(_shown, choices))}, not {_shown(value)}",
            )
        self._check_set()
        self._check_teams()
        _require(
            self.stalemate_winner is not StalemateWinner.NOBODY
            or self.stalemate_scoring is StalemateScoring.EVERYONE_PENALISED,
            "stalemate_winner=nobody goes only with stalemate_scoring=everyone_penalised: "
            "change one of the two",
        )

    def _check_set(self) -> None:
        pair = (self.copies, self.jokers)
        _require(
            all(type(count) is int for count in pair) and pair in TILE_SETS,
            f"copies and jokers go together, 2 and 2 or 3 and 4, not {self.copies!r} and {self.jokers!r}: "
            "change both",
        )
        span = self.players
        _require(
            isinstance(span, tuple) and len(span) == 2 and all(type(seats) is int for seats in span),
            "players is a number of seats or a span, such as 3 or 2-4",
        )
        most = PLAYERS_MOST[pair]
        hint = (
            "" if most == max(PLAYERS_MOST.values()) else "; for up to 6 take copies=3, jokers=4, players=2-6"
        )
        asked = str(span[0]) if span[0] == span[1] else f"{span[0]}-{span[1]}"
        _require(
            PLAYERS_LEAST <= span[0] <= span[1] <= most,
            f"players is within {PLAYERS_LEAST}-{most} with this set, not {asked}{hint}",
        )

    def _check_teams(self) -> None:
        if self.teams is None:
            return
        least, most = self.players
        fitting = [seats for seats, counts in TEAMS_BY_PLAYERS.items() if self.teams in counts]
        _require(
            least == most and most in fitting,
            f"{self.teams} teams need just {' or '.join(map(str, fitting))} players, not {least}-{most}: "
            f"set players={fitting[0]}, or teams=none",
        )

    @property
    def tile_set(self) -> TileSet:
        """The tiles that are played with."""
        return _TILE_SETS[self.copies, self.jokers]

    def to_dict(self) -> dict[str, PlainField]:
        """All fields, the name included, as plain values in the order of their names."""
        return {name: to_plain(getattr(self, name)) for name in sorted(("name", *FIELD_NAMES))}

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Ruleset:
        """The ruleset of plain values, which must be all fields and nothing else; RulesetError otherwise."""
        wrong = set(values) ^ {"name", *FIELD_NAMES}
        if wrong:
            names = ", ".join(sorted(map(str, wrong)))
            raise RulesetError(f"a ruleset has all its fields and no others; missing or unknown: {names}")
        # What a field may hold is checked by the class; the plain form of a value is its only one.
        built: dict[str, Any] = {name: from_plain(name, value) for name, value in values.items()}
        return cls(**built)

    def changes(self) -> dict[str, PlainField]:
        """The fields in which this ruleset differs from the preset of its name, as plain values."""
        preset = PRESETS[self.name].to_dict()
        return {name: value for name, value in self.to_dict().items() if value != preset[name]}

    def allows_players(self, players: int) -> bool:
        """Whether that many seats may play by these rules."""
        return self.players[0] <= players <= self.players[1]

    def team_of(self, seat: int) -> int:
        """The team of a seat: seats alternate between the teams; without teams each seat is its own."""
        return seat if self.teams is None else seat % self.teams


FIELD_NAMES = tuple(each.name for each in fields(Ruleset) if each.name != "name")
"""The names of all fields that can be changed, in the order in which people read them."""
_TILE_SETS = {pair: TileSet(*pair) for pair in TILE_SETS}


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RulesetError(otherwise)


def _word(name: str, enumeration: type[StrEnum], value: object) -> StrEnum:
    words = [str(member) for member in enumeration]
    if value not in words:
        raise RulesetError(f"{name} is one of {', '.join(words)}, not {value!r}")
    return enumeration(value)


def _shown(value: object) -> str:
    """A value as it is written in settings."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "none" if value is None else str(value)


def to_plain(value: object) -> PlainField:
    """A field's value as it travels."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, StrEnum):
        return str(value)
    return "none" if value is None else cast("PlainField", value)


def from_plain(name: str, value: object) -> object:
    """The field's value from its plain form; whether it is a possible one is left to the ruleset."""
    _require(value is not None, f"{name} can't be null: none is written as a word")
    if name in OPTIONAL_FIELDS and value == "none":
        return None
    return tuple(value) if isinstance(value, (list, tuple)) else value


DEFAULT_PRESET = "official"

_ALL = (
    Ruleset(name="official"),
    Ruleset(
        name="nl-klassiek",
        opening_joker=OpeningJoker.FORBIDDEN,
        joker_swap_from=JokerSwapFrom.RACK_OR_TABLE,
        joker_reuse=JokerReuse.OTHER_MELD,
        turn_seconds=None,
        stalemate_winner=StalemateWinner.NOBODY,
        stalemate_scoring=StalemateScoring.EVERYONE_PENALISED,
    ),
    Ruleset(
        name="nl-digitaal",
        opening_joker=OpeningJoker.FORBIDDEN,
        opening_then_table=True,
        turn_seconds=None,
        starter=Starter.RANDOM,
        stalemate_scoring=StalemateScoring.STANDARD,
    ),
    Ruleset(
        name="da-online",
        joker_swap_from=JokerSwapFrom.FREE,
        joker_reuse=JokerReuse.ANY_MELD,
        turn_seconds=60,
        starter=Starter.RANDOM,
        pool_empty=PoolEmpty.ONE_MORE_TURN_EACH,
        unopened_score=(-100, -200),
    ),
    Ruleset(
        name="sv-klassisk",
        joker_swap_from=JokerSwapFrom.RACK_OR_TABLE,
        joker_reuse=JokerReuse.NEW_MELD,
        turn_seconds=60,
        deal_passes=(7, 7),
        pool_empty=PoolEmpty.ROUND_ENDS,
    ),
    Ruleset(
        name="fi-klassinen",
        joker_swap_from=JokerSwapFrom.RACK_OR_TABLE,
        joker_reuse=JokerReuse.ANY_MELD,
        turn_seconds=None,
        stalemate_winner=StalemateWinner.FEWEST_TILES,
        stalemate_scoring=StalemateScoring.STANDARD,
    ),
)

PRESETS: Mapping[str, Ruleset] = MappingProxyType({ruleset.name: ruleset for ruleset in _ALL})
"""Every preset by its name."""
