"""The state of a round's end and a match's end: what the notices said, and where the match was kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.session import notices

if TYPE_CHECKING:
    from p2prummi.rules import Ruleset
    from p2prummi.session.notices import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultModel:
    """`round` is the last round that ended, `match` the end of the match; `agreed`.

    One has asked for the next round. `kept` says where the match's file is, or why there is none.
    """

    ruleset: Ruleset | None = None
    round: notices.RoundEnded | None = None
    match: notices.MatchEnded | None = None
    agreed: bool = False
    kept: str = ""


def after_notice(result: ResultModel, notice: Notice) -> ResultModel:
    """The result after a notice."""
    match notice:
        case notices.MatchStarted(match=match):
            return ResultModel(ruleset=match.ruleset)
        case notices.RoundEnded():
            return replace(result, round=notice, agreed=False)
        case notices.MatchEnded():
            return replace(result, match=notice)
    return result
