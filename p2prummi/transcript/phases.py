"""The phases of a round as tables: who fills the next slot with which event, and what comes after it.

A slot is one sequence number; a *step* is all that fills it: one event, or in a parallel phase one of each
seat that takes part. `SLOTS` says who fills a phase's slots with what, `NEXT` which phase follows a filled
slot; a missing key is a protocol error. Whether an event is true is decided in `replay.py`; the
specification's diagram is held against these tables by a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from p2prummi.wire import events


class Phase(StrEnum):
    """Where a round stands."""

    COMMIT = "commit"
    REVEAL = "reveal"
    SHUFFLE = "shuffle"
    PROVE = "prove"
    DEAL = "deal"
    PLAY = "play"
    DRAW_SHARE = "draw_share"
    SETTLE = "settle"
    RESULT = "result"
    DONE = "done"


class Filler(StrEnum):
    """Which seats fill a slot."""

    EVERYONE = "everyone"
    NEXT_SHUFFLER = "next_shuffler"
    MOVER = "mover"
    ALL_BUT_DRAWER = "all_but_drawer"


class Outcome(StrEnum):
    """What a filled slot led to, as far as the next phase depends on it."""

    COMPLETE = "complete"
    MORE = "more"
    DREW = "drew"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Slot:
    """Who fills a phase's slot, with which kinds of event."""

    filler: Filler
    kinds: frozenset[str]


def _slot(filler: Filler, *payloads: type[events.Payload]) -> Slot:
    return Slot(filler, frozenset(payload.kind for payload in payloads))


SLOTS = MappingProxyType(
    {
        Phase.COMMIT: _slot(Filler.EVERYONE, events.Commit),
        Phase.REVEAL: _slot(Filler.EVERYONE, events.Reveal),
        Phase.SHUFFLE: _slot(Filler.NEXT_SHUFFLER, events.Shuffle),
        Phase.PROVE: _slot(Filler.EVERYONE, events.Prove),
        Phase.DEAL: _slot(Filler.EVERYONE, events.Deal),
        Phase.PLAY: _slot(Filler.MOVER, events.Play, events.Draw, events.Pass),
        Phase.DRAW_SHARE: _slot(Filler.ALL_BUT_DRAWER, events.DrawShare),
        Phase.SETTLE: _slot(Filler.EVERYONE, events.Settle),
        Phase.RESULT: _slot(Filler.EVERYONE, events.Result),
    }
)

NEED_FINALITY = frozenset({events.Deal.kind, events.DrawShare.kind, events.Settle.kind})
"""The kinds of event that leave no peer before the head that they build on is acknowledged by all.

They carry decryption shares or a key, which could not be taken back.
"""

NEXT = MappingProxyType(
    {
        (Phase.COMMIT, Outcome.COMPLETE): Phase.REVEAL,
        (Phase.REVEAL, Outcome.COMPLETE): Phase.SHUFFLE,
        (Phase.SHUFFLE, Outcome.MORE): Phase.SHUFFLE,
        (Phase.SHUFFLE, Outcome.COMPLETE): Phase.PROVE,
        (Phase.PROVE, Outcome.COMPLETE): Phase.DEAL,
        (Phase.DEAL, Outcome.COMPLETE): Phase.PLAY,
        (Phase.PLAY, Outcome.MORE): Phase.PLAY,
        (Phase.PLAY, Outcome.DREW): Phase.DRAW_SHARE,
        (Phase.PLAY, Outcome.ENDED): Phase.SETTLE,
        (Phase.DRAW_SHARE, Outcome.MORE): Phase.PLAY,
        (Phase.DRAW_SHARE, Outcome.ENDED): Phase.SETTLE,
        (Phase.SETTLE, Outcome.COMPLETE): Phase.RESULT,
        (Phase.RESULT, Outcome.COMPLETE): Phase.DONE,
    }
)
