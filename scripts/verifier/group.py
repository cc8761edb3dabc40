"""The group of the curve secp256k1 in plain integers; points and scalars (notation.md, "Group")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.refusal import require

P = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F  # of the field
Q = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141  # of the group
SCALAR_BYTES = 32
POINT_BYTES = 33

# Jacobian coordinates: (X, Y, Z) stands for the affine point (X/Z², Y/Z³), and Z = 0 for the neutral element.
Jacobian = tuple[int, int, int]
NEUTRAL_COORDINATES: Jacobian = (1, 1, 0)


def _double(a: Jacobian) -> Jacobian:
    x, y, z = a
    y_squared = y * y % P
    s = 4 * x * y_squared % P
    m = 3 * x * x % P
    x_out = (m * m - 2 * s) % P
    return x_out, (m * (s - x_out) - 8 * y_squared * y_squared) % P, 2 * y * z % P


def _add(a: Jacobian, b: Jacobian) -> Jacobian:
    x1, y1, z1 = a
    x2, y2, z2 = b
    if not z1:
        return b
    if not z2:
        return a
    z1_squared = z1 * z1 % P
    u2 = x2 * z1_squared % P
    s2 = y2 * z1_squared * z1 % P
    # Most points of a sum come straight from their encoding; for them much of the work is spared.
    if z2 == 1:
        u1, s1 = x1, y1
    else:
        z2_squared = z2 * z2 % P
        u1 = x1 * z2_squared % P
        s1 = y1 * z2_squared * z2 % P
    h = u2 - u1
    r = s2 - s1
    if not h % P:
        return NEUTRAL_COORDINATES if r % P else _double(a)
    h_squared = h * h % P
    h_cubed = h * h_squared % P
    v = u1 * h_squared % P
    x_out = (r * r - h_cubed - 2 * v) % P
    return x_out, (r * (v - x_out) - s1 * h_cubed) % P, z1 * z2 * h % P


class Point:
    """An element of the group, the neutral one included."""

    __slots__ = ("coordinates",)

    def __init__(self, coordinates: Jacobian) -> None:
        self.coordinates = coordinates

    def __add__(self, other: Point) -> Point:
        return Point(_add(self.coordinates, other.coordinates))

    def __neg__(self) -> Point:
        x, y, z = self.coordinates
        return Point((x, -y % P, z))

    def __sub__(self, other: Point) -> Point:
        return self + -other

    def __rmul__(self, scalar: int) -> Point:
        return combine([scalar], [self])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and (self - other).is_neutral()

    def __hash__(self) -> int:
        return hash(None if self.is_neutral() else self.encode())

    def is_neutral(self) -> bool:
        """Whether this is the neutral element."""
        return not self.coordinates[2]

    def encode(self) -> bytes:
        """The 33 bytes of a point that is not neutral."""
        x, y, z = self.coordinates
        inverse = pow(z, -1, P)
        x_affine = x * inverse**2 % P
        y_affine = y * inverse**3 % P
        return bytes([2 + y_affine % 2]) + x_affine.to_bytes(32, "big")


NEUTRAL = Point(NEUTRAL_COORDINATES)


def combine(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """The sum of scalars[i]·points[i], by Pippenger's method.

    In each window, from the highest digits to the lowest, the points with the same digit are added into one
    bucket; running sums over the buckets then count each bucket as often as its digit says.
    """
    reduced = [scalar % Q for scalar in scalars]
    width = max(2, len(points).bit_length() - 2)
    bases = [point.coordinates for point in points]
    total = NEUTRAL_COORDINATES
    for shift in range((256 // width) * width, -1, -width):
        for _ in range(width):
            total = _double(total)
        buckets = [NEUTRAL_COORDINATES] * (1 << width)
        for scalar, base in zip(reduced, bases, strict=True):
            digit = scalar >> shift & (1 << width) - 1
            if digit:
                buckets[digit] = _add(buckets[digit], base)
        running = NEUTRAL_COORDINATES
        for bucket in reversed(buckets[1:]):
            running = _add(running, bucket)
            total = _add(total, running)
    return Point(total)


def total(points: Iterable[Point]) -> Point:
    """The sum of all points."""
    return sum(points, start=NEUTRAL)


def point_of(encoding: bytes) -> Point | None:
    """The point with this encoding of 33 bytes, or None where no point has it."""
    x = int.from_bytes(encoding[1:], "big")
    if encoding[0] not in (2, 3) or x >= P:
        return None
    y_squared = (x**3 + 7) % P
    y = pow(y_squared, (P + 1) // 4, P)  # This is a root if there is one, since p = 3 modulo 4.
    if y * y % P != y_squared:
        return None
    # No point has y = 0, since the order of the group is odd; so the roots are one even and one odd number.
    return Point((x, y if y % 2 == encoding[0] % 2 else P - y, 1))


def read_point(data: bytes) -> Point:
    """Read a point that may be sent: any but the neutral one."""
    require(len(data) == POINT_BYTES, "wrong_schema", "length")
    require(any(data), "neutral_element", "neutral")
    point = point_of(data)
    if point is None:
        require(False, "invalid_point", "encoding")
        raise AssertionError
    return point


def read_scalar(data: bytes) -> int:
    """Read a number modulo q."""
    require(len(data) == SCALAR_BYTES, "wrong_schema", "length")
    value = int.from_bytes(data, "big")
    require(value < Q, "invalid_scalar", "range")
    return value


def read_secret(data: bytes) -> int:
    """Read a secret key: a scalar other than zero."""
    value = read_scalar(data)
    require(value != 0, "invalid_scalar", "range")
    return value


def read_points(data: bytes, count: int) -> list[Point]:
    """Read a string of so many points: its whole length first, then each."""
    require(len(data) == POINT_BYTES * count, "wrong_schema", "length")
    return [read_point(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)]


def read_scalars(data: bytes, count: int) -> list[int]:
    """Read a string of so many scalars: its whole length first, then each."""
    require(len(data) == SCALAR_BYTES * count, "wrong_schema", "length")
    return [read_scalar(data[at : at + SCALAR_BYTES]) for at in range(0, len(data), SCALAR_BYTES)]


G = Point(
    (
        0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
        0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
        1,
    )
)
