"""What the vectors of the cryptography share: invalid encodings, faults, small rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import GENERATOR, ORDER
from p2prummi.crypto.shuffle_prover import ShuffleOpening
from p2prummi.errors import FaultCode
from vectors.vector import Fault, Vector

CONTEXT = b"the context of a vector"
INVALID_POINTS: Mapping[str, tuple[bytes, FaultCode, str]] = {
    "neutral": (bytes(33), FaultCode.NEUTRAL_ELEMENT, "33 zero bytes, as some write the neutral element"),
    "off_curve": (
        b"\x02" + (5).to_bytes(32, "big"),
        FaultCode.INVALID_POINT,
        "an x coordinate that no point has",
    ),
    "x_not_reduced": (
        b"\x02" + (2**256 - 2**32 - 977 + 1).to_bytes(32, "big"),
        FaultCode.INVALID_POINT,
        "x is the field's prime plus one; one, reduced, would be the x of a point",
    ),
    "wrong_tag": (
        b"\x04" + GENERATOR.to_bytes()[1:],
        FaultCode.INVALID_POINT,
        "the tag of an uncompressed point",
    ),
}
INVALID_SCALARS: Mapping[str, tuple[bytes, str]] = {
    "is_order": (ORDER.to_bytes(32, "big"), "the group's order itself"),
    "all_ones": (b"\xff" * 32, "the largest number of 32 bytes"),
}


def fault(code: FaultCode, condition: str, **details: Any) -> Fault:
    """A refusal by the cryptography: code, condition, and the seat where it is named."""
    return Fault(code=code.value, layer="crypto", details={"condition": condition, **details})


def changed(data: bytes, start: int, part: bytes) -> bytes:
    """`data` with `part` in it from `start` on."""
    return data[:start] + part + data[start + len(part) :]


def bad_encodings(
    kind: str, data: bytes, points: Mapping[str, int], scalars: Mapping[str, int], make: Callable[..., Vector]
) -> Iterator[Vector]:
    """Each named field of `data` (by its offset) with invalid bytes in it, and `data` of another length."""
    for field, start in points.items():
        for what, (part, code, notes) in INVALID_POINTS.items():
            condition = "neutral" if code is FaultCode.NEUTRAL_ELEMENT else "encoding"
            yield make(
                f"{kind}_{field}_{what}", f"{field}: {notes}", changed(data, start, part), code, condition
            )
    for field, start in scalars.items():
        for what, (part, notes) in INVALID_SCALARS.items():
            name = f"{kind}_{field}_{what}"
            yield make(
                name, f"{field}: {notes}", changed(data, start, part), FaultCode.INVALID_SCALAR, "range"
            )
    for what, other in (("empty", b""), ("short", data[:-1]), ("long", data + b"\0")):
        notes = f"another length: {len(other)} bytes instead of {len(data)}"
        yield make(f"{kind}_{what}", notes, other, FaultCode.WRONG_SCHEMA, "length")


class Round:
    """Two seats that shuffle a small deck."""

    def __init__(self, size: int, seed: bytes) -> None:
        self.size = size
        self.entropy = entropy = SeededEntropy(b"vectors: " + seed)
        self.keys = [crypto.make_round_key(entropy) for _ in range(2)]
        self.joint = crypto.joint_key([key.public for key in self.keys])
        self.decks = [crypto.initial_deck(size, self.joint)]
        self.statements: list[crypto.ShuffleStatement] = []
        for seat in range(2):
            prepared = crypto.prepare_shuffle(size, entropy).with_key(self.joint)
            after, opening = crypto.apply_shuffle(prepared, self.decks[-1])
            self.statements.append(self.prove(seat, self.decks[-1], after, opening))
            self.decks.append(after)

    def prove(
        self, seat: int, before: crypto.Deck, after: crypto.Deck, opening: ShuffleOpening
    ) -> crypto.ShuffleStatement:
        """The statement that `after` is the shuffle with this opening, with a fresh proof."""
        proof = crypto.prove_shuffle(CONTEXT, seat, self.joint, before, after, opening, self.entropy)
        return crypto.ShuffleStatement(context=CONTEXT, seat=seat, before=before, after=after, proof=proof)
