"""What holds for every test: no IP sockets outside `tests/net`, one Hypothesis profile, net tests in turn.

A test that opens a socket by accident depends on the machine it runs on, so the guard is an audit hook: it
sees every connect, bind and send of the process, whatever library makes it. A test outside `tests/net`
that means to use sockets says so with `@pytest.mark.sockets`.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

NET_TESTS = Path(__file__).parent / "net"
GUARDED_EVENTS = frozenset({"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"})
IP_FAMILIES = frozenset({socket.AF_INET, socket.AF_INET6})
# Where the system has no socketpair, the standard library makes one of two loopback sockets.
SOCKETPAIR_FUNCTIONS = frozenset({"socketpair", "_fallback_socketpair"})

settings.register_profile("p2prummi", deadline=None, print_blob=True)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=1000)
settings.load_profile(os.environ.get("P2PRUMMI_HYPOTHESIS", "p2prummi"))


class SocketBlockedError(AssertionError):
    """A test outside `tests/net` used an IP socket."""


class SocketGuard:
    """Refuses IP sockets while `closed`. An audit hook can't be taken out, so there is one a process."""

    def __init__(self) -> None:
        self.closed = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.closed or event not in GUARDED_EVENTS:
            return
        used = arguments[0]
        if not isinstance(used, socket.socket) or used.family not in IP_FAMILIES:
            return
        caller = sys._getframe(1)
        if caller.f_code.co_name in SOCKETPAIR_FUNCTIONS and caller.f_code.co_filename == socket.__file__:
            return
        message = f"{event} in a test outside tests/net; mark it with @pytest.mark.sockets if it is meant"
        raise SocketBlockedError(message)


GUARD = SocketGuard()
sys.addaudithook(GUARD)


# Before xdist's own hook, which reads the groups of the items as they are then.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put all of `tests/net` in one group: its namespaces and port 5353 are shared by the whole machine."""
    for item in items:
        if item.path.is_relative_to(NET_TESTS):
            item.add_marker(pytest.mark.xdist_group("net"))


@pytest.fixture(autouse=True)
def _no_ip_sockets(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the guard for every test that has no business with sockets."""
    allowed = request.path.is_relative_to(NET_TESTS) or request.node.get_closest_marker("sockets")
    GUARD.closed = not allowed
    yield
    GUARD.closed = False
