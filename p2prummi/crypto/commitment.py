"""Commitments to vectors of scalars (Pedersen): com(v; r) = r·G + Σ v_i·h_i.

The generators h_i are computed here from their index and are never received: whoever could choose one would
know a relation between them and could open a commitment in two ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from p2prummi.crypto.group import Point, combine_secret, hash_to_group
from p2prummi.crypto.labels import Label


@lru_cache(maxsize=8)
def generators(size: int) -> tuple[Point, ...]:
    """h_1 .. h_size. Made at first use and kept: a deck's size hardly ever changes while the program runs."""
    return tuple(hash_to_group(Label.GENERATOR, index) for index in range(1, size + 1))


def commit(values: Sequence[int], randomness: int, size: int) -> Point:
    """The commitment com(values; randomness), over the first len(values) of `size` generators.

    In time that depends on no value.
    """
    return combine_secret(values, generators(size)[: len(values)], generator=randomness)
