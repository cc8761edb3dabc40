"""`p2prummi verify FILE...`: checks saved matches offline, and names who is at fault and in which event.

Evidence of a fault among the files is judged by the matches among them, in whatever order they come.

Its JSON has one object a file. For a match: `file`, `verified`, `complete`, `match`, `ruleset`, `players`,
`rounds`, `totals`, `winners`, `head` and `fault`. For evidence: `file`, `verified`, `match`, `round`, `slot`,
`said` (what it says itself), `found` (what it proves) and `why` it proves nothing. The judgement itself is
`p2prummi.verifier`'s.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.errors import LocalProtocolError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from p2prummi.cli.command import Subparsers
    from p2prummi.transcript.evidence import Blame
    from p2prummi.verifier import (
        EvidenceVerdict,
        MatchSummary,
        Player,
        RoundSummary,
        Verdict,
        VerdictFault,
    )


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "verify",
        summary="check saved matches offline: signatures, proofs, rules, scores; judge evidence of faults",
        example="p2prummi verify 2026-01-31-2015-kitchen-3f9a1c02-k7qf2mza.p2prummi\n"
        "  p2prummi verify MATCH.p2prummi FAULT.evidence",
        run=run,
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", type=Path, help="a saved match, or evidence beside it"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each file")


def run(arguments: argparse.Namespace) -> int:
    """Judge each file; the answer is no as soon as one does not hold."""
    import secrets  # noqa: PLC0415 - `--help` must not wait for what a command needs

    from p2prummi.verifier import verify_evidence, verify_transcript  # noqa: PLC0415 - the same
    from p2prummi.wire import limits  # noqa: PLC0415 - the same

    evidence = [path for path in arguments.files if _is_evidence(path)]
    matches = [path for path in arguments.files if path not in evidence]
    if evidence and not matches:
        raise LocalProtocolError(
            f"evidence is judged by the file of its match, which must be named beside it: "
            f"p2prummi verify MATCH.p2prummi {evidence[0]}"
        )
    code = ExitCode.DONE
    for path in arguments.files:
        verdict: Verdict | EvidenceVerdict
        if path in evidence:
            # Of many matches, no more than one is in memory at a time.
            transcripts = (_read(match, limits.TRANSCRIPT_BYTES_MAX) for match in matches)
            verdict = verify_evidence(
                _read(path, limits.EVIDENCE_BYTES_MAX), transcripts, secrets.token_bytes
            )
            values, lines = evidence_to_json(verdict), evidence_to_lines(str(path), verdict)
        else:
            verdict = verify_transcript(_read(path, limits.TRANSCRIPT_BYTES_MAX), secrets.token_bytes)
            values, lines = verdict_to_json(verdict), verdict_to_lines(str(path), verdict)
        print(json.dumps({"file": str(path), **values}) if arguments.json else "\n".join(lines), flush=True)
        if not verdict.ok:
            code = ExitCode.NO
    return code


def _is_evidence(path: Path) -> bool:
    from p2prummi.transcript.evidence import MAGIC  # noqa: PLC0415 - the same

    # What is no file, as a pipe, can be read only once, and is taken for a match.
    return path.is_file() and _read(path, len(MAGIC) - 1) == MAGIC


def _read(path: Path, bytes_max: int) -> bytes:
    with path.open("rb") as file:
        # One byte more than may be is enough to be refused.
        return file.read(bytes_max + 1)


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


def evidence_to_json(verdict: EvidenceVerdict) -> dict[str, Any]:
    """A verdict on evidence as plain values; what is not known is null."""
    return {
        "verified": verdict.ok,
        "match": verdict.match_id.hex() if verdict.match_id else None,
        "round": verdict.round_number,
        "slot": verdict.sequence,
        "said": _blame_to_json(verdict.said, verdict.players) if verdict.said else None,
        "found": _blame_to_json(verdict.found, verdict.players) if verdict.found else None,
        "why": verdict.why or None,
    }


def _blame_to_json(blame: Blame, players: Sequence[Player]) -> dict[str, Any]:
    from p2prummi.crypto.fingerprint import fingerprint  # noqa: PLC0415 - the same
    from p2prummi.wire.shown import shown  # noqa: PLC0415 - the same

    names = {player.key: shown(player.name) for player in players}
    culprit = {"peer": fingerprint(blame.culprit), "name": names.get(blame.culprit)}
    return {"code": shown(blame.code), "text": shown(blame.text), "culprit": culprit}


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


def evidence_to_lines(name: str, verdict: EvidenceVerdict) -> list[str]:
    """A verdict on evidence in words, beginning with the file's name."""
    lines = [f"{name}: {_evidence_headline(verdict)}"]
    if verdict.match_id is not None:
        lines.append(f"  match: {verdict.match_id.hex()}")
        lines.append(f"  where: slot {verdict.sequence}, in round {verdict.round_number}")
    if verdict.found is not None:
        lines += _blame_to_lines(verdict.found, verdict.players)
    if verdict.said is not None and not verdict.ok:
        lines.append("  what it says of itself:")
        lines += [f"  {line}" for line in _blame_to_lines(verdict.said, verdict.players)]
    if verdict.why:
        lines.append(f"  why: {verdict.why}")
    return lines


def _evidence_headline(verdict: EvidenceVerdict) -> str:
    if verdict.ok:
        return "proved"
    return "NOT VERIFIED" + ("; it proves another fault than it says" if verdict.found else "")


def _blame_to_lines(blame: Blame, players: Sequence[Player]) -> list[str]:
    plain = _blame_to_json(blame, players)
    name, peer = plain["culprit"]["name"], plain["culprit"]["peer"]
    return [
        f"  fault: {plain['text']} ({plain['code']})",
        f"  culprit: {peer if name is None else f'{name} ({peer})'}",
    ]
