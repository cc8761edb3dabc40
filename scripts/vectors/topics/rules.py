"""Vectors of the rules that no proof shows: who starts, who is dealt what, and what a round is worth.

Nothing of this can be refused; what comes of another answer is a faulty step of a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from p2prummi.crypto.deck import coin_draw
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.rules import (
    PRESETS,
    Ruleset,
    deal_order,
    parse_tiles,
    score_round,
    starter_from_coin,
    with_settings,
)
from vectors.notation import to_json
from vectors.vector import Vector

ENTROPY = SeededEntropy(b"vectors of rules")
LARGE = ("copies=3", "jokers=4", "players=2-6")
# Values 6, 12, 35, 19, 2 and 13.
RACKS = ("K6", "K1 K2 B2 B7", "J R5", "O9 O10", "K2", "R13")


def vectors() -> Iterator[Vector]:
    """All vectors of this topic."""
    yield from _starters()
    yield from _deals()
    yield from _scores()
    yield from _unopened_scores()


def _starters() -> Iterator[Vector]:
    for kind, seats, fields in (
        ("highest_tile", 2, ()),
        ("highest_tile", 3, ()),
        ("highest_tile", 4, ()),
        ("highest_tile", 6, LARGE),
        ("random", 3, ()),
        ("random", 6, LARGE),
    ):
        ruleset = with_settings(PRESETS["official"], [f"starter={kind}", *fields])
        coin, notes = _coin_of(ruleset, seats)
        yield Vector(
            name=f"starter_{kind}_of_{seats}",
            notes=notes,
            operation="starter",
            inputs={"ruleset": to_json(ruleset.to_dict()), "seats": seats, "coin": coin.hex()},
            outputs={"seat": starter_from_coin(ruleset, seats, coin_draw(coin)).seat},
        )


def _coin_of(ruleset: Ruleset, seats: int) -> tuple[bytes, str]:
    """A coin by which another seat than 0 starts, where tiles are drawn after a tie for the highest."""
    drawn_twice = ruleset.starter == "highest_tile"
    while True:
        coin = ENTROPY(32)
        starting = starter_from_coin(ruleset, seats, coin_draw(coin))
        if starting.seat and len(starting.draws) == 2 * drawn_twice:
            words = "Two or more tie for the highest tile and draw again" if drawn_twice else "Any seat"
            return coin, f"{words}: seat {starting.seat} of {seats} starts"


def _deals() -> Iterator[Vector]:
    for seats, passes in product((2, 3, 4, 6), ("14", "7,7")):
        fields = LARGE if seats == 6 else ()
        ruleset = with_settings(PRESETS["official"], [f"deal_passes={passes}", *fields])
        starter = seats - 1 if passes == "14" else 1
        words = "one pass" if passes == "14" else "two passes"
        yield Vector(
            name=f"deal_to_{seats}_in_{words.replace(' ', '_')}",
            notes=f"The seats that the tiles go to in {words}, from seat {starter} of {seats} on",
            operation="deal",
            inputs={"ruleset": to_json(ruleset.to_dict()), "seats": seats, "starter": starter},
            outputs={"dealt_to": list(deal_order(ruleset, seats, starter))},
        )


def _scores() -> Iterator[Vector]:
    four, six = ("teams=2", "players=4"), ("copies=3", "jokers=4", "players=6")
    cases: dict[str, tuple[str, tuple[str, ...], int, int]] = {
        "of_four": ("Seat 0 goes out", ("players=4",), 0, 1),
        "of_two_teams": ("Seat 0 goes out: its partner's loss is the team's too", four, 0, 1),
        "of_three_teams_of_six": ("Seat 0 goes out, in three teams", (*six, "teams=3"), 0, 1),
        "of_two_teams_of_six": ("Seat 0 goes out, in two teams", (*six, "teams=2"), 0, 1),
        "of_teams_difference": ("A stalemate: each loses the difference", four, -1, 2),
        "of_teams_standard": (
            "A stalemate: each loses its value",
            (*four, "stalemate_scoring=standard"),
            -1,
            2,
        ),
        "of_teams_penalised": (
            "A stalemate: everyone loses its value, the winner too",
            (*four, "stalemate_scoring=everyone_penalised"),
            -1,
            2,
        ),
        "of_teams_fewest_tiles": (
            "A stalemate between one tile of 2 and one of 13, and others with more",
            (*six, "teams=3", "stalemate_winner=fewest_tiles", "joker_penalty=50"),
            -1,
            5,
        ),
    }
    for name, (notes, fields, winner, following) in cases.items():
        ruleset = with_settings(PRESETS["official"], fields)
        seats = ruleset.players[0]
        yield _score(name, notes, ruleset, _racks(seats, winner), winner, following)


def _racks(seats: int, winner: int) -> list[str]:
    return ["" if seat == winner else words for seat, words in enumerate(RACKS[:seats])]


def _unopened_scores() -> Iterator[Vector]:
    """Seats that never opened. A seat's drawn tiles are the last ones of its rack; None: it had no turn."""
    ruleset = with_settings(PRESETS["da-online"], ["players=4"])
    holding = "R10 R11 R12"
    cases: dict[str, tuple[str, list[str], int, dict[int, int | None], tuple[str, ...]]] = {
        "no_opening": ("Seat 2 never opened and could not", list(RACKS[:4]), -1, {2: 0}, ()),
        "an_opening": ("Seat 2 could have opened", [*RACKS[:2], holding, RACKS[3]], -1, {2: 0}, ()),
        "an_opening_by_a_joker": (
            "A joker makes 33 points",
            [*RACKS[:2], "R10 R12 J", RACKS[3]],
            -1,
            {2: 0},
            (),
        ),
        "a_joker_forbidden": (
            "A joker would make 33 points, and may not",
            [*RACKS[:2], "R10 R12 J", RACKS[3]],
            -1,
            {2: 0},
            ("opening_joker=forbidden",),
        ),
        "an_opening_drawn_last": (
            "Seat 2 could open with the tile that it drew in its last turn, and not before",
            [*RACKS[:2], holding, RACKS[3]],
            -1,
            {2: 1},
            (),
        ),
        "no_turn": (
            "Seat 2 holds an opening, and had no turn",
            ["", *RACKS[1:2], holding, RACKS[3]],
            0,
            {2: None},
            (),
        ),
        "nobody": ("Nobody opened, so nobody wins", list(RACKS[:4]), -1, dict.fromkeys(range(4), 0), ()),
        "of_teams": ("One seat of each team never opened", ["", *RACKS[1:4]], 0, {2: 0, 3: 0}, ("teams=2",)),
    }
    for name, (notes, racks, winner, unopened, fields) in cases.items():
        yield _score(f"unopened_{name}", notes, with_settings(ruleset, fields), racks, winner, 1, unopened)


def _score(
    name: str,
    notes: str,
    ruleset: Ruleset,
    racks: Sequence[str],
    winner: int,
    following: int,
    unopened: Mapping[int, int | None] | None = None,
) -> Vector:
    never = unopened or {}
    seats = range(len(racks))
    tiles = [parse_tiles(words) for words in racks]
    drawn = [
        None if never.get(seat, 0) is None else tiles[seat][len(tiles[seat]) - (never.get(seat) or 0) :]
        for seat in seats
    ]
    opened = [seat not in never for seat in seats]
    scores = score_round(
        ruleset,
        racks=tiles,
        opened=opened,
        winner=None if winner == -1 else winner,
        next_seat=following,
        drawn_last=drawn,
    )
    numbers = ruleset.tile_set.number
    return Vector(
        name=f"score_{name}",
        notes=f"{notes}; racks: {' | '.join(words or 'none' for words in racks)}",
        operation="score",
        inputs={
            "ruleset": to_json(ruleset.to_dict()),
            "racks": [list(map(numbers, rack)) for rack in tiles],
            "opened": list(map(int, opened)),
            "drawn_last": [-1 if each is None else list(map(numbers, each)) for each in drawn],
            "winner": winner,
            "next": following,
        },
        outputs={"points": list(scores.points), "team_points": list(scores.team_points)},
    )
