"""What happens, as JSON for scripts: one object a line, with `event`, `time` and `self`.

Written by `bot --json` and `play --json-log`. `self` is the peer that writes, since several may share a
stream. Peers are named by their fingerprints, seats by numbers from 0, tiles and melds as in `check`'s
input, hashes in hexadecimals. What each event holds is in `docs/guide/bots.md`; the notices that they are
made of are `session/notices.py`'s. Names and words that come from other peers hold nothing that could act on
a terminal.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.rules import Draw, Pass, Play, Turn
from p2prummi.rules.plain import meld_to_json, tiles_to_json
from p2prummi.session import notices
from p2prummi.transcript.phases import Phase
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

Fields = dict[str, Any]

_KINDS: Final[Mapping[type[Turn], str]] = {Play: "play", Draw: "draw", Pass: "pass"}


class JsonLog:
    """Writes the events of one peer's life; `write` takes a line with its end, and flushes it.

    `own_key`: the identity key of the peer whose life it is.
    """

    def __init__(
        self,
        write: Callable[[str], object],
        own_key: bytes,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._own = fingerprint(own_key)
        self._now = now
        self._clock = clock
        self._room_id = b""
        self._round_began: dict[int, float] = {}

    def tell(self, notice: object, *, address: str | None = None, file: Path | None = None) -> None:
        """Writes the event that a notice is, if it is one.

        `address` says where this peer can be dialled (for `room`), `file` where the match is (`match_end`).
        """
        fields = self._fields(notice, address, file)
        if fields is not None:
            self._emit(fields)

    def _emit(self, fields: Fields) -> None:
        event = fields.pop("event")
        moment = self._now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._write(json.dumps({"event": event, "time": moment, "self": self._own, **fields}) + "\n")

    def _fields(self, notice: object, address: str | None, file: Path | None) -> Fields | None:
        match notice:
            case notices.RoomUpdated():
                return self._room(notice, address)
            case notices.PhaseProgress(round_number=number, phase=Phase.COMMIT):
                if number not in self._round_began:
                    self._round_began[number] = self._clock()
            case notices.DeckVerified():
                return self._shuffled(notice)
            case notices.MatchEnded():
                self._round_began.clear()
                return _match_end(notice, file)
        make = _MAKERS.get(type(notice))
        return None if make is None else make(notice)

    def _room(self, notice: notices.RoomUpdated, address: str | None) -> Fields | None:
        """The room once, when it has been entered and its terms are known."""
        if notice.ruleset is None or notice.room_id == self._room_id:
            return None
        self._room_id = notice.room_id
        return {
            "event": "room",
            "id": notice.room_id.hex(),
            "name": shown(notice.name),
            "address": address,
        }

    def _shuffled(self, notice: notices.DeckVerified) -> Fields:
        began = self._round_began.get(notice.round_number)
        return {
            "event": "shuffled",
            "round": notice.round_number,
            "ms": None if began is None else round((self._clock() - began) * 1000),
            "verified": notice.proofs,
        }


def _peer(event: str) -> Callable[[Any], Fields]:
    """Makes an event of a notice of a peer that has come, gone or fallen silent."""

    def make(notice: notices.PeerJoined | notices.PeerLeft | notices.PeerAway | notices.PeerBack) -> Fields:
        why = notice.why if isinstance(notice, notices.PeerLeft) else ""
        return {
            "event": event,
            "peer": fingerprint(notice.peer),
            "name": shown(notice.name),
            "why": shown(why),
        }

    return make


def _match_start(notice: notices.MatchStarted) -> Fields:
    match = notice.match
    return {
        "event": "match_start",
        "match": match.id.hex(),
        "ruleset": match.ruleset.to_dict(),
        "roster": [
            {"seat": seat, "peer": fingerprint(key), "name": shown(name)}
            for seat, (key, name) in enumerate(zip(match.keys, match.names, strict=True))
        ],
    }


def _turn(notice: notices.TurnTaken) -> Fields:
    game = notice.game
    return {
        "event": "turn",
        "round": notice.round_number,
        "seq": notice.sequence,
        "seat": notice.seat,
        "kind": _KINDS[type(notice.turn)],
        "laid": tiles_to_json(notice.laid),
        "melds": [meld_to_json(meld) for meld in game.table],
        "pool": game.pool_left,
        "racks": list(game.rack_sizes),
        "head": notice.head.hex(),
    }


def _round_end(notice: notices.RoundEnded) -> Fields:
    return {
        "event": "round_end",
        "round": notice.round_number,
        "why": notice.why,
        "winner": notice.scores.winner,
        "scores": list(notice.scores.points),
        "totals": list(notice.totals),
        "head": notice.head.hex(),
    }


def _match_end(notice: notices.MatchEnded, file: Path | None) -> Fields:
    return {
        "event": "match_end",
        "totals": list(notice.totals),
        "head": notice.head.hex(),
        "file": None if file is None else str(file),
    }


def _fault(notice: notices.FaultSeen) -> Fields:
    return {
        "event": "fault",
        "code": notice.code,
        "text": shown(notice.text),
        "peer": None if notice.peer is None else fingerprint(notice.peer),
    }


_MAKERS: Final[Mapping[type, Callable[[Any], Fields]]] = MappingProxyType(
    {
        notices.PeerJoined: _peer("joined"),
        notices.PeerLeft: _peer("left"),
        notices.PeerAway: _peer("away"),
        notices.PeerBack: _peer("back"),
        notices.MatchStarted: _match_start,
        notices.TurnTaken: _turn,
        notices.RoundEnded: _round_end,
        notices.FaultSeen: _fault,
    }
)
"""How an event is made of a notice alone; others need what a log remembers or is told beside."""
