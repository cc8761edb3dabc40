"""The public state of a round: whose turn it is, what lies on the table, and when the round ends.

- Seats play in ascending order, cyclically; a seat that left is skipped.
- A round ends with an empty rack, or once the pool is empty, by the ruleset's `pool_empty`.
- Racks are known by their sizes only: which tiles they hold is for their owners, and proved elsewhere.
Who may do what in a turn: `p2prummi.rules.judging`. How the round starts: `p2prummi.rules.start`. What it is
worth: `p2prummi.rules.scoring`. Source: protocol/spec/rules.md, "The round".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from p2prummi.errors import LocalProtocolError
from p2prummi.rules.faults import TurnFaultCode, fault
from p2prummi.rules.fields import PoolEmpty, TeamOpening
from p2prummi.rules.judging import judge
from p2prummi.rules.ruleset import TILES_DEALT
from p2prummi.rules.turns import Draw, IllegalTurn, Pass

if TYPE_CHECKING:
    from collections.abc import Collection

    from p2prummi.rules.melds import Meld
    from p2prummi.rules.ruleset import Ruleset
    from p2prummi.rules.tiles import Tile
    from p2prummi.rules.turns import Turn

PlainValue: TypeAlias = "int | str | list[PlainValue]"
Value = TypeVar("Value")


class EndReason(StrEnum):
    """Why a round is over."""

    RUMMIKUB = "rummikub"
    POOL_EMPTY = "pool_empty"
    LAST_TURNS_TAKEN = "last_turns_taken"
    ALL_PASSED = "all_passed"
    OTHERS_LEFT = "others_left"


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a round ended: why, who won it (None for a stalemate), and whose turn would have come."""

    reason: EndReason
    winner: int | None
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The public state of a round after `turn_number` turns; tuples are by seat.

    `passed` holds the seats that passed in a row up to now, while the pool is empty. `last_turns` holds the
    seats that still have a turn, in order, once the pool is empty under `one_more_turn_each`; None before.
    `drawn_last` counts the tiles drawn in each seat's last turn; None for a seat without a turn. `left` holds
    the seats that left. `to_move` is the seat whose turn it is, or would be, were the round not over.
    """

    ruleset: Ruleset
    players: int
    table: tuple[Meld, ...]
    opened: tuple[bool, ...]
    rack_sizes: tuple[int, ...]
    pool_left: int
    to_move: int
    turn_number: int = 0
    passed: tuple[int, ...] = ()
    last_turns: tuple[int, ...] | None = None
    drawn_last: tuple[int | None, ...]
    left: tuple[int, ...] = ()
    ended: End | None = None

    @property
    def passes(self) -> int:
        """How many passes in a row there were, up to now."""
        return len(self.passed)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that still play."""
        return tuple(seat for seat in range(self.players) if seat not in self.left)

    def to_value(self) -> dict[str, PlainValue]:
        """The state as plain values, for hashing: tiles by number, -1 for none."""
        tile_set = self.ruleset.tile_set
        ended = self.ended
        return {
            "drawn_last": [-1 if count is None else count for count in self.drawn_last],
            "ended": [] if ended is None else [str(ended.reason), _or_minus_one(ended.winner), ended.next],
            "last_turns": [] if self.last_turns is None else list(self.last_turns),
            "left": list(self.left),
            "opened": [int(opened) for opened in self.opened],
            "passed": list(self.passed),
            "pool_left": self.pool_left,
            "rack_sizes": list(self.rack_sizes),
            "table": [[meld.kind, [tile_set.number(tile) for tile in meld.tiles]] for meld in self.table],
            "to_move": self.to_move,
            "turn_number": self.turn_number,
        }


def new_game(ruleset: Ruleset, players: int, starter: int, left: Collection[int] = ()) -> Game:
    """The state right after the deal; LocalProtocolError where the rules don't allow so many players.

    `left` holds the seats that have left the match before: they are dealt nothing and skipped.
    """
    if not ruleset.allows_players(players):
        raise LocalProtocolError(f"these rules are for {ruleset.players[0]} to {ruleset.players[1]} players")
    if starter in left or not 0 <= starter < players:
        raise LocalProtocolError(f"seat {starter} can't start: it isn't in the round")
    sizes = tuple(0 if seat in left else TILES_DEALT for seat in range(players))
    return Game(
        ruleset=ruleset,
        players=players,
        table=(),
        opened=(False,) * players,
        rack_sizes=sizes,
        pool_left=ruleset.tile_set.size - sum(sizes),
        to_move=starter,
        drawn_last=(None,) * players,
        left=tuple(sorted(left)),
    )


def take_turn(game: Game, turn: Turn, rack: Collection[Tile] | None = None) -> Game:
    """The state after the mover's turn; IllegalTurn where the rules refuse it, with all its faults.

    `rack` is the mover's rack where it is known.
    """
    _require_running(game)
    seat = game.to_move
    judgement = judge(
        turn,
        ruleset=game.ruleset,
        table=game.table,
        opened=game.opened[seat],
        pool_left=game.pool_left,
        rack=rack,
    )
    faults = judgement.faults
    held = game.rack_sizes[seat]
    if len(judgement.laid) > held:
        count = len(judgement.laid)
        faults = (*faults, fault(TurnFaultCode.MORE_THAN_RACK, count=count, rack=held))
    if faults:
        raise IllegalTurn(faults)
    match turn:
        case Draw():
            return _after_turn(game, drawn=1)
        case Pass():
            return _after_turn(game, drawn=0, passing=True)
    opens = {seat}
    if game.ruleset.team_opening is TeamOpening.SHARED:
        opens |= {mate for mate in range(game.players) if _same_team(game.ruleset, mate, seat)}
    laid = replace(
        game,
        table=turn.melds,
        opened=tuple(opened or each in opens for each, opened in enumerate(game.opened)),
        rack_sizes=_changed(game.rack_sizes, seat, held - len(judgement.laid)),
    )
    return _after_turn(laid, drawn=0)


def take_timeout(game: Game) -> Game:
    """The state after the mover's time is up: table and rack as before, `timeout_draw` tiles drawn.

    It takes what is left of the pool; with an empty pool it is a pass.
    """
    _require_running(game)
    drawn = min(game.ruleset.timeout_draw, game.pool_left)
    return _after_turn(game, drawn=drawn, passing=game.pool_left == 0)


def leave(game: Game, seat: int) -> Game:
    """The state after a seat has left, on turn or off: its rack is set aside, its turns are skipped."""
    _require_running(game)
    if seat not in game.seats:
        raise LocalProtocolError(f"seat {seat} doesn't play in this round")
    # Its pass counts no longer: the round ends when all who still play have passed.
    gone = replace(
        game,
        left=tuple(sorted((*game.left, seat))),
        passed=tuple(other for other in game.passed if other != seat),
        last_turns=_without(game.last_turns, seat),
    )
    if game.to_move == seat:
        gone = replace(gone, to_move=_next_seat(gone))
    if len(gone.seats) == 1:
        (last,) = gone.seats
        return replace(gone, ended=End(reason=EndReason.OTHERS_LEFT, winner=last, next=last))
    return _ended_by_pool(gone)


def _after_turn(game: Game, *, drawn: int, passing: bool = False) -> Game:
    """The state after the mover's turn, its lay done: tiles drawn, the next seat, the end of the round."""
    seat = game.to_move
    emptied = drawn > 0 and drawn == game.pool_left
    after = replace(
        game,
        rack_sizes=_changed(game.rack_sizes, seat, game.rack_sizes[seat] + drawn),
        pool_left=game.pool_left - drawn,
        turn_number=game.turn_number + 1,
        passed=(*game.passed, seat) if passing else (),
        last_turns=_without(game.last_turns, seat),
        drawn_last=_changed(game.drawn_last, seat, drawn),
        to_move=_next_seat(game),
    )
    if after.rack_sizes[seat] == 0:
        return replace(after, ended=End(reason=EndReason.RUMMIKUB, winner=seat, next=after.to_move))
    if emptied and game.ruleset.pool_empty is PoolEmpty.ROUND_ENDS:
        return _stalemate(after, EndReason.POOL_EMPTY)
    if emptied and game.ruleset.pool_empty is PoolEmpty.ONE_MORE_TURN_EACH:
        seats = sorted(after.seats, key=lambda each: (each - after.to_move) % game.players)
        return replace(after, last_turns=tuple(seats))
    return _ended_by_pool(after)


def _ended_by_pool(game: Game) -> Game:
    """The state, ended if the turns that an empty pool leaves have all been taken or passed."""
    if game.last_turns == ():
        return _stalemate(game, EndReason.LAST_TURNS_TAKEN)
    # Under `one_more_turn_each` who has passed has no turn left, so this comes true only with the above.
    if set(game.seats) <= set(game.passed):
        return _stalemate(game, EndReason.ALL_PASSED)
    return game


def _stalemate(game: Game, reason: EndReason) -> Game:
    return replace(game, ended=End(reason=reason, winner=None, next=game.to_move))


def _next_seat(game: Game) -> int:
    """The seat after the mover that still plays."""
    return min(game.seats, key=lambda seat: (seat - game.to_move - 1) % game.players)


def _same_team(ruleset: Ruleset, one: int, other: int) -> bool:
    return ruleset.team_of(one) == ruleset.team_of(other)


def _changed(values: tuple[Value, ...], seat: int, value: Value) -> tuple[Value, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _without(seats: tuple[int, ...] | None, seat: int) -> tuple[int, ...] | None:
    return None if seats is None else tuple(each for each in seats if each != seat)


def _or_minus_one(seat: int | None) -> int:
    return -1 if seat is None else seat


def _require_running(game: Game) -> None:
    if game.ended is not None:
        raise LocalProtocolError("the round is over: no seat can take a turn")
