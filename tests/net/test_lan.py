"""Real peers in real networks: discovery, names, ports, versions and links.

Every test is a situation that went wrong elsewhere. It starts processes in network namespaces and waits, with
much patience, for what should come within seconds.
"""

from __future__ import annotations

import json
import sys
from functools import partial

import pytest

from p2prummi.cli.exit_codes import ExitCode
from tests.net.company import addresses_told, all_see_all, meshed, open_and_join, room_named
from tests.net.lab import Lab
from tests.net.processes import wait_for

pytestmark = [pytest.mark.netns, pytest.mark.timeout(600)]


def test_a_default_route_elsewhere_hides_nobody(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    h1.unplugged("vpn0", "10.99.0.1/24").call("ip", "route", "add", "default", "dev", "vpn0")
    one, two = h1.peer(), h2.peer()
    wait_for(lambda: all_see_all(one, two), "both list each other")
    assert f"10.77.0.1:{one.port}" in addresses_told(two, one)
    looked = h1.process("-m", "p2prummi", "rooms", "--wait", "0.5")
    looked.end()
    assert looked.errors == [
        "p2prummi: no room was found in 0.5 seconds on eth0 (10.77.0.1) and vpn0 (10.99.0.1)"
    ]
    open_and_join(one, two)
    assert one.ask("links")["addresses"][two.key][0] == f"10.77.0.2:{two.port}"


def test_an_address_that_both_hosts_own_leads_nobody_astray(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    for host in (h1, h2):
        host.unplugged("docker0", "172.17.0.1/16")
    one, two = h1.peer("--port", "4711"), h2.peer("--port", "4711")
    wait_for(lambda: all_see_all(one, two), "both list each other")
    open_and_join(one, two)
    for peer in (one, two):
        assert not [line for line in peer.errors if "handshake_failed" in line or "mismatch" in line]


def test_who_hears_no_mdns_learns_of_who_comes(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    h2.drop("udp dport 5353")
    one, two = h1.peer(), h2.peer()
    wait_for(lambda: all_see_all(one, two), "the lobby is the same on both sides")
    open_and_join(two, one)


def test_whom_a_firewall_lets_nobody_in_to_is_there_all_the_same(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    h2.drop("tcp flags & (syn|ack) == syn")
    one, two = h1.peer(), h2.peer()
    wait_for(lambda: all_see_all(one, two), "both list each other")
    wait_for(lambda: one.uptime_seconds() > 20, "several probes")
    assert all_see_all(one, two)
    # It came by, its record came, and nothing has changed since.
    assert one.ask("heard")["notices"]["LookoutChanged"] <= 3
    open_and_join(one, two)


def test_where_mdns_is_blocked_an_address_will_do(lab: Lab) -> None:
    hosts = lab.hosts(3)
    for host in hosts:
        host.drop("udp dport 5353")
    opener, *others = (host.peer() for host in hosts)
    opener.ask("open", name="kitchen")
    for peer in others:
        assert "error" not in peer.ask("connect", address=f"10.77.0.1:{opener.port}")
    wait_for(lambda: meshed(opener, *others), "a link for each pair, by hearsay")
    for peer in others:
        assert peer.end() == 0
    again = hosts[1].peer()
    wait_for(lambda: room_named(again, "kitchen"), "the address is remembered")


def test_a_parted_network_finds_itself_when_healed(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    lab.isolate(h1, h2)
    one, two = h1.peer(), h2.peer()
    # Past the library's own queries, after which it asks no more.
    wait_for(lambda: one.ask("heard")["notices"].get("NetworkChanged"), "it is online")
    wait_for(lambda: one.uptime_seconds() > 25, "time has passed")
    assert one.sees()
    assert two.sees()
    lab.heal(h1, h2)
    wait_for(lambda: all_see_all(one, two), "both list each other")


def test_an_address_that_comes_late_or_changes_is_followed(lab: Lab) -> None:
    (h2,) = (lab.host("h2").plug("eth0", "10.77.0.2/24"),)
    h1 = lab.host("h1").plug("eth0")
    one, two = h1.peer(), h2.peer()
    assert two.sees()
    h1.address("eth0", "10.77.0.1/24")
    wait_for(lambda: all_see_all(one, two), "found once it has an address")
    h1.call("ip", "address", "del", "10.77.0.1/24", "dev", "eth0")
    h1.address("eth0", "10.77.0.9/24")
    wait_for(lambda: f"10.77.0.9:{one.port}" in addresses_told(two, one), "found at its new address")
    open_and_join(one, two)


def test_a_crashed_peer_fades_and_one_that_leaves_is_gone(lab: Lab) -> None:
    one, two, three = (host.peer() for host in lab.hosts(3))
    wait_for(lambda: all_see_all(one, two, three), "all list all")
    two.ask("open", name="kitchen")
    wait_for(lambda: room_named(one, "kitchen"), "the room")
    assert three.end() == 0
    wait_for(lambda: one.sees(two), "who left is gone")
    two.kill()
    wait_for(one.sees, "who crashed is not listed as live")
    assert not room_named(one, "kitchen")
    wait_for(lambda: not one.ask("peers")["peers"], "who crashed is no longer listed")


def test_a_crashed_peer_comes_back_as_itself_on_another_port(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    one, two = h1.peer(), h2.peer()
    open_and_join(one, two)
    two.kill()
    wait_for(lambda: one.linked() == [], "the link is down")
    back = h2.peer()
    assert back.fingerprint == two.fingerprint
    assert back.port != two.port
    wait_for(lambda: one.sees(back), "one row")
    wait_for(lambda: addresses_told(one, back) == [f"10.77.0.2:{back.port}"], "at the new port alone")
    wait_for(lambda: room_named(back, "kitchen"), "the room")
    assert "error" not in back.ask("join", name="kitchen")
    wait_for(lambda: meshed(one, back), "linked again")


def test_players_of_one_name_are_told_apart(lab: Lab) -> None:
    alices = [host.peer("--name", "alice") for host in lab.hosts(2)]
    watcher = lab.host("h3").plug("eth0", "10.77.0.3/24").peer("--name", "carol")
    wait_for(lambda: all_see_all(*alices, watcher), "all list all")
    for number, alice in enumerate(alices, 1):
        assert addresses_told(watcher, alice) == [f"10.77.0.{number}:{alice.port}"]
    open_and_join(watcher, *alices)
    for alice in alices:
        alice.ask("chat", text=f"this is {alice.fingerprint}")
    wait_for(lambda: len(watcher.ask("heard")["chat"]) == 2, "both lines")
    lines = {(key, text) for key, _, text in watcher.ask("heard")["chat"]}
    assert lines == {(alice.key, f"this is {alice.fingerprint}") for alice in alices}


def test_many_peers_on_one_host_and_a_port_that_is_taken(lab: Lab) -> None:
    h1 = lab.host("h1").plug("eth0", "10.77.0.1/24")
    peers = [h1.peer("--port", "4711"), *(h1.peer() for _ in range(3))]
    assert len({peer.port for peer in peers}) == len({peer.fingerprint for peer in peers}) == 4
    wait_for(lambda: all_see_all(*peers), "all list all")
    refused = h1.process("-m", "tests.net.peer_process", "--port", "4711")
    assert refused.end() == 3
    assert len(refused.errors) == 1
    assert "port 4711 is taken" in refused.errors[0]
    bot = h1.process("-m", "p2prummi", "bot", "--room", "attic", "--name", "Ada", "--port", "4711")
    assert bot.end() == ExitCode.NETWORK
    assert bot.errors == ["Ada: port 4711 is taken by another program; name another one, or leave --port out"]


def test_hosts_joined_twice_are_listed_once(lab: Lab) -> None:
    lab.bridge("br1")
    peers = []
    for number in range(1, 4):
        host = lab.host(f"h{number}")
        host.plug("eth0", f"10.77.0.{number}/24", f"fd77::{number}/64")
        host.plug("eth1", f"10.78.0.{number}/24", f"fd78::{number}/64", bridge="br1")
        peers.append(host.peer())
    wait_for(lambda: all_see_all(*peers), "all list all, themselves never")
    open_and_join(*peers)


def test_ipv6_alone_will_do(lab: Lab) -> None:
    hosts = [lab.host(f"h{number}").plug("eth0", f"fd77::{number}/64") for number in (1, 2)]
    peers = [host.peer() for host in hosts]
    wait_for(lambda: all_see_all(*peers), "both list each other")
    open_and_join(*peers)


def test_loopback_alone_will_do(lab: Lab) -> None:
    host = lab.host("h1")
    peers = [host.peer(), host.peer()]
    wait_for(lambda: all_see_all(*peers), "both list each other")
    open_and_join(*peers)


def test_without_any_interface_it_waits_for_one(lab: Lab) -> None:
    host = lab.host("h1", loopback=False)
    one, two = host.peer(), host.peer()
    wait_for(lambda: one.ask("heard")["notices"].get("NetworkChanged"), "the notice that it is offline")
    assert not [line for line in one.errors if "Traceback" in line]
    host.call("ip", "link", "set", "lo", "up")
    wait_for(lambda: all_see_all(one, two), "both list each other once there is one")
    wait_for(lambda: one.ask("heard")["notices"]["NetworkChanged"] == 2, "the notice that it is online")


def test_other_versions_are_marked_and_both_sides_are_told(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    old, new = h1.peer("--versions", "1"), h2.peer("--versions", "2")
    old.ask("open", name="kitchen")

    def marked() -> bool:
        rooms = new.ask("rooms")["rooms"]
        return bool(rooms) and not rooms[0]["compatible"] and not rooms[0]["joinable"]

    wait_for(marked, "the room is marked before anyone tries")
    answer = new.ask("join", name="kitchen")
    assert answer["code"] == "version_mismatch"
    told = wait_for(lambda: old.ask("heard")["differences"], "the other side is told")
    for text in (answer["error"], told[0]):
        assert "protocols" in text
        assert "1 (p2prummi" in text
        assert "2 (p2prummi" in text
    assert len(told) == 1
    new.ask("open", name="attic")

    def marked_there() -> bool:
        rooms = {room["name"]: room for room in old.ask("rooms")["rooms"]}
        return "attic" in rooms and not rooms["attic"]["compatible"] and not rooms["attic"]["joinable"]

    wait_for(marked_there, "who could not join hosts a room itself, and that is marked too")
    own, others = new.ask("rooms")["rooms"], old.ask("heard")["differences"]
    assert [(room["name"], room["compatible"]) for room in own] == [("kitchen", False)]
    assert others == told, "it was said once, and hosting is no new difference"
    assert new.end() == 0
    updated = h2.peer("--versions", "1,2")
    wait_for(lambda: all_see_all(old, updated), "with a common version nothing of it is left")
    assert all(peer["compatible"] for peer in updated.ask("peers")["peers"] + old.ask("peers")["peers"])
    wait_for(lambda: room_named(updated, "kitchen"), "the room")
    assert "error" not in updated.ask("join", name="kitchen")


def test_a_room_with_a_code(lab: Lab) -> None:
    one, two, three = (host.peer() for host in lab.hosts(3))
    code = one.ask("open", name="kitchen", with_code=True)["code"]
    for peer in (two, three):
        wait_for(partial(room_named, peer, "kitchen"), "the room")
    assert two.ask("join", name="kitchen")["code"] == "wrong_code"
    wrong = code[:-1] + str((int(code[-1]) + 1) % 10)
    assert two.ask("join", name="kitchen", code=wrong)["code"] == "wrong_code"
    for peer in (two, three):
        assert "error" not in peer.ask("join", name="kitchen", code=code)
    wait_for(lambda: meshed(one, two, three), "a link for each pair, each by the code")
    for peer in (one, two, three):
        assert not [line for line in peer.errors if code.replace("-", "") in line or code in line]


def test_floods_of_strangers_leave_a_room_undisturbed(lab: Lab) -> None:
    h1, h2, h3 = lab.hosts(3)
    one, two = h1.peer(), h2.peer()
    open_and_join(one, two)

    def has_heard(lines: int) -> bool:
        return len(one.ask("heard")["chat"]) >= lines

    peaks = [one.ask("usage")["rss_kb_max"]]
    for number in range(2):
        flood = h3.process("tests/net/flood.py", "10.77.0.1", str(one.port), "300")
        two.ask("chat", text="amid the flood")
        wait_for(partial(has_heard, number + 1), "a line amid the flood")
        assert flood.end() == 0
        assert flood.output() == ["300"]
        assert meshed(one, two)
        peaks.append(one.ask("usage")["rss_kb_max"])
    sys.stdout.write(f"peak memory before and after each flood, in KiB: {peaks}\n")
    assert peaks[1] - peaks[0] < 30_000
    # What the first takes is enough for any number.
    assert peaks[2] - peaks[1] < 10_000
    assert not [line for line in one.errors if "Traceback" in line]
    assert one.sees(two)


def test_the_command_rooms_shows_who_is_there(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    command = ("-m", "p2prummi", "rooms", "--wait")
    nobody = h2.process(*command, "0.5")
    assert nobody.end() == 1
    assert nobody.output() == []
    assert nobody.errors == ["p2prummi: no room was found in 0.5 seconds on eth0 (10.77.0.2)"]
    peer = h1.peer("--name", "alice")
    peer.ask("open", name="kitchen", with_code=True)
    found = h2.process(*command, "5", "--json")
    assert found.end() == 0
    (room,) = map(json.loads, found.output())
    assert (room["name"], room["code"], room["joinable"], room["seats"]) == ("kitchen", True, True, 6)
    assert room["members"][0]["peer"] == peer.fingerprint
    assert room["members"][0]["address"] == f"10.77.0.1:{peer.port}"
    words = h2.process(*command, "5")
    assert words.end() == 0
    (line,) = words.output()
    assert line == f"kitchen: official, 1 of 6 seats taken, open, asks for a code; alice ({peer.fingerprint})"
    assert peer.ask("peers")["peers"] == []
    offline = lab.host("h3", loopback=False).process(*command, "0.5")
    assert offline.end() == 1
    assert offline.errors == ["p2prummi: this machine is in no network"]
