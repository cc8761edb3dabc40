"""Every field of every proof and message part, changed in every way: refused, each time, all of them.

A field is a point or a scalar of the wire form. It is replaced (by other valid values, by invalid ones),
swapped with its neighbour, doubled, dropped, truncated; and the whole is given another type. Nothing but a
refusal may come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.group import GENERATOR, ORDER, multiply_generator
from p2prummi.crypto.refusal import RefusalError
from p2prummi.errors import FaultCode
from tests.crypto.rounds import CONTEXT, play_round

SIZE = 3
ROUND = play_round(2, SIZE)
KEY = ROUND.keys[0]
STATEMENT = ROUND.statements[1]
INDICES = (2, 0)
SHARES = crypto.make_shares(CONTEXT, KEY, ROUND.decks[-1], INDICES, ROUND.entropy)
KEY_PROOF = crypto.prove_key(CONTEXT, 0, KEY, ROUND.entropy)

P, S = 33, 32


@dataclass(frozen=True, slots=True)
class Message:
    """Bytes made of fields of these lengths, and what reads them."""

    name: str
    data: bytes
    fields: tuple[int, ...]
    read: Callable[[Any], object]

    def split(self) -> list[bytes]:
        parts, start = [], 0
        for length in self.fields:
            parts.append(self.data[start : start + length])
            start += length
        assert start == len(self.data)
        return parts


def read_statement(**changes: Any) -> None:
    statement = replace(STATEMENT, **changes)
    crypto.verify_shuffles(ROUND.joint, [statement], ROUND.entropy)


def read_shares(shares: crypto.Shares) -> None:
    crypto.verify_shares(CONTEXT, KEY.public, ROUND.decks[-1], INDICES, shares)


MESSAGES = (
    Message("key proof", KEY_PROOF, (P, S), lambda data: crypto.verify_key(CONTEXT, 0, KEY.public, data)),
    Message("key", KEY.public, (P,), lambda data: crypto.verify_key(CONTEXT, 0, data, KEY_PROOF)),
    Message(
        "shuffle proof",
        STATEMENT.proof,
        (P,) * 8 + (S,) * (3 * SIZE + 2),
        lambda data: read_statement(proof=data),
    ),
    Message(
        "deck",
        STATEMENT.after.to_bytes(),
        (P,) * (2 * SIZE),
        lambda data: read_statement(after=crypto.Deck.from_bytes(data, SIZE)),
    ),
    Message(
        "deck before",
        STATEMENT.before.to_bytes(),
        (P,) * (2 * SIZE),
        lambda data: read_statement(before=crypto.Deck.from_bytes(data, SIZE)),
    ),
    Message("shares", SHARES.points, (P, P), lambda data: read_shares(replace(SHARES, points=data))),
    Message("share proof", SHARES.proof, (P, P, S), lambda data: read_shares(replace(SHARES, proof=data))),
)

VALID = {
    P: [GENERATOR.to_bytes(), multiply_generator(7).to_bytes(), KEY.public, ROUND.joint.public],
    S: [value.to_bytes(S, "big") for value in (0, 1, 7, ORDER - 1)],
}
INVALID = {
    P: {
        bytes(P): FaultCode.NEUTRAL_ELEMENT,
        b"\x02" + b"\xff" * S: FaultCode.INVALID_POINT,
        b"\x00" + GENERATOR.to_bytes()[1:]: FaultCode.INVALID_POINT,
    },
    S: {
        ORDER.to_bytes(S, "big"): FaultCode.INVALID_SCALAR,
        b"\xff" * S: FaultCode.INVALID_SCALAR,
    },
}


def negated(part: bytes) -> bytes:
    """The opposite point or scalar."""
    if len(part) == P:
        return bytes([part[0] ^ 1]) + part[1:]
    return (-int.from_bytes(part, "big") % ORDER).to_bytes(S, "big")


def changes(parts: list[bytes], place: int) -> Iterator[tuple[str, list[bytes], FaultCode | None]]:
    """Every change of one field: what it is, the fields after it, and the fault it must be (None: any)."""
    before, part, after = parts[:place], parts[place], parts[place + 1 :]
    for value in VALID[len(part)]:
        yield "another valid value", [*before, value, *after], None
    for value, code in INVALID[len(part)].items():
        yield "an invalid value", [*before, value, *after], code
    yield "negated", [*before, negated(part), *after], None
    for other in range(len(parts)):
        if other != place and len(parts[other]) == len(part):
            swapped = list(parts)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            yield f"swapped with field {other}", swapped, None
            yield f"a copy of field {other}", [*before, parts[other], *after], None
    yield "doubled", [*before, part, part, *after], FaultCode.WRONG_SCHEMA
    yield "dropped", [*before, *after], FaultCode.WRONG_SCHEMA
    yield "truncated", [*before, part[:-1], *after], FaultCode.WRONG_SCHEMA
    yield "lengthened", [*before, part + b"\0", *after], FaultCode.WRONG_SCHEMA


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
def test_good_bytes_are_accepted(message: Message) -> None:
    message.read(message.data)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
def test_every_change_of_every_field_is_refused(message: Message) -> None:
    parts = message.split()
    for place in range(len(parts)):
        for what, changed, code in changes(parts, place):
            data = b"".join(changed)
            if data == message.data:
                continue
            with pytest.raises(RefusalError) as caught:
                message.read(data)
            assert code in (None, caught.value.code), f"field {place} of {message.name}: {what}"


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
@pytest.mark.parametrize(
    "retyped", [bytes.hex, list, bytearray, len, lambda data: None, lambda data: {}, lambda data: [data]]
)
def test_other_types_are_refused(message: Message, retyped: Callable[[bytes], object]) -> None:
    with pytest.raises(RefusalError) as caught:
        message.read(retyped(message.data))
    assert caught.value.code is FaultCode.WRONG_SCHEMA


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
def test_every_flipped_bit_is_refused(message: Message) -> None:
    for position in range(0, 8 * len(message.data), 7):
        data = bytearray(message.data)
        data[position // 8] ^= 1 << position % 8
        with pytest.raises(RefusalError):
            message.read(bytes(data))
