"""What the vectors of this topic share: players with their keys and nonces, and the rules they play by."""

from __future__ import annotations

from dataclasses import dataclass

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.rules import PRESETS

ENTROPY = SeededEntropy(b"vectors of events")
RULESET = PRESETS["official"]


@dataclass(frozen=True, slots=True)
class Player:
    """A player of the vectors' match."""

    name: str
    key: SigningKey
    nonce: bytes


def _players(*names: str) -> tuple[Player, ...]:
    drawn = (Player(name, SigningKey(ENTROPY(32)), ENTROPY(32)) for name in names)
    return tuple(sorted(drawn, key=lambda player: player.key.public))


PLAYERS = _players("ann", "bo", "cé")
"""By ascending key, as on a roster."""
OPENER = PLAYERS[1]
STRANGER = Player("dan", SigningKey(ENTROPY(32)), ENTROPY(32))
ROOM_NONCE = ENTROPY(32)
