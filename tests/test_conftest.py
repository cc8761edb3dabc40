"""`conftest.py`: the socket guard lets through what it should and nothing else; net tests take turns."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from pathlib import Path

import pytest

HERE = Path(__file__).parent


class FakeItem:
    """A collected test, as far as `conftest.py` looks at one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.groups: list[object] = []

    def add_marker(self, marker: pytest.MarkDecorator) -> None:
        self.groups += marker.args


def udp_socket() -> closing[socket.socket]:
    return closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))


def test_a_test_may_not_bind_connect_or_send() -> None:
    with udp_socket() as used, pytest.raises(AssertionError, match=r"socket\.bind in a test outside"):
        used.bind(("127.0.0.1", 0))
    with udp_socket() as used, pytest.raises(AssertionError, match=r"socket\.connect in a test outside"):
        used.connect(("127.0.0.1", 9))
    with udp_socket() as used, pytest.raises(AssertionError, match=r"socket\.sendto in a test outside"):
        used.sendto(b"", ("127.0.0.1", 9))


@pytest.mark.sockets
def test_a_marked_test_may() -> None:
    with udp_socket() as used:
        used.bind(("127.0.0.1", 0))


def test_an_event_loop_still_starts() -> None:
    async def answer() -> int:
        return 42

    assert asyncio.run(answer()) == 42


@pytest.mark.skipif(not hasattr(socket, "_fallback_socketpair"), reason="Python 3.12 names the function")
def test_a_system_without_socketpair_may_make_one_of_loopback_sockets() -> None:
    one, other = socket._fallback_socketpair()  # type: ignore[attr-defined]  # not public, so not in the types
    one.close()
    other.close()


def test_net_tests_are_one_group_and_no_others_are(request: pytest.FixtureRequest) -> None:
    conftest = request.config.pluginmanager.get_plugin(str(HERE / "conftest.py"))
    assert conftest is not None
    items = [FakeItem(HERE / "net" / "deep" / "test_link.py"), FakeItem(HERE / "network" / "test_other.py")]
    conftest.pytest_collection_modifyitems(items)
    assert [item.groups for item in items] == [["net"], []]
