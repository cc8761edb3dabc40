"""Attackers: a peer whose session is honest, but whose frames are changed on their way out.

`Adversary` is a tap: for each kind of frame it can be told what goes out instead, to whom. `resigned` makes
of an event another one with the attacker's own good signature, `unsigned` one with the old signature, so that
both what a seat may sign wrongly and what nobody has signed can be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.labels import Label
from p2prummi.crypto.signing import SigningKey
from p2prummi.session.round import Round
from p2prummi.testing.network import Network, Peer
from p2prummi.transcript.chain import head_after
from p2prummi.wire import events
from p2prummi.wire.events import Event, parse_event, sign_event
from p2prummi.wire.frames import Ack, EventFrame, Frame, encode_frame, parse_frame

Rewrite: TypeAlias = Callable[[Event, Peer], Iterable[Event | Frame | bytes]]
"""What goes out instead of an event, and to whom it was to go."""
FrameRewrite: TypeAlias = Callable[[Frame, Peer], Iterable[Event | Frame | bytes]]
"""The same for any other frame."""


class Adversary:
    """Changes what one peer of a network sends. Taps that were there before see what it makes."""

    def __init__(self, network: Network, peer: Peer) -> None:
        self.peer = peer
        self._network = network
        self._events: dict[str, Rewrite] = {}
        self._frames: dict[str, FrameRewrite] = {}
        self._before = network.tap
        network.tap = self._tap

    def on_event(self, kind: str, rewrite: Rewrite) -> None:
        """Lets `rewrite` decide what goes out instead of events of this kind."""
        self._events[kind] = rewrite

    def on_frame(self, name: str, rewrite: FrameRewrite) -> None:
        """Lets `rewrite` decide what goes out instead of frames of this name."""
        self._frames[name] = rewrite

    def _tap(self, sender: bytes, receiver: bytes, frame: bytes) -> Iterable[bytes]:
        out = self._changed(receiver, frame) if sender == self.peer.public else [frame]
        return [changed for each in out for changed in self._before(sender, receiver, each)]

    def _changed(self, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        far = self._network.peers[receiver]
        if isinstance(parsed, EventFrame):
            event = parse_event(parsed.body, parsed.signature)
            if event.kind in self._events:
                return [as_bytes(each) for each in self._events[event.kind](event, far)]
        elif parsed.name in self._frames:
            return [as_bytes(each) for each in self._frames[parsed.name](parsed, far)]
        return [frame]


def as_bytes(sent: Event | Frame | bytes) -> bytes:
    """The bytes of a frame: those given, those of a frame, or those of an event in its frame."""
    match sent:
        case bytes():
            return sent
        case Event():
            return encode_frame(EventFrame(sent.body, sent.signature))
        case _:
            return encode_frame(sent)


def resigned(key: SigningKey, event: Event, **changes: Any) -> Event:
    """The event with other header fields or another `payload`, signed anew by `key`."""
    values: dict[str, Any] = {
        "context": event.context,
        "sequence": event.sequence,
        "prev": event.prev,
        "seat": event.seat,
        "payload": event.payload,
    }
    return sign_event(key, **{**values, **changes})


def unsigned(event: Event, **changes: Any) -> Event:
    """The event with other fields under its old signature, which is not theirs."""
    changed = resigned(SigningKey(bytes(32)), event, **changes)
    return replace(changed, signature=event.signature)


def other_deck(running: Round, key: SigningKey, shuffle: Event, entropy: Entropy) -> tuple[Event, Event]:
    """Another shuffle in place of the last seat's own, and its proof, which is just as good.

    To be asked for while the shuffle's slot is open in the attacker's own round.
    """
    state = running.state
    assert state.joint is not None, "the joint key is known since the reveal"
    before = state.decks[running.seat]
    after, opening = decks.apply_shuffle(
        decks.prepare_shuffle(before.size, entropy).with_key(state.joint), before
    )
    other = resigned(key, shuffle, payload=events.Shuffle(after.to_bytes()))
    head = head_after(shuffle.prev, [other])
    context = state.proof_context(head)
    proof = decks.prove_shuffle(context, running.seat, state.joint, before, after, opening, entropy)
    proved = resigned(key, shuffle, sequence=shuffle.sequence + 1, prev=head, payload=events.Prove(proof))
    return other, proved


def resigned_ack(key: SigningKey, ack: Ack, **changes: Any) -> Ack:
    """The acknowledgement with other fields, signed anew by `key`."""
    changed = replace(ack, **changes)
    return replace(changed, signature=key.sign(Label.SIGN_ACK, changed.signed_part()))
