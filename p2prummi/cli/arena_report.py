"""What `p2prummi arena` prints of the figures: lines in words, or one JSON object a line for scripts.

All but the last line is the same for the same plan, whoever has played it. Where the figures come from:
`p2prummi.arena.estimates`.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from p2prummi.arena import Estimate, PairingFigures, Plan, Tally


def text_lines(plan: Plan, tally: Tally, passed_seconds: float, workers: int) -> list[str]:
    """The figures of all pairings in words, and how fast so many workers have played."""
    changes = "".join(f", {name}={value}" for name, value in plan.ruleset.changes().items())
    lines = [
        f"rules {plan.ruleset.name}{changes}; {plan.players} players; seed {plan.seed}",
        f"each deal in {len(plan.seatings)} seatings; ± is half of a 95 % interval",
    ]
    for figures in filter(None, tally.figures()):
        lines += ["", *_pairing_lines(figures)]
    pace, pace_of_a_core = _pace(tally, passed_seconds), _pace(tally, tally.cpu_seconds)
    if pace is not None and pace_of_a_core is not None:
        what = f"{tally.games} games in {passed_seconds:.1f} s with {_counted(workers, 'worker')}"
        paces = f"{pace:.1f} games a second; {pace_of_a_core:.1f} for each second of a core"
        lines += ["", f"{what}: {paces}"]
    return lines


def _pace(tally: Tally, seconds: float) -> float | None:
    """Games a second; None where no time has passed, or none that the system has measured."""
    return round(tally.games / seconds, 6) if seconds else None


def _pairing_lines(figures: PairingFigures) -> list[str]:
    from p2prummi.cli.main import one_line  # noqa: PLC0415 - main lists this module

    names = [one_line(side.name) for side in figures.sides]
    if names[0] == names[1]:
        names[1] += " (2)"
    width = max(map(len, ["difference", *names]))
    lines = [
        f"{names[0]} against {names[1]}: {_counted(figures.games, 'game')} on "
        f"{_counted(figures.deals, 'deal')}, {figures.turns_mean:.0f} turns a game"
        + (f", {figures.undecided} won by nobody" if figures.undecided else ""),
        f"  {'':{width}}  {'games won':^18}  {'points a seat and game':^22}",
    ]
    rows = [(name, side.win_rate, side.points) for name, side in zip(names, figures.sides, strict=True)]
    rows.append(("difference", figures.win_rate_difference, figures.points_difference))
    for name, rate, points in rows:
        rate_text = _with_interval(rate, "6.1f" if name != "difference" else "+6.1f", 100.0)
        lines.append(f"  {name:{width}}  {rate_text} %   {_with_interval(points, '+8.1f')}".rstrip())
    lines.append(f"  {_verdict(names, figures.win_rate_difference)}")
    for name, side in zip(names, figures.sides, strict=True):
        if side.replaced:
            turns = _counted(side.replaced, "turn")
            lines.append(f"  {name}: {turns} replaced; the first: {one_line(side.reason)}")
    return lines


def _with_interval(estimate: Estimate, form: str, unit: float = 1.0) -> str:
    around = "    ?" if estimate.half_width is None else f"{estimate.half_width * unit:5.1f}"
    return f"{estimate.mean * unit:{form}} ± {around}"


def _verdict(names: list[str], difference: Estimate) -> str:
    if difference.half_width is None:
        return "a single deal tells nothing of who wins more games"
    if not difference.is_decided:
        return "neither surely wins more games: the interval of the difference holds 0"
    return f"{names[difference.mean < 0]} wins more games: the interval of the difference is clear of 0"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def json_lines(plan: Plan, tally: Tally, passed_seconds: float, workers: int) -> list[str]:
    """The same as JSON objects: `pairing` for each, and `end`."""
    objects = [
        {
            "event": "pairing",
            "strategies": [side.name for side in figures.sides],
            "rules": plan.ruleset.name,
            "changes": plan.ruleset.changes(),
            "players": plan.players,
            "seed": plan.seed,
            "deals": figures.deals,
            "games": figures.games,
            "turns_a_game": _rounded(figures.turns_mean),
            "wins": [side.wins for side in figures.sides],
            "undecided": figures.undecided,
            "win_rate": [_interval(side.win_rate, least=0.0, most=1.0) for side in figures.sides],
            "win_rate_difference": _interval(figures.win_rate_difference, least=-1.0, most=1.0),
            "points": [_interval(side.points) for side in figures.sides],
            "points_difference": _interval(figures.points_difference),
            "replaced": [side.replaced for side in figures.sides],
            "reasons": [side.reason for side in figures.sides],
        }
        for figures in filter(None, tally.figures())
    ]
    objects.append(
        {
            "event": "end",
            "games": tally.games,
            "games_planned": plan.games_in_all,
            "workers": workers,
            "seconds": _rounded(passed_seconds),
            "cpu_seconds": _rounded(tally.cpu_seconds),
            "games_a_second": _pace(tally, passed_seconds),
            "games_a_cpu_second": _pace(tally, tally.cpu_seconds),
        }
    )
    return [json.dumps(each) for each in objects]


def _interval(estimate: Estimate, least: float = -math.inf, most: float = math.inf) -> dict[str, Any]:
    """An estimate with the ends of its 95 % interval, which are null where there is a single deal."""
    reach = estimate.half_width
    return {
        "mean": _rounded(estimate.mean),
        "low": None if reach is None else _rounded(max(estimate.mean - reach, least)),
        "high": None if reach is None else _rounded(min(estimate.mean + reach, most)),
    }


def _rounded(number: float) -> float:
    return round(number, 6)
