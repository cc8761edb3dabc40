"""`conftest.py`: the socket guard lets through what it should and nothing else; net tests take turns."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

HERE = Path(__file__).parent


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


def test_net_tests_run_in_one_worker_and_others_in_any(tmp_path: Path) -> None:
    for directory in ("net", "network"):
        (tmp_path / directory).mkdir()
        (tmp_path / directory / f"test_{directory}.py").write_text("def test_it():\n    pass\n")
    (tmp_path / "conftest.py").write_text(
        (HERE / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = ["-m", "pytest", "-v", "--numprocesses", "1", "--dist", "loadgroup", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [sys.executable, *command, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert "test_net.py::test_it@net " in ran.stdout
    assert "test_network.py::test_it " in ran.stdout
