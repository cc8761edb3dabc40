"""Records in a file: a magic line, then each record's length in four bytes (big endian) and its bytes.

A file of unknown bytes gives its records or a RemoteProtocolError. What a record holds is the affair of
`file.py` and `evidence.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from p2prummi.errors import FaultCode, RemoteProtocolError

_LENGTH_BYTES: Final = 4


def write_records(magic: bytes, records: Iterable[bytes]) -> bytes:
    """Returns the bytes of a file that begins with `magic` and holds these records."""
    return magic + b"".join(len(each).to_bytes(_LENGTH_BYTES, "big") + each for each in records)


def read_records(data: bytes, *, magic: bytes, bytes_max: int, noun: str) -> Iterator[bytes]:
    """Yields the records of a file one by one; `noun` is what such a file is called in words for a person.

    Raises RemoteProtocolError: limit_exceeded for more than `bytes_max` bytes, wrong_transcript for another
    beginning and, when it comes to it, for a record that is cut short.
    """
    if len(data) > bytes_max:
        raise RemoteProtocolError(
            FaultCode.LIMIT_EXCEEDED, f"the {noun} is longer than the {bytes_max} bytes it may have"
        )
    if not data.startswith(magic):
        raise RemoteProtocolError(FaultCode.WRONG_TRANSCRIPT, f"this is no {noun}")
    return _records(data, len(magic), noun)


def _records(data: bytes, position: int, noun: str) -> Iterator[bytes]:
    while position < len(data):
        start = position + _LENGTH_BYTES
        end = start + int.from_bytes(data[position:start], "big")
        if end > len(data):
            raise RemoteProtocolError(
                FaultCode.WRONG_TRANSCRIPT, f"the {noun} ends in the middle of a record"
            )
        yield data[start:end]
        position = end
