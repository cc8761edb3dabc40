"""Discovery without a network: what it does when the system or the network gives too little or too much."""

from __future__ import annotations

import asyncio
import errno
import logging
from types import SimpleNamespace
from typing import Any

import pytest
from zeroconf import ServiceStateChange
from zeroconf._cache import DNSCache
from zeroconf._dns import DNSText

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net import addresses, discovery
from p2prummi.net.discovery import NAMES_MAX, RESOLVING_MAX, Discovery
from p2prummi.net.records import SERVICE_TYPE
from tests.net.loopback import wait_until

pytestmark = pytest.mark.timeout(120)


def quiet(**changes: Any) -> Discovery:
    """One that announces nothing and tells nobody, but for the changes."""
    options: dict[str, Any] = {
        "key": bytes(32),
        "port": 0,
        "versions": (1,),
        "record": {},
        "on_seen": lambda _: None,
        "on_goodbye": lambda _: None,
        "on_online": lambda _: None,
        "announces": False,
    }
    return Discovery(**{**options, **changes})


def records(count: int) -> list[DNSText]:
    return [DNSText(f"x{number}.local.", 16, 1, 4500, b"a") for number in range(count)]


@pytest.mark.parametrize(("heard", "kept"), [(NAMES_MAX, NAMES_MAX), (NAMES_MAX + 1, 0)])
def test_records_of_more_names_than_there_may_be_are_forgotten(heard: int, kept: int) -> None:
    looking, cache = quiet(), DNSCache()
    looking._forget_what_is_too_much()
    cache.async_add_records(records(heard))
    looking._zeroconf = SimpleNamespace(zeroconf=SimpleNamespace(cache=cache))  # type: ignore[assignment] # of it no more is used here
    looking._forget_what_is_too_much()
    assert len(cache.names()) == kept


def test_what_is_heard_is_looked_through_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "interface_addresses", frozenset)
    monkeypatch.setattr(discovery, "POLL_SECONDS", 0.01)

    async def scenario() -> None:
        looking, looked = quiet(), asyncio.Event()
        monkeypatch.setattr(looking, "_forget_what_is_too_much", looked.set)
        looking.start()
        async with asyncio.timeout(60):
            await looked.wait()
        await looking.close()

    asyncio.run(scenario())


def test_where_the_system_does_not_say_which_addresses_there_are_the_last_ones_stand(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> frozenset[str]:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(discovery, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(discovery, "interface_addresses", refuse)
    monkeypatch.setattr(addresses, "interface_addresses", refuse)
    before = frozenset({"10.77.0.1"})
    assert discovery._interfaces(before) == before
    assert addresses.own_addresses(9) == ()

    async def scenario() -> None:
        told: list[bool] = []
        looking = quiet(on_online=told.append)
        with caplog.at_level(logging.WARNING):
            looking.start()
            await wait_until(lambda: caplog.text.count("can't be read now") > 4, "several looks")
        assert told == [False]
        await looking.close()

    asyncio.run(scenario())


def test_only_so_many_records_are_asked_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        looking, asked = quiet(), list[str]()

        async def resolve(_zeroconf: object, instance: str) -> None:
            asked.append(instance)
            await asyncio.Event().wait()

        monkeypatch.setattr(looking, "_resolve", resolve)
        for number in range(RESOLVING_MAX + 5):
            name = f"{fingerprint(number.to_bytes(32, 'big'))}.{SERVICE_TYPE}"
            for _ in range(2):
                looking._on_change(zeroconf=None, name=name, state_change=ServiceStateChange.Added)
        await asyncio.sleep(0)
        assert len(asked) == len(set(asked)) == RESOLVING_MAX
        await looking.close()

    asyncio.run(scenario())
