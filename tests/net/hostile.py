"""Attackers as real peers: an honest session whose frames are changed on their way out, on real links.

Each attack is a function from the session and one event of its own that is about to leave, with its receiver,
to what leaves instead. It strikes once: from then on the peer is honest, as it needs to be no more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

from p2prummi.crypto import deck as decks
from p2prummi.session import Session
from p2prummi.session.round import Round
from p2prummi.testing.adversaries import as_bytes, other_deck, resigned
from p2prummi.transcript.phases import Phase
from p2prummi.wire import events, limits
from p2prummi.wire.events import Event, parse_event, sign_event
from p2prummi.wire.frames import Ack, EventFrame, parse_frame

Attack: TypeAlias = Callable[["HostileSession", bytes, bytes], Iterable[bytes]]
"""(session, receiver, frame) to the frames that leave instead."""


class HostileSession(Session):
    """A session with an attack, or without one: then it is an honest session."""

    attack: ClassVar[Attack | None] = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.memory: dict[str, Any] = {}

    def frames_to_send(self) -> list[tuple[bytes, bytes]]:
        """What the session says, as the attack changes it."""
        frames = super().frames_to_send()
        attack = type(self).attack
        if attack is None:
            return frames
        return [(peer, changed) for peer, frame in frames for changed in attack(self, peer, frame)]

    @property
    def round(self) -> Round | None:
        """The round that is running."""
        return self._run.round if self._run is not None else None

    @property
    def key(self) -> Any:
        """The attacker's own identity, with which it signs what it likes."""
        return self._key


def _event(session: HostileSession, frame: bytes, kind: str) -> Event | None:
    """The attacker's own event of this kind that a frame carries; it hands others' events on as they are."""
    parsed = parse_frame(frame)
    if isinstance(parsed, EventFrame) and session.round is not None:
        event = parse_event(parsed.body, parsed.signature)
        return event if (event.kind, event.seat) == (kind, session.round.seat) else None
    return None


def bad_proof(session: HostileSession, _peer: bytes, frame: bytes) -> Iterable[bytes]:
    """A shuffle proof with one bit of its last answer turned over."""
    event = _event(session, frame, "prove")
    if event is None or not isinstance(event.payload, events.Prove):
        return [frame]
    proof = event.payload.proof[:-1] + bytes([event.payload.proof[-1] ^ 1])
    return [as_bytes(resigned(session.key, event, payload=events.Prove(proof)))]


def wrong_tile(session: HostileSession, _peer: bytes, frame: bytes) -> Iterable[bytes]:
    """A lay that claims the other copy of one of its tiles: equal to look at, but not the one held."""
    event = _event(session, frame, "play")
    if event is None or not isinstance(event.payload, events.Play):
        return [frame]
    play = event.payload
    on_table = {tile for _, tiles in play.melds for tile in tiles}
    swapped = {tile: _other_copy(tile) for tile, _ in play.laid if _other_copy(tile) not in on_table}
    if not swapped:
        return [frame]
    changed = replace(
        play,
        melds=tuple((kind, tuple(swapped.get(tile, tile) for tile in tiles)) for kind, tiles in play.melds),
        laid=tuple((swapped.get(tile, tile), index) for tile, index in play.laid),
    )
    return [as_bytes(resigned(session.key, event, payload=changed))]


def _other_copy(tile: int) -> int:
    """The number of the equal tile, in a set of 106."""
    return 209 - tile if tile >= 104 else (tile + 52) % 104


def illegal_meld(session: HostileSession, _peer: bytes, frame: bytes) -> Iterable[bytes]:
    """A lay whose last meld is said to be of the other kind: a group that is called a run, or the reverse."""
    event = _event(session, frame, "play")
    if event is None or not isinstance(event.payload, events.Play):
        return [frame]
    play = event.payload
    kind, tiles = play.melds[-1]
    melds = (*play.melds[:-1], (1 - kind, tiles))
    return [as_bytes(resigned(session.key, event, payload=replace(play, melds=melds)))]


def out_of_turn(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """A draw, well signed and on the right head, while another seat is to move."""
    running = session.round
    if (
        running is None
        or running.state.phase is not Phase.PLAY
        or "draw" in session.memory.get(peer.hex(), ())
    ):
        return [frame]
    state = running.state
    if state.running_game.to_move == running.seat or not isinstance(parse_frame(frame), Ack):
        return [frame]
    session.memory[peer.hex()] = ("draw",)
    draw = session.memory.setdefault(
        "event",
        sign_event(
            session.key,
            context=state.terms.context,
            sequence=state.sequence,
            prev=state.head,
            seat=running.seat,
            payload=events.Draw(),
        ),
    )
    return [frame, as_bytes(draw)]


def two_versions(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """Another commitment for one peer than for all others."""
    event = _event(session, frame, "commit")
    if event is None or peer != session.memory.setdefault("victim", peer):
        return [frame]
    return [as_bytes(resigned(session.key, event, payload=events.Commit(bytes(32))))]


def two_decks(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """Another deck, shuffled just as well, for one peer than for all others."""
    event = _event(session, frame, "shuffle")
    running = session.round
    if event is None or running is None or peer != session.memory.setdefault("victim", peer):
        return [frame]
    state = running.state
    assert state.joint is not None
    before = state.decks[running.seat]
    other, _ = decks.apply_shuffle(
        decks.prepare_shuffle(before.size, os.urandom).with_key(state.joint), before
    )
    return [as_bytes(resigned(session.key, event, payload=events.Shuffle(other.to_bytes())))]


def two_good_decks(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """The same by the last seat, which proves both decks: each peer for itself could go on to the deal."""
    running = session.round
    if running is None or running.seat != len(running.state.terms.keys) - 1:
        return [frame]
    shuffle = _event(session, frame, "shuffle")
    if shuffle is not None and peer == session.memory.setdefault("victim", peer):
        session.memory["other"] = other_deck(running, session.key, shuffle, os.urandom)
        return [as_bytes(session.memory["other"][0])]
    if _event(session, frame, "prove") is not None and peer == session.memory.get("victim"):
        return [as_bytes(session.memory["other"][1])]
    return [frame]


def oversized(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """A frame of one byte more than any may have."""
    return _once(session, peer, frame, bytes(limits.FRAME_BYTES_MAX + 1))


def old_event(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """In the second round, an event of the first once more."""
    event = _event(session, frame, "reveal")
    if event is None or session.round is None:
        return [frame]
    if session.round.state.terms.number == 1:
        session.memory[peer.hex()] = frame
        return [frame]
    return [session.memory[peer.hex()], frame]


def duplicates(_session: HostileSession, _peer: bytes, frame: bytes) -> Iterable[bytes]:
    """No attack: every frame twice, which must change nothing."""
    return [frame, frame]


def garbage(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """Bytes that are no frame, to one peer, in the middle of the first shuffles."""
    return _once(session, peer, frame, b"\xc1" * 100)


def nested(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """An array in an array, 5,000 deep."""
    return _once(session, peer, frame, b"\x91" * 5000 + b"\x90")


def huge_array(session: HostileSession, peer: bytes, frame: bytes) -> Iterable[bytes]:
    """An array that says that it holds four thousand million items."""
    return _once(session, peer, frame, b"\xdd\xff\xff\xff\xff")


def _once(session: HostileSession, peer: bytes, frame: bytes, evil: bytes) -> Iterable[bytes]:
    if _event(session, frame, "reveal") is None or peer != session.memory.setdefault("victim", peer):
        return [frame]
    return [evil]


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        bad_proof,
        wrong_tile,
        illegal_meld,
        out_of_turn,
        two_versions,
        two_decks,
        two_good_decks,
        oversized,
        old_event,
        duplicates,
        garbage,
        nested,
        huge_array,
    )
}
