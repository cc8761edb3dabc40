"""What the end shows.

Why the round ended, each rack and score, how the scores came about, and what comes next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.console.rack.model import Order
from p2prummi.console.rack.presenter import blocks
from p2prummi.rules import EndReason as RoundEnd
from p2prummi.rules.fields import StalemateScoring
from p2prummi.session.notices import MatchEnd
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from p2prummi.console.people import People
    from p2prummi.console.result.model import ResultModel
    from p2prummi.rules import Ruleset, Tile
    from p2prummi.session.notices import MatchEnded, RoundEnded

_WHY = {
    RoundEnd.RUMMIKUB: "Rummikub! {winner} laid the last tile.",
    RoundEnd.POOL_EMPTY: "The pool is empty, which ends the round.",
    RoundEnd.LAST_TURNS_TAKEN: "The pool is empty and everyone has had a last turn.",
    RoundEnd.ALL_PASSED: "The pool is empty and everyone has passed.",
    RoundEnd.OTHERS_LEFT: "All others have left.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """A player's round: what was left on the rack and its value, the points, the total."""

    name: str
    rack: tuple[Tile, ...]
    value: int
    points: int
    total: int
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultShown:
    """All that the end of a round or match shows."""

    title: str
    why: str
    rows: tuple[ScoreRow, ...]
    how: tuple[str, ...]
    verdict: str
    trouble: bool
    next: str
    kept: str


def present(result: ResultModel, people: People, room_advice: str) -> ResultShown:
    """What to show of the end; `room_advice` says what the room waits for, and is empty out of a room."""
    ended, over = result.round, result.match
    return ResultShown(
        title="The match is over" if ended is None else f"Round {ended.round_number} is over",
        why="" if ended is None else _why(ended, people),
        rows=() if ended is None else _rows(ended, people),
        how=() if ended is None or result.ruleset is None else how_scored(ended, result.ruleset, people),
        verdict="" if over is None else _verdict(over, people),
        trouble=over is not None and over.reason is not MatchEnd.FINISHED,
        next=_next(result, room_advice),
        kept=result.kept,
    )


def _why(ended: RoundEnded, people: People) -> str:
    winner = ended.scores.winner
    name = people.seat_label(winner) if winner is not None else ""
    return _WHY[RoundEnd(ended.why)].format(winner=name) if ended.why in set(RoundEnd) else shown(ended.why)


def _rows(ended: RoundEnded, people: People) -> tuple[ScoreRow, ...]:
    scores = ended.scores
    return tuple(
        ScoreRow(
            name=people.seat_label(seat),
            rack=tuple(tile for block in blocks(list(ended.racks[seat]), Order.COLOUR) for tile in block),
            value=scores.values[seat],
            points=scores.points[seat],
            total=ended.totals[seat],
            won=seat in scores.winners,
        )
        for seat in range(len(people.seats))
    )


def how_scored(ended: RoundEnded, ruleset: Ruleset, people: People) -> tuple[str, ...]:
    """How the points came about, in sentences."""
    scores = ended.scores
    words = [f"A rack is worth the sum of its numbers, a joker {ruleset.joker_penalty}."]
    went_out = ended.why == RoundEnd.RUMMIKUB
    if scores.winner is None:
        words.append("Nobody won the round: everyone loses their own rack.")
    elif went_out or ruleset.stalemate_scoring is StalemateScoring.STANDARD:
        words.append("Each other player loses their own rack; the winner gets the sum.")
    elif ruleset.stalemate_scoring is StalemateScoring.DIFFERENCE:
        words.append(
            "The best rack wins: each other player loses the difference to it, the winner gets the sum."
        )
    else:
        words.append("Everyone loses their own rack.")
    if ruleset.unopened_score is not None:
        unable, able = ruleset.unopened_score
        words.append(f"Who never opened gets {unable} instead, or {able} if the rack held an opening.")
    if scores.winner is not None and scores.points[scores.winner] > 0:
        losses = [value for seat, value in enumerate(scores.values) if seat != scores.winner]
        if not went_out and ruleset.stalemate_scoring is StalemateScoring.DIFFERENCE:
            losses = [max(0, value - scores.values[scores.winner]) for value in losses]
        name = people.seat_label(scores.winner)
        if len(losses) > 1:
            words.append(f"{name}: {' + '.join(map(str, losses))} = {scores.points[scores.winner]}.")
    return tuple(words)


def _verdict(over: MatchEnded, people: People) -> str:
    if over.reason is not MatchEnd.FINISHED:
        return f"The match ended early: {shown(over.text)}"
    names = [people.seat_label(seat) for seat in over.winners]
    if not names:
        return "Nobody wins the match."
    return f"{names[0]} wins the match!" if len(names) == 1 else f"{' and '.join(names)} share the win!"


def _next(result: ResultModel, room_advice: str) -> str:
    if result.match is not None:
        again = f"Another match in this room? {room_advice} " if room_advice else ""
        return f"{again}`leave` goes back to the lobby, `quit` ends."
    if result.agreed:
        return "Waiting for the others to go on."
    return "`next` goes on to the next round."
