"""Vectors of decryption shares and of opening tiles."""

from __future__ import annotations

from collections.abc import Iterator

from p2prummi.crypto import deck as crypto
from p2prummi.crypto import dleq
from p2prummi.crypto.group import ORDER, Point, multiply_generator, multiply_public, scalar_to_bytes
from p2prummi.errors import FaultCode
from vectors.topics.crypto.common import CONTEXT, INVALID_POINTS, Round, bad_encodings, fault
from vectors.vector import Fault, Vector


def share_vectors() -> Iterator[Vector]:
    """Decryption shares and their proofs."""
    round_ = Round(4, b"shares")
    deck, key, other = round_.decks[-1], *round_.keys
    indices = (2, 0)
    good = crypto.make_shares(CONTEXT, key, deck, indices, round_.entropy)
    first = crypto.make_shares(CONTEXT, key, round_.decks[0], (1,), round_.entropy)

    def shares(
        name: str,
        notes: str,
        code: FaultCode | None = None,
        condition: str = "",
        *,
        context: bytes = CONTEXT,
        public: bytes = key.public,
        table: crypto.Deck = deck,
        where: tuple[int, ...] = indices,
        points: bytes = good.points,
        proof: bytes = good.proof,
    ) -> Vector:
        return Vector(
            name=name,
            notes=notes,
            operation="shares",
            inputs={
                "context": context.hex(),
                "key": public.hex(),
                "size": table.size,
                "deck": table.to_bytes().hex(),
                "indices": list(where),
                "shares": points.hex(),
                "proof": proof.hex(),
            },
            fault=fault(code, condition) if code else None,
        )

    failed = FaultCode.SHARE_PROOF_FAILED
    yield shares("shares_good", "Two shares, one proof")
    single = crypto.make_shares(CONTEXT, key, deck, (3,), round_.entropy)
    yield shares("shares_good_single", "One share", where=(3,), points=single.points, proof=single.proof)
    yield shares("shares_other_context", "A proof of another context", failed, "key", context=b"other")
    yield shares("shares_other_key", "A proof of another key", failed, "key", public=other.public)
    yield shares("shares_other_deck", "Shares of another deck", failed, "key", table=round_.decks[1])
    yield shares("shares_other_indices", "Shares of other indices", failed, "key", where=(2, 1))
    yield shares(
        "shares_other_index_same_share",
        "In the first deck all shares are equal: the index alone is wrong",
        failed,
        "key",
        table=round_.decks[0],
        where=(2,),
        points=first.points,
        proof=first.proof,
    )
    yield shares("shares_indices_swapped", "The indices in another order", failed, "key", where=(0, 2))
    swapped = good.points[33:] + good.points[:33]
    yield shares("shares_swapped", "Two shares exchanged, with the old proof", failed, "key", points=swapped)
    yield shares(
        "shares_swapped_proved",
        "Two shares exchanged, with a new proof",
        failed,
        "shares",
        points=swapped,
        proof=proved(round_, indices, swapped),
    )
    wrong = multiply_generator(9).to_bytes() + good.points[33:]
    yield shares(
        "shares_wrong_proved",
        "A share of nothing, with a new proof",
        failed,
        "shares",
        points=wrong,
        proof=proved(round_, indices, wrong),
    )
    yield shares(
        "shares_answer_changed",
        "s changed",
        failed,
        "key",
        proof=good.proof[:-1] + bytes([good.proof[-1] ^ 1]),
    )
    for name, where, notes in (
        ("none", (), "No index"),
        ("twice", (2, 2), "An index twice"),
        ("outside", (2, 4), "An index outside"),
    ):
        yield shares(f"shares_index_{name}", notes, FaultCode.WRONG_INDEX, "indices", where=where)

    def with_points(name: str, notes: str, shown: bytes, code: FaultCode, condition: str) -> Vector:
        return shares(name, notes, code, condition, points=shown)

    def with_proof(name: str, notes: str, shown: bytes, code: FaultCode, condition: str) -> Vector:
        return shares(name, notes, code, condition, proof=shown)

    yield from bad_encodings("shares", good.points, {"0": 0, "1": 33}, {}, with_points)
    yield from bad_encodings("share_proof", good.proof, {"k": 0, "l": 33}, {"s": 66}, with_proof)
    for what, (public, code, notes) in INVALID_POINTS.items():
        condition = "neutral" if code is FaultCode.NEUTRAL_ELEMENT else "encoding"
        yield shares(f"shares_key_{what}", f"The key: {notes}", code, condition, public=public)


def proved(round_: Round, indices: tuple[int, ...], points: bytes) -> bytes:
    """The best proof that an honest prover's program makes of wrong shares."""
    key, deck = round_.keys[0], round_.decks[-1]
    parsed = [Point.from_bytes(points[start : start + 33]) for start in range(0, len(points), 33)]
    firsts = [deck.firsts[index] for index in indices]
    return dleq.prove_shares(CONTEXT, key.secret, key.point, indices, firsts, parsed, round_.entropy)


def opening_vectors() -> Iterator[Vector]:
    """Opening one tile by shares, and all by the secrets."""
    round_ = Round(4, b"opening")
    deck = round_.decks[-1]
    secrets = [key.secret_bytes() for key in round_.keys]
    tiles = crypto.open_tiles(deck, range(4), secrets)
    shares = [crypto.share_of(secret, deck, 1) for secret in secrets]

    def opened(name: str, notes: str, shown: list[Point], refused: Fault | None = None) -> Vector:
        return Vector(
            name=f"open_{name}",
            notes=notes,
            operation="open",
            inputs={
                "size": 4,
                "deck": deck.to_bytes().hex(),
                "index": 1,
                "shares": [share.to_bytes().hex() for share in shown],
            },
            outputs={} if refused else {"tile": tiles[1]},
            fault=refused,
        )

    no_tile = fault(FaultCode.NO_SUCH_TILE, "tile")
    yield opened("good", "The shares of both seats", shares)
    yield opened("one_share_missing", "One seat's share is missing", shares[:1], no_tile)
    yield opened("share_twice", "One seat's share twice", [shares[0], shares[0]], no_tile)
    yield opened("share_doubled", "A wrong share", [shares[0], multiply_public(2, shares[1])], no_tile)

    def settled(name: str, notes: str, shown: list[bytes], refused: Fault | None = None) -> Vector:
        return Vector(
            name=f"settle_{name}",
            notes=notes,
            operation="settle",
            inputs={"size": 4, "deck": deck.to_bytes().hex(), "secrets": [secret.hex() for secret in shown]},
            outputs={}
            if refused
            else {"tiles": list(tiles), "keys": [key.public.hex() for key in round_.keys]},
            fault=refused,
        )

    yield settled("good", "All secrets published: every tile opens", secrets)
    yield settled("other_secret", "A secret that is not the key's", [secrets[0], scalar_to_bytes(7)], no_tile)
    yield settled(
        "zero_secret", "A secret of zero", [secrets[0], bytes(32)], fault(FaultCode.INVALID_SCALAR, "range")
    )
    yield settled(
        "secret_is_order",
        "A secret that is the group's order",
        [secrets[0], ORDER.to_bytes(32, "big")],
        fault(FaultCode.INVALID_SCALAR, "range"),
    )
    yield settled(
        "short_secret",
        "A secret of 31 bytes",
        [secrets[0], secrets[1][1:]],
        fault(FaultCode.WRONG_SCHEMA, "length"),
    )
