"""Student's t distribution: how far a mean of few independent values may be off.

Source: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4: for whole
degrees of freedom the distribution is a finite sum.
"""

from __future__ import annotations

import math
from functools import lru_cache

_HIGHEST = 1e4
"""More than any quantile up to 99.99 % has with one degree of freedom."""


def probability_within(t: float, freedom: int) -> float:
    """The probability that a value lies within -t and t, with that many degrees of freedom (1 or more)."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    is_odd = freedom % 2 == 1
    term = total = 0.0
    if freedom > 1:
        term = total = cosine if is_odd else 1.0
    for number in range(3 if is_odd else 2, freedom - 1, 2):
        term *= cosine**2 * (number - 1) / number
        total += term
    return 2 / math.pi * (angle + sine * total) if is_odd else sine * total


@lru_cache
def quantile(probability: float, freedom: int) -> float:
    """The t within which a value lies with that probability, found by halving."""
    low, high = 0.0, _HIGHEST
    while (middle := (low + high) / 2) not in (low, high):
        if probability_within(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high
