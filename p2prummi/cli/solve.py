"""`p2prummi solve`: the best play for positions, one JSON object a line in and out (`lines.py`).

One process answers as many positions as it is given. What the best play is, `p2prummi.solver` says.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Final

from p2prummi.cli.command import add_command
from p2prummi.cli.lines import answer_lines, read_ruleset, read_table, require_keys, required, texts
from p2prummi.cli.options import up_to

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from p2prummi.cli.command import Subparsers

_EXAMPLE = """p2prummi solve < positions.jsonl
where a line of positions.jsonl is (here broken for reading)
  {"rules": "official", "set": {"joker_penalty": 50}, "opened": true,
   "table": [["R4", "R5", "R6"]], "rack": ["R7", "R1", "K9"]}
and its answer
  {"laid": ["R7"], "melds": [["R4", "R5", "R6", "R7"]], "opening": null,
   "tiles": 1, "value": 7, "optimal": true, "ms": 0.4}"""
LIMIT_MS_MAX: Final = 24 * 60 * 60 * 1000
_KEYS = {"rules", "set", "opened", "table", "rack"}


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "solve",
        summary="find best plays: reads one JSON object a line, answers each",
        example=_EXAMPLE,
        run=run,
    )
    parser.add_argument(
        "--objective", choices=("tiles", "value"), default="tiles", help="what to lay the most of (tiles)"
    )
    parser.add_argument(
        "--joker-value", type=int, choices=(0, 30), default=30, help="what a joker counts for the value (30)"
    )
    parser.add_argument(
        "--opening",
        choices=("fewest", "most"),
        default="fewest",
        help="who has not opened: open with the fewest tiles, or lay the most of the objective (fewest)",
    )
    parser.add_argument(
        "--limit-ms",
        type=up_to(LIMIT_MS_MAX, "at most a day"),
        metavar="N",
        help="answer each with the best found by then, which may not be the best there is (no limit)",
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON, which is the only way")


def run(arguments: argparse.Namespace) -> int:
    """Solve the positions on stdin; 0 if all have a play, 1 if one has none, 2 if a line can't be read."""
    from p2prummi.solver.limit import collections_put_off  # noqa: PLC0415 - heavy, as below

    # Nothing here points in a circle, and a collection takes longer than a limit may be exceeded.
    with collections_put_off():
        return answer_lines(
            sys.stdin.buffer, lambda position: solve(position, arguments), lambda answer: bool(answer["laid"])
        )


def solve(position: Mapping[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """The best play of a position; LineError or another P2PRummiError where it can't be read or can't be."""
    from p2prummi import solver  # noqa: PLC0415 - heavy for a command line that only shows its help
    from p2prummi.rules import parse_tiles  # noqa: PLC0415 - as above
    from p2prummi.rules.plain import meld_to_json, tiles_to_json  # noqa: PLC0415 - as above

    require_keys(position, _KEYS, {"opened", "table", "rack"})
    ruleset = read_ruleset(position)
    opened = required("opened", position["opened"], bool)
    table = read_table(position["table"])
    on_table = [tile for meld in table for tile in meld.tiles]
    rack = parse_tiles(texts("rack", position["rack"]), taken=on_table)
    began = time.perf_counter()
    solution = solver.solve(
        ruleset,
        table,
        rack,
        opened=opened,
        objective=solver.Objective(arguments.objective),
        joker_value=arguments.joker_value,
        opening=solver.OpeningChoice(arguments.opening),
        clock=time.perf_counter,
        deadline=None if arguments.limit_ms is None else began + arguments.limit_ms / 1000,
    )
    passed_seconds = time.perf_counter() - began
    play = solution.play
    opening = None if play is None else play.opening
    return {
        "laid": tiles_to_json(solution.laid),
        "melds": [meld_to_json(meld) for meld in (table if play is None else play.melds)],
        "opening": None if opening is None else [meld_to_json(meld) for meld in opening],
        "tiles": solution.tiles,
        "value": solution.value,
        "optimal": solution.is_optimal,
        "ms": round(passed_seconds * 1000, 1),
    }
