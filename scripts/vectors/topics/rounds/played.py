"""Rounds of two seats and of three, played by the simplest of strategies from fixed seeds, with secrets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from p2prummi.crypto.deck import prepare_shuffle
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.rules import PRESETS, Colour, Draw, Group, Meld, Pass, Play, Run, Tile, Turn, with_settings
from p2prummi.session import duties
from p2prummi.session.duties import DUTIES, Author, RoundSecrets
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.replay import advance
from p2prummi.transcript.state import RoundState, RoundTerms, start_round
from p2prummi.wire.events import Event

ENTROPY = SeededEntropy(b"vectors of rounds")
KEYS = tuple(sorted((SigningKey(ENTROPY(32)) for _ in range(2)), key=lambda key: key.public))
TERMS = RoundTerms(
    match_id=ENTROPY(32),
    number=1,
    ruleset=with_settings(PRESETS["official"], ["opening_points=0", "pool_empty=one_more_turn_each"]),
    keys=tuple(key.public for key in KEYS),
    starter=None,
)
TERMS_WITHOUT_JOKERS = RoundTerms(
    match_id=ENTROPY(32), number=1, ruleset=PRESETS["nl-klassiek"], keys=TERMS.keys, starter=None
)
"""An opening takes 30 points, and no joker."""
ENTROPY_OF_THREE = SeededEntropy(b"vectors of rounds of three")
KEYS_OF_THREE = tuple(
    sorted((SigningKey(ENTROPY_OF_THREE(32)) for _ in range(3)), key=lambda key: key.public)
)
TERMS_OF_THREE = RoundTerms(
    match_id=ENTROPY_OF_THREE(32),
    number=1,
    ruleset=with_settings(
        PRESETS["sv-klassisk"], ["copies=3", "jokers=4", "players=2-6", "opening_points=0"]
    ),
    keys=tuple(key.public for key in KEYS_OF_THREE),
    starter=None,
)
"""160 tiles, dealt in two passes of seven."""
SIGNERS = {key.public: key for key in (*KEYS, *KEYS_OF_THREE)}


def author(terms: RoundTerms, seat: int) -> Author:
    """A seat of a round, with its key."""
    return Author(key=SIGNERS[terms.keys[seat]], seat=seat)


@dataclass(frozen=True, kw_only=True)
class PlayedRound:
    """A round with every state from before its first slot to after its last, and the seats' secrets.

    `secrets` are those after the phase reveal, `shuffled` those after the own shuffle.
    """

    states: tuple[RoundState, ...]
    steps: tuple[tuple[Event, ...], ...]
    secrets: tuple[RoundSecrets, ...]
    shuffled: tuple[RoundSecrets, ...]

    def hand(self, state: RoundState, seat: int) -> Mapping[int, Tile]:
        """A seat's tiles by deck index, once the deal is over."""
        return duties.open_hand(state, self.secrets[seat], state.indices_held(seat))

    def slot_of(self, phase: Phase, kind: str = "") -> int:
        """The first slot of a phase that is filled with an event of this kind, or with any."""
        return next(
            slot
            for slot, state in enumerate(self.states)
            if state.phase is phase and (not kind or self.steps[slot][0].kind == kind)
        )


def play_round(terms: RoundTerms, seed: bytes, *, until: Phase = Phase.DONE, turns: int = 0) -> PlayedRound:
    """Plays a round up to this phase, and some turns with their shares; the same on every call."""
    entropy = SeededEntropy(seed)
    size = terms.ruleset.tile_set.size
    secrets = [
        duties.make_secrets(terms.context, seat, prepare_shuffle(size, entropy), entropy)
        for seat in range(terms.players)
    ]
    states, steps = [start_round(terms)], []
    shuffled = list(secrets)
    while (state := states[-1]).phase is not until or state.running_game.turn_number < turns:
        step = []
        for seat in state.fillers:
            if state.phase is Phase.SHUFFLE and state.joint is not None:
                secrets[seat] = duties.make_keyed(secrets[seat], state.joint)
            event, made = _event(state, seat, shuffled if state.phase is Phase.PROVE else secrets, entropy)
            if state.phase is Phase.SHUFFLE:
                shuffled[seat] = made
            step.append(event)
        steps.append(tuple(step))
        states.append(advance(state, step, entropy))
    return PlayedRound(
        states=tuple(states), steps=tuple(steps), secrets=tuple(secrets), shuffled=tuple(shuffled)
    )


def _event(
    state: RoundState, seat: int, secrets: list[RoundSecrets], entropy: SeededEntropy
) -> tuple[Event, RoundSecrets]:
    signing, own = author(state.terms, seat), secrets[seat]
    if state.phase is Phase.PROVE:
        return duties.prove(state, signing, own, state.sequence, entropy)
    if state.phase is Phase.PLAY:
        hand = duties.open_hand(state, own, state.indices_held(seat))
        return duties.take_turn(state, signing, own, simple_turn(state, hand.values()), hand, entropy)
    return DUTIES[state.phase](state, signing, own, entropy)


def simple_turn(state: RoundState, rack: Iterable[Tile]) -> Turn:
    """Lays the first three tiles of the rack that are a meld by themselves; else draws, or passes."""
    game = state.running_game
    meld = _first_meld({tile.face: tile for tile in rack if not tile.is_joker})
    if meld is None:
        return Draw() if game.pool_left else Pass()
    opening = None if game.opened[game.to_move] else (meld,)
    return Play(melds=(*game.table, meld), opening=opening)


def _first_meld(held: Mapping[Tile, Tile]) -> Meld | None:
    for number in range(1, 14):
        group = [held[face] for colour in Colour if (face := Tile(colour, number)) in held]
        if len(group) >= 3:
            return Group(tuple(group[:3]))
    for colour in Colour:
        for start in range(1, 12):
            faces = [Tile(colour, number) for number in range(start, start + 3)]
            if all(face in held for face in faces):
                return Run(tuple(held[face] for face in faces))
    return None
