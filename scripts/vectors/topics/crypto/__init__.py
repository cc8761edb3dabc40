"""Vectors of the cryptography: hashes, keys, decks, shuffles, shares; one fault in each bad one."""

from __future__ import annotations

from collections.abc import Iterator

from vectors.topics.crypto import hashes, keys, large, shares, shuffles
from vectors.vector import Vector


def vectors() -> Iterator[Vector]:
    """All vectors of this topic."""
    yield from hashes.hash_vectors()
    yield from hashes.signature_vectors()
    yield from keys.key_vectors()
    yield from shuffles.deck_vectors()
    yield from shuffles.shuffle_vectors()
    yield from shuffles.forged_shuffle_vectors()
    yield from large.large_vectors()
    yield from shares.share_vectors()
    yield from shares.opening_vectors()
