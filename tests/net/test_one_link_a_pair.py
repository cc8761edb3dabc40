"""However peers come by each other, each pair of them ends with one connection, which is their link."""

from __future__ import annotations

import sys
from time import monotonic

import pytest

from tests.net.company import all_see_all, meshed
from tests.net.lab import Host, Lab
from tests.net.processes import wait_for

pytestmark = [pytest.mark.netns, pytest.mark.timeout(600)]

REPETITIONS = 20


def one_connection_a_pair(hosts: list[Host]) -> bool:
    """Whether each host has as many connections open as there are others, so that no pair has two."""
    return all(
        len(host.call("ss", "-Htn", "state", "established").splitlines()) == len(hosts) - 1 for host in hosts
    )


def test_six_that_start_at_once_have_one_link_a_pair(lab: Lab) -> None:
    """Nobody knows of anybody but by mDNS: each is a new process with a new key and nothing remembered."""
    hosts = lab.hosts(6)
    peers = [host.starter() for host in hosts]
    keys: set[str] = set()
    for repetition in range(REPETITIONS):
        for peer in peers:
            peer.start("--meet", f"{repetition:064x}")
        started_at = monotonic()
        for peer in peers:
            peer.wait_until_started()
        wait_for(lambda: meshed(*peers), f"a link for each pair, repetition {repetition}")
        sys.stdout.write(f"meshed after {monotonic() - started_at:.1f} s\n")
        wait_for(lambda: one_connection_a_pair(hosts), "no second connection for any pair")
        keys |= {peer.key for peer in peers}
        for peer in peers:
            peer.crash()
    assert len(keys) == REPETITIONS * len(peers)


def test_six_that_dial_each_other_at_once_have_one_link_a_pair(lab: Lab) -> None:
    hosts = lab.hosts(6)
    peers = [host.peer() for host in hosts]
    wait_for(lambda: all_see_all(*peers), "all list all")
    for repetition in range(REPETITIONS):
        for peer in peers:
            peer.send("dial_all", room=f"{repetition:064x}")
        for peer in peers:
            assert peer.receive() == {}
        wait_for(lambda: meshed(*peers), f"a link for each pair, repetition {repetition}")
        wait_for(lambda: one_connection_a_pair(hosts), "no second connection for any pair")
        for peer in peers:
            peer.ask("leave")
        wait_for(lambda: not any(peer.linked() for peer in peers), "all links are down")
