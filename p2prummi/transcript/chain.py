"""The hash chain of a round: its context, its first head, and the head after each step.

Heads hash the bodies of events, never their signatures; the events of one step are hashed in seat order, so
that a parallel phase has one head whatever order its events came in.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2prummi.crypto.labels import Label, digest
from p2prummi.wire.encoding import Encodable, encode
from p2prummi.wire.events import Event


def round_context(
    *, version: int, match_id: bytes, number: int, ruleset: Encodable, keys: Sequence[bytes]
) -> bytes:
    """The 32 bytes that every event of a round names.

    Protocol version, match, round, rules, keys in seat order.
    """
    return digest(Label.ROUND_CONTEXT, encode([version, match_id, number, ruleset, list(keys)]))


def first_head(context: bytes) -> bytes:
    """The head that a round's first events build on."""
    return digest(Label.CHAIN_START, context)


def head_after(head: bytes, step: Sequence[Event]) -> bytes:
    """The head after a step whose events, given in seat order, build on `head`."""
    return digest(Label.CHAIN_HEAD, head, *(event.hash for event in step))
