"""The group: secp256k1 through libsecp256k1, and the only module that uses the curve library.

Rules: a secret scalar goes through the functions named `secret` (constant time in the scalar), a public one
through those named `public` (variable time, faster). Points from outside come through `Point.from_bytes`
alone, scalars through `scalar_from_bytes`; the neutral element is a value here but has no encoding and is
never read. Scalars are Python ints modulo the group's order: arithmetic on them is not constant time
(`protocol/spec/crypto.md`, "What is not promised"). The library's raw calls are used on parsed keys, since
parsing costs a square root.

Another binding of the same C library is a swap of this one file. Source: SEC 2, curve secp256k1.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterable, Sequence
from typing import Any

from btclib_secp256k1 import ffi, lib
from btclib_secp256k1.context import ctx

from p2prummi.crypto.labels import Label, digest, uint32
from p2prummi.crypto.refusal import RefusalError, require_bytes
from p2prummi.errors import FaultCode, LocalProtocolError

ORDER = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141
"""The prime order q of the group."""

POINT_BYTES = 33
SCALAR_BYTES = 32

# From so many terms on, summing by digits is faster than multiplying one by one (measured).
_TERMS_FOR_DIGITS = 400
_DIGIT_BITS = 6
_DIGIT_BYTES = 33  # 44 digits: 256 bits, and room for the carry of the shift.
_DIGIT_SHIFT = sum(32 << (_DIGIT_BITS * position) for position in range(44))
_BASE_64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
# Each digit from 1 to 32 with the codes in base 64 of it and of its opposite; code 0 holds nothing.
_DIGIT_CODES = [
    (digit, _BASE_64[32 + digit] if digit < 32 else 0, _BASE_64[32 - digit]) for digit in range(1, 33)
]

_COMPRESSED = 258  # SECP256K1_EC_COMPRESSED, a macro that the bindings do not carry over.
_KEY = ffi.typeof("secp256k1_pubkey *")
_KEY_LIST = ffi.typeof("secp256k1_pubkey *[]")
_COPY_COORDINATES = lib.btclib_secp256k1_ecdh_hash_function_xy

# The parsed key of the C library. The bindings have no type for it.
_Key = Any


class Point:
    """An element of the group, the neutral one included. Immutable; equal when the encodings are equal."""

    __slots__ = ("_encoded", "_key")

    def __init__(self, key: _Key | None, encoded: bytes | None = None) -> None:
        """For this module alone.

        `key` is an initialised key of the C library, or None for the neutral element.
        """
        self._key = key
        self._encoded = encoded

    @staticmethod
    def from_bytes(data: object, field: str = "point") -> Point:
        """The point with this 33-byte compressed encoding.

        Raises `RefusalError`: `wrong_schema` (no byte string, wrong length), `neutral_element` (33 zero
        bytes, as which some libraries write it), `invalid_point` (any other bytes that encode no point).
        """
        encoded = require_bytes(data, POINT_BYTES, field)
        key = ffi.new(_KEY)
        if not lib.secp256k1_ec_pubkey_parse(ctx, key, encoded, POINT_BYTES):
            if not any(encoded):
                raise RefusalError(FaultCode.NEUTRAL_ELEMENT, "neutral", f"{field} is the neutral element")
            raise RefusalError(FaultCode.INVALID_POINT, "encoding", f"{field} is no point of the group")
        return Point(key, encoded)

    def to_bytes(self) -> bytes:
        """The 33-byte compressed encoding.

        Raises `LocalProtocolError` for the neutral element, which has none.
        """
        if self._encoded is None:
            if self._key is None:
                raise LocalProtocolError("the neutral element has no encoding")
            encoded = ffi.new("unsigned char[33]")
            lib.secp256k1_ec_pubkey_serialize(
                ctx, encoded, ffi.new("size_t *", POINT_BYTES), self._key, _COMPRESSED
            )
            self._encoded = bytes(ffi.buffer(encoded))
        return self._encoded

    @property
    def is_neutral(self) -> bool:
        """Whether this is the neutral element."""
        return self._key is None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Point):
            return NotImplemented
        if self._key is None or other._key is None:
            return self._key is other._key
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(None if self._key is None else self.to_bytes())

    def __neg__(self) -> Point:
        if self._key is None:
            return self
        return Point(_negated(self._key))

    def __add__(self, other: Point) -> Point:
        return add((self, other))

    def __sub__(self, other: Point) -> Point:
        return add((self, -other))

    def __repr__(self) -> str:
        if self._key is None:
            return "NEUTRAL"
        return f"Point.from_bytes(bytes.fromhex('{self.to_bytes().hex()}'))"


NEUTRAL = Point(None)
GENERATOR = Point.from_bytes(
    bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
)


def points_from_bytes(data: object, size: int, field: str) -> tuple[Point, ...]:
    """`size` points from `size` times 33 bytes; refusals as in `Point.from_bytes`."""
    encoded = require_bytes(data, size * POINT_BYTES, field)
    return tuple(
        Point.from_bytes(encoded[start : start + POINT_BYTES], field)
        for start in range(0, len(encoded), POINT_BYTES)
    )


def scalar_from_bytes(data: object, field: str = "scalar") -> int:
    """The scalar with this 32-byte big-endian encoding, zero included.

    Raises `RefusalError`: `wrong_schema` (no byte string, wrong length), `invalid_scalar` (q or more).
    """
    value = int.from_bytes(require_bytes(data, SCALAR_BYTES, field), "big")
    if value >= ORDER:
        raise RefusalError(FaultCode.INVALID_SCALAR, "range", f"{field} is not below the group's order")
    return value


def secret_from_bytes(data: object, field: str = "secret key") -> int:
    """As `scalar_from_bytes`, for a scalar that may not be zero either."""
    value = scalar_from_bytes(data, field)
    if value == 0:
        raise RefusalError(FaultCode.INVALID_SCALAR, "range", f"{field} is zero")
    return value


def scalar_to_bytes(scalar: int) -> bytes:
    """The 32-byte big-endian encoding of a scalar modulo q."""
    return (scalar % ORDER).to_bytes(SCALAR_BYTES, "big")


def hash_to_group(label: Label, index: int) -> Point:
    """A point whose discrete logarithm nobody knows.

    The first SHA-256 over (label, index, counter) that is the x coordinate of one, with even y. Variable
    time: the inputs are public.
    """
    counter = 0
    while True:
        encoded = b"\x02" + digest(label, uint32(index), uint32(counter))
        key = ffi.new(_KEY)
        if lib.secp256k1_ec_pubkey_parse(ctx, key, encoded, POINT_BYTES):
            return Point(key, encoded)
        counter += 1


def add(points: Iterable[Point]) -> Point:
    """The sum of any number of points, in one call of the library."""
    return _sum_of_keys([point._key for point in points if point._key is not None])


def add_pairs(lefts: Sequence[Point], rights: Sequence[Point]) -> tuple[Point, ...]:
    """`lefts[i] + rights[i]` for every i."""
    return tuple(add(pair) for pair in zip(lefts, rights, strict=True))


def multiply_public(scalar: int, point: Point) -> Point:
    """`scalar * point` in variable time: for scalars that everybody may know."""
    return combine_public((scalar,), (point,))


def multiply_secret(scalar: int, point: Point) -> Point:
    """`scalar * point` in time that does not depend on the scalar."""
    return combine_secret((scalar,), (point,))


def multiply_generator(scalar: int) -> Point:
    """`scalar * G` in time that does not depend on the scalar; the fastest way for public scalars too."""
    factor = scalar % ORDER
    if factor == 0:
        return NEUTRAL
    key = ffi.new(_KEY)
    _require(lib.secp256k1_ec_pubkey_create(ctx, key, factor.to_bytes(SCALAR_BYTES, "big")))
    return Point(key)


def combine_secret(scalars: Sequence[int], points: Sequence[Point], generator: int = 0) -> Point:
    """The sum of `generator * G` and of all `scalars[i] * points[i]`.

    Each product takes a time that does not depend on its scalar, but for being zero. Raises `ValueError` when
    the lengths differ.
    """
    return add((*multiply_each_secret(scalars, points), multiply_generator(generator)))


def multiply_each_secret(scalars: Sequence[int], points: Sequence[Point]) -> list[Point]:
    """`scalars[i] * points[i]` for every i, each in time that does not depend on its scalar.

    The library multiplies in constant time only for a key exchange and hands the point to a hash function:
    the one used here is compiled C that copies both coordinates out, behind the tag byte that makes them an
    encoding.
    """
    # The buffer belongs to this call: the library releases the interpreter's lock, so other threads may run.
    encoded = ffi.new("unsigned char[65]")
    encoded[0] = 4
    coordinates = encoded + 1
    multiply, parse, new = lib.secp256k1_ecdh, lib.secp256k1_ec_pubkey_parse, ffi.new
    products = []
    for scalar, point in zip(scalars, points, strict=True):
        factor = scalar % ORDER
        if factor == 0 or point._key is None:
            products.append(NEUTRAL)
            continue
        product = new(_KEY)
        _require(
            multiply(ctx, coordinates, point._key, factor.to_bytes(32, "big"), _COPY_COORDINATES, ffi.NULL)
            and parse(ctx, product, encoded, 65)
        )
        products.append(Point(product))
    ffi.memmove(encoded, bytes(65), 65)
    return products


def combine_public(scalars: Sequence[int], points: Sequence[Point], generator: int = 0) -> Point:
    """The sum of `generator * G` and of all `scalars[i] * points[i]`, in variable time.

    For scalars that everybody may know. Many terms are cheaper than as many multiplications: see
    `_sum_by_digits`. Raises `ValueError` when the lengths differ.
    """
    terms = [
        (factor, point._key)
        for scalar, point in zip(scalars, points, strict=True)
        if point._key is not None and (factor := scalar % ORDER)
    ]
    if len(terms) < _TERMS_FOR_DIGITS:
        total = _sum_of_keys([_public_product(key, scalar) for scalar, key in terms])
    else:
        total = _sum_by_digits(terms)
    return add((total, multiply_generator(generator)))


def _sum_by_digits(terms: Sequence[tuple[int, _Key]]) -> Point:
    """The sum of many products in variable time, digit by digit (Pippenger's method, signed digits).

    A sum of many points in one call costs a hundredth of a multiplication a point. So the points are sorted
    into heaps by the digit of their scalar, each heap is summed, and the heaps' sums are weighted by their
    digit bit by bit. From the highest digit down, the total is doubled once a bit. A digit has six bits,
    because base 64 then gives all digits of a scalar in one call.
    """
    # Half a digit is added to each beforehand and taken off as it is read: signed digits without carries.
    digits = [
        b2a_base64((scalar + _DIGIT_SHIFT).to_bytes(_DIGIT_BYTES, "big"), newline=False)
        for scalar, _ in terms
    ]
    signed = [(key, _negated(key)) for _, key in terms]
    total: list[_Key] = []
    for column in zip(*digits, strict=True):
        heaps: list[list[tuple[_Key, _Key]]] = [[] for _ in range(128)]
        for code, pair in zip(column, signed, strict=True):
            heaps[code].append(pair)
        sums = []
        for digit, positive, negative in _DIGIT_CODES:
            heap = [key for key, _ in heaps[positive]] + [key for _, key in heaps[negative]]
            key = _sum_of_keys(heap)._key
            if key is not None:
                sums.append((digit, key))
        for bit in range(_DIGIT_BITS - 1, -1, -1):
            key = _sum_of_keys(total + total + [key for digit, key in sums if digit >> bit & 1])._key
            total = [] if key is None else [key]
    return _sum_of_keys(total)


def _negated(key: _Key) -> _Key:
    # The library negates in place, so it works on a copy.
    negated = ffi.new(_KEY, key[0])
    lib.secp256k1_ec_pubkey_negate(ctx, negated)
    return negated


def _public_product(key: _Key, scalar: int) -> _Key:
    if scalar == 1:
        return key
    if scalar == ORDER - 1:
        return _negated(key)
    # The library multiplies in place, so it works on a copy.
    product = ffi.new(_KEY, key[0])
    _require(lib.secp256k1_ec_pubkey_tweak_mul(ctx, product, scalar.to_bytes(SCALAR_BYTES, "big")))
    return product


def _sum_of_keys(keys: list[_Key]) -> Point:
    if not keys:
        return NEUTRAL
    if len(keys) == 1:
        # Keys are never changed once they are made, so that two points may hold the same one.
        return Point(keys[0])
    total = ffi.new(_KEY)
    # With initialised keys, which is all that a Point holds, zero says that the sum is the neutral element.
    if not lib.secp256k1_ec_pubkey_combine(ctx, total, ffi.new(_KEY_LIST, keys), len(keys)):
        return NEUTRAL
    return Point(total)


def _require(accepted: int) -> None:
    """Stop at once if the library refuses what this module has already checked."""
    if not accepted:
        raise LocalProtocolError("the curve library refused a checked value")
