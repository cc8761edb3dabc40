"""The state of a round's setup and of its settlement: which seats have done their part of which phase."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.session import notices
from p2prummi.transcript.phases import Phase

if TYPE_CHECKING:
    from p2prummi.session.notices import Notice

SETUP_PHASES = (Phase.COMMIT, Phase.REVEAL, Phase.SHUFFLE, Phase.PROVE, Phase.DEAL)
"""The phases before the first turn, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupModel:
    """`seats_done` belongs to `phase`.

    `verified` is there once all shuffles of the round have been checked.
    """

    round_number: int = 0
    phase: Phase = Phase.COMMIT
    seats_done: tuple[int, ...] = ()
    verified: notices.DeckVerified | None = None


def after_notice(setup: SetupModel, notice: Notice) -> SetupModel:
    """The setup after a notice."""
    match notice:
        case notices.MatchStarted():
            return SetupModel()
        case notices.PhaseProgress(round_number=number, phase=phase, seats_done=seats_done):
            verified = setup.verified if number == setup.round_number else None
            return SetupModel(round_number=number, phase=phase, seats_done=seats_done, verified=verified)
        case notices.DeckVerified():
            return replace(setup, verified=notice)
    return setup
