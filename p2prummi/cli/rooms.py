"""`p2prummi rooms`: who is there. Looks for some seconds, then prints each room with its members.

The answer is no where there is none.

Names in words are as they may be shown; in JSON they are as they came. What was looked through is said on
standard error: interfaces and addresses.

Its JSON has one object a room: `room`, `name`, `opener`, `ruleset`, `ruleset_changed` (whether its rules are
others than that preset's; null where that can't be known), `state`, `seats_taken`, `seats`, `code`,
`joinable`, `compatible` and `members` (each with `peer`, `name`, `address`, `program`). What counts as there
is decided in `p2prummi.net.sightings`.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from p2prummi.cli.command import add_command
from p2prummi.cli.exit_codes import ExitCode
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.cli.command import Subparsers
    from p2prummi.net.addresses import Interface
    from p2prummi.net.sightings import PeerSighting, RoomSighting

WAIT_SECONDS: Final = 3.0
WAIT_SECONDS_MAX: Final = 3600.0


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "rooms",
        summary="show the rooms in this network, with their players and rules",
        example="p2prummi rooms --wait 5",
        run=run,
    )
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=_seconds,
        default=WAIT_SECONDS,
        help="how long to look (default: %(default)g)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each room")


def run(arguments: argparse.Namespace) -> int:
    """Look, print, and say by the exit code whether there was any room."""
    import asyncio  # noqa: PLC0415 - `--help` must not wait for what a command needs

    from p2prummi.net.watching import watch  # noqa: PLC0415 - the same

    seen = asyncio.run(watch(arguments.wait))
    for room in seen.rooms:
        print(json.dumps(room_to_json(room)) if arguments.json else room_to_text(room))
    if not seen.online:
        print("p2prummi: this machine is in no network", file=sys.stderr)
    else:
        found = "looked" if seen.rooms else "no room was found"
        where = f"in {arguments.wait:g} seconds on {interfaces_to_text(seen.interfaces)}"
        print(f"p2prummi: {found} {where}", file=sys.stderr)
    return ExitCode.DONE if seen.rooms else ExitCode.NO


def room_to_json(room: RoomSighting) -> dict[str, Any]:
    """A room as plain values."""
    from p2prummi.console.lobby.rules import rules_are_changed  # noqa: PLC0415 - `--help` must not wait for it

    facts = room.facts
    return {
        "room": facts.room_id.hex(),
        "name": facts.name,
        "opener": facts.opener,
        "ruleset": facts.ruleset_name,
        "ruleset_changed": rules_are_changed(facts),
        "state": facts.state,
        "seats_taken": facts.seats_taken,
        "seats": facts.seats,
        "code": facts.code_required,
        "joinable": room.joinable,
        "compatible": room.compatible,
        "members": [_member_to_json(member) for member in room.members],
    }


def _member_to_json(member: PeerSighting) -> dict[str, Any]:
    return {
        "peer": member.fingerprint,
        "name": member.name,
        "address": str(member.addresses[0]) if member.addresses else None,
        "program": member.program,
    }


def interfaces_to_text(interfaces: Sequence[Interface]) -> str:
    """Where it was looked: each interface by its name, with its addresses."""
    return " and ".join(f"{each.name} ({', '.join(each.addresses)})" for each in interfaces)


def room_to_text(room: RoomSighting) -> str:
    """A room in one line."""
    from p2prummi.console.lobby.rules import told_rules_doubt, told_rules_name  # noqa: PLC0415 - the same

    facts = room.facts
    rules = ", ".join(filter(None, (told_rules_name(facts), told_rules_doubt(facts))))
    marks = [rules, f"{facts.seats_taken} of {facts.seats} seats taken", facts.state]
    if facts.code_required:
        marks.append("asks for a code")
    if not room.compatible:
        marks.append(f"speaks another protocol version ({shown(room.members[0].program)})")
    elif room.stale:
        marks.append("does not answer now")
    players = ", ".join(f"{shown(member.name)} ({member.fingerprint})" for member in room.members)
    return f"{shown(facts.name) or '?'}: {', '.join(marks)}; {players}"


def _seconds(text: str) -> float:
    """A number of seconds above 0; argparse makes a usage error of what it raises."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= WAIT_SECONDS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds up to {WAIT_SECONDS_MAX:g}")
    return seconds
