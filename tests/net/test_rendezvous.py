"""A directory to meet in: who is found there, what is passed over, and what is left behind."""

from __future__ import annotations

import asyncio
import logging
import stat
import sys
from pathlib import Path

import pytest

from p2prummi.errors import LocalProtocolError
from p2prummi.net.addresses import HostPort, SocketName, readable_addresses, tellable
from p2prummi.net.dialling import UnreachableError, reach
from p2prummi.net.driver import Driver
from p2prummi.net.identity import open_profile
from p2prummi.net.known_peers import PEERS_FILE
from p2prummi.net.listening import PortError, bind
from p2prummi.net.rendezvous import Rendezvous, directory_for_one_run
from p2prummi.net.transport import remote_of
from p2prummi.wire import limits
from tests.net.loopback import doubled, players, still_talks, wait_until

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sockets in directories"),
]

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
NAME = SocketName("0123456789abcdef")


def test_peers_of_one_directory_see_each_other_and_no_others(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            players(tmp_path / "a", 2, meeting_place=tmp_path / "meet") as (one, two),
            players(tmp_path / "b", 1, meeting_place=tmp_path / "elsewhere") as (other,),
        ):
            for player, seen in ((one, two), (two, one)):
                await wait_until(player.driver.peers, "the other")
                assert [peer.key for peer in player.driver.peers()] == [seen.key]
            assert not other.driver.peers()

    asyncio.run(scenario())


def test_who_joins_by_a_socket_talks_and_is_remembered_without_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2, meeting_place=tmp_path / "meet") as (one, two):
            one.open_room()
            await wait_until(two.driver.rooms, "the room")
            (room,) = two.driver.rooms()
            assert any(isinstance(address, SocketName) for address in room.members[0].addresses)
            await two.driver.join_room(room)
            await still_talks(two, one, "hello")
            assert one.driver.linked_peers() == {two.key}

    asyncio.run(scenario())
    remembered = [path.read_text(encoding="utf-8") for path in tmp_path.rglob(PEERS_FILE)]
    assert len(remembered) == 2
    assert not any("@" in text for text in remembered)


def test_a_socket_that_was_left_there_is_no_peer_until_its_owner_has_come_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "p2prummi.net.lookout")
    place = tmp_path / "meet"
    profile = open_profile(tmp_path / "b" / "state-0")
    profile.release()
    left = Rendezvous(place, profile.key.public)
    left.bind().close()

    async def scenario() -> None:
        async with players(tmp_path / "a", 1, meeting_place=place) as (one,):
            await wait_until(lambda: f"{left.own}: nothing listens there" in caplog.text, "a first look")
            assert not one.driver.peers()
            async with players(tmp_path / "b", 1, meeting_place=place) as (two,):
                assert two.key == profile.key.public
                await wait_until(one.driver.peers, "the later one")

    asyncio.run(scenario())
    assert not list(place.iterdir()), "whoever ends takes its socket away"


def test_the_others_are_those_whose_socket_has_a_name_and_not_oneself(tmp_path: Path) -> None:
    here = Rendezvous(tmp_path, KEY)
    with here.bind(), Rendezvous(tmp_path, OTHER).bind():
        for name in ("notes.txt", "0123.socket", "ABCDEF0123456789.socket", "0123456789abcdef"):
            tmp_path.joinpath(name).touch()
        assert here.others() == {SocketName(OTHER.hex()[:16])}
        here.leave()
        here.leave()
        assert Rendezvous(tmp_path, OTHER).others() == set()
    assert Rendezvous(tmp_path / "missing", KEY).others() == set()


def test_the_directory_is_made_and_its_sockets_are_for_their_owner_alone(tmp_path: Path) -> None:
    place = tmp_path / "far" / "away"
    rendezvous = Rendezvous(place, KEY)
    with rendezvous.bind():
        (made,) = place.iterdir()
        assert stat.S_IMODE(made.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.stat().st_mode) == 0o700


@pytest.mark.parametrize("place", ["file", "x" * 200, "missing/" * 30])
def test_where_no_socket_can_be_made_the_words_say_where_and_the_port_is_free_again(
    tmp_path: Path, place: str
) -> None:
    tmp_path.joinpath("file").touch()

    profile = open_profile(tmp_path / "state")
    free, port = bind(None)
    for each in free:
        each.close()

    async def scenario() -> None:
        session = doubled(profile.key, "one")
        with pytest.raises(PortError, match=f"no socket can be made in .*{place[:6]}"):
            await Driver.start(
                profile, "one", session, port=port, discovery=False, meeting_place=tmp_path / place
            )
        again, _ = bind(port)
        for each in again:
            each.close()

    asyncio.run(scenario())
    profile.release()


def test_whoever_has_no_directory_passes_sockets_over(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            context = one.driver._connections._credentials.client
            with pytest.raises(UnreachableError, match="no address is known"):
                await reach([NAME], context, own_key=KEY, sought=None)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "text", ["@", "@0123", "@../../etc/passwd", "@0123456789ABCDEF", "@0123456789abcdef0"]
)
def test_no_text_leads_out_of_the_directory(text: str) -> None:
    assert readable_addresses([text, str(NAME)]) == (NAME,)
    with pytest.raises(LocalProtocolError):
        SocketName(text[1:])


def test_of_sockets_one_is_told_after_the_addresses_in_the_network() -> None:
    far = [HostPort(f"10.77.0.{n}", 1) for n in range(1, 31)]
    other = SocketName("f" * 16)
    assert tellable([NAME, other, *far]) == (*far[: limits.ADDRESSES_MAX - 1], NAME)
    here = HostPort("127.0.0.1", 1)
    assert tellable([here, NAME]) == (here, NAME)


@pytest.mark.parametrize(
    ("name", "remote"),
    [
        (("10.77.0.1", 9), HostPort("10.77.0.1", 9)),
        (("fe80::1%eth0", 9, 0, 2), HostPort("fe80::1", 9)),
        ("", HostPort("127.0.0.1", 0)),
        (None, HostPort("?", 0)),
    ],
)
def test_where_a_connection_comes_from(name: object, remote: HostPort) -> None:
    assert remote_of(name) == remote


def test_a_directory_for_one_run_is_private_and_gone_afterwards() -> None:
    with directory_for_one_run() as place:
        assert place is not None
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
        Rendezvous(place, KEY).bind().close()
    assert not place.exists()
