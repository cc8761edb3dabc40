"""What an attacker can sign instead of a scene's event: wrong payloads, and a second version as good."""

from __future__ import annotations

from dataclasses import replace

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.session import duties
from p2prummi.session.duties import RoundSecrets
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event
from tests.session.scenes import Scene, round_of

ENTROPY = SeededEntropy(b"attacks")


def state_of(scene: Scene) -> RoundState:
    """The state that the scene's event builds on."""
    return round_of(scene.attacker)._states[scene.event.sequence]


def secrets_of(scene: Scene) -> RoundSecrets:
    """What the attacker's session keeps to itself in this round."""
    secrets = round_of(scene.attacker)._secrets
    assert secrets is not None
    return secrets


def flipped(data: bytes, position: int = -1) -> bytes:
    """The same bytes but for one bit."""
    changed = bytearray(data)
    changed[position] ^= 1
    return bytes(changed)


def no_points(scene: Scene) -> events.Payload:
    """The scene's shuffled deck, in which the first point is none."""
    payload = scene.event.payload
    assert isinstance(payload, events.Shuffle)
    return events.Shuffle(b"\x05" + payload.deck[1:])


def proof_changed(scene: Scene) -> events.Payload:
    """The scene's payload with another proof."""
    payload = scene.event.payload
    assert isinstance(payload, events.Deal | events.DrawShare | events.Play | events.Prove)
    return replace(payload, proof=flipped(payload.proof))


def other_version(scene: Scene) -> Event:
    """A second event for the same slot that is as good as the first."""
    state = state_of(scene)
    author = round_of(scene.attacker)._author
    secrets = secrets_of(scene)
    match scene.event.payload:
        case events.Deal():
            return duties._deal(state, author, secrets, ENTROPY)[0]
        case events.DrawShare():
            return duties._draw_share(state, author, secrets, ENTROPY)[0]
        case events.Shuffle():
            assert state.joint is not None
            fresh = decks.prepare_shuffle(state.deck.size, ENTROPY).with_key(state.joint)
            return duties._shuffle(state, author, replace(secrets, shuffle=fresh), ENTROPY)[0]
        case events.Play():
            return author.sign(state, events.Draw())
        case _:
            return author.sign(state, events.Commit(bytes(32)))
