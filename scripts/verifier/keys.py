"""Keys, commitments and the joint coin, as crypto.md, "Keys and coin", states them."""

# The letters are those of the specification.
# ruff: noqa: N806

from collections.abc import Sequence

from verifier.group import POINT_BYTES, G, Point, read_point, read_scalar, total
from verifier.hashing import RunningChallenge, digest, u32
from verifier.refusal import require

COIN_BYTES = 32
KEY_PROOF_BYTES = 65


def check_key_proof(context: bytes, seat: int, key: bytes, proof: bytes) -> None:
    """*knowledge*: s·G = K + c·Y."""
    Y = read_point(key)
    require(len(proof) == KEY_PROOF_BYTES, "wrong_schema", "length")
    K = read_point(proof[:POINT_BYTES])
    s = read_scalar(proof[POINT_BYTES:])
    challenge = RunningChallenge("key proof")
    challenge.absorb("context", context)
    challenge.absorb("seat", u32(seat))
    challenge.absorb("Y", key)
    challenge.absorb("K", K.encode())
    c = challenge.draw("c")
    require(s * G == K + c * Y, "key_proof_failed", "knowledge")


def read_coin(coin: bytes) -> bytes:
    """A seat's part of the joint coin."""
    require(len(coin) == COIN_BYTES, "wrong_schema", "length")
    return coin


def check_commitment(
    context: bytes, seat: int, commitment: bytes, key: bytes, proof: bytes, coin: bytes
) -> None:
    """What a seat reveals gives the digest that it published before."""
    expected = digest("key commitment", context, u32(seat), key, proof, read_coin(coin))
    require(commitment == expected, "commitment_mismatch", "commitment")


def joint_key(keys: Sequence[bytes]) -> Point:
    """The sum of all keys, which are distinct and do not cancel each other."""
    points = [read_point(key) for key in keys]
    for seat, key in enumerate(keys):
        require(key not in keys[:seat], "key_reused", "distinct keys", seat)
    Y = total(points)
    require(not Y.is_neutral(), "neutral_element", "neutral")
    return Y


def joint_coin(context: bytes, coins: Sequence[bytes]) -> bytes:
    """The coin of all seats together."""
    return digest("joint coin", context, *(read_coin(coin) for coin in coins))
