"""The driver: rooms are opened, joined and left, and the application is told what people should know."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from p2prummi.crypto.room_code import RoomCode
from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.net import joining, sightings
from p2prummi.net.joining import JoinError
from p2prummi.net.known_peers import Recognition
from p2prummi.net.notices import LookoutChanged, MemberUnreachable, PeerMet, VersionsDiffer
from p2prummi.net.sightings import RoomSighting
from p2prummi.rules.ruleset import PRESETS
from p2prummi.session.commands import LeaveRoom
from p2prummi.session.notices import RoomClosed
from tests.net.loopback import Player, players, wait_until

pytestmark = pytest.mark.timeout(120)


async def look(player: Player, *others: Player) -> None:
    """Shows a player the others, as a record would."""
    for other in others:
        await player.driver.look_at(other.address)


def room_of(player: Player, opener: Player) -> RoomSighting:
    return next(room for room in player.driver.rooms() if room.facts.opener == opener.driver.fingerprint)


def test_a_room_is_opened_seen_joined_and_left(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            assert one.driver.room_id == b""
            one.open_room()
            await look(two, one)
            await wait_until(lambda: two.told(LookoutChanged), "the notice")
            assert two.told(LookoutChanged)[-1].rooms == two.driver.rooms()
            (member,) = room_of(two, one).members
            assert (member.name, member.key) == ("player 0", one.key)
            assert [peer.key for peer in one.driver.peers()] == [two.key]
            await two.driver.join_room(room_of(two, one))
            assert two.driver.room_id == one.driver.room_id != b""
            with pytest.raises(LocalProtocolError, match="leave it first"):
                await two.driver.join_room(room_of(two, one))
            two.driver.command(LeaveRoom())
            await wait_until(lambda: two.told(RoomClosed), "the notice")
            assert two.driver.room_id == b""
            await wait_until(lambda: not one.driver.linked_peers(), "the link is down")

    asyncio.run(scenario())


def test_a_room_that_could_not_be_entered_is_told_anew_once_a_member_has_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sightings, "PROBE_SECONDS", 0.1)

    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            one.open_room()
            await look(two, one)
            room = room_of(two, one)
            with monkeypatch.context() as broken:
                broken.setattr(one.driver, "_room_id", b"")
                with pytest.raises(JoinError, match="does not sit in that room"):
                    await two.driver.join_room(room)
                assert not room_of(two, one).joinable
            told = len(two.told(LookoutChanged))
            await wait_until(
                lambda: any(seen.joinable for each in two.told(LookoutChanged)[told:] for seen in each.rooms),
                "the room anew",
            )
            await two.driver.join_room(room_of(two, one))
            assert two.driver.room_id == one.driver.room_id

    asyncio.run(scenario())


def test_a_room_with_a_code_lets_in_who_knows_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            code = one.driver.open_room("kitchen", PRESETS["official"], 4, with_code=True)
            assert code is not None
            assert one.driver.room_code == code
            await look(two, one)
            room = room_of(two, one)
            assert room.facts.code_required
            wrong = RoomCode(str((int(code.digits) + 1) % 10**10).zfill(10))
            for attempt in (None, wrong):
                with pytest.raises(JoinError) as caught:
                    await two.driver.join_room(room, attempt)
                assert caught.value.code == FaultCode.WRONG_CODE
                assert two.driver.room_id == b""
            await two.driver.join_room(room, code)
            assert two.driver.room_code == code

    asyncio.run(scenario())


def test_a_given_code_is_kept(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            code = RoomCode("0123456789")
            assert one.driver.open_room("kitchen", PRESETS["official"], 4, code=code) == code

    asyncio.run(scenario())


def test_the_own_room_is_left_only_once_the_other_has_let_one_in(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            one.driver.open_room("kitchen", PRESETS["official"], 4, with_code=True)
            two.open_room()
            own = two.driver.room_id
            await look(two, one)
            with pytest.raises(JoinError):
                await two.driver.join_room(room_of(two, one), leaving=True)
            assert two.driver.room_id == own
            await two.driver.join_room(room_of(two, one), one.driver.room_code, leaving=True)
            assert two.driver.room_id == one.driver.room_id
            await wait_until(lambda: one.driver.linked_peers() == {two.key}, "the link")

    asyncio.run(scenario())


def test_a_room_that_is_gone_cannot_be_joined(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            one.open_room()
            await look(two, one)
            room = room_of(two, one)
            one.driver.command(LeaveRoom())
            with pytest.raises(JoinError) as caught:
                await two.driver.join_room(room)
            assert caught.value.code == FaultCode.WRONG_ROOM
            await one.driver.close()
            with pytest.raises(JoinError, match="nothing listens there"):
                await two.driver.join_room(room)

    asyncio.run(scenario())


def test_a_name_under_another_key_is_told_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            for place in ("first", "second", "second"):
                async with players(tmp_path / place, 1) as (bob,):
                    await bob.driver.join_address(one.address)
                    await wait_until(one.driver.linked_peers, "the link")
                await wait_until(lambda: not one.driver.linked_peers(), "the link is down")
            meetings = [met.meeting.recognition for met in one.told(PeerMet)]
            assert meetings == [Recognition.NEW, Recognition.OTHER_KEY]
            one.driver.trust(one.told(PeerMet)[1].peer)

    # Every player of these has the same name, "player 0".
    asyncio.run(scenario())


def test_other_versions_are_told_on_both_sides_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 2, versions=[(1,), (2,)]) as (old, new):
            old.open_room()
            for _ in range(2):
                with pytest.raises(JoinError, match=r"protocols 2 .* and 1 "):
                    await new.driver.join_address(old.address)
            (told,) = await wait_until(lambda: old.told(VersionsDiffer), "the other side is told")
            assert (told.own_versions, told.peer_versions, told.host) == ((1,), (2,), "127.0.0.1")
            assert "protocols 2" in told.text

    asyncio.run(scenario())


def test_a_member_that_cannot_be_reached_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "DIALS_MAX", 2)
    monkeypatch.setattr(joining, "LARGER_KEY_WAIT_SECONDS", 0.0)

    async def scenario() -> None:
        async with players(tmp_path, 2) as (one, two):
            one.open_room()
            one.driver.want_link(bytes([1]) * 32, (two.address,))
            one.driver.want_link(one.key, (one.address,))
            (told,) = await wait_until(lambda: one.told(MemberUnreachable), "the notice")
            assert (told.peer, told.code) == (bytes([1]) * 32, None)
            assert "another player" in told.text

    asyncio.run(scenario())


def test_where_others_were_met_is_looked_at_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path / "one", 1) as (one,):
            one.open_room()
            async with players(tmp_path / "two", 1) as (two,):
                await two.driver.join_address(one.address)
            async with players(tmp_path / "two", 1) as (again,):
                await wait_until(again.driver.rooms, "the room, without mDNS")

    asyncio.run(scenario())


def test_what_is_no_address_is_refused_with_words(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            with pytest.raises(LocalProtocolError, match="HOST:PORT"):
                await one.driver.join_address("nowhere")

    asyncio.run(scenario())


def test_closing_ends_the_notices_and_frees_the_profile(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.open_room()
            await one.driver.close()
            await one.following
            await one.driver.close()
        async with players(tmp_path, 1) as (again,):
            assert again.key == one.key
            assert again.driver.profile.number == 1

    asyncio.run(scenario())


def test_an_error_of_the_program_comes_out_of_the_notices(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with players(tmp_path, 1) as (one,):
            one.driver.failed(ZeroDivisionError())
            with pytest.raises(ZeroDivisionError):
                await one.following
            one.following = asyncio.ensure_future(asyncio.sleep(0))

    asyncio.run(scenario())
