"""The refusal of something cryptographic that a peer sent, and the first checks of raw bytes.

Crypto knows seats and conditions, not identity keys: the refusal carries both, and the layer that knows who
sits where (`transcript/replay.py`) adds the culprit's key.
"""

from __future__ import annotations

from p2prummi.errors import FaultCode, RemoteProtocolError


class RefusalError(RemoteProtocolError):
    """A peer's bytes, key or proof is refused.

    `condition` is the name of the check that failed, as `protocol/spec/crypto.md` lists them; `seat` is the
    seat whose statement it was, where one call judges those of several seats.
    """

    def __init__(self, code: FaultCode, condition: str, words: str, *, seat: int | None = None) -> None:
        where = condition if seat is None else f"{condition}, seat {seat}"
        super().__init__(code, f"{words} ({where})")
        self.condition = condition
        self.seat = seat
        self._words = words

    def of_seat(self, seat: int) -> RefusalError:
        """The same refusal, of a statement by `seat`."""
        return RefusalError(self.code, self.condition, self._words, seat=seat)


def require_bytes(data: object, length: int, field: str) -> bytes:
    """`data` if it is exactly `length` bytes, else a refusal with `wrong_schema` that names the field."""
    if not isinstance(data, bytes):
        raise RefusalError(FaultCode.WRONG_SCHEMA, "type", f"{field} is not a byte string")
    if len(data) != length:
        raise RefusalError(
            FaultCode.WRONG_SCHEMA, "length", f"{field} holds {len(data)} bytes, {length} were expected"
        )
    return data
