"""A Dask cluster of two workers plays the same games; where there is none, that is said."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from distributed import LocalCluster

from p2prummi.arena import ArenaError, Plan, Tally, play_deal, played
from p2prummi.arena import cluster as cluster_module
from p2prummi.arena.cluster import cluster_at
from p2prummi.rules import PRESETS
from tests.arena import players

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.sockets
PLAN = Plan(
    strategies=("easy", f"{players.HERE}:Moody"), ruleset=PRESETS["sv-klassisk"], players=4, games=24, seed=4
)


def small_cluster(workers: int) -> LocalCluster:
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address=None,
    )


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of the scheduler of two workers, each a process."""
    with small_cluster(2) as cluster:
        yield str(cluster.scheduler_address)


def test_two_workers_play_the_same(address: str) -> None:
    expected = Tally(PLAN)
    for pairing, assignment in PLAN.assignments():
        expected.add(pairing, play_deal(assignment))
    tally = Tally(PLAN)
    with cluster_at(address) as workers:
        assert workers.count == 2
        for pairing, record in played(PLAN, workers):
            tally.add(pairing, record)
    assert tally.games == PLAN.games_in_all
    assert tally.figures() == expected.figures()


def test_a_worker_that_a_strategy_kills() -> None:
    killing = Plan(strategies=("easy", f"{players.HERE}:Killing"), ruleset=PLAN.ruleset, players=2, games=2)
    with (
        small_cluster(1) as cluster,
        pytest.raises(ArenaError, match="given up on a piece of work"),
        cluster_at(str(cluster.scheduler_address)) as workers,
    ):
        list(played(killing, workers))


def test_a_cluster_of_another_version(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "__version__", "0.0.0")
    with pytest.raises(ArenaError, match=r"and not 0\.0\.0"), cluster_at(address):
        pass


def test_a_cluster_that_lacks_the_program(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "PACKAGE", "no_such_package_here")
    with pytest.raises(ArenaError, match="each worker need p2prummi"), cluster_at(address):
        pass


def test_a_scheduler_without_workers() -> None:
    with (
        small_cluster(0) as cluster,
        pytest.raises(ArenaError, match="has no workers"),
        cluster_at(str(cluster.scheduler_address)),
    ):
        pass


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS_MAX", 1)
    with socket.socket() as taken:
        # Bound, but nobody listens there.
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(OSError, match="connect"), cluster_at(f"tcp://127.0.0.1:{taken.getsockname()[1]}"):
            pass
