"""What the setup shows: each phase in words, who has done its part, and at the end what was verified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.console.setup.model import SETUP_PHASES
from p2prummi.transcript.phases import Phase

if TYPE_CHECKING:
    from p2prummi.console.people import People
    from p2prummi.console.setup.model import SetupModel
    from p2prummi.session.notices import DeckVerified

WORDS = {
    Phase.COMMIT: "Everyone seals a key for this round",
    Phase.REVEAL: "Everyone shows the key that was sealed",
    Phase.SHUFFLE: "Everyone shuffles the whole deck, one after the other",
    Phase.PROVE: "Everyone proves that the shuffle kept every tile",
    Phase.DEAL: "Everyone opens the others' tiles, each for its owner alone",
    Phase.SETTLE: "Everyone opens the keys, so that all can be checked",
    Phase.RESULT: "Everyone signs the result",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRow:
    """A phase: what is done in it, and whether it is over, under way or still to come. `players`.

    Who has done it.
    """

    words: str
    done: bool
    running: bool
    players: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupShown:
    """All that the setup shows."""

    title: str
    phases: tuple[PhaseRow, ...]
    verified: tuple[str, ...]


def present(setup: SetupModel, people: People) -> SetupShown:
    """What to show of the setup."""
    at = SETUP_PHASES.index(setup.phase) if setup.phase in SETUP_PHASES else len(SETUP_PHASES)
    rows = []
    for place, phase in enumerate(SETUP_PHASES):
        players = tuple(
            (people.seat_label(seat), seat in setup.seats_done) for seat in range(len(people.seats))
        )
        running = place == at
        rows.append(
            PhaseRow(words=WORDS[phase], done=place < at, running=running, players=players if running else ())
        )
    return SetupShown(
        title=f"Round {setup.round_number or 1} is being set up",
        phases=tuple(rows),
        verified=() if setup.verified is None else verified_words(setup.verified, people),
    )


def settling_words(setup: SetupModel, people: People) -> str:
    """What is done once the last turn has been taken, and who has yet to do it."""
    if setup.phase not in {Phase.SETTLE, Phase.RESULT}:
        return "The round is over; it is settled now."
    waiting = [people.seat_label(seat) for seat in range(len(people.seats)) if seat not in setup.seats_done]
    rest = f" Still to come: {', '.join(waiting)}." if waiting else ""
    return f"The round is over. {WORDS[setup.phase]}.{rest}"


def verified_words(verified: DeckVerified, people: People) -> tuple[str, ...]:
    """What the verified deck means, and how it was decided who begins."""
    shuffles = (
        f"Verified here: {verified.proofs} proofs that each of the {len(people.seats)} shuffles kept all "
        f"{verified.tiles} tiles. Nobody knows the order, and nobody could choose it."
    )
    return (shuffles, starting_words(verified, people))


def starting_words(verified: DeckVerified, people: People) -> str:
    """How it was decided who begins: by drawn tiles, by the coin of all alone, or by the round before."""
    starting = verified.starting
    name = people.seat_label(starting.seat)
    if not starting.draws:
        if verified.round_number == 1:
            return f"The coin that all tossed together chose: {name} begins."
        return f"{name} begins: the next seat after the one that began the last round."
    draws = "; again: ".join(
        ", ".join(f"{people.seat_label(seat)} {tile}" for seat, tile in drawn) for drawn in starting.draws
    )
    return f"Drawn for the first turn: {draws}. {name} begins."
