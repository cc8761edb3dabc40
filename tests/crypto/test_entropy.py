"""Draws from an entropy source: in range, unbiased, reproducible from a seed, never from a short source."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.entropy import (
    SeededEntropy,
    random_below,
    random_bytes,
    random_permutation,
    random_scalar,
    random_scalars,
    random_weights,
)
from p2prummi.crypto.group import ORDER
from p2prummi.errors import LocalProtocolError


def test_equal_seeds_give_equal_streams() -> None:
    first, second, other = SeededEntropy(b"a"), SeededEntropy(b"a"), SeededEntropy(b"b")
    drawn = [first(10), first(10)]
    assert drawn == [second(10), second(10)]
    assert drawn[0] != drawn[1]
    assert drawn[0] != other(10)
    assert repr(SeededEntropy(b"a seed")) == "<SeededEntropy after 0 calls>"


def test_children_are_independent_of_each_other_and_of_their_parent() -> None:
    parent = SeededEntropy(b"a")
    drawn = {parent.child(0)(16), parent.child(1)(16), SeededEntropy(b"a")(16), parent(16)}
    assert len(drawn) == 3
    assert parent.child(0)(16) == SeededEntropy(b"a").child(0)(16)


def test_short_source_is_refused() -> None:
    for draw in (
        random_scalar,
        lambda entropy: random_below(entropy, 9),
        lambda entropy: random_bytes(entropy, 2),
    ):
        with pytest.raises(LocalProtocolError):
            draw(lambda count: bytes(count - 1))


def test_extreme_sources_stay_in_range() -> None:
    assert random_scalar(bytes) == 1
    assert 1 <= random_scalar(lambda count: b"\xff" * count) < ORDER
    assert random_weights(lambda count: b"\xff" * count, 2) == [2**128 - 1] * 2
    assert random_scalars(bytes, 0) == []


def test_scalars_begin_again_above_the_largest() -> None:
    drawn = [(ORDER - 2).to_bytes(48, "big"), (ORDER - 1).to_bytes(48, "big")]
    assert random_scalars(lambda count: b"".join(drawn), 2) == [ORDER - 1, 1]


def test_number_takes_no_more_bits_than_it_needs() -> None:
    assert random_below(lambda count: b"\xff" * count, 4) == 3
    assert random_below(lambda count: b"\xff" * count, 256) == 255
    assert random_below(lambda count: b"\xff" * count, 1) == 0


@given(st.integers(1, 2**70), st.binary(min_size=1, max_size=8))
def test_number_is_below_its_bound(bound: int, seed: bytes) -> None:
    assert 0 <= random_below(SeededEntropy(seed), bound) < bound


def test_bound_below_one_is_refused() -> None:
    with pytest.raises(LocalProtocolError):
        random_below(bytes, 0)


def test_out_of_range_draws_are_thrown_away() -> None:
    """Of three bits, 5, 6 and 7 are not below 5: the next draw counts."""
    source = iter([b"\xff", b"\xa0", b"\x80"])
    assert random_below(lambda count: next(source), 5) == 4


def test_every_permutation_is_as_likely() -> None:
    entropy = SeededEntropy(b"permutations")
    draws = 4800
    counted = Counter(tuple(random_permutation(entropy, 4)) for _ in range(draws))
    assert set(counted) == set(permutations(range(4)))
    # Chi-squared with 23 degrees of freedom: above 60 once in a hundred thousand seeds; this one is fixed.
    expected = draws / 24
    assert sum((count - expected) ** 2 / expected for count in counted.values()) < 60
