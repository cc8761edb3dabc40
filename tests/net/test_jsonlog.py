"""The JSON lines: every event with exactly the fields that the guide promises, and the same for all peers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from typing import Any

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.errors import FaultCode
from p2prummi.net.jsonlog import JsonLog
from p2prummi.session import notices
from p2prummi.testing.network import Peer
from tests.local_match import left_match, match_ended, played_match

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "bots.md"
KEY = bytes(range(32))


def lines_of(peer: Peer, matches: int = 1) -> list[dict[str, Any]]:
    """What the log of this peer's whole life holds; its clock moves by a quarter of a second at each look."""
    written: list[str] = []
    ticks = count()
    log = JsonLog(
        written.append,
        KEY,
        now=lambda: datetime(2026, 1, 31, 21, 5, 6, 789_000, timezone(timedelta(hours=1))),
        clock=lambda: next(ticks) / 4,
    )
    for notice in peer.notices * matches:
        log.tell(notice, address="10.0.0.1:4711", file=Path("there.p2prummi"))
    assert all(line.endswith("\n") and line.count("\n") == 1 and line.isascii() for line in written)
    return [json.loads(line) for line in written]


def told(notice: notices.Notice) -> dict[str, Any] | None:
    written: list[str] = []
    JsonLog(written.append, KEY).tell(notice)
    return json.loads(written[0]) if written else None


def promised_fields() -> dict[str, list[str]]:
    """The guide's table of events."""
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    return {event: re.findall(r"`(\w+)`", fields) for event, fields in rows}


def all_events() -> Iterator[dict[str, Any]]:
    for peer in (*played_match(), *left_match()):
        yield from lines_of(peer)
    for notice in (
        notices.PeerAway(KEY, "Ada"),
        notices.PeerBack(KEY, "Ada"),
        notices.FaultSeen(code=FaultCode.OUT_OF_TURN, text="it is B's turn", peer=KEY, signed=True),
    ):
        event = told(notice)
        assert event is not None
        yield event


def test_every_event_has_just_the_fields_that_the_guide_promises() -> None:
    promised = promised_fields()
    seen = set()
    for line in all_events():
        event = line["event"]
        seen.add(event)
        assert list(line) == ["event", "time", "self", *promised[event]]
        assert line["self"] == fingerprint(KEY)
    assert seen == set(promised)


def test_all_peers_tell_the_same_of_turns_rounds_and_the_match() -> None:
    shared = {"match_start", "turn", "round_end", "match_end"}
    first, *others = (
        [line for line in lines_of(peer) if line["event"] in shared] for peer in played_match(players=3)
    )
    assert [others] == [[first] * 2]
    assert [line["event"] for line in first].count("round_end") == 2


def test_what_a_round_and_a_match_come_to() -> None:
    peer = played_match()[0]
    ended = match_ended(peer)
    by_event = {line["event"]: line for line in lines_of(peer)}
    assert by_event["match_end"] == {
        "event": "match_end",
        "time": "2026-01-31T20:05:06.789Z",
        "self": fingerprint(KEY),
        "totals": list(ended.totals),
        "head": ended.head.hex(),
        "file": "there.p2prummi",
    }
    assert by_event["round_end"]["totals"] == list(ended.totals)
    assert by_event["round_end"]["head"] == ended.head.hex()
    assert by_event["match_start"]["match"] == ended.match.id.hex()
    assert by_event["match_start"]["roster"] == [
        {"seat": seat, "peer": fingerprint(key), "name": name}
        for seat, (key, name) in enumerate(zip(ended.match.keys, ended.match.names, strict=True))
    ]


def test_turns_count_racks_pool_and_tiles() -> None:
    turns = [line for line in lines_of(played_match()[0]) if line["event"] == "turn"]
    assert {line["kind"] for line in turns} == {"draw", "play"}
    for line in turns:
        melds = [meld if isinstance(meld, list) else next(iter(meld.values())) for meld in line["melds"]]
        assert sum(map(len, melds)) + sum(line["racks"]) + line["pool"] == 106
        assert bool(line["laid"]) == (line["kind"] == "play")
    assert len({(line["round"], line["seq"]) for line in turns}) == len(turns)


def test_the_room_is_told_once() -> None:
    rooms = [line for line in lines_of(played_match()[1]) if line["event"] == "room"]
    room = next(notice for notice in played_match()[1].notices if isinstance(notice, notices.RoomUpdated))
    assert len(rooms) == 1
    assert (rooms[0]["id"], rooms[0]["name"], rooms[0]["address"]) == (
        room.room_id.hex(),
        room.name,
        "10.0.0.1:4711",
    )


def test_a_shuffle_says_how_long_it_took_in_each_round() -> None:
    lines = lines_of(played_match()[0], matches=2)
    shuffled = [line for line in lines if line["event"] == "shuffled"]
    each = [(1, 250, 2), (2, 250, 2)]
    assert [(line["round"], line["ms"], line["verified"]) for line in shuffled] == 2 * each


def test_who_leaves_is_told_with_the_reason() -> None:
    lines = lines_of(left_match()[1])
    (left,) = (line for line in lines if line["event"] == "left" and line["name"] == "Ada")
    assert left["peer"] == fingerprint(left_match()[0].public)
    assert left["why"]


def test_names_and_words_of_others_can_do_nothing_to_a_terminal() -> None:
    line = told(notices.PeerLeft(KEY, "A\x1b]52;c;\x07da\u202e", False, "gone\n{}"))
    assert line is not None
    assert (line["name"], line["why"]) == ("A]52;c;da", "gone {}")
    line = told(notices.FaultSeen(code=FaultCode.LINK_LOST, text="a\x00b", peer=None, signed=False))
    assert line is not None
    assert (line["code"], line["text"], line["peer"]) == ("link_lost", "ab", None)


def test_what_is_no_event_is_not_told() -> None:
    assert told(notices.RoomClosed("gone")) is None
    assert told(notices.ChatReceived(KEY, "Ada", "hello")) is None


def test_the_time_is_that_of_the_system_unless_told_otherwise() -> None:
    line = told(notices.PeerJoined(KEY, "Ada"))
    assert line is not None
    assert abs(datetime.fromisoformat(line["time"]) - datetime.now(UTC)) < timedelta(minutes=5)
