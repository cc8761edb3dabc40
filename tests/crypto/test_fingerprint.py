"""Fingerprints: one form, recognisable, and a function of the whole key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.fingerprint import fingerprint, is_fingerprint


@given(st.binary(min_size=32, max_size=32))
def test_a_fingerprint_has_its_form(key: bytes) -> None:
    assert is_fingerprint(fingerprint(key))


@given(st.binary(min_size=32, max_size=32), st.integers(0, 255))
def test_every_bit_of_the_key_counts(key: bytes, bit: int) -> None:
    other = (int.from_bytes(key, "big") ^ (1 << bit)).to_bytes(32, "big")
    assert fingerprint(other) != fingerprint(key)


@pytest.mark.parametrize(
    "text", ["", "aaaa-aaaa-aaaa", "aaaa-aaaa-aaaa-aaa1", "AAAA-aaaa-aaaa-aaaa", "aaaa-aaaa-aaaa-aaaa\n"]
)
def test_other_forms_are_none(text: str) -> None:
    assert not is_fingerprint(text)
