"""What has been played so far, in whatever order it came, and the figures that it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.arena.estimates import figures_of

if TYPE_CHECKING:
    from p2prummi.arena.estimates import PairingFigures
    from p2prummi.arena.plan import Plan
    from p2prummi.arena.playing import DealRecord


class Tally:
    """Keeps the records of a plan; its figures don't depend on the order in which they were added."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._records: list[dict[int, DealRecord]] = [{} for _ in plan.pairings]

    def add(self, pairing: int, record: DealRecord) -> None:
        """Take in a deal of the pairing with that index."""
        self._records[pairing][record.deal] = record

    @property
    def games(self) -> int:
        """How many games there are."""
        return sum(len(deal.games) for records in self._records for deal in records.values())

    @property
    def cpu_seconds(self) -> float:
        """What they have cost, in seconds of one processor core."""
        return sum(deal.cpu_seconds for records in self._records for deal in records.values())

    def figures(self) -> tuple[PairingFigures | None, ...]:
        """The figures of each pairing; None for one of which nothing has been played."""
        return tuple(
            figures_of(pairing, [records[deal] for deal in sorted(records)]) if records else None
            for pairing, records in zip(self._plan.pairings, self._records, strict=True)
        )
