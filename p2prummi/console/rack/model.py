"""The rack's own state: in which order its tiles are shown. Which tiles it holds is the draft's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Order(StrEnum):
    """How the rack is sorted."""

    COLOUR = "colour"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class RackModel:
    """The order in which the rack is shown."""

    order: Order = Order.COLOUR


def sorted_otherwise(rack: RackModel) -> RackModel:
    """The rack in the other order."""
    return RackModel(Order.NUMBER if rack.order is Order.COLOUR else Order.COLOUR)
