"""The end of a round: all keys are shown, every rack and the pool open, and everyone signs the same points.

See `setup.py` for the functions' form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import Entropy
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import RoundScores, Tile, score_round
from p2prummi.transcript.phases import Outcome
from p2prummi.transcript.setup import blamed, payloads
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event


def settle(state: RoundState, step: Sequence[Event], entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Checks every key share against its public half, opens all tiles and works out the scores."""
    check_secrets(state, step, entropy)
    secrets = [payload.secret for payload in payloads(step, events.Settle)]
    numbers = decks.open_tiles(state.deck, range(state.deck.size), secrets)
    tiles = [state.terms.ruleset.tile_set.tile(number) for number in numbers]
    racks = tuple(
        tuple(tiles[index] for index in state.indices_held(seat)) for seat in range(state.terms.players)
    )
    settled = replace(state, racks=racks, pool=tuple(tiles[len(state.holders) :]))
    return replace(settled, scores=_scores(settled, tiles)), Outcome.COMPLETE


def check_secrets(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> None:
    """Checks that each of these shows the secret of its seat's public key."""
    for event, payload in zip(step, payloads(step, events.Settle), strict=True):
        try:
            if decks.public_of(payload.secret) != state.publics[event.seat]:
                raise RemoteProtocolError(
                    FaultCode.COMMITMENT_MISMATCH,
                    f"seat {event.seat} shows a secret that is not its key's",
                )
        except RemoteProtocolError as error:
            raise blamed(error, state, event.seat) from error


def _scores(state: RoundState, tiles: Sequence[Tile]) -> RoundScores:
    game = state.running_game
    assert game.ended is not None, "a round is settled once it has ended"
    return score_round(
        state.terms.ruleset,
        racks=state.racks,
        opened=game.opened,
        winner=game.ended.winner,
        next_seat=game.ended.next,
        drawn_last=[
            None if drawn is None else [tiles[index] for index in drawn] for drawn in state.drawn_last
        ],
    )


def result(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Checks that everyone signs the points that everyone worked out."""
    assert state.scores is not None, "the scores are known since the settlement"
    for event, payload in zip(step, payloads(step, events.Result), strict=True):
        if payload.points != state.scores.points:
            raise RemoteProtocolError(
                FaultCode.WRONG_RESULT,
                f"seat {event.seat} signs other points than the round has",
                state.terms.keys[event.seat],
            )
    return state, Outcome.COMPLETE
