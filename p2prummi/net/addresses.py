"""Addresses as texts, and those of this machine's own interfaces.

There are two kinds: `host:port` (`[host]:port` for IPv6), where a host is a literal address or a name, and
`@name`, a socket in a rendezvous directory of this machine (`rendezvous.py`), which only who looks into that
directory can dial. Which addresses a peer tells others is decided here: all but the loopback ones, which are
told only where there are no others, and without link-local ones, which mean nothing on another link.
"""

from __future__ import annotations

import ipaddress
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import ifaddr

from p2prummi.errors import LocalProtocolError
from p2prummi.wire import limits

PORT_MAX: Final = 65535
THIS_MACHINE: Final = "127.0.0.1"
SOCKET_NAME: Final = re.compile("[0-9a-f]{16}", re.ASCII)

log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HostPort:
    """Where something listens; `str` gives the text that `parse_address` reads."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class SocketName:
    """A socket in a rendezvous directory, by its name there: 16 hexadecimal digits, so never a path."""

    name: str

    def __post_init__(self) -> None:
        if SOCKET_NAME.fullmatch(self.name) is None:
            raise LocalProtocolError(f"{self.name!r} is no name of a socket")

    def __str__(self) -> str:
        return f"@{self.name}"


Address: TypeAlias = HostPort | SocketName


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface of this machine: its name here and its addresses."""

    name: str
    addresses: tuple[str, ...]


def parse_address(text: str) -> HostPort:
    """Reads `10.0.0.1:4711`, `[fe80::1%eth0]:4711` or `name.local:4711`.

    Raises LocalProtocolError with words.
    """
    host, colon, port = text.strip().rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    host = host[1:-1] if bracketed else host
    is_port = port.isascii() and port.isdecimal() and 0 < int(port) <= PORT_MAX
    if not colon or not is_port or not host or (":" in host) != bracketed or any(c.isspace() for c in host):
        raise LocalProtocolError(f"{text!r} is no address; write it as HOST:PORT, such as 192.168.1.20:4711")
    return HostPort(host, int(port))


def readable_addresses(texts: Iterable[str]) -> tuple[Address, ...]:
    """The addresses among texts from the network, each once and in their order; what is none is left out."""
    found: dict[Address, None] = {}
    for text in texts:
        try:
            found[SocketName(text[1:]) if text.startswith("@") else parse_address(text)] = None
        except LocalProtocolError:
            continue
    return tuple(found)


def dialable_anywhere(addresses: Iterable[Address]) -> tuple[HostPort, ...]:
    """Those of the addresses that don't need a rendezvous directory."""
    return tuple(address for address in addresses if isinstance(address, HostPort))


def tellable(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Those of a peer's addresses that mean the same to others; all of them where none does.

    A socket of this machine comes last, for those who meet here.
    """
    each = tuple(dict.fromkeys(addresses))
    hosts = dialable_anywhere(each)
    socket = tuple(address for address in each if isinstance(address, SocketName))[:1]
    told = tuple(filter(_means_the_same_to_all, hosts)) or hosts
    return (*told[: limits.ADDRESSES_MAX - len(socket)], *socket)


def interface_addresses() -> frozenset[str]:
    """The addresses of all interfaces that are there now, as texts; empty where there are none.

    Raises OSError, for example where this process has too many files open.
    """
    return frozenset(text for adapter in ifaddr.get_adapters() for text in map(_text, adapter.ips))


def own_addresses(port: int) -> tuple[str, ...]:
    """Where others can dial a listener on `port`, as many as may be told."""
    try:
        hosts = _usable(interface_addresses())
    except OSError as error:
        log.warning("the interfaces can't be read now: %s", error)
        return ()
    return tuple(str(HostPort(host, port)) for host in hosts[: limits.ADDRESSES_MAX])


def own_interfaces() -> tuple[Interface, ...]:
    """The interfaces by which others can be reached, by name; loopback only where there is no other.

    Raises OSError as `interface_addresses`.
    """
    told = set(_usable(interface_addresses()))
    found = [
        Interface(adapter.nice_name, tuple(text for text in map(_text, adapter.ips) if text in told))
        for adapter in ifaddr.get_adapters()
    ]
    return tuple(sorted((each for each in found if each.addresses), key=lambda each: each.name))


def _usable(texts: Iterable[str]) -> list[str]:
    """Those that others can dial, in order; the loopback ones only where there are no others."""
    hosts = [ipaddress.ip_address(text) for text in texts]
    usable = [host for host in hosts if not host.is_link_local and not host.is_multicast]
    routable = [host for host in usable if not host.is_loopback]
    return [str(host) for host in sorted(routable or usable, key=lambda host: (host.version, host.packed))]


def _means_the_same_to_all(address: HostPort) -> bool:
    try:
        host = ipaddress.ip_address(address.host.partition("%")[0])
    except ValueError:
        return True  # A name is looked up by whoever dials it.
    return not host.is_link_local and not host.is_loopback


def _text(ip: ifaddr.IP) -> str:
    # An IPv6 address comes with its flow and scope; the scope is dropped, since it has a meaning here only.
    return str(ip.ip[0] if isinstance(ip.ip, tuple) else ip.ip).partition("%")[0]
