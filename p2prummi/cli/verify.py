"""`p2prummi verify FILE...`: checks saved matches offline, and names who is at fault and in which event.

Its JSON has one object a file: `file`, `verified`, `complete`, `match`, `ruleset`, `players`, `rounds`,
`totals`, `winners`, `head` and `fault`. The judgement itself is `p2prummi.verifier`'s.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    import argparse

    from p2prummi.cli.command import Subparsers
    from p2prummi.verifier import MatchSummary, Player, RoundSummary, Verdict, VerdictFault


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "verify",
        summary="check saved matches offline: signatures, proofs, rules and scores",
        example="p2prummi verify 2026-01-31-2015-kitchen-3f9a1c02-k7qf2mza.p2prummi",
        run=run,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a saved match")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each file")


def run(arguments: argparse.Namespace) -> int:
    """Judge each file; the answer is no as soon as one does not hold."""
    import secrets  # noqa: PLC0415 - `--help` must not wait for what a command needs

    from p2prummi.verifier import verify_transcript  # noqa: PLC0415 - the same

    code = ExitCode.DONE
    for path in arguments.files:
        verdict = verify_transcript(_read(path), secrets.token_bytes)
        if arguments.json:
            print(json.dumps({"file": str(path), **verdict_to_json(verdict)}), flush=True)
        else:
            print("\n".join(verdict_to_lines(str(path), verdict)), flush=True)
        if not verdict.ok:
            code = ExitCode.NO
    return code


def _read(path: Path) -> bytes:
    from p2prummi.wire import limits  # noqa: PLC0415 - the same

    with path.open("rb") as file:
        # One byte more than may be is enough to be refused.
        return file.read(limits.TRANSCRIPT_BYTES_MAX + 1)


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain values; what follows from the agreement is null where none could be read."""
    match = verdict.match
    return {
        "verified": verdict.ok,
        "complete": verdict.complete,
        "match": match.match_id.hex() if match else None,
        "ruleset": match.ruleset.to_dict() if match else None,
        "players": [_player_to_json(player) for player in match.players] if match else None,
        "rounds": [_round_to_json(each) for each in match.rounds] if match else None,
        "totals": list(match.totals) if match else None,
        "winners": list(match.winners) if match else None,
        "head": match.head.hex() if match else None,
        "fault": _fault_to_json(verdict.fault) if verdict.fault else None,
    }


def _player_to_json(player: Player) -> dict[str, str]:
    from p2prummi.crypto.fingerprint import fingerprint  # noqa: PLC0415 - the same
    from p2prummi.wire.shown import shown  # noqa: PLC0415 - the same

    return {"peer": fingerprint(player.key), "name": shown(player.name)}


def _round_to_json(each: RoundSummary) -> dict[str, Any]:
    return {
        "round": each.number,
        "why": each.why,
        "winner": each.winner,
        "scores": list(each.points),
        "totals": list(each.totals),
        "head": each.head.hex(),
    }


def _fault_to_json(fault: VerdictFault) -> dict[str, Any]:
    return {
        "code": fault.code,
        "text": fault.text,
        "culprit": _player_to_json(fault.culprit) if fault.culprit else None,
        "event": fault.event,
        "round": fault.round_number,
    }


def verdict_to_lines(name: str, verdict: Verdict) -> list[str]:
    """A verdict in words, beginning with the file's name."""
    lines = [f"{name}: {_headline(verdict)}"]
    if verdict.match is not None:
        lines += _match_to_lines(verdict.match)
    if verdict.fault is not None:
        lines.append(f"  fault: {verdict.fault.text} ({verdict.fault.code})")
        lines.append(f"  where: {_place(verdict.fault)}")
        lines.append(f"  culprit: {_culprit(verdict.fault)}")
    return lines


def _headline(verdict: Verdict) -> str:
    if not verdict.ok:
        return "NOT VERIFIED"
    return "verified" if verdict.complete else "verified as far as it goes; the match ended early"


def _match_to_lines(match: MatchSummary) -> list[str]:
    labels = [_label(player) for player in match.players]
    changes = ", ".join(f"{field}={value}" for field, value in match.ruleset.changes().items())
    lines = [
        f"  match: {match.match_id.hex()}",
        f"  rules: {match.ruleset.name}{f' with {changes}' if changes else ''}",
        f"  players: {', '.join(labels)}",
    ]
    for each in match.rounds:
        winner = "nobody" if each.winner is None else labels[each.winner]
        scores = ", ".join(f"{points:+d}" for points in each.points)
        lines.append(f"  round {each.number}: {each.why}, won by {winner}; {scores}; head {each.head.hex()}")
    if match.rounds:
        lines.append(f"  totals: {', '.join(f'{total:+d}' for total in match.totals)}")
    if match.winners:
        lines.append(f"  won by: {', '.join(labels[seat] for seat in match.winners)}")
    return lines


def _label(player: Player) -> str:
    plain = _player_to_json(player)
    return f"{plain['name']} ({plain['peer']})"


def _place(fault: VerdictFault) -> str:
    if fault.event is None:
        return "the file itself"
    return f"event {fault.event}" + (f", in round {fault.round_number}" if fault.round_number else "")


def _culprit(fault: VerdictFault) -> str:
    return _label(fault.culprit) if fault.culprit else "no signature proves who"
