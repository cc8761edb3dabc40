"""No secret scalar reaches a multiplication in variable time: watched at the calls of the library.

What is watched is which function gets which scalar; that the library's own multiplication for secrets takes
constant time is its promise, not tested here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from p2prummi.crypto import deck as crypto
from p2prummi.crypto import dleq, group
from p2prummi.crypto.entropy import SeededEntropy
from tests.crypto.rounds import CONTEXT, play_round

SIZE = 5


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every scalar that is multiplied in variable time, one by one or in a long sum."""
    scalars: list[int] = []
    product, long_sum = group._public_product, group._sum_by_digits

    def watched_product(key: Any, scalar: int) -> Any:
        scalars.append(scalar)
        return product(key, scalar)

    def watched_sum(terms: Sequence[tuple[int, Any]]) -> Any:
        scalars.extend(scalar for scalar, _ in terms)
        return long_sum(terms)

    monkeypatch.setattr(group, "_public_product", watched_product)
    monkeypatch.setattr(group, "_sum_by_digits", watched_sum)
    return scalars


def test_keys_shuffles_and_proofs_multiply_in_constant_time_alone(seen: list[int]) -> None:
    """`play_round` makes keys, prepares, shuffles and proves, for every seat."""
    round_ = play_round(2, SIZE)
    crypto.prove_key(CONTEXT, 0, round_.keys[0], round_.entropy)
    crypto.own_shares(round_.keys[0], round_.decks[-1], [0, 1])
    assert seen == []


def test_shares_multiply_only_their_public_weights_in_variable_time(
    seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    weights: list[int] = []
    make = dleq._weights

    def watched(*arguments: Any) -> list[int]:
        made = make(*arguments)
        weights.extend(made)
        return made

    monkeypatch.setattr(dleq, "_weights", watched)
    round_ = play_round(2, SIZE)
    crypto.make_shares(CONTEXT, round_.keys[0], round_.decks[-1], [0, 1, 2], SeededEntropy(b"shares"))
    assert len(weights) == 3
    assert seen == weights


def test_the_watch_sees_what_it_should(seen: list[int]) -> None:
    group.multiply_public(5, group.GENERATOR)
    group.combine_public([7] * 400, [group.GENERATOR] * 400)
    group.multiply_secret(9, group.GENERATOR)
    assert seen == [5, *[7] * 400]
