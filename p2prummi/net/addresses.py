"""Addresses as texts (`host:port`, `[host]:port`), and those of this machine's own interfaces.

A host is a literal address or a name. Which addresses a peer advertises is decided here: all but the loopback
ones, which are told only where there are no others, and without link-local ones, which mean nothing on
another link.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import ifaddr

from p2prummi.errors import LocalProtocolError
from p2prummi.wire import limits

PORT_MAX: Final = 65535


@dataclass(frozen=True, slots=True)
class Address:
    """Where something listens; `str` gives the text that `parse_address` reads."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Reads `10.0.0.1:4711`, `[fe80::1%eth0]:4711` or `name.local:4711`.

    Raises LocalProtocolError with words.
    """
    host, colon, port = text.strip().rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    host = host[1:-1] if bracketed else host
    is_port = port.isascii() and port.isdecimal() and 0 < int(port) <= PORT_MAX
    if not colon or not is_port or not host or (":" in host) != bracketed or any(c.isspace() for c in host):
        raise LocalProtocolError(f"{text!r} is no address; write it as HOST:PORT, such as 192.168.1.20:4711")
    return Address(host, int(port))


def readable_addresses(texts: tuple[str, ...]) -> tuple[Address, ...]:
    """The addresses among texts from the network, each once and in their order; what is none is left out."""
    found: dict[Address, None] = {}
    for text in texts:
        try:
            found[parse_address(text)] = None
        except LocalProtocolError:
            continue
    return tuple(found)


def tellable(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Those of a peer's addresses that mean the same to others; all of them where none does."""
    each = tuple(dict.fromkeys(addresses))
    return (tuple(filter(_means_the_same_to_all, each)) or each)[: limits.ADDRESSES_MAX]


def interface_addresses() -> frozenset[str]:
    """The addresses of all interfaces that are there now, as texts; empty where there are none."""
    return frozenset(text for adapter in ifaddr.get_adapters() for text in map(_text, adapter.ips))


def own_addresses(port: int) -> tuple[str, ...]:
    """Where others can dial a listener on `port`, as many as may be told."""
    hosts = [ipaddress.ip_address(text) for text in interface_addresses()]
    usable = [host for host in hosts if not host.is_link_local and not host.is_multicast]
    routable = [host for host in usable if not host.is_loopback]
    ordered = sorted(routable or usable, key=lambda host: (host.version, host.packed))
    return tuple(str(Address(str(host), port)) for host in ordered[: limits.ADDRESSES_MAX])


def _means_the_same_to_all(address: Address) -> bool:
    try:
        host = ipaddress.ip_address(address.host.partition("%")[0])
    except ValueError:
        return True  # A name is looked up by whoever dials it.
    return not host.is_link_local and not host.is_loopback


def _text(ip: ifaddr.IP) -> str:
    # An IPv6 address comes with its flow and scope; the scope is dropped, since it has a meaning here only.
    return str(ip.ip[0] if isinstance(ip.ip, tuple) else ip.ip).partition("%")[0]
