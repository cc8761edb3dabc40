"""Decks, shares and opening, as crypto.md, "Deck" and "Shares", states them."""

# The letters are those of the specification.
# ruff: noqa: N803, N806

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from verifier.group import (
    POINT_BYTES,
    G,
    Point,
    combine,
    read_point,
    read_points,
    read_scalar,
    read_secret,
    total,
)
from verifier.hashing import RunningChallenge, digest, tile_point, u32
from verifier.refusal import Refused, require

SHARE_PROOF_BYTES = 98
WEIGHT_BYTES = 16


@dataclass(frozen=True)
class Deck:
    """N ciphertexts: the first parts, the second parts, and the bytes that they were read from."""

    firsts: list[Point]
    seconds: list[Point]
    data: bytes


def read_deck(data: bytes, size: int) -> Deck:
    """Read 2·N points, first and second part in turn."""
    points = read_points(data, 2 * size)
    return Deck(points[0::2], points[1::2], data)


def first_deck(Y: Point, size: int) -> bytes:
    """The deck before any shuffle: Enc(M_t; 1) = (G, M_t + Y) at each index t."""
    return b"".join(G.encode() + (tile_point(t) + Y).encode() for t in range(size))


def check_shares(
    context: bytes, key: bytes, deck: Deck, indices: Sequence[int], shares: bytes, proof: bytes
) -> None:
    """*key*: s·G = K + c·Y, and *shares*: s·A* = L + c·S*."""
    n = len(indices)
    size = len(deck.firsts)
    good_indices = n > 0 and all(0 <= index < size for index in indices) and len(set(indices)) == n
    require(good_indices, "wrong_index", "indices")
    Y = read_point(key)
    S = read_points(shares, n)
    require(len(proof) == SHARE_PROOF_BYTES, "wrong_schema", "length")
    K, L = read_points(proof[: 2 * POINT_BYTES], 2)
    s = read_scalar(proof[2 * POINT_BYTES :])

    A = [deck.firsts[index] for index in indices]
    challenge = RunningChallenge("share proof")
    challenge.absorb("context", context)
    challenge.absorb("Y", key)
    challenge.absorb("indices", b"".join(u32(index) for index in indices))
    challenge.absorb("points", b"".join(point.encode() for point in A))
    challenge.absorb("shares", shares)
    w = challenge.draw("w").to_bytes(32, "big")
    challenge.absorb("K", K.encode())
    challenge.absorb("L", L.encode())
    c = challenge.draw("c")

    weights = [int.from_bytes(digest("share weight", w, u32(j))[:WEIGHT_BYTES], "big") for j in range(n)]
    A_sum = combine(weights, A)
    S_sum = combine(weights, S)
    require(s * G == K + c * Y, "share_proof_failed", "key")
    require(s * A_sum == L + c * S_sum, "share_proof_failed", "shares")


@cache
def _tiles(size: int) -> dict[bytes, int]:
    """The tile of each point M_t, by its encoding."""
    return {tile_point(t).encode(): t for t in range(size)}


def tile_at(deck: Deck, index: int, shares_sum: Point) -> int:
    """The tile t with M_t = second - ΣS."""
    M = deck.seconds[index] - shares_sum
    t = None if M.is_neutral() else _tiles(len(deck.seconds)).get(M.encode())
    if t is None:
        raise Refused("no_such_tile", "tile")
    return t


def open_with_shares(deck: Deck, index: int, shares: Sequence[bytes]) -> int:
    """Open one ciphertext with the shares of all seats."""
    return tile_at(deck, index, total(read_point(share) for share in shares))


def open_with_secrets(deck: Deck, secrets: Sequence[bytes]) -> tuple[list[int], list[bytes]]:
    """Open the whole deck with all published secrets; give its tiles, and the keys of the secrets."""
    x = [read_secret(secret) for secret in secrets]
    tiles = [tile_at(deck, index, sum(x) * first) for index, first in enumerate(deck.firsts)]
    return tiles, [(secret * G).encode() for secret in x]
