"""What a turn does to the public state of play, and what a round is worth (rules.md).

Not judged here: turns over a table that holds jokers, openings of teams, and, in whole rounds, the scores of
seats that never opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verifier.melds import GROUP, NUMBERS, check_table, colour, number
from verifier.opening import holds_opening
from verifier.refusal import NotJudgedError, require

Meld = tuple[int, tuple[int, ...]]
Rules = dict[str, Any]


@dataclass(frozen=True)
class Game:
    """The public state of play."""

    rules: Rules
    to_move: int
    pool_left: int
    opened: tuple[bool, ...]
    rack_sizes: tuple[int, ...]
    drawn_last: tuple[int, ...]
    table: tuple[Meld, ...] = ()
    passed: tuple[int, ...] = ()
    last_turns: tuple[int, ...] = ()
    ended: tuple[str, int, int] | None = None
    turn_number: int = 0

    @property
    def first_joker(self) -> int:
        """The least number of a joker."""
        return 52 * int(self.rules["copies"])

    def written(self) -> dict[str, Any]:
        """The map that the public state holds."""
        return {
            "drawn_last": list(self.drawn_last),
            "ended": list(self.ended or ()),
            "last_turns": list(self.last_turns),
            "left": [],
            "opened": [int(opened) for opened in self.opened],
            "passed": list(self.passed),
            "pool_left": self.pool_left,
            "rack_sizes": list(self.rack_sizes),
            "table": [["group" if kind == GROUP else "run", list(tiles)] for kind, tiles in self.table],
            "to_move": self.to_move,
            "turn_number": self.turn_number,
        }


def tiles_of_set(rules: Rules) -> int:
    """How many tiles a set holds."""
    return 52 * int(rules["copies"]) + int(rules["jokers"])


def starter(rules: Rules, seats: int, below: Callable[[int], int]) -> int:
    """The seat that starts the first round, by numbers drawn from the joint coin."""
    if rules["starter"] == "random":
        return below(seats)
    size, first_joker = tiles_of_set(rules), 52 * rules["copies"]
    drawing, rest = list(range(seats)), list(range(size))
    while len(drawing) > 1:
        if len(rest) < len(drawing):
            rest = list(range(size))
        drawn = {seat: rest.pop(below(len(rest))) for seat in drawing}
        height = {seat: NUMBERS + 1 if tile >= first_joker else number(tile) for seat, tile in drawn.items()}
        drawing = [seat for seat in drawing if height[seat] == max(height.values())]
    return drawing[0]


def dealt_to(rules: Rules, seats: int, first: int) -> tuple[int, ...]:
    """The seat that each dealt index goes to, from deck index 0 on."""
    return tuple(
        (first + turn) % seats
        for taken in rules["deal_passes"]
        for turn in range(seats)
        for _ in range(taken)
    )


def begin(rules: Rules, seats: int, first: int) -> Game:
    """The state before the first turn."""
    rack = sum(rules["deal_passes"])
    return Game(
        rules=rules,
        to_move=first,
        pool_left=tiles_of_set(rules) - rack * seats,
        opened=(False,) * seats,
        rack_sizes=(rack,) * seats,
        drawn_last=(-1,) * seats,
    )


def _legal(holds: bool) -> None:
    require(holds, "illegal_turn", layer="transcript")


def _set(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _next_turn(game: Game, *, drawn: int, laid: int, passed: tuple[int, ...]) -> Game:
    """What every turn changes, and whether the round ends with it."""
    mover, seats = game.to_move, len(game.rack_sizes)
    following = (mover + 1) % seats
    rack = game.rack_sizes[mover] + drawn - laid
    last_turns = game.last_turns[1:]
    ended = None
    took_last = drawn > 0 and game.pool_left == 0
    if rack == 0:
        ended = ("rummikub", mover, following)
    elif took_last and game.rules["pool_empty"] == "round_ends":
        ended = ("pool_empty", -1, following)
    elif took_last and game.rules["pool_empty"] == "one_more_turn_each":
        last_turns = tuple((following + turn) % seats for turn in range(seats))
    elif game.last_turns and not last_turns:
        ended = ("last_turns_taken", -1, following)
    elif game.rules["pool_empty"] == "until_all_pass" and len(passed) == seats:
        ended = ("all_passed", -1, following)
    return replace(
        game,
        to_move=following,
        rack_sizes=_set(game.rack_sizes, mover, rack),
        drawn_last=_set(game.drawn_last, mover, drawn),
        passed=passed,
        last_turns=last_turns,
        ended=ended,
        turn_number=game.turn_number + 1,
    )


def draw(game: Game) -> Game:
    """The mover draws one tile."""
    _legal(game.pool_left > 0)
    return _next_turn(replace(game, pool_left=game.pool_left - 1), drawn=1, laid=0, passed=())


def pass_turn(game: Game) -> Game:
    """The mover passes."""
    _legal(game.pool_left == 0)
    return _next_turn(game, drawn=0, laid=0, passed=(*game.passed, game.to_move))


def check_tiles(game: Game, melds: Sequence[Meld], laid: Sequence[int]) -> None:
    """The table after holds what it held before and what is laid, each once."""
    before = [tile for _, tiles in game.table for tile in tiles]
    after = [tile for _, tiles in melds for tile in tiles]
    _legal(sorted(after) == sorted([*before, *laid]) and len(set(after)) == len(after))


def lay(game: Game, melds: Sequence[Meld], opening: Sequence[int], laid: Sequence[int]) -> Game:
    """The mover lays tiles; `check_tiles` holds."""
    check_table(game.rules["copies"], game.rules["jokers"], melds)
    _legal(list(opening) == sorted(set(opening)) and all(place < len(melds) for place in opening))
    if game.opened[game.to_move]:
        _legal(not opening)
    else:
        _check_opening(game, melds, [melds[place] for place in opening], set(laid))
    if any(tile >= game.first_joker for _, tiles in game.table for tile in tiles):
        raise NotJudgedError("a joker lies on the table before the turn")
    if game.rules["team_opening"] == "shared" and game.rules["teams"] != "none":
        raise NotJudgedError("an opening of a team")
    opened = _set(game.opened, game.to_move, True)
    laying = replace(game, table=tuple(melds), opened=opened)
    return _next_turn(laying, drawn=0, laid=len(laid), passed=())


def _check_opening(game: Game, melds: Sequence[Meld], witness: Sequence[Meld], laid: set[int]) -> None:
    """All tiles of the witness are laid, it is worth enough, and by most rules nothing else happens."""
    shown = [tile for _, tiles in witness for tile in tiles]
    _legal(bool(witness) and set(shown) <= laid)
    _legal(sum(_value(meld, game.first_joker) for meld in witness) >= game.rules["opening_points"])
    jokers = [tile for tile in shown if tile >= game.first_joker]
    _legal(not jokers or game.rules["opening_joker"] != "forbidden")
    if game.rules["opening_then_table"]:
        _legal(set(shown) == laid)
        if jokers:
            raise NotJudgedError("a joker in an opening after which the turn goes on")
    else:
        faces = [_faces(meld, game.first_joker) for meld in melds]
        _legal(Counter(faces) == Counter(_faces(meld, game.first_joker) for meld in [*game.table, *witness]))


def _faces(meld: Meld, first_joker: int) -> tuple[int, tuple[tuple[int, int], ...]]:
    """A meld by kind and faces; no colour and no number stand for a joker."""
    kind, tiles = meld
    return kind, tuple((-1, -1) if tile >= first_joker else (colour(tile), number(tile)) for tile in tiles)


def _value(meld: Meld, first_joker: int) -> int:
    """A group: its number times its tiles. A run: the sum of the numbers of its places."""
    kind, tiles = meld
    place, tile = next((place, tile) for place, tile in enumerate(tiles) if tile < first_joker)
    if kind == GROUP:
        return number(tile) * len(tiles)
    return sum(number(tile) - place + other for other in range(len(tiles)))


def points(game: Game, racks: Sequence[Sequence[int]]) -> list[int]:
    """The points of a round that has ended, by seat."""
    if game.ended is None:
        raise TypeError
    if game.rules["unopened_score"] != "none":
        raise NotJudgedError("scores of seats that never opened, at the end of a whole round")
    _, winner, following = game.ended
    return score(game.rules, racks, winner, following, unopened={})


def score(
    rules: Rules,
    racks: Sequence[Sequence[int]],
    winner: int,
    following: int,
    *,
    unopened: Mapping[int, Sequence[int] | None],
) -> list[int]:
    """The points by seat.

    `winner` is -1 in a stalemate, `following` would be next to move. `unopened` holds, of seats that never
    opened, the rack at the start of the last turn, or None where there was no turn.
    """
    penalty, first_joker = rules["joker_penalty"], 52 * rules["copies"]
    seats = range(len(racks))
    values = [sum(penalty if tile >= first_joker else number(tile) for tile in rack) for rack in racks]
    stalemate = winner == -1
    punished = {} if rules["unopened_score"] == "none" else dict(unopened)
    able = [seat for seat in seats if seat not in punished]
    if stalemate and able and rules["stalemate_winner"] != "nobody":
        order = {
            "lowest_value": lambda seat: (values[seat], len(racks[seat]), (seat - following) % len(racks)),
            "fewest_tiles": lambda seat: (len(racks[seat]), values[seat], (seat - following) % len(racks)),
        }
        winner = min(able, key=order[rules["stalemate_winner"]])
    scoring = rules["stalemate_scoring"] if stalemate else "standard"
    less = values[winner] if winner != -1 and scoring == "difference" else 0
    losses = [max(0, value - less) for value in values]
    found = [-loss for loss in losses]
    for seat, rack in punished.items():
        without, with_opening = rules["unopened_score"]
        found[seat] = with_opening if rack is not None and holds_opening(rules, rack) else without
    if winner != -1 and scoring != "everyone_penalised":
        found[winner] = sum(losses) - losses[winner]
    return found


def team_points(rules: Rules, by_seat: Sequence[int]) -> list[int]:
    """The points by team, each its seats' points added; without teams every seat is its own."""
    teams = len(by_seat) if rules["teams"] == "none" else rules["teams"]
    return [sum(by_seat[team::teams]) for team in range(teams)]
