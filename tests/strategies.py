"""Hypothesis strategies for the values of the rules, shared by all tests."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from p2prummi.rules import (
    PRESETS,
    Colour,
    Group,
    JokerReuse,
    JokerSwapFrom,
    Meld,
    OpeningJoker,
    PoolEmpty,
    Ruleset,
    Run,
    StalemateScoring,
    StalemateWinner,
    Starter,
    TeamOpening,
    Tile,
    TileSet,
)
from p2prummi.rules.fields import WHOLE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn

SMALL_SET, LARGE_SET = TileSet(2, 2), TileSet(3, 4)
JOKER = Tile(None, 0)

presets = st.sampled_from(list(PRESETS.values()))
tile_sets = st.sampled_from([SMALL_SET, LARGE_SET])


def tiles(tile_set: TileSet = LARGE_SET) -> st.SearchStrategy[Tile]:
    """Any tile of a set."""
    return st.sampled_from(tile_set.tiles)


def racks(tile_set: TileSet = SMALL_SET, least: int = 0, most: int = 40) -> st.SearchStrategy[list[Tile]]:
    """Different tiles of a set."""
    return st.lists(tiles(tile_set), min_size=least, max_size=most, unique=True)


@st.composite
def rulesets(draw: DrawFn, /, **fixed: Any) -> Ruleset:
    """Any ruleset that can be played; `fixed` fields are as given."""
    copies = draw(st.sampled_from([2, 3]))
    teams = draw(st.sampled_from([None, 2, 3] if copies == 3 else [None, 2]))
    if teams is None:
        span = sorted(draw(st.tuples(*[st.integers(2, 4 if copies == 2 else 6)] * 2)))
    else:
        span = [6, 6] if teams == 3 else draw(st.sampled_from([[4, 4], [6, 6]] if copies == 3 else [[4, 4]]))
    winner = draw(st.sampled_from(StalemateWinner))
    scoring = StalemateScoring.EVERYONE_PENALISED
    values: dict[str, Any] = {
        "name": draw(st.sampled_from(sorted(PRESETS))),
        "opening_points": draw(_within("opening_points")),
        "opening_joker": draw(st.sampled_from(OpeningJoker)),
        "opening_then_table": draw(st.booleans()),
        "joker_swap_from": draw(st.sampled_from(JokerSwapFrom)),
        "joker_reuse": draw(st.sampled_from(JokerReuse)),
        "joker_penalty": draw(st.sampled_from([30, 50])),
        "turn_seconds": draw(st.none() | _within("turn_seconds")),
        "timeout_draw": draw(st.sampled_from([0, 1, 3])),
        "starter": draw(st.sampled_from(Starter)),
        "deal_passes": draw(st.sampled_from([(14,), (7, 7)])),
        "pool_empty": draw(st.sampled_from(PoolEmpty)),
        "stalemate_winner": winner,
        "stalemate_scoring": scoring
        if winner is StalemateWinner.NOBODY
        else draw(st.sampled_from(StalemateScoring)),
        "unopened_score": draw(st.sampled_from([None, (-100, -200)])),
        "teams": teams,
        "team_opening": draw(st.sampled_from(TeamOpening)),
        "copies": copies,
        "jokers": {2: 2, 3: 4}[copies],
        "players": tuple(span),
        "rounds": draw(_within("rounds")),
        "target_score": draw(st.none() | _within("target_score")),
    }
    return Ruleset(**(values | fixed))


def _within(field: str) -> st.SearchStrategy[int]:
    return st.integers(*WHOLE_NUMBERS[field])


@st.composite
def melds(draw: DrawFn, tile_set: TileSet = LARGE_SET) -> Meld:
    """Any legal meld, its tiles of copy 0 but for jokers."""
    return draw(tables(tile_set, least=1, most=1))[0]


@st.composite
def tables(draw: DrawFn, tile_set: TileSet = SMALL_SET, least: int = 0, most: int = 8) -> tuple[Meld, ...]:
    """Any legal table from a set, its tiles by number."""
    used: Counter[Tile] = Counter()
    found: list[Meld] = []
    for _ in range(draw(st.integers(least, most))):
        wanted = draw(_groups() | _runs())
        chosen = [_joker_or(draw, tile_set, used, face) for face in wanted]
        numbered = [face for face in chosen if not face.is_joker]
        if not numbered or any(
            used[face] + chosen.count(face) > _copies(tile_set, face) for face in set(chosen)
        ):
            continue
        is_group = wanted[0].number == wanted[1].number
        ordered = sorted(chosen, key=lambda face: face.face_index) if is_group else chosen
        placed = []
        for face in ordered:
            placed.append(Tile(face.colour, face.number, used[face]))
            used[face] += 1
        found.append(Group(tuple(placed)) if is_group else Run(tuple(placed)))
    # Draws of nothing but jokers, or of tiles that are used up, are made good with plain runs.
    found += [_spare_run(tile_set, used) for _ in range(least - len(found))]
    return tuple(found)


def _spare_run(tile_set: TileSet, used: Counter[Tile]) -> Run:
    """A run of three tiles that are not used yet; it counts them."""
    for start in range(1, 12):
        for colour in Colour:
            faces = [Tile(colour, number) for number in range(start, start + 3)]
            if all(used[face] < tile_set.copies for face in faces):
                run = Run(tuple(Tile(face.colour, face.number, used[face]) for face in faces))
                used.update(faces)
                return run
    raise AssertionError("tables are small enough to leave some run over")


def _joker_or(draw: DrawFn, tile_set: TileSet, used: Counter[Tile], face: Tile) -> Tile:
    there = used[JOKER] < tile_set.jokers and draw(st.integers(0, 5)) == 0
    return JOKER if there else face


def _copies(tile_set: TileSet, face: Tile) -> int:
    return tile_set.jokers if face.is_joker else tile_set.copies


@st.composite
def _groups(draw: DrawFn) -> Sequence[Tile]:
    colours = draw(st.sets(st.sampled_from(Colour), min_size=3, max_size=4))
    number = draw(st.integers(1, 13))
    return [Tile(colour, number) for colour in sorted(colours)]


@st.composite
def _runs(draw: DrawFn) -> Sequence[Tile]:
    start = draw(st.integers(1, 11))
    end = draw(st.integers(start + 2, min(13, start + 6)))
    colour = draw(st.sampled_from(Colour))
    return [Tile(colour, number) for number in range(start, end + 1)]
