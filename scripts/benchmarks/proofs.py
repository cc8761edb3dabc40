"""Shuffle proofs against the bare group operations that they need, in one process and one run.

Bare means the same library's calls in a plain loop: to prove, the multiplications by secrets that remain once
a deck and a key are there (4N and a few: B, CΔ and both parts of E0); to verify, the 5N multiplications by
public scalars.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchmarks.report import Figure, median_ms, paired_ratio
from p2prummi.crypto import deck as decks
from p2prummi.crypto import group

TILES = 106
RUNS = 15


def figures() -> Iterator[Figure]:
    """Proves and verifies shuffles of a full deck, and does the bare operations beside it."""
    keys = [decks.make_round_key(os.urandom) for _ in range(4)]
    joint = decks.joint_key([key.public for key in keys])
    before = decks.initial_deck(TILES, joint)
    context = bytes(64)

    # A prepared shuffle serves once, so as many are made beforehand as the timed runs use up.
    ready = [decks.prepare_shuffle(TILES, os.urandom).with_key(joint) for _ in range(2 * RUNS + 4)]
    applied = [decks.apply_shuffle(each, before) for each in ready]
    openings = iter(applied)

    def prove() -> None:
        after, opening = next(openings)
        decks.prove_shuffle(context, 0, joint, before, after, opening, os.urandom)

    scalars = [int.from_bytes(os.urandom(32), "big") % group.ORDER for _ in range(4 * TILES + 3)]
    points = [*before.firsts, *before.seconds] * 3

    def bare_prove() -> None:
        group.multiply_each_secret(scalars, points[: len(scalars)])

    after, opening = applied[-1]
    proof = decks.prove_shuffle(context, 0, joint, before, after, opening, os.urandom)
    statement = decks.ShuffleStatement(context=context, seat=0, before=before, after=after, proof=proof)
    publics = scalars + scalars[: TILES + 6]

    def verify() -> None:
        decks.verify_shuffles(joint, [statement], os.urandom)

    def bare_verify() -> None:
        for scalar, point in zip(publics, points, strict=False):
            group.multiply_public(scalar, point)

    yield Figure(
        name="prove / bare multiplications", value=paired_ratio(prove, bare_prove, RUNS), unit="",
        at_most=1.25, is_absolute=False,
    )  # fmt: skip
    yield Figure(
        name="verify / bare multiplications", value=paired_ratio(verify, bare_verify, RUNS), unit="",
        at_most=1.25, is_absolute=False,
    )  # fmt: skip
    yield Figure(name="prove a shuffle of 106 tiles", value=median_ms(prove, RUNS), unit="ms")
    yield Figure(name="verify a shuffle of 106 tiles", value=median_ms(verify, RUNS), unit="ms")
    yield Figure(name="size of a proof", value=len(proof) / 1000, unit="kB", is_absolute=False)


def multiplication_seconds(times: int = 2000) -> float:
    """The time of one multiplication by a secret scalar, as the unit in which a set-up is counted."""
    point = group.multiply_generator(0xC0FFEE)
    scalars = [int.from_bytes(os.urandom(32), "big") % group.ORDER for _ in range(times)]
    return median_ms(lambda: group.multiply_each_secret(scalars, [point] * times), 5) / 1000 / times
