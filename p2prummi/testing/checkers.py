"""Watchers that check, after everything that happens in a network, what must hold whatever happens.

Each raises AssertionError in words as soon as it sees a promise broken. They know what peers send and what
sessions tell, and nothing of a session from inside. For networks of honest peers; attackers are elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

from p2prummi.errors import RemoteProtocolError
from p2prummi.rules import Tile, deal_order
from p2prummi.session import notices
from p2prummi.session.notices import Notice
from p2prummi.testing.network import Passage, Peer, Watcher
from p2prummi.transcript.agreement import Match
from p2prummi.transcript.phases import NEED_FINALITY
from p2prummi.wire import events
from p2prummi.wire.events import POINT_BYTES, Event, parse_event
from p2prummi.wire.frames import Ack, EventFrame, parse_frame

Slot: TypeAlias = tuple[bytes, int]
"""A round's context and a sequence number."""


def event_in(frame: bytes) -> Event | None:
    """The event that a frame carries, None where it carries none or cannot be read."""
    try:
        parsed = parse_frame(frame)
        return parse_event(parsed.body, parsed.signature) if isinstance(parsed, EventFrame) else None
    except RemoteProtocolError:
        return None


def ack_in(frame: bytes) -> Ack | None:
    """The acknowledgement that a frame is, None where it is none or cannot be read."""
    try:
        parsed = parse_frame(frame)
    except RemoteProtocolError:
        return None
    return parsed if isinstance(parsed, Ack) else None


class _MatchWatcher(Watcher):
    """Knows which match each peer is in."""

    def __init__(self) -> None:
        self.matches: dict[bytes, Match] = {}

    def told(self, peer: Peer, notice: Notice) -> None:
        """Notes the match."""
        if isinstance(notice, notices.MatchStarted):
            self.matches[peer.public] = notice.match


class TilesAreKept(_MatchWatcher):
    """At every turn, all racks, the table and the pool together are exactly the tile set.

    `turns` counts the turns at which all peers have been compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0
        self._racks: dict[tuple[bytes, int, int], dict[bytes, tuple[Tile, ...]]] = defaultdict(dict)

    def told(self, peer: Peer, notice: Notice) -> None:
        """Adds up what all hold at the start of a turn."""
        super().told(peer, notice)
        if not isinstance(notice, notices.TurnStarted):
            return
        match, game = self.matches[peer.public], notice.game
        seat = match.keys.index(peer.public)
        assert len(notice.rack) == game.rack_sizes[seat], f"{peer.name} holds another number of tiles"
        racks = self._racks[match.id, notice.round_number, notice.sequence]
        racks[peer.public] = notice.rack
        if len(racks) < match.players:
            return
        seen = [tile for rack in racks.values() for tile in rack]
        seen += [tile for meld in game.table for tile in meld.tiles]
        assert len(seen) == len(set(seen)), f"a tile is in two places at slot {notice.sequence}"
        assert len(seen) + game.pool_left == match.ruleset.tile_set.size, "a tile is lost"
        self.turns += 1


class PeersAgree(_MatchWatcher):
    """Every turn, round and match looks the same to all who are told of it."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[object, ...], object] = {}

    def told(self, peer: Peer, notice: Notice) -> None:
        """Compares with what others were told."""
        super().told(peer, notice)
        match notice:
            case notices.TurnTaken(round_number=number, sequence=sequence):
                self._same(peer, ("turn", number, sequence), notice)
            case notices.RoundEnded(round_number=number):
                self._same(peer, ("round", number), notice)
            case notices.MatchEnded(reason=notices.MatchEnd.FINISHED):
                self._same(peer, ("match",), (notice.totals, notice.winners, notice.head, notice.transcript))

    def _same(self, peer: Peer, what: tuple[object, ...], value: object) -> None:
        first = self._told.setdefault((self.matches[peer.public].id, *what), value)
        assert first == value, f"{peer.name} was told otherwise of {what}"


class SharesWaitForFinality(_MatchWatcher):
    """No share and no key leaves its own peer before all others have acknowledged the head that it builds on.

    `sent_after_finality` counts them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sent_after_finality = 0
        self._heads: dict[tuple[bytes, Slot], dict[int, bytes]] = defaultdict(dict)

    def came(self, passage: Passage) -> None:
        """Notes what the receiver comes to know."""
        self._note(passage.receiver, passage.frame)

    def sent(self, passage: Passage) -> None:
        """Notes the sender's own word, and checks what must wait."""
        sender = passage.sender
        self._note(sender, passage.frame)
        event = event_in(passage.frame)
        if event is None or event.kind not in NEED_FINALITY:
            return
        keys = self.matches[sender.public].keys
        if keys[event.seat] == sender.public:
            heads = self._heads[sender.public, (event.context, event.sequence - 1)]
            assert heads.keys() == set(range(len(keys))), f"{sender.name} sent {event.kind} before finality"
            assert set(heads.values()) == {event.prev}, f"{sender.name} sent {event.kind} on another head"
            self.sent_after_finality += 1

    def _note(self, peer: Peer, frame: bytes) -> None:
        ack = ack_in(frame)
        if ack is not None:
            self._heads[peer.public, (ack.context, ack.sequence)][ack.seat] = ack.head


class TilesStayHidden(_MatchWatcher):
    """Until a round is settled, nobody comes to hold all shares of a tile but its holder, or once it is laid.

    Works from what travels to each peer: which seats' shares of which deck indices. `shares` counts them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shares = 0
        self._starters: dict[bytes, int] = {}
        self._dealt: dict[bytes, tuple[int, ...]] = {}
        self._holders: dict[bytes, list[int]] = {}
        self._drawn: dict[Slot, int] = {}
        self._laid: set[tuple[bytes, int]] = set()
        self._known: dict[tuple[bytes, bytes, int], set[int]] = defaultdict(set)

    def told(self, peer: Peer, notice: Notice) -> None:
        """Notes who starts, on which it depends to whom the tiles are dealt."""
        super().told(peer, notice)
        if isinstance(notice, notices.DeckVerified):
            self._starters[peer.public] = notice.starting.seat

    def came(self, passage: Passage) -> None:
        """Counts the shares that the receiver has, now that these come."""
        event = event_in(passage.frame)
        if event is None:
            return
        match event.payload:
            case events.Deal(shares=points):
                dealt = self._deal(passage.sender, event.context)
                indices = [index for index, holder in enumerate(dealt) if holder != event.seat]
                self._learn(passage.receiver, event, indices, points)
            case events.DrawShare(shares=points):
                index = self._drawn[event.context, event.sequence - 1]
                self._learn(passage.receiver, event, [index], points)
            case events.Play(laid=laid, shares=points):
                indices = [index for _, index in laid]
                self._laid |= {(event.context, index) for index in indices}
                self._learn(passage.receiver, event, indices, points)

    def sent(self, passage: Passage) -> None:
        """Notes who holds what is drawn."""
        event = event_in(passage.frame)
        if event is not None and isinstance(event.payload, events.Draw):
            holders = self._holders[event.context]
            if (event.context, event.sequence) not in self._drawn:
                self._drawn[event.context, event.sequence] = len(holders)
                holders.append(event.seat)

    def _deal(self, sender: Peer, context: bytes) -> tuple[int, ...]:
        """The holder of each deck index that is dealt."""
        if context not in self._dealt:
            match = self.matches[sender.public]
            order = deal_order(match.ruleset, match.players, self._starters[sender.public])
            self._dealt[context] = order
            self._holders[context] = list(order)
        return self._dealt[context]

    def _learn(self, receiver: Peer, event: Event, indices: list[int], points: bytes) -> None:
        match = self.matches[receiver.public]
        seat = match.keys.index(receiver.public)
        assert len(points) == POINT_BYTES * len(indices), f"{event.kind} holds other shares than are due"
        for index in indices:
            known = self._known[receiver.public, event.context, index]
            known |= {event.seat, seat}
            is_laid = (event.context, index) in self._laid
            hidden = self._holders[event.context][index] != seat and not is_laid
            assert not (hidden and len(known) == match.players), f"{receiver.name} can open index {index}"
            self.shares += 1
