"""The notices of a round, made from its states and events: what happened, for whoever shows it."""

from __future__ import annotations

from collections.abc import Sequence

from p2prummi.rules import Draw, Pass, Play, Tile, Turn
from p2prummi.session import notices
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event
from p2prummi.wire.melds import table_from_wire


def phase_progress(state: RoundState, held: Sequence[Event]) -> notices.PhaseProgress:
    """Which seats have done their part of the state's phase, by the events held for its slot."""
    return notices.PhaseProgress(
        round_number=state.terms.number, phase=state.phase, seats_done=tuple(event.seat for event in held)
    )


def deck_verified(state: RoundState) -> notices.DeckVerified:
    """All shuffles are proved: the state is the one after the prove phase."""
    assert state.starting is not None, "the starter is known since the reveal"
    return notices.DeckVerified(
        round_number=state.terms.number,
        proofs=state.terms.players,
        tiles=state.deck.size,
        starting=state.starting,
    )


def dealt(state: RoundState, rack: tuple[Tile, ...]) -> notices.Dealt:
    """One's own rack is open to oneself."""
    return notices.Dealt(round_number=state.terms.number, rack=rack, game=state.running_game)


def turn_started(state: RoundState, seat: int, rack: tuple[Tile, ...]) -> notices.TurnStarted:
    """The state waits for a turn; `seat` and `rack` are one's own."""
    game = state.running_game
    return notices.TurnStarted(
        round_number=state.terms.number,
        sequence=state.sequence,
        seat=game.to_move,
        mine=game.to_move == seat,
        game=game,
        rack=rack,
    )


def turn_taken(state: RoundState, event: Event) -> notices.TurnTaken:
    """The turn that led to this state."""
    tile_set = state.terms.ruleset.tile_set
    laid: tuple[Tile, ...] = ()
    turn: Turn = Pass()
    match event.payload:
        case events.Play(melds=wires, opening=opening, laid=proved):
            melds = table_from_wire(wires, tile_set)
            turn = Play(melds=melds, opening=tuple(melds[position] for position in opening) or None)
            laid = tuple(tile_set.tile(number) for number, _ in proved)
        case events.Draw():
            turn = Draw()
    return notices.TurnTaken(
        round_number=state.terms.number,
        sequence=event.sequence,
        seat=event.seat,
        turn=turn,
        laid=laid,
        game=state.running_game,
        head=state.head,
    )
