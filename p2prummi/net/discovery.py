"""Discovery by mDNS: tells the network of this peer, and reports the service records of others.

One instance a peer, named by its fingerprint, which is its host label too: nicknames clash, and records of
one host label are merged. The library stops asking after its first queries and then misses whoever comes back
after a parted network, so the browser is made anew every few seconds; reports repeat, and whoever takes them
is to be idempotent. All interfaces are used, and looked at again every second: addresses come, go and change.
Without any interface this waits for one. A record says nothing of whether its peer lives: that is
`sightings.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import math
import time
from collections.abc import Callable
from typing import Any, Final

from zeroconf import Error as ZeroconfError
from zeroconf import InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2prummi.crypto.fingerprint import fingerprint, is_fingerprint
from p2prummi.net.addresses import HostPort, interface_addresses
from p2prummi.net.records import SERVICE_TYPE, read_record
from p2prummi.net.sightings import PeerSighting

BROWSE_SECONDS: Final = 6.0
POLL_SECONDS: Final = 1.0
REPEAT_SECONDS: Final = 1.5
RESOLVE_MS_MAX: Final = 3000
RESOLVING_MAX: Final = 32
# Of all services together, since all records in the network are heard.
NAMES_MAX: Final = 1000

log: Final = logging.getLogger(__name__)

# The library warns of every socket that can't send just then: on some interface there is always one.
logging.getLogger("zeroconf").setLevel(logging.ERROR)


class Discovery:
    """This peer's place in the network's service records.

    Make it, `start` it, `update` what it says, `close` it.
    """

    def __init__(
        self,
        *,
        key: bytes,
        port: int,
        versions: tuple[int, ...],
        record: dict[str, str],
        on_seen: Callable[[PeerSighting], None],
        on_goodbye: Callable[[str], None],
        on_online: Callable[[bool], None],
        announces: bool = True,
    ) -> None:
        self._instance = fingerprint(key)
        self._port = port
        self._versions = versions
        self._record = record
        self._on_seen = on_seen
        self._on_goodbye = on_goodbye
        self._on_online = on_online
        self._announces = announces
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._info: AsyncServiceInfo | None = None
        self._addresses: frozenset[str] = frozenset()
        self._changed = asyncio.Event()
        self._repeat_at = math.inf
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins; whatever stands in the way is waited for."""
        self._tasks = [
            asyncio.ensure_future(self._follow_interfaces()),
            asyncio.ensure_future(self._browse()),
        ]

    def update(self, record: dict[str, str]) -> None:
        """Changes what this peer says of itself; does nothing where it says so already."""
        if record != self._record:
            self._record = record
            self._changed.set()

    async def close(self) -> None:
        """Says goodbye and ends."""
        tasks = [*self._tasks, *self._resolving.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._go_offline(goodbye=True)

    # This peer's own record.

    async def _follow_interfaces(self) -> None:
        online: bool | None = None
        seen = _interfaces(frozenset())
        while True:
            now_seen = _interfaces(seen)
            # An address is taken up when it has stayed for a moment: a flapping interface makes no storm.
            if now_seen == seen and now_seen != self._addresses:
                await self._move_to(now_seen)
            seen = now_seen
            if online is not (self._zeroconf is not None):
                online = self._zeroconf is not None
                self._on_online(online)
            if self._changed.is_set():
                self._changed.clear()
                await self._announce()
            elif time.monotonic() >= self._repeat_at:
                await self._announce()
                self._repeat_at = math.inf
            self._forget_what_is_too_much()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._changed.wait()

    async def _move_to(self, addresses: frozenset[str]) -> None:
        if not addresses:
            await self._go_offline(goodbye=False)
            self._addresses = addresses
            return
        try:
            if self._zeroconf is None:
                self._zeroconf = AsyncZeroconf(
                    interfaces=InterfaceChoice.All, ip_version=_ip_version(addresses)
                )
                await self._zeroconf.zeroconf.async_wait_for_start()
            else:
                if self._info is not None:
                    # On a new interface the library tells at once what is registered: not the old addresses.
                    self._info.addresses = _advertised(addresses)
                await self._zeroconf.async_update_interfaces(ip_version=_ip_version(addresses))
            self._addresses = addresses
            await self._announce()
            self._browse_anew()
        except (OSError, ZeroconfError) as error:
            log.warning("mDNS is not to be had now: %s", error)
            await self._go_offline(goodbye=False)

    async def _announce(self) -> None:
        if self._zeroconf is None or not self._announces:
            return
        info = AsyncServiceInfo(
            SERVICE_TYPE,
            f"{self._instance}.{SERVICE_TYPE}",
            port=self._port,
            properties=self._record,
            server=f"{self._instance}.local.",
            parsed_addresses=_advertised(self._addresses),
        )
        try:
            if self._info is None:
                # The name holds a hash of the key: nobody else has it, so there is nothing to be asked
                # before.
                await self._zeroconf.async_register_service(info, cooperating_responders=True)
            else:
                await self._zeroconf.async_update_service(info)
            self._info = info
            # Who hears two records within a second may keep the older, even that of one who crashed and came
            # back: the newer is told once more.
            self._repeat_at = time.monotonic() + REPEAT_SECONDS
        except (OSError, ZeroconfError) as error:
            log.warning("this peer could not be announced: %s", error)

    async def _go_offline(self, *, goodbye: bool) -> None:
        zeroconf, self._zeroconf = self._zeroconf, None
        browser, self._browser = self._browser, None
        info, self._info = self._info, None
        if zeroconf is None:
            return
        with contextlib.suppress(OSError, ZeroconfError):
            if browser is not None:
                await browser.async_cancel()
            if goodbye and info is not None:
                await (await zeroconf.async_unregister_service(info))
        with contextlib.suppress(OSError, ZeroconfError):
            await zeroconf.async_close()

    # Others' records.

    async def _browse(self) -> None:
        while True:
            await asyncio.sleep(BROWSE_SECONDS)
            self._browse_anew()

    def _forget_what_is_too_much(self) -> None:
        """Keeps the library's memory bounded, whatever is told in the network: it keeps all that it hears.

        Who is there answers the next query again, and what was seen of it meanwhile is kept elsewhere.
        """
        if self._zeroconf is None:
            return
        cache = self._zeroconf.zeroconf.cache
        names = cache.names()
        if len(names) > NAMES_MAX:
            log.warning("records of %d names were heard by mDNS; they are forgotten", len(names))
            for name in names:
                cache.async_remove_records(list(cache.async_entries_with_name(name)))

    def _browse_anew(self) -> None:
        if self._zeroconf is None:
            return
        if self._browser is not None:
            task = asyncio.ensure_future(self._browser.async_cancel())
            self._tasks = [*(task for task in self._tasks if not task.done()), task]
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE_TYPE, handlers=[self._on_change])

    def _on_change(self, **change: Any) -> None:
        """Called by the library, whose arguments come by name: zeroconf, service_type, name, state_change."""
        instance = str(change["name"]).removesuffix(f".{SERVICE_TYPE}")
        if instance == self._instance or not is_fingerprint(instance):
            return
        if change["state_change"] is ServiceStateChange.Removed:
            self._on_goodbye(instance)
        elif instance not in self._resolving and len(self._resolving) < RESOLVING_MAX:
            task = asyncio.ensure_future(self._resolve(change["zeroconf"], instance))
            self._resolving[instance] = task
            task.add_done_callback(lambda _: self._resolving.pop(instance, None))

    async def _resolve(self, zeroconf: Zeroconf, instance: str) -> None:
        info = AsyncServiceInfo(SERVICE_TYPE, f"{instance}.{SERVICE_TYPE}")
        try:
            if not await info.async_request(zeroconf, RESOLVE_MS_MAX) or not info.port:
                return
        except (OSError, ZeroconfError) as error:
            log.debug("%s could not be resolved: %s", instance, error)
            return
        hosts = (host for host in info.parsed_scoped_addresses() if _is_dialable(host))
        addresses = tuple(HostPort(host, info.port) for host in hosts)
        entries = {name: value for name, value in info.decoded_properties.items() if value is not None}
        sighting = read_record(instance, entries, addresses, self._versions)
        if sighting is not None:
            self._on_seen(sighting)


def _interfaces(before: frozenset[str]) -> frozenset[str]:
    """The addresses that this machine has; those it had `before` where the system doesn't say just now."""
    try:
        return interface_addresses()
    except OSError as error:
        log.warning("the interfaces can't be read now: %s", error)
        return before


def _is_dialable(host: str) -> bool:
    """Whether an address can be dialled as it is: a link-local one needs to say on which link."""
    return "%" in host or not ipaddress.ip_address(host).is_link_local or ":" not in host


def _ip_version(addresses: frozenset[str]) -> IPVersion:
    """Which protocols to use: asking for one that no interface has makes the library fail."""
    versions = {ipaddress.ip_address(address).version for address in addresses}
    if versions == {4, 6}:
        return IPVersion.All
    return IPVersion.V4Only if versions == {4} else IPVersion.V6Only


def _advertised(addresses: frozenset[str]) -> list[str]:
    """The addresses to tell: those that others can dial, or the loopback ones where there are no others."""
    hosts = [ipaddress.ip_address(address) for address in addresses]
    outward = [host for host in hosts if not host.is_loopback]
    return [str(host) for host in sorted(outward or hosts, key=lambda host: (host.version, host.packed))]
