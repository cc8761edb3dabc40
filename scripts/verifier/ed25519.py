"""Ed25519 as RFC 8032 defines it, in plain integers: the group, signatures (notation.md, "Signatures")."""

# The letters are those of the specification.
# ruff: noqa: N806

import hashlib
from functools import cache

from verifier.hashing import framed
from verifier.refusal import require

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

KEY_BYTES = 32
SIGNATURE_BYTES = 64

# Extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x·y = T/Z.
Extended = tuple[int, int, int, int]
NEUTRAL: Extended = (0, 1, 1, 0)

# The y coordinate of points of order eight; the other such coordinate is its negative.
ORDER_EIGHT = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
SMALL_ORDER = frozenset({0, 1, 2**255 - 20, 2**255 - 19, 2**255 - 18, ORDER_EIGHT, 2**255 - 19 - ORDER_EIGHT})


def add(a: Extended, b: Extended) -> Extended:
    """The sum of two points, which may be equal."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e = (y1 - x1) * (y2 - x2) % P
    f = (y1 + x1) * (y2 + x2) % P
    g = 2 * t1 * t2 * D % P
    h = 2 * z1 * z2 % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar: int, point: Extended) -> Extended:
    """A point added to itself so many times."""
    result = NEUTRAL
    for bit in f"{scalar:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def decode(data: bytes) -> Extended | None:
    """Section 5.1.3: the point of an encoding, or None where it has none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & 2**255 - 1
    if y >= P:
        return None
    x_squared = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x_squared, (P + 3) // 8, P)
    if x * x % P != x_squared:
        x = x * ROOT_OF_MINUS_ONE % P
    if x * x % P != x_squared or (x == 0 and sign):
        return None
    if x % 2 != sign:
        x = P - x
    return x, y, 1, x * y % P


def encode(point: Extended) -> bytes:
    """Section 5.1.2: the y coordinate, and the parity of x in the highest bit."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P + (x * inverse % P % 2 << 255)).to_bytes(32, "little")


@cache
def base() -> Extended:
    """The base point B."""
    point = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    if point is None:
        raise AssertionError
    return point


def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Section 5.1.7, without multiplying the equation by the cofactor: S·B = R + k·A."""
    R_bytes, S = signature[:32], int.from_bytes(signature[32:], "little")
    A, R = decode(key), decode(R_bytes)
    if A is None or R is None or S >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(R_bytes + key + message).digest(), "little") % ORDER
    x1, y1, z1, _ = multiply(S, base())
    x2, y2, z2, _ = add(R, multiply(k, A))
    return (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


def check_signature(key: bytes, label: str, body: bytes, signature: bytes, *, layer: str = "crypto") -> None:
    """Refuse a signature that is not the key's over this body under this label."""
    good = (
        len(key) == KEY_BYTES
        and len(signature) == SIGNATURE_BYTES
        and int.from_bytes(key, "little") & 2**255 - 1 not in SMALL_ORDER
        and signature_holds(key, framed(label, body), signature)
    )
    require(good, "bad_signature", "signature", layer=layer)
