"""`p2prummi check`, `score` and `rules`: the rules engine for scripts and for readers.

`check` and `score` read one JSON object a line and answer each with one (`lines.py`). What the objects hold:
docs, and each command's help. The rules themselves: `p2prummi.rules`.
"""

from __future__ import annotations

import json
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.cli.lines import (
    LineError,
    answer_lines,
    read_melds,
    read_ruleset,
    require_keys,
    required,
    texts,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from p2prummi.cli.command import Subparsers
    from p2prummi.rules import Tile

_CHECK_EXAMPLE = """p2prummi check < turns.jsonl
where a line of turns.jsonl is (here broken for reading)
  {"rules": "official", "set": {"joker_penalty": 50}, "opened": true,
   "table": [["R4", "R5", "J"]], "rack": ["R6", "K3", "K4"],
   "after": [["R4", "R5", "R6"], ["K3", "K4", "J"]]}
and its answer
  {"legal": true, "faults": [], "laid": ["K3", "K4", "R6"], "points": 0}"""
_SCORE_EXAMPLE = """p2prummi score < rounds.jsonl
where a line of rounds.jsonl is (here broken for reading)
  {"rules": "da-online", "racks": [["O6"], ["K1", "K2", "B2", "K7"]],
   "opened": [true, true], "winner": null, "next": 0}
and its answer
  {"scores": [6, -6], "winner": 0, "values": [6, 12]}"""
_CHECK_KEYS = {"rules", "set", "opened", "table", "rack", "after", "opening"}
_SCORE_KEYS = {"rules", "set", "racks", "opened", "winner", "next", "drawn_last", "teams"}


def add_parser(subparsers: Subparsers) -> None:
    """Add the three commands."""
    for name, summary, example, run in (
        ("check", "judge turns: reads one JSON object a line, answers each", _CHECK_EXAMPLE, run_check),
        ("score", "score rounds: reads one JSON object a line, answers each", _SCORE_EXAMPLE, run_score),
    ):
        parser = add_command(subparsers, name, summary=summary, example=example, run=run)
        parser.add_argument("--json", action="store_true", help="answer in JSON, which is the only way")
    parser = add_command(
        subparsers,
        "rules",
        summary="print the rules in words",
        example="p2prummi rules sv-klassisk",
        run=run_rules,
    )
    parser.add_argument("preset", metavar="PRESET", nargs="?", help="the preset, official if left out")
    parser.add_argument("--json", action="store_true", help="print one JSON object with fields and words")


def run_check(_arguments: argparse.Namespace) -> int:
    """Judge the turns on stdin; 0 if all are legal, 1 if one isn't, 2 if a line can't be read."""
    return answer_lines(sys.stdin.buffer, check, lambda answer: bool(answer["legal"]))


def run_score(_arguments: argparse.Namespace) -> int:
    """Score the rounds on stdin; 0, or 2 if a line can't be read."""
    return answer_lines(sys.stdin.buffer, score, lambda _: True)


def run_rules(arguments: argparse.Namespace) -> int:
    """Print a preset's rules in words."""
    from p2prummi.rules import PRESETS  # noqa: PLC0415 - only this command needs it
    from p2prummi.rules.words import BASICS, describe  # noqa: PLC0415 - only this command needs it

    ruleset = read_ruleset({} if arguments.preset is None else {"rules": arguments.preset})
    sentences = [*(basic.words() for basic in BASICS), *describe(ruleset).values()]
    if arguments.json:
        print(
            json.dumps(
                {
                    "rules": ruleset.name,
                    "fields": ruleset.to_dict(),
                    "words": describe(ruleset),
                    "text": sentences,
                }
            )
        )
        return ExitCode.DONE
    print(f"The rules {ruleset.name}\n")
    for sentence in sentences:
        print(textwrap.fill(sentence, 79, initial_indent="- ", subsequent_indent="  "))
    print(f"\nAll presets: {', '.join(PRESETS)}")
    return ExitCode.DONE


def check(position: Mapping[str, Any]) -> dict[str, Any]:
    """Judge one turn; LineError or another P2PRummiError where the position can't be read."""
    from p2prummi.rules import (  # noqa: PLC0415 - heavy for a command line that only shows its help
        MeldError,
        TurnFaultCode,
        judge_draft,
        meld_from,
        parse_tiles,
    )
    from p2prummi.rules.faults import fault  # noqa: PLC0415 - as above
    from p2prummi.rules.meld_faults import format_bare  # noqa: PLC0415 - as above

    require_keys(position, _CHECK_KEYS, {"opened", "table", "rack", "after"})
    ruleset = read_ruleset(position)
    opened = required("opened", position["opened"], bool)
    drafts = read_melds("table", position["table"])
    before = [tile for draft in drafts for tile in draft.tiles]
    rack = parse_tiles(texts("rack", position["rack"]), taken=before)
    after = read_melds("after", position["after"])
    opening = (
        read_melds("opening", position["opening"], before) if position.get("opening") is not None else None
    )
    table, faults = [], []
    for draft in drafts:
        try:
            table.append(meld_from(draft.tiles, draft.kind))
        except MeldError:
            faults.append(fault(TurnFaultCode.TABLE_ILLEGAL, meld=format_bare(draft.tiles)))
    laid, points = [], 0
    if not faults:
        judgement = judge_draft(
            after, ruleset=ruleset, table=tuple(table), opened=opened, rack=rack, opening=opening
        )
        faults, points = list(judgement.faults), judgement.points
        laid = [str(tile) for tile in judgement.laid]
    return {
        "legal": not faults,
        "faults": [{"code": str(each.code), "text": each.text, "meld": each.meld} for each in faults],
        "laid": laid,
        "points": points,
    }


def score(position: Mapping[str, Any]) -> dict[str, Any]:
    """Score one round; LineError or another P2PRummiError where it can't be read or can't have been."""
    from p2prummi.rules import parse_tiles, score_round  # noqa: PLC0415 - as above

    require_keys(position, _SCORE_KEYS, {"racks", "opened"})
    ruleset = read_ruleset(position)
    racks: list[tuple[Tile, ...]] = []
    for each in required("racks", position["racks"], list):
        racks.append(parse_tiles(texts("racks", each), taken=[tile for rack in racks for tile in rack]))
    seats = range(len(racks))
    if not 2 <= len(racks) <= 6:
        raise LineError(f"racks holds the racks of 2 to 6 seats, not {len(racks)}")
    for tile in (tile for rack in racks for tile in rack if tile not in ruleset.tile_set):
        raise LineError(f"there are more {tile} on the racks than the set holds")
    opened = [required("opened", each, bool) for each in _list_for_seats("opened", position["opened"], seats)]
    winner = _seat("winner", position.get("winner"), seats)
    teams = position.get("teams")
    scores = score_round(
        ruleset,
        racks=racks,
        opened=opened,
        winner=winner,
        next_seat=_seat("next", position.get("next"), seats) or 0,
        drawn_last=_drawn_last(position.get("drawn_last"), racks),
        teams=None if teams is None else _read_teams(teams, seats),
    )
    answer: dict[str, Any] = {
        "scores": list(scores.points),
        "winner": scores.winner,
        "values": list(scores.values),
    }
    if teams is not None or ruleset.teams is not None:
        answer |= {"team_scores": list(scores.team_points), "winners": list(scores.winners)}
    return answer


def _list_for_seats(name: str, value: object, seats: range) -> list[Any]:
    entries: list[Any] = required(name, value, list)
    if len(entries) != len(seats):
        raise LineError(f"{name} needs an entry for each of the {len(seats)} seats")
    return entries


def _seat(name: str, value: object, seats: range) -> int | None:
    if value is None:
        return None
    seat: int = required(name, value, int)
    if seat not in seats:
        raise LineError(f"{name} is a seat from 0 to {len(seats) - 1}")
    return seat


def _drawn_last(value: object, racks: Sequence[Sequence[Tile]]) -> list[tuple[Tile, ...] | None] | None:
    """The tiles drawn in each seat's last turn; null for a seat that had no turn."""
    from p2prummi.rules import parse_tiles  # noqa: PLC0415 - as above

    if value is None:
        return None
    drawn: list[tuple[Tile, ...] | None] = []
    for rack, each in zip(racks, _list_for_seats("drawn_last", value, range(len(racks))), strict=True):
        tiles = None if each is None else parse_tiles(texts("drawn_last", each))
        faces = [tile.face for tile in rack]
        for tile in tiles or ():
            if tile.face not in faces:
                raise LineError(f"drawn_last names {tile}, which is not on that seat's rack")
            faces.remove(tile.face)
        drawn.append(tiles)
    return drawn


def _read_teams(value: object, seats: range) -> list[int]:
    teams = [required("each team", each, int) for each in _list_for_seats("teams", value, seats)]
    if sorted(set(teams)) != list(range(len(set(teams)))):
        raise LineError("teams are numbered from 0, without gaps")
    if len({teams.count(team) for team in teams}) != 1:
        raise LineError("teams have equally many seats")
    return teams
