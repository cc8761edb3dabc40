"""What has been played so far, in whatever order it came, and the figures that it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.arena.estimates import figures_of

if TYPE_CHECKING:
    from p2prummi.arena.estimates import PairingFigures
    from p2prummi.arena.plan import Plan
    from p2prummi.arena.playing import DealRecord


class Tally:
    """Keeps the records of a plan; its figures don't depend on the order in which they were added.

    `games` is how many there are, `cpu_seconds` what they have cost, in seconds of one processor core.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._records: list[dict[int, DealRecord]] = [{} for _ in plan.pairings]
        self.games = 0
        self.cpu_seconds = 0.0

    def add(self, pairing: int, record: DealRecord) -> None:
        """Take in a deal of the pairing with that index, which it has not been given before."""
        self._records[pairing][record.deal] = record
        self.games += len(record.games)
        self.cpu_seconds += record.cpu_seconds

    def figures(self) -> tuple[PairingFigures | None, ...]:
        """The figures of each pairing; None for one of which nothing has been played."""
        return tuple(
            figures_of(pairing, [records[deal] for deal in sorted(records)]) if records else None
            for pairing, records in zip(self._plan.pairings, self._records, strict=True)
        )
