"""Addresses: they read as they are written, and nothing else is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import LocalProtocolError
from p2prummi.net import addresses as module
from p2prummi.net.addresses import (
    Address,
    HostPort,
    own_addresses,
    parse_address,
    readable_addresses,
    tellable,
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("10.77.0.1:4711", HostPort("10.77.0.1", 4711)),
        ("[fe80::1%eth0]:1", HostPort("fe80::1%eth0", 1)),
        ("[fd00::1]:65535", HostPort("fd00::1", 65535)),
        (" kitchen.local:80\n", HostPort("kitchen.local", 80)),
    ],
)
def test_an_address_is_read(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert str(address) == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":80",
        "host",
        "host:",
        "host:0",
        "host:65536",
        "host:+1",
        "host:٣",
        "fd00::1:80",
        "[host]:80",
        "a b:80",
    ],
)
def test_what_is_none_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(LocalProtocolError, match="HOST:PORT"):
        parse_address(text)


@given(st.ip_addresses(), st.integers(1, 65535))
def test_every_address_reads_as_it_is_written(host: object, port: int) -> None:
    address = HostPort(str(host), port)
    assert parse_address(str(address)) == address


def test_texts_from_the_network_that_are_none_are_passed_over() -> None:
    texts = ("10.0.0.1:1", "nonsense", "[::1]:2", "10.0.0.1:1")
    assert readable_addresses(texts) == (HostPort("10.0.0.1", 1), HostPort("::1", 2))


def test_what_others_are_told_of_a_peer_means_the_same_to_them() -> None:
    here, near = HostPort("127.0.0.1", 1), HostPort("fe80::1%eth0", 1)
    far, named = HostPort("10.77.0.1", 1), HostPort("kitchen.local", 1)
    assert tellable([near, here, far, named, far]) == (far, named)
    assert tellable([near, here]) == (near, here)
    assert tellable([HostPort(f"10.77.0.{n}", 1) for n in range(1, 31)])[-1] == HostPort("10.77.0.16", 1)


@pytest.mark.parametrize(
    ("interfaces", "told"),
    [
        ({"127.0.0.1", "10.77.0.2", "10.77.0.1"}, ("10.77.0.1:9", "10.77.0.2:9")),
        ({"127.0.0.1", "::1"}, ("127.0.0.1:9", "[::1]:9")),
        ({"127.0.0.1", "fe80::1", "fd00::5"}, ("[fd00::5]:9",)),
        (set(), ()),
        ({f"10.77.0.{n}" for n in range(1, 31)}, tuple(f"10.77.0.{n}:9" for n in range(1, 17))),
    ],
)
def test_which_own_addresses_are_told(
    interfaces: set[str], told: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "interface_addresses", lambda: frozenset(interfaces))
    assert own_addresses(9) == told
