"""A Dask cluster of two workers plays the same games; where there is none, that is said."""

from __future__ import annotations

import logging
import socket
from concurrent.futures import CancelledError, ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from distributed import Client, LocalCluster

from p2prummi import __version__
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


def test_of_several_versions_each_other_one_is_named_once() -> None:
    workers = {f"worker {number}": f"0.0.{9 - number}" for number in range(9)} | {"worker 9": __version__}
    client = SimpleNamespace(run_on_scheduler=lambda *_: "0.0.5", run=lambda *_: workers)
    with pytest.raises(ArenaError) as refused:
        cluster_module._require_version(client)  # type: ignore[arg-type]  # as much of a client as it needs
    named = ", ".join(f"0.0.{number}" for number in range(1, 10))
    assert str(refused.value) == f"the cluster has p2prummi {named}, and not {__version__}"


@pytest.mark.parametrize(
    ("raised", "told"), [(ZeroDivisionError, ZeroDivisionError), (CancelledError, OSError)]
)
def test_the_connection_is_closed_whatever_happens(
    address: str, monkeypatch: pytest.MonkeyPatch, raised: type[Exception], told: type[Exception]
) -> None:
    made: list[Client] = []

    def connected(*arguments: Any, **options: Any) -> Client:
        made.append(Client(*arguments, **options))
        return made[0]

    monkeypatch.setattr(cluster_module, "Client", connected)
    with pytest.raises(told), cluster_at(address):
        raise raised
    assert [client.status for client in made] == ["closed"]


def test_a_scheduler_without_workers() -> None:
    with (
        small_cluster(0) as cluster,
        pytest.raises(ArenaError, match="has no workers"),
        cluster_at(str(cluster.scheduler_address)),
    ):
        pass


@pytest.mark.parametrize("address", ["", "here", "tcp://127.0.0.1", "http://127.0.0.1:8786"])
def test_what_is_no_address(address: str) -> None:
    with (
        pytest.raises(ArenaError, match=r"is no address of a scheduler, such as tcp://"),
        cluster_at(address),
    ):
        pass


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS_MAX", 1)
    with socket.socket() as taken:
        # Bound, but nobody listens there.
        taken.bind(("127.0.0.1", 0))
        where = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(OSError, match=f"no scheduler answers at {where}"), cluster_at(where):
            pass


def test_somebody_who_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS_MAX", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(OSError, match=f"no scheduler answers at {where}"), cluster_at(where):
            pass


def test_somebody_who_is_no_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as threads:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                # Of the length that these first bytes say, nobody has memory.
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threads.submit(answer)
        where = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(OSError, match=f"no scheduler answers at {where}"), cluster_at(where):
            pass


class Absent:
    """A client whose cluster has the workers that it is told, at one thread each; None: no answer."""

    def __init__(self, *counts: int | None) -> None:
        self.counts = iter(counts)
        self.scheduler = SimpleNamespace(ncores=None)

    def sync(self, _: object, callback_timeout: float) -> dict[str, int]:
        count = next(self.counts)
        if count is None:
            raise TimeoutError(f"timed out after {callback_timeout:g} s.")
        return {f"worker {number}": 1 for number in range(count)}


def test_workers_may_be_away_for_a_while_and_no_longer() -> None:
    # Nobody is asked before its time, nor twice at once.
    times = iter([100.0, 101.9, 102.0, 102.0, 129.9, 150.0, 160.0, 179.9, 182.0])
    client = Absent(2, 0, 0, 1, 0, 0, 0)
    attendance = cluster_module._Attendance(client, "tcp://x:1", lambda: next(times))  # type: ignore[arg-type]  # as much of a client as it needs
    assert attendance.threads == 2
    for _ in range(7):
        attendance.check()
    with pytest.raises(ArenaError, match="has had no workers for 30 seconds"):
        attendance.check()
    assert list(client.counts) == []


def test_a_scheduler_that_does_not_answer_any_more() -> None:
    times = iter([100.0, 102.0])
    attendance = cluster_module._Attendance(Absent(1, None), "tcp://x:1", lambda: next(times))  # type: ignore[arg-type]  # the same
    with pytest.raises(OSError, match=r"tcp://x:1 does not answer: timed out after 10 s"):
        attendance.check()


def test_none_of_the_librarys_logs_gets_through_while_its_errors_are_told_in_words() -> None:
    spoken_for = [
        logger
        for name in sorted(logging.root.manager.loggerDict)
        if name.partition(".")[0] in {"distributed", "tornado"}
        for logger in [logging.getLogger(name)]
        if logger.level
    ]
    assert {logger.name for logger in spoken_for} >= {"distributed", "tornado.application"}
    own = logging.getLogger("distributed.of_this_test")
    own.setLevel(logging.INFO)
    before = [logger.level for logger in spoken_for]
    with cluster_module._without_its_log():
        assert not [logger.name for logger in [own, *spoken_for] if logger.isEnabledFor(logging.CRITICAL)]
    assert [logger.level for logger in spoken_for] == before
    assert own.level == logging.INFO
