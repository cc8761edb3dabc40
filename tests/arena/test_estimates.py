"""Student's t and the figures: against published values, an independent library, and a case done by hand."""

from __future__ import annotations

import math
import statistics

import pytest
from scipy import stats

from p2prummi.arena import DealRecord, Estimate, GameRecord, Pairing
from p2prummi.arena.estimates import estimate, figures_of
from p2prummi.arena.student import probability_within, quantile

# The two-sided 95 % column of any printed table.
PRINTED = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 29: 2.045, 66: 1.997, 120: 1.980}


@pytest.mark.parametrize("freedom", PRINTED)
def test_the_quantiles_are_those_of_the_printed_table(freedom: int) -> None:
    assert round(quantile(0.95, freedom), 3) == PRINTED[freedom]


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 30, 101, 5000])
@pytest.mark.parametrize("probability", [0.1, 0.5, 0.95, 0.99, 0.999])
def test_the_quantiles_are_those_of_another_library(freedom: int, probability: float) -> None:
    assert quantile(probability, freedom) == pytest.approx(
        float(stats.t.ppf((1 + probability) / 2, freedom)), rel=1e-9
    )
    assert probability_within(quantile(probability, freedom), freedom) == pytest.approx(probability)


def test_an_interval_by_hand() -> None:
    found = estimate([1.0, 2.0, 3.0, 6.0])
    assert found.mean == 3.0
    # The squares 4, 1, 0 and 9 over three degrees of freedom, and the root of four values.
    assert found.half_width == pytest.approx(3.18245 * math.sqrt(14 / 3) / 2, rel=1e-5)


def test_two_values_have_an_interval() -> None:
    assert estimate([1.0, 3.0]).half_width == pytest.approx(12.7062, rel=1e-5)


def test_one_value_has_no_interval_and_decides_nothing() -> None:
    assert estimate([0.25]) == Estimate(0.25, None)
    assert not estimate([0.25]).is_decided


@pytest.mark.parametrize(
    ("mean", "half_width", "is_decided"),
    [(0.2, 0.1, True), (-0.2, 0.1, True), (0.1, 0.1, False), (-0.1, 0.2, False), (0.0, 0.0, False)],
)
def test_a_difference_is_decided_where_its_interval_is_clear_of_zero(
    mean: float, half_width: float, is_decided: bool
) -> None:
    assert Estimate(mean, half_width).is_decided == is_decided


def game(seating: str, points: tuple[int, ...], winners: tuple[int, ...], **more: object) -> GameRecord:
    sides = tuple(map(int, seating))
    return GameRecord(seating=sides, points=points, winners=winners, turns=10, **more)  # type: ignore[arg-type]  # whatever else a test says


DEALS = [
    DealRecord(
        deal=0,
        games=(
            game("01", (30, -30), (0,)),
            game("10", (30, -30), (0,), replaced=(2, 0), reasons=("lost", "")),
        ),
        cpu_seconds=1.0,
    ),
    DealRecord(deal=1, games=(game("01", (8, -8), (0,)), game("10", (-2, 2), (1,))), cpu_seconds=1.0),
    DealRecord(
        deal=2,
        games=(game("01", (-5, -5), ()), game("10", (-7, 7), (1,), replaced=(1, 0), reasons=("later", ""))),
        cpu_seconds=1.0,
    ),
]


def test_figures_by_hand() -> None:
    figures = figures_of(Pairing("a", "b"), DEALS)
    a, b = figures.sides
    assert (figures.deals, figures.games, figures.undecided, figures.turns_mean) == (3, 6, 1, 10)
    assert (a.name, a.wins, a.replaced, a.reason) == ("a", 4, 3, "lost")
    assert (b.name, b.wins, b.replaced, b.reason) == ("b", 1, 0, "")
    # One value a deal: the mean over its games.
    assert a.win_rate == estimate([0.5, 1.0, 0.5])
    assert b.win_rate == estimate([0.5, 0.0, 0.0])
    assert a.points == estimate([0.0, 5.0, 1.0])
    assert b.points == estimate([0.0, -5.0, -6.0])
    assert figures.win_rate_difference == estimate([0.0, 1.0, 0.5])
    assert figures.points_difference == estimate([0.0, 10.0, 7.0])


def test_games_of_one_deal_are_not_counted_as_independent() -> None:
    alike = [DealRecord(deal=n, games=(DEALS[n].games[0],) * 50, cpu_seconds=1.0) for n in range(3)]
    once = [DealRecord(deal=n, games=(DEALS[n].games[0],), cpu_seconds=1.0) for n in range(3)]
    many, few = (figures_of(Pairing("a", "b"), records).points_difference for records in (alike, once))
    assert many.mean == pytest.approx(few.mean)
    assert many.half_width == pytest.approx(few.half_width)


def test_sides_with_several_seats_are_averaged_over_them() -> None:
    record = DealRecord(
        deal=0, games=(game("001", (10, 20, -30), (1,)), game("110", (10, 20, -30), (1,))), cpu_seconds=1.0
    )
    a, b = figures_of(Pairing("a", "b"), [record]).sides
    assert a.points.mean == statistics.fmean([10, 20, -30])
    assert b.points.mean == statistics.fmean([-30, 10, 20])
    assert (a.win_rate.mean, b.win_rate.mean) == (0.5, 0.5)


def test_a_team_wins_a_game_once() -> None:
    record = DealRecord(deal=0, games=(game("0101", (5, -5, 5, -5), (0, 2)),), cpu_seconds=1.0)
    a, b = figures_of(Pairing("a", "b"), [record]).sides
    assert (a.wins, b.wins) == (1, 0)
    assert a.win_rate.mean == 1.0
