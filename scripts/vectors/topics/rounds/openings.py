"""A round by the rules of `nl-klassiek` until its first lay, and lays in its place that must be refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from p2prummi.rules import Meld, Play, meld_from
from p2prummi.session import duties
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.replay import advance
from p2prummi.wire.events import Event
from vectors.topics.rounds.faulty import Faulty
from vectors.topics.rounds.played import TERMS_WITHOUT_JOKERS, PlayedRound, author, play_round

ENTROPY = SeededEntropy(b"openings")
# The first mover of this round has a joker, and two melds that are worth just enough together.
SEED = b"a round dealt, 23"
RUN, GROUP, WITH_JOKER = "R4 R5 R6", "B5 R5 O5", "K9 O9 J"


def opened_round() -> PlayedRound:
    """The round, dealt and opened with 30 points."""
    dealt = play_round(TERMS_WITHOUT_JOKERS, SEED, until=Phase.PLAY)
    step = (_lay(dealt, RUN, GROUP),)
    after = advance(dealt.states[-1], step, ENTROPY)
    return replace(dealt, states=(*dealt.states, after), steps=(*dealt.steps, step))


def faulty_steps(opened: PlayedRound) -> Iterator[Faulty]:
    """Openings that are refused; the mover has all tiles, and its shares are good."""
    dealt = replace(opened, states=opened.states[:-1], steps=opened.steps[:-1])
    cases = {
        "worth_too_little": ("A run of 15 points, where 30 are asked for", _lay(dealt, RUN)),
        "with_a_joker": (
            "Two melds worth 42 points, one with a joker, which these rules forbid",
            _lay(dealt, RUN, WITH_JOKER),
        ),
        "left_out": ("A lay of 30 points that names no opening", _lay(dealt, RUN, GROUP, is_opening=False)),
    }
    for name, (notes, event) in cases.items():
        yield Faulty(
            name=f"opening_{name}",
            notes=notes,
            slots=len(dealt.steps),
            steps=((event,),),
            code=FaultCode.ILLEGAL_TURN,
            layer="transcript",
            seat=event.seat,
        )


def _lay(dealt: PlayedRound, *words: str, is_opening: bool = True) -> Event:
    """The mover's lay of these melds from its rack."""
    state = dealt.states[-1]
    mover = state.running_game.to_move
    hand = dealt.hand(state, mover)
    rack = list(hand.values())
    melds: list[Meld] = []
    for faces in words:
        tiles = [next(tile for tile in rack if str(tile) == face) for face in faces.split()]
        rack = [tile for tile in rack if tile not in tiles]
        melds.append(meld_from(tiles))
    turn = Play(melds=tuple(melds), opening=tuple(melds) if is_opening else None)
    return duties.take_turn(state, author(state.terms, mover), dealt.secrets[mover], turn, hand, ENTROPY)[0]
