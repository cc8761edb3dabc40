"""The phases of play: a turn of the seat to move, and the others' shares for what it draws.

A lay is accepted when the tiles it names are proved to have been on the mover's rack, the table before is the
table after less exactly these tiles, by their numbers, and the rules allow the turn. See `setup.py` for the
functions' form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import Entropy
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import Draw, Game, IllegalTurn, Pass, Play, Turn, take_turn
from p2prummi.transcript.phases import Outcome
from p2prummi.transcript.setup import blamed, collect_shares
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events
from p2prummi.wire.events import Event
from p2prummi.wire.melds import table_from_wire


def turn(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Takes the mover's turn: a lay with its proofs, a draw, or a pass."""
    (event,) = step
    try:
        match event.payload:
            case events.Play() as payload:
                return _lay(state, event, payload)
            case events.Draw():
                return _draw(state, event.seat)
            case _:
                return _ended_or_more(replace(state, game=_take(state, Pass()), drawn_last=_drew(state, ())))
    except RemoteProtocolError as error:
        raise blamed(error, state, event.seat) from error


def draw_share(state: RoundState, step: Sequence[Event], _entropy: Entropy) -> tuple[RoundState, Outcome]:
    """Takes all others' shares for the drawn indices; the drawer alone can open them now."""
    return _ended_or_more(replace(collect_shares(state, step), drawer=None, drawn=()))


def _ended_or_more(state: RoundState) -> tuple[RoundState, Outcome]:
    return state, Outcome.MORE if state.running_game.ended is None else Outcome.ENDED


def _take(state: RoundState, taken: Turn) -> Game:
    """Asks the rules for the game after this turn, naming all that is wrong with it."""
    try:
        return take_turn(state.running_game, taken)
    except IllegalTurn as error:
        raise RemoteProtocolError(FaultCode.ILLEGAL_TURN, str(error)) from error


def _drew(state: RoundState, indices: tuple[int, ...]) -> tuple[tuple[int, ...] | None, ...]:
    """What each seat drew in its last turn, now that the mover has drawn `indices`."""
    mover = state.running_game.to_move
    return tuple(indices if seat == mover else last for seat, last in enumerate(state.drawn_last))


def _draw(state: RoundState, seat: int) -> tuple[RoundState, Outcome]:
    game = _take(state, Draw())
    drawn = (len(state.holders),)
    drawing = replace(
        state,
        game=game,
        drawer=seat,
        drawn=drawn,
        drawn_last=_drew(state, drawn),
        holders=state.holders + (seat,) * len(drawn),
    )
    return drawing, Outcome.DREW


def _lay(state: RoundState, event: Event, payload: events.Play) -> tuple[RoundState, Outcome]:
    laid = _check_laid(state, event.seat, payload)
    _check_tiles_held(state, event, payload, laid)
    tile_set = state.terms.ruleset.tile_set
    melds = table_from_wire(payload.melds, tile_set)
    if any(position >= len(melds) for position in payload.opening) or list(payload.opening) != sorted(
        set(payload.opening)
    ):
        raise RemoteProtocolError(
            FaultCode.ILLEGAL_TURN, "the opening is not an ascending list of the table's melds"
        )
    opening = tuple(melds[position] for position in payload.opening)
    game = _take(state, Play(melds=melds, opening=opening or None))
    after = replace(
        state,
        game=game,
        drawn_last=_drew(state, ()),
        laid={**state.laid, **laid},
        shares={index: shares for index, shares in state.shares.items() if index not in laid},
    )
    return _ended_or_more(after)


def _check_laid(state: RoundState, seat: int, payload: events.Play) -> Mapping[int, int]:
    """Returns the laid tiles by deck index, once the numbers show that nothing else has come.

    That nothing has gone is for the rules to judge.
    """
    laid = {index: tile for tile, index in payload.laid}
    indices = [index for _, index in payload.laid]
    if indices != sorted(laid):
        raise RemoteProtocolError(
            FaultCode.WRONG_INDEX, "the laid tiles are not in ascending order of distinct indices"
        )
    if not set(indices) <= set(state.indices_held(seat)):
        raise RemoteProtocolError(
            FaultCode.WRONG_INDEX, f"seat {seat} does not hold all of these deck indices"
        )
    tile_set = state.terms.ruleset.tile_set
    before = {tile_set.number(tile) for meld in state.running_game.table for tile in meld.tiles}
    after = {number for _, numbers in payload.melds for number in numbers}
    if after - before != set(laid.values()) or len(laid) != len(set(laid.values())):
        raise RemoteProtocolError(
            FaultCode.ILLEGAL_TURN, "the tiles new on the table are not those said to be laid"
        )
    return laid


def _check_tiles_held(state: RoundState, event: Event, payload: events.Play, laid: Mapping[int, int]) -> None:
    """Checks with the mover's own shares that each index really opens to the tile said to come from it."""
    indices = tuple(laid)
    points = decks.verify_shares(
        state.proof_context(event.prev),
        state.publics[event.seat],
        state.deck,
        indices,
        decks.Shares(points=payload.shares, proof=payload.proof),
    )
    for index, own in zip(indices, points, strict=True):
        if decks.open_tile(state.deck, index, (*state.shares[index], own)) != laid[index]:
            raise RemoteProtocolError(FaultCode.TILE_NOT_HELD, f"deck index {index} holds another tile")
