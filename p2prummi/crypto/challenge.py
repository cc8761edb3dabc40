"""The challenge of a non-interactive proof: one running SHA-512 over everything that the prover has said.

Each item is absorbed with its name and its length, each challenge is absorbed too once it is drawn, so that a
later challenge depends on all before it. What a proof absorbs, in which order, is in its own file and in
`protocol/spec/crypto.md`. Source: Fiat and Shamir; "How not to prove yourself" (Bernhard, Pereira, Warinschi
2012) for why the whole statement is hashed.
"""

from __future__ import annotations

from hashlib import sha512

from p2prummi.crypto.group import ORDER, scalar_to_bytes
from p2prummi.crypto.labels import Label, framed


class RunningChallenge:
    """A hash that grows with the proof. Prover and verifier feed it the same items in the same order."""

    __slots__ = ("_hash",)

    def __init__(self, label: Label) -> None:
        self._hash = sha512(framed(label))

    def absorb(self, name: str, item: bytes) -> None:
        """Take in one item: the length of its name, the name, the length of the item, the item."""
        encoded = name.encode("ascii")
        self._hash.update(len(encoded).to_bytes(4, "big") + encoded + len(item).to_bytes(4, "big"))
        self._hash.update(item)

    def draw(self, name: str) -> int:
        """The challenge of this name: the hash so far, modulo q.

        The name is absorbed before, with an empty item; the challenge after, under the same name.
        """
        self.absorb(name, b"")
        challenge = int.from_bytes(self._hash.digest(), "big") % ORDER
        self.absorb(name, scalar_to_bytes(challenge))
        return challenge
