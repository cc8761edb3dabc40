"""Labels and framing: distinct, injective, never confused with what TLS signs.

They are equal to those of the specification, too.
"""

from __future__ import annotations

import re
from hashlib import sha256, sha512
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.challenge import RunningChallenge
from p2prummi.crypto.group import ORDER
from p2prummi.crypto.labels import Label, digest, framed, uint32

NOTATION = Path(__file__).parents[2] / "protocol" / "spec" / "notation.md"

parts = st.lists(st.binary(max_size=12), max_size=4)


def test_labels_are_distinct_and_never_begin_like_tls() -> None:
    assert len({label.value for label in Label}) == len(Label.__members__)
    for label in Label:
        assert label.value.isascii()
        assert "\0" not in label.value
        assert framed(label)[0] not in (0x20, 0x30)


def test_labels_are_those_of_the_specification() -> None:
    table = re.findall(r'^\| "([^"]+)" \|', NOTATION.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(f"p2prummi/1 {name}" for name in table) == sorted(label.value for label in Label)


@given(st.sampled_from(Label), parts, st.sampled_from(Label), parts)
def test_framing_is_injective(
    label: Label, some: list[bytes], other_label: Label, others: list[bytes]
) -> None:
    same = (label, some) == (other_label, others)
    assert (framed(label, *some) == framed(other_label, *others)) == same


def test_parts_do_not_run_into_each_other() -> None:
    assert framed(Label.TILE, b"ab", b"c") != framed(Label.TILE, b"a", b"bc")
    assert framed(Label.TILE, b"") != framed(Label.TILE)


def test_digest_is_sha256_of_the_frame() -> None:
    expected = sha256(b"p2prummi/1 tile\0\0\0\0\2ab\0\0\0\0").digest()
    assert digest(Label.TILE, b"ab", b"") == expected
    assert uint32(258) == b"\0\0\1\2"


def test_running_challenge_is_sha512_of_all_that_was_said() -> None:
    running = RunningChallenge(Label.KEY_PROOF)
    running.absorb("context", b"ab")
    first, second = running.draw("x"), running.draw("y")
    state = b"p2prummi/1 key proof\0" + b"\0\0\0\7context\0\0\0\2ab" + b"\0\0\0\1x\0\0\0\0"
    assert first == int.from_bytes(sha512(state).digest(), "big") % ORDER
    state += b"\0\0\0\1x\0\0\0\x20" + first.to_bytes(32, "big") + b"\0\0\0\1y\0\0\0\0"
    assert second == int.from_bytes(sha512(state).digest(), "big") % ORDER


items = st.lists(st.tuples(st.text("ab", max_size=3), st.binary(max_size=6)), max_size=4)


@given(items, items)
def test_running_challenge_tells_items_apart(
    some: list[tuple[str, bytes]], others: list[tuple[str, bytes]]
) -> None:
    drawn = []
    for absorbed in (some, others):
        running = RunningChallenge(Label.KEY_PROOF)
        for name, item in absorbed:
            running.absorb(name, item)
        drawn.append(running.draw("x"))
    assert (drawn[0] == drawn[1]) == (some == others)


def test_item_that_imitates_the_next_one_is_told_apart() -> None:
    imitation, honest = RunningChallenge(Label.KEY_PROOF), RunningChallenge(Label.KEY_PROOF)
    imitation.absorb("a", b"x" + b"\0\0\0\1b\0\0\0\1y")
    honest.absorb("a", b"x")
    honest.absorb("b", b"y")
    assert imitation.draw("c") != honest.draw("c")
