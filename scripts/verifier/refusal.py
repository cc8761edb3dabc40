"""How a check says no: with the fault's code and layer, the condition that failed, the seat to blame."""

from collections.abc import Iterator
from contextlib import contextmanager


class Refused(Exception):  # noqa: N818 - A refusal is a verdict, not an error of this program.
    """What was judged is not acceptable."""

    def __init__(
        self, fault: str, condition: str = "", seat: int | None = None, *, layer: str = "crypto"
    ) -> None:
        """Name the fault."""
        super().__init__(fault, condition, seat)
        self.fault = fault
        self.condition = condition
        self.seat = seat
        self.layer = layer


class NotJudgedError(Exception):
    """What was given is beyond what this program can judge."""


def require(
    holds: bool, fault: str, condition: str = "", seat: int | None = None, *, layer: str = "crypto"
) -> None:
    """Refuse with this fault unless the condition holds."""
    if not holds:
        raise Refused(fault, condition, seat, layer=layer)


@contextmanager
def blaming(seat: int) -> Iterator[None]:
    """Blame this seat for whatever is refused."""
    try:
        yield
    except Refused as refused:
        raise Refused(refused.fault, refused.condition, seat, layer=refused.layer) from refused
