"""The solver against `rummikub-solver` (cvxpy and HiGHS) on the positions of the tests, in one run.

Both solve a position one right after the other, so that a machine whose speed drifts drifts for both; CPU
time, the best of a few tries, since the machine may do other things. `rummikub-solver` does not know the
value of a joker: it is timed for the most tiles and for the most value.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.report import Figure, percentile
from p2prummi.rules import PRESETS, Meld, Tile, meld_from, parse_tiles
from p2prummi.solver import Objective, OpeningChoice, solve

POSITIONS = Path(__file__).resolve().parent.parent.parent / "tests" / "solver" / "positions.json"
RULESET = PRESETS["da-online"]
TRIES = 3
SOLVES = 10_000
OPENING_RACKS = 1000
OBJECTIVES = (
    ("max_tiles", Objective.TILES, 30),
    ("max_value_j0", Objective.VALUE, 0),
    ("max_value_j30", Objective.VALUE, 30),
)
MEASURES: tuple[tuple[str, float, Callable[[list[float]], float]], ...] = (
    ("median", 1 / 10, statistics.median),
    ("p95", 1 / 10, partial(percentile, percent=95)),
    ("worst", 1 / 5, max),
)


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the file."""

    table: tuple[Meld, ...]
    rack: tuple[Tile, ...]
    optima: dict[str, int]


def read_positions() -> list[Position]:
    """All positions of the file."""
    positions = []
    for each in json.loads(POSITIONS.read_text(encoding="utf-8"))["positions"]:
        used: list[Tile] = []
        table = []
        for texts in each["table"]:
            tiles = parse_tiles(texts, taken=used)
            used += tiles
            is_unsaid = sum(not tile.is_joker for tile in tiles) == 1
            table.append(meld_from(tiles, "group" if is_unsaid else None))
        rack = parse_tiles(each["rack"], taken=used)
        optima = {name: each[name] for name, _, _ in OBJECTIVES}
        positions.append(Position(tuple(table), rack, optima))
    return positions


def figures() -> Iterator[Figure]:
    """Solves all positions with both, then openings, then the same positions over and over."""
    positions = read_positions()
    yield from _positions(positions)
    yield from _openings()
    yield from _memory(positions)


def _best_ms(run: Callable[[], object]) -> float:
    return min(_cpu_ms(run) for _ in range(TRIES))


def _cpu_ms(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return (process_time() - start) * 1000


def _solve(position: Position, objective: Objective, joker_value: int) -> tuple[int, int]:
    solution = solve(
        RULESET,
        position.table,
        position.rack,
        opened=True,
        objective=objective,
        joker_value=joker_value,
    )
    return solution.tiles, solution.value


def _positions(positions: list[Position]) -> Iterator[Figure]:
    ours: dict[str, list[float]] = {name: [] for name, _, _ in OBJECTIVES}
    theirs: dict[str, list[float]] = {name: [] for name, _, _ in OBJECTIVES}
    differences = 0
    peer = _Peer()
    # Step tables fill up within a few solves.
    for position in positions[::10]:
        _solve(position, Objective.TILES, 30)
    for position in positions:
        state = peer.state(position)
        for name, objective, joker_value in OBJECTIVES:
            tiles, value = _solve(position, objective, joker_value)
            differences += (tiles if objective is Objective.TILES else value) != position.optima[name]
            ours[name].append(_best_ms(partial(_solve, position, objective, joker_value)))
            theirs[name].append(_best_ms(partial(peer.solve, state, objective)))
    yield Figure(
        name="optima that differ from the file, of 600", value=differences, unit="",
        at_most=0, is_absolute=False,
    )  # fmt: skip
    for name, times in ours.items():
        for what, at_most, of in MEASURES:
            mine, peers = of(times), of(theirs[name])
            yield Figure(
                name=f"{name}: {what} / that of rummikub-solver", value=mine / peers, unit="",
                at_most=at_most, is_absolute=False,
            )  # fmt: skip
            yield Figure(name=f"  {what}", value=mine, unit="ms", at_most=60 if what == "worst" else None)
            yield Figure(name="  of rummikub-solver", value=peers, unit="ms")


class _Peer:
    """`rummikub-solver` with HiGHS."""

    def __init__(self) -> None:
        try:
            import rummikub_solver  # noqa: PLC0415 - only this benchmark needs it
        except ImportError as error:
            raise SystemExit(
                "rummikub-solver is missing; it comes with the libraries of the tests: "
                "python3 scripts/test.py --version"
            ) from error
        self.library: Any = rummikub_solver
        self.rules = rummikub_solver.RuleSet(solver_backend=rummikub_solver.MILPSolver.HIGHS)
        # Its first solve prints a banner among the figures.
        with _stdout_closed():
            self.solve(self.state(Position((), tuple(parse_tiles(["R4", "R5", "R6"])), {})), Objective.TILES)

    def state(self, position: Position) -> Any:
        """The position as it wants it."""
        game = self.rules.new_game()
        game.add_table(*[self._tile(tile) for meld in position.table for tile in meld.tiles])
        game.add_rack(*[self._tile(tile) for tile in position.rack])
        game.initial = False
        return game

    def _tile(self, tile: Tile) -> int:
        # Its colours come in another order, but any order gives the same problem.
        return int(self.rules.tile_count if tile.is_joker else tile.face_index + 1)

    def solve(self, state: Any, objective: Objective) -> None:
        """Solve for the most tiles or the most value."""
        modes = self.library.SolverMode
        self.rules.solve(state, modes.TILE_COUNT if objective is Objective.TILES else modes.TOTAL_VALUE)


@contextmanager
def _stdout_closed() -> Iterator[None]:
    """Lets nothing through to the standard output, not even what a C library writes."""
    sys.stdout.flush()
    kept = os.dup(1)
    with Path(os.devnull).open("w", encoding="utf-8") as nothing:
        os.dup2(nothing.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _openings() -> Iterator[Figure]:
    rng = random.Random(14)  # noqa: S311 - it draws racks
    for choice in OpeningChoice:
        times = []
        for _ in range(OPENING_RACKS):
            rack = rng.sample(RULESET.tile_set.tiles, 14)

            def run(rack: list[Tile] = rack, choice: OpeningChoice = choice) -> None:
                solve(RULESET, (), rack, opened=False, opening=choice)

            times.append(_cpu_ms(run))
        yield Figure(
            name=f"opening of 14 tiles, {choice}: median", value=statistics.median(times), unit="ms",
            at_most=1,
        )  # fmt: skip
        yield Figure(name="  p95", value=percentile(times, 95), unit="ms")


def _memory(positions: list[Position]) -> Iterator[Figure]:
    easy = [position for position in positions if len(position.rack) <= 14]
    rng = random.Random(10_000)  # noqa: S311 - it draws positions
    held = []
    tracemalloc.start()
    for number in range(SOLVES):
        position = rng.choice(easy)
        solve(RULESET, position.table, position.rack, opened=True)
        if number in (SOLVES // 4 - 1, SOLVES - 1):
            held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    yield Figure(
        name=f"memory after {SOLVES} solves / after a quarter of them", value=held[1] / held[0], unit="",
        at_most=1.1, is_absolute=False,
    )  # fmt: skip
    yield Figure(name="  held then", value=held[1] / 1e6, unit="MB")
