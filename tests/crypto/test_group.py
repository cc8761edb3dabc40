"""The group: laws, encodings, refusals, and that fast and slow ways agree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.crypto import group
from p2prummi.crypto.entropy import SeededEntropy, random_scalars
from p2prummi.crypto.group import (
    GENERATOR,
    NEUTRAL,
    ORDER,
    Point,
    add,
    add_pairs,
    combine_public,
    combine_secret,
    hash_to_group,
    multiply_each_secret,
    multiply_generator,
    multiply_public,
    multiply_secret,
    points_from_bytes,
    scalar_from_bytes,
    scalar_to_bytes,
    secret_from_bytes,
)
from p2prummi.crypto.labels import Label
from p2prummi.crypto.refusal import RefusalError
from p2prummi.errors import FaultCode, LocalProtocolError
from tests.crypto.rounds import refused

FIELD = 2**256 - 2**32 - 977

scalars = st.one_of(st.integers(0, 3), st.integers(ORDER - 3, ORDER - 1), st.integers(0, ORDER - 1))
points = scalars.map(multiply_generator)


@given(points, points, points)
def test_addition_is_a_commutative_group(a: Point, b: Point, c: Point) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c) == add((a, b, c))
    assert a + NEUTRAL == a
    assert (a - a).is_neutral
    assert a - b == a + -b
    negative = -a
    assert -negative == a


@given(scalars, scalars, points)
def test_multiplication_is_linear(r: int, s: int, point: Point) -> None:
    assert multiply_public(r + s, point) == multiply_public(r, point) + multiply_public(s, point)
    assert multiply_public(r * s, point) == multiply_public(r, multiply_public(s, point))
    assert multiply_public(ORDER, point).is_neutral


@given(scalars, points)
def test_constant_and_variable_time_agree(scalar: int, point: Point) -> None:
    assert multiply_secret(scalar, point) == multiply_public(scalar, point)
    assert multiply_generator(scalar) == multiply_public(scalar, GENERATOR)


@given(st.lists(st.tuples(scalars, points), max_size=6), scalars)
def test_sums_of_products_agree_with_single_products(terms: list[tuple[int, Point]], generator: int) -> None:
    factors = [scalar for scalar, _ in terms]
    bases = [point for _, point in terms]
    expected = add([multiply_public(scalar, point) for scalar, point in terms])
    expected += multiply_generator(generator)
    assert combine_public(factors, bases, generator=generator) == expected
    assert combine_secret(factors, bases, generator=generator) == expected
    assert add(multiply_each_secret(factors, bases)) == add(add_pairs(bases, [-p for p in bases])) + add(
        [multiply_public(scalar, point) for scalar, point in terms]
    )


@settings(max_examples=40)
@given(terms=st.lists(st.tuples(scalars.filter(bool), st.integers(1, 4)), min_size=1, max_size=8))
def test_sum_by_digits_is_the_sum(terms: list[tuple[int, int]]) -> None:
    """Few distinct points, so that heaps and totals become neutral on the way."""
    expected = multiply_generator(sum(scalar * log for scalar, log in terms))
    keyed = [(scalar, multiply_generator(log)._key) for scalar, log in terms]
    assert group._sum_by_digits(keyed) == expected


@pytest.mark.parametrize("size", [399, 400, 450])
def test_long_sums_agree_with_short_ones(size: int) -> None:
    factors = random_scalars(SeededEntropy(b"long"), size)
    bases = [multiply_generator(log) for log in range(1, size + 1)]
    expected = multiply_generator(sum(scalar * log for log, scalar in enumerate(factors, start=1)))
    assert combine_public(factors, bases) == expected


def test_products_keep_their_places() -> None:
    """A zero or a neutral point among the factors leaves the others where they are."""
    two = multiply_generator(2)
    assert multiply_each_secret((0, 2, 3), (two, GENERATOR, NEUTRAL)) == [NEUTRAL, two, NEUTRAL]


def test_lengths_must_agree() -> None:
    for combine in (combine_public, combine_secret, multiply_each_secret):
        with pytest.raises(ValueError, match="shorter"):
            combine((1, 2), (GENERATOR,))


@given(points.filter(lambda point: not point.is_neutral))
def test_points_round_trip(point: Point) -> None:
    encoded = point.to_bytes()
    assert len(encoded) == 33
    assert Point.from_bytes(encoded) == point
    assert Point.from_bytes(encoded).to_bytes() == encoded
    assert hash(Point.from_bytes(encoded)) == hash(point)
    assert eval(repr(point), {"Point": Point}) == point  # noqa: S307 - our own repr.


def test_neutral_element_has_no_encoding() -> None:
    with pytest.raises(LocalProtocolError):
        NEUTRAL.to_bytes()
    assert repr(NEUTRAL) == "NEUTRAL"
    assert hash(NEUTRAL) == hash(GENERATOR - GENERATOR)
    assert NEUTRAL == GENERATOR - GENERATOR
    assert NEUTRAL != GENERATOR
    assert GENERATOR != NEUTRAL
    assert GENERATOR != "a point"
    assert (-NEUTRAL).is_neutral


NO_SQUARE_ABOVE = 5  # 5**3 + 7 is no square modulo the field's prime.


@pytest.mark.parametrize(
    ("data", "code", "condition"),
    [
        (b"\x02" + NO_SQUARE_ABOVE.to_bytes(32, "big"), FaultCode.INVALID_POINT, "encoding"),
        (b"\x02" + FIELD.to_bytes(32, "big"), FaultCode.INVALID_POINT, "encoding"),
        (b"\x02" + (FIELD + 1).to_bytes(32, "big"), FaultCode.INVALID_POINT, "encoding"),
        (b"\x02" + b"\xff" * 32, FaultCode.INVALID_POINT, "encoding"),
        (b"\x04" + GENERATOR.to_bytes()[1:], FaultCode.INVALID_POINT, "encoding"),
        (b"\x00" + GENERATOR.to_bytes()[1:], FaultCode.INVALID_POINT, "encoding"),
        (b"\x06" + GENERATOR.to_bytes()[1:], FaultCode.INVALID_POINT, "encoding"),
        (bytes(33), FaultCode.NEUTRAL_ELEMENT, "neutral"),
        (b"\x00", FaultCode.WRONG_SCHEMA, "length"),
        (b"", FaultCode.WRONG_SCHEMA, "length"),
        (GENERATOR.to_bytes()[:-1], FaultCode.WRONG_SCHEMA, "length"),
        (GENERATOR.to_bytes() + b"\0", FaultCode.WRONG_SCHEMA, "length"),
        (b"\x04" + bytes(64), FaultCode.WRONG_SCHEMA, "length"),
        ("x" * 33, FaultCode.WRONG_SCHEMA, "type"),
        (bytearray(GENERATOR.to_bytes()), FaultCode.WRONG_SCHEMA, "type"),
        (None, FaultCode.WRONG_SCHEMA, "type"),
        (33, FaultCode.WRONG_SCHEMA, "type"),
        ([2] * 33, FaultCode.WRONG_SCHEMA, "type"),
    ],
)
def test_bytes_that_are_no_point_are_refused(data: object, code: FaultCode, condition: str) -> None:
    with refused(code, condition):
        Point.from_bytes(data)


def test_x_just_below_the_prime_and_reduced_x_differ() -> None:
    """An x of p + 1 would be 1 if it were reduced; it must be refused although 1 is the x of a point."""
    assert Point.from_bytes(b"\x02" + (1).to_bytes(32, "big")) != NEUTRAL
    with refused(FaultCode.INVALID_POINT):
        Point.from_bytes(b"\x02" + (FIELD + 1).to_bytes(32, "big"))


@given(st.binary(max_size=70))
def test_any_bytes_give_a_point_or_a_refusal(data: bytes) -> None:
    try:
        point = Point.from_bytes(data)
    except RefusalError:
        return
    assert point.to_bytes() == data


def test_strings_of_points() -> None:
    pair = (GENERATOR, multiply_generator(2))
    encoded = b"".join(point.to_bytes() for point in pair)
    assert points_from_bytes(encoded, 2, "pair") == pair
    with refused(FaultCode.WRONG_SCHEMA, "length"):
        points_from_bytes(encoded, 3, "pair")
    with refused(FaultCode.NEUTRAL_ELEMENT):
        points_from_bytes(encoded[:33] + bytes(33), 2, "pair")


@given(scalars)
def test_scalars_round_trip(scalar: int) -> None:
    assert scalar_from_bytes(scalar_to_bytes(scalar)) == scalar
    assert scalar_to_bytes(scalar + ORDER) == scalar_to_bytes(scalar)


@pytest.mark.parametrize(
    ("data", "code", "condition"),
    [
        (ORDER.to_bytes(32, "big"), FaultCode.INVALID_SCALAR, "range"),
        (b"\xff" * 32, FaultCode.INVALID_SCALAR, "range"),
        (bytes(31), FaultCode.WRONG_SCHEMA, "length"),
        (bytes(33), FaultCode.WRONG_SCHEMA, "length"),
        (5, FaultCode.WRONG_SCHEMA, "type"),
        ("x" * 32, FaultCode.WRONG_SCHEMA, "type"),
    ],
)
def test_bytes_that_are_no_scalar_are_refused(data: object, code: FaultCode, condition: str) -> None:
    for read in (scalar_from_bytes, secret_from_bytes):
        with refused(code, condition):
            read(data)


def test_zero_is_a_scalar_but_no_secret() -> None:
    assert scalar_from_bytes(bytes(32)) == 0
    assert secret_from_bytes(scalar_to_bytes(ORDER - 1)) == ORDER - 1
    with refused(FaultCode.INVALID_SCALAR, "range"):
        secret_from_bytes(bytes(32))


def test_hash_to_group_depends_on_label_and_index() -> None:
    made = {hash_to_group(label, index) for label in (Label.TILE, Label.GENERATOR) for index in range(20)}
    assert len(made) == 40
    assert {point.to_bytes()[0] for point in made} == {2}
    assert hash_to_group(Label.TILE, 0) == hash_to_group(Label.TILE, 0)


def test_operations_leave_their_operands_alone() -> None:
    """The library multiplies and negates in place: the points given must not change."""
    point = multiply_generator(5)
    before = bytes(point.to_bytes())
    multiply_public(7, point)
    multiply_secret(7, point)
    assert -point != point
    assert add((point, point)) != point
    combine_public([3] * 400, [point] * 400)
    assert Point(point._key).to_bytes() == before


def test_a_library_that_refuses_a_checked_value_stops_everything() -> None:
    with pytest.raises(LocalProtocolError):
        group._require(0)
    group._require(1)
