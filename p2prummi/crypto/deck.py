"""What the transcript and the session use of the cryptography.

Keys, decks, shuffles, shares, tiles, as bytes.

Rules: whatever comes from a peer goes in as bytes and gives a value or a `RefusalError` (a
`RemoteProtocolError`); wrong use by this program raises `LocalProtocolError`. Indices of a deck count from 0.
`context` binds everything outside this package (protocol, match, round, chain head, all keys): it is hashed
whole, with the seat. The primitives, a file each: `round_key`, `key_proof`, `elgamal`, `shuffle_*`, `dleq`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2prummi.crypto import dleq, elgamal, key_proof, shuffle_prover, shuffle_verifier
from p2prummi.crypto.elgamal import Deck
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.group import (
    ORDER,
    Point,
    multiply_each_secret,
    multiply_public,
    points_from_bytes,
    secret_from_bytes,
)
from p2prummi.crypto.key_proof import KEY_PROOF_BYTES, verify_key
from p2prummi.crypto.refusal import RefusalError
from p2prummi.crypto.round_key import (
    COIN_BYTES,
    JointKey,
    RoundKey,
    check_distinct,
    coin_draw,
    joint_coin,
    joint_key,
    key_commitment,
    make_round_key,
    public_of,
    verify_key_commitment,
)
from p2prummi.crypto.shuffle_prover import ShuffleOpening, apply_shuffle, prepare_shuffle
from p2prummi.crypto.shuffle_statement import ShuffleStatement, shuffle_proof_bytes
from p2prummi.errors import FaultCode, LocalProtocolError

__all__ = [
    "COIN_BYTES",
    "KEY_PROOF_BYTES",
    "SHARE_PROOF_BYTES",
    "Deck",
    "JointKey",
    "PreparedShuffle",
    "RefusalError",
    "RoundKey",
    "Shares",
    "ShuffleOpening",
    "ShuffleStatement",
    "apply_shuffle",
    "check_distinct",
    "coin_draw",
    "initial_deck",
    "joint_coin",
    "joint_key",
    "key_commitment",
    "make_round_key",
    "make_shares",
    "open_tile",
    "open_tiles",
    "own_shares",
    "prepare_shuffle",
    "prove_key",
    "prove_shuffle",
    "public_of",
    "share_of",
    "shuffle_proof_bytes",
    "verify_key",
    "verify_key_commitment",
    "verify_shares",
    "verify_shuffles",
]

SHARE_PROOF_BYTES = dleq.SHARE_PROOF_BYTES
PreparedShuffle = shuffle_prover.PreparedShuffle


@dataclass(frozen=True, slots=True)
class Shares:
    """Decryption shares as they travel.

    `points` holds 33 bytes for each index, in the order of the indices; `proof` 98 bytes for all of them.
    """

    points: bytes
    proof: bytes


def prove_key(context: bytes, seat: int, key: RoundKey, entropy: Entropy) -> bytes:
    """The 65-byte proof that `seat` knows the secret of its key."""
    return key_proof.prove_key(context, seat, key.secret, entropy)


def initial_deck(size: int, joint: JointKey) -> Deck:
    """The deck before any shuffle: index t holds tile t."""
    return elgamal.first_deck(size, joint.point)


def prove_shuffle(
    context: bytes,
    seat: int,
    joint: JointKey,
    before: Deck,
    after: Deck,
    opening: ShuffleOpening,
    entropy: Entropy,
) -> bytes:
    """The proof that `after` is the shuffle of `before` with this opening.

    It holds `shuffle_proof_bytes(deck size)` bytes. Prepared masks are used up by the first proof.
    """
    return shuffle_prover.prove_shuffle(context, seat, joint.point, before, after, opening, entropy)


def verify_shuffles(joint: JointKey, statements: Sequence[ShuffleStatement], entropy: Entropy) -> None:
    """Check all proofs at once.

    Raises `RefusalError` with the seat and the condition of the first wrong one.
    """
    shuffle_verifier.verify_shuffles(joint.point, statements, entropy)


def make_shares(
    context: bytes, key: RoundKey, deck: Deck, indices: Sequence[int], entropy: Entropy
) -> Shares:
    """The key's shares of these indices, with their proof.

    Raises `LocalProtocolError` for indices that don't do.
    """
    fault = _index_fault(deck, indices)
    if fault:
        raise LocalProtocolError(fault)
    points = _firsts(deck, indices)
    shares = own_shares(key, deck, indices)
    proof = dleq.prove_shares(context, key.secret, key.point, indices, points, shares, entropy)
    return Shares(b"".join([share.to_bytes() for share in shares]), proof)


def own_shares(key: RoundKey, deck: Deck, indices: Sequence[int]) -> Sequence[Point]:
    """The key's shares of these indices, for oneself and so without a proof, in constant time."""
    return multiply_each_secret((key.secret,) * len(indices), _firsts(deck, indices))


def verify_shares(
    context: bytes, public: bytes, deck: Deck, indices: Sequence[int], shares: Shares
) -> tuple[Point, ...]:
    """The shares, checked to be those of the key `public` for exactly these indices.

    Raises `RefusalError`: `wrong_index` (none, one twice, one outside the deck), `wrong_schema`,
    `invalid_point`, `neutral_element`, `invalid_scalar`, `share_proof_failed`.
    """
    fault = _index_fault(deck, indices)
    if fault:
        raise RefusalError(FaultCode.WRONG_INDEX, "indices", fault)
    Y = Point.from_bytes(public, "key")
    parsed = points_from_bytes(shares.points, len(indices), "shares")
    dleq.verify_shares(context, Y, indices, _firsts(deck, indices), parsed, shares.proof)
    return parsed


def _firsts(deck: Deck, indices: Sequence[int]) -> list[Point]:
    """The first parts at these indices; those that come from a peer are judged before (`_index_fault`)."""
    return [deck.firsts[deck.checked(index)] for index in indices]


def _index_fault(deck: Deck, indices: Sequence[int]) -> str:
    if not indices:
        return "shares are of one index at least"
    if any(type(index) is not int or not 0 <= index < deck.size for index in indices):
        return f"an index is not one of 0 to {deck.size - 1}"
    if len(set(indices)) != len(indices):
        return "an index is named twice"
    return ""


def share_of(secret: bytes, deck: Deck, index: int) -> Point:
    """The share that a *published* 32-byte secret gives; variable time.

    Raises `RefusalError` for a bad secret.
    """
    return multiply_public(secret_from_bytes(secret), _firsts(deck, (index,))[0])


def open_tile(deck: Deck, index: int, shares: Sequence[Point | bytes]) -> int:
    """The tile at `index`, given the shares of *all* seats, each as a point or as its 33 bytes.

    Raises `RefusalError`: `no_such_tile`, and for bytes what `Point.from_bytes` raises.
    """
    points = [share if isinstance(share, Point) else Point.from_bytes(share, "share") for share in shares]
    return elgamal.tile_of(deck, index, points)


def open_tiles(deck: Deck, indices: Sequence[int], secrets: Sequence[bytes]) -> tuple[int, ...]:
    """The tiles at these indices, given the *published* 32-byte secrets of all seats.

    One multiplication a tile.

    Raises `RefusalError`: `wrong_schema`, `invalid_scalar`, `no_such_tile`.
    """
    joint_secret = sum(secret_from_bytes(secret) for secret in secrets) % ORDER
    return tuple(
        elgamal.tile_of(deck, index, (multiply_public(joint_secret, first),))
        for index, first in zip(indices, _firsts(deck, indices), strict=True)
    )
