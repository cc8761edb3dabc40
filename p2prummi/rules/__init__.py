"""The rules of the game, whole and by themselves: tiles, melds, rulesets, turns, rounds and scores.

Everything here is pure: values in, values out, and the same answer on every machine. Racks that belong to
others are never seen, only their sizes. The rules in words for other implementations: protocol/spec/rules.md.
"""

from p2prummi.rules.faults import TurnFault, TurnFaultCode
from p2prummi.rules.fields import (
    JokerReuse,
    JokerSwapFrom,
    OpeningJoker,
    PoolEmpty,
    StalemateScoring,
    StalemateWinner,
    Starter,
    TeamOpening,
)
from p2prummi.rules.game import End, EndReason, Game, leave, new_game, take_timeout, take_turn
from p2prummi.rules.judging import DraftJudgement, DraftMeld, judge, judge_draft, laid_tiles, tiles_of
from p2prummi.rules.meld_faults import MeldError
from p2prummi.rules.melds import Group, Meld, MeldKind, Run, format_meld, meld_from, parse_meld
from p2prummi.rules.opening import find_opening, holds_opening
from p2prummi.rules.ruleset import PRESETS, Ruleset, RulesetError
from p2prummi.rules.scoring import (
    RoundScores,
    Standing,
    added_by_team,
    match_over,
    rack_value,
    ranking,
    score_round,
)
from p2prummi.rules.settings import format_setting, with_fields, with_settings
from p2prummi.rules.start import Starting, deal_order, next_starter, starter_from_coin
from p2prummi.rules.tiles import (
    Colour,
    Face,
    Tile,
    TileError,
    TileSet,
    TileSyntaxError,
    format_tiles,
    parse_tile,
    parse_tiles,
)
from p2prummi.rules.turns import Draw, IllegalTurn, Judgement, Pass, Play, Turn

__all__ = [
    "PRESETS",
    "Colour",
    "DraftJudgement",
    "DraftMeld",
    "Draw",
    "End",
    "EndReason",
    "Face",
    "Game",
    "Group",
    "IllegalTurn",
    "JokerReuse",
    "JokerSwapFrom",
    "Judgement",
    "Meld",
    "MeldError",
    "MeldKind",
    "OpeningJoker",
    "Pass",
    "Play",
    "PoolEmpty",
    "RoundScores",
    "Ruleset",
    "RulesetError",
    "Run",
    "StalemateScoring",
    "StalemateWinner",
    "Standing",
    "Starter",
    "Starting",
    "TeamOpening",
    "Tile",
    "TileError",
    "TileSet",
    "TileSyntaxError",
    "Turn",
    "TurnFault",
    "TurnFaultCode",
    "added_by_team",
    "deal_order",
    "find_opening",
    "format_meld",
    "format_setting",
    "format_tiles",
    "holds_opening",
    "judge",
    "judge_draft",
    "laid_tiles",
    "leave",
    "match_over",
    "meld_from",
    "new_game",
    "next_starter",
    "parse_meld",
    "parse_tile",
    "parse_tiles",
    "rack_value",
    "ranking",
    "score_round",
    "starter_from_coin",
    "take_timeout",
    "take_turn",
    "tiles_of",
    "with_fields",
    "with_settings",
]
