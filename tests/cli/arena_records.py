"""Records of games that nobody has played, for the tests of what the arena says of them."""

from __future__ import annotations

from p2prummi.arena import DealRecord, GameRecord


def record(deal: int, *games: tuple[tuple[int, int], int | None]) -> DealRecord:
    """A deal of two seats: the points and the winning seat of each game, whose sides change seats."""
    made = tuple(
        GameRecord(
            seating=(0, 1) if number % 2 == 0 else (1, 0),
            points=points,
            winners=() if winner is None else (winner,),
            turns=20,
        )
        for number, (points, winner) in enumerate(games)
    )
    return DealRecord(deal=deal, games=made, cpu_seconds=0.5)
