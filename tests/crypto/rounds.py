"""Small real rounds for the tests: keys, decks and proofs made by the program itself from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.refusal import RefusalError
from p2prummi.errors import FaultCode

CONTEXT = b"a context"


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round up to the last shuffle.

    `decks[0]` is the first deck, `statements[s]` leads from deck s to s + 1.
    """

    keys: tuple[crypto.RoundKey, ...]
    joint: crypto.JointKey
    decks: tuple[crypto.Deck, ...]
    statements: tuple[crypto.ShuffleStatement, ...]
    entropy: SeededEntropy

    @property
    def publics(self) -> list[bytes]:
        return [key.public for key in self.keys]

    @property
    def secrets(self) -> list[bytes]:
        return [key.secret_bytes() for key in self.keys]


def play_round(players: int, size: int, seed: bytes = b"round") -> Round:
    """Keys, and every seat's shuffle with its proof."""
    entropy = SeededEntropy(seed)
    keys = tuple(crypto.make_round_key(entropy) for _ in range(players))
    joint = crypto.joint_key([key.public for key in keys])
    decks = [crypto.initial_deck(size, joint)]
    statements = []
    for seat in range(players):
        prepared = crypto.prepare_shuffle(size, entropy).with_key(joint)
        after, opening = crypto.apply_shuffle(prepared, decks[-1])
        proof = crypto.prove_shuffle(CONTEXT, seat, joint, decks[-1], after, opening, entropy)
        statements.append(
            crypto.ShuffleStatement(context=CONTEXT, seat=seat, before=decks[-1], after=after, proof=proof)
        )
        decks.append(after)
    return Round(keys=keys, joint=joint, decks=tuple(decks), statements=tuple(statements), entropy=entropy)


def refused(
    code: FaultCode, condition: str | None = None, seat: int | None = None
) -> pytest.RaisesExc[RefusalError]:
    """Expect a refusal with this code and, where given, this condition and seat."""

    def fits(refusal: RefusalError) -> bool:
        return (
            refusal.code is code and condition in (None, refusal.condition) and seat in (None, refusal.seat)
        )

    return pytest.RaisesExc(RefusalError, check=fits)
