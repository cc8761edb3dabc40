"""Frames that only a hostile member sends, each with the fault that it is."""

from __future__ import annotations

from dataclasses import dataclass

from p2prummi.errors import FaultCode


@dataclass(frozen=True, slots=True)
class HostileFrame:
    """The bytes of a frame, without their length, and the name of the fault."""

    code: FaultCode
    data: bytes


HOSTILE_FRAMES = {
    "nested 1000 deep": HostileFrame(FaultCode.LIMIT_EXCEEDED, b"\x91" * 1000 + b"\x01"),
    "nested 5000 deep": HostileFrame(FaultCode.LIMIT_EXCEEDED, b"\x91" * 5000 + b"\x01"),
    "an array said to hold 4 G": HostileFrame(FaultCode.LIMIT_EXCEEDED, b"\xdd\xff\xff\xff\xff"),
    "a map said to hold 4 G": HostileFrame(FaultCode.LIMIT_EXCEEDED, b"\xdf\xff\xff\xff\xff"),
    "a text said to hold 4 G": HostileFrame(FaultCode.LIMIT_EXCEEDED, b"\xdb\xff\xff\xff\xff"),
    "a blob said to hold 4 G": HostileFrame(FaultCode.LIMIT_EXCEEDED, b"\xc6\xff\xff\xff\xff"),
    "a key twice": HostileFrame(FaultCode.NOT_CANONICAL, b"\x92\xa4ping\x82\xa1a\x01\xa1a\x02"),
    "not a number": HostileFrame(FaultCode.MALFORMED_FRAME, b"\x92\xa4ping\xcb\x7f\xf8\0\0\0\0\0\0"),
    "an extension": HostileFrame(FaultCode.MALFORMED_FRAME, b"\x92\xa4ping\xd4\x01\x00"),
    "a list as key": HostileFrame(FaultCode.MALFORMED_FRAME, b"\x92\xa4ping\x81\x91\x01\x02"),
    "bytes after the value": HostileFrame(FaultCode.MALFORMED_FRAME, b"\x91\xa4ping\x00"),
    "a number in a long form": HostileFrame(FaultCode.NOT_CANONICAL, b"\x92\xa4ping\xce\x00\x00\x00\x01"),
    "no encoding": HostileFrame(FaultCode.MALFORMED_FRAME, b"\xc1"),
    "a frame unknown": HostileFrame(FaultCode.WRONG_SCHEMA, b"\x91\xa4pong"),
    "a frame of a handshake": HostileFrame(FaultCode.WRONG_SCHEMA, b"\x91\xa5start"),
    "a value that is no frame": HostileFrame(FaultCode.WRONG_SCHEMA, b"\x05"),
}
