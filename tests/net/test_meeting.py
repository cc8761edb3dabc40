"""Meeting in one room: when one is joined, opened or left, and that all come together in the end."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.crypto.room_code import RoomCode
from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.net.joining import JoinError
from p2prummi.net.meeting import SEARCH_SECONDS, SEARCH_SPREAD_SECONDS, Meeting, Wish
from p2prummi.session.commands import LeaveRoom
from p2prummi.wire.hello import NO_ROOM
from tests.net.room_world import CODE, OFFICIAL, WISH, FakePlace, World, key_of


async def meet(place: FakePlace, start_at: float, wish: Wish, until: float = 20.0) -> None:
    """What an application does: arrives, merges, and looks anew when its room is gone."""
    world = place.world
    await world.pause(start_at)
    meeting = Meeting(place, wish, pause=world.pause)
    while world.now < until:
        if place.room_id == NO_ROOM:
            await meeting.arrive()
        await meeting.merge()
        await world.pause(0.25)


def run_meeting(*starts: tuple[int, float, float], wish: Wish = WISH) -> World:
    """Lets peers meet, each given by its number, its start and how late others see what it does."""

    async def run() -> World:
        world = World()
        world.places = [FakePlace(world, key_of(number), delay) for number, _, delay in starts]
        tasks = [
            asyncio.ensure_future(meet(place, start_at, wish))
            for place, (_, start_at, _) in zip(world.places, starts, strict=True)
        ]
        await world.run(tasks)
        return world

    return asyncio.run(run())


def test_a_peer_alone_looks_for_a_moment_and_opens_the_room() -> None:
    world = run_meeting((1, 0.0, 0.5))
    (place,) = world.places
    ((opened_at, room),) = place.told
    assert [room] == place.opened == [place.room_id]
    assert SEARCH_SECONDS <= opened_at <= SEARCH_SECONDS + SEARCH_SPREAD_SECONDS + 0.1


def test_who_comes_later_joins_and_opens_nothing() -> None:
    first, second = run_meeting((1, 0.0, 0.5), (2, 4.0, 0.5)).places
    assert second.room_id == first.room_id
    assert second.opened == []


def test_a_full_room_is_left_alone() -> None:
    wish = replace(WISH, seats=2)
    places = run_meeting((1, 0.0, 0.2), (2, 3.0, 0.2), (3, 6.0, 0.2), wish=wish).places
    assert places[0].room_id == places[1].room_id != places[2].room_id


@given(
    numbers=st.lists(st.integers(0, 255), min_size=2, max_size=4, unique=True),
    data=st.data(),
)
@settings(max_examples=60)
def test_peers_that_open_rooms_of_one_name_end_up_in_one(numbers: list[int], data: st.DataObject) -> None:
    starts = [(number, data.draw(st.floats(0, 1.0)), data.draw(st.floats(0.05, 2.5))) for number in numbers]
    world = run_meeting(*starts)
    assert len({place.room_id for place in world.places}) == 1
    assert world.places[0].room_id != NO_ROOM


def test_at_the_same_moment_the_smallest_room_wins() -> None:
    places = run_meeting((1, 0.0, 3.0), (2, 0.0, 3.0), (3, 0.0, 3.0)).places
    assert {place.room_id for place in places} == {min(place.opened[0] for place in places)}


async def _one(place: FakePlace, world: World, wish: Wish) -> None:
    await world.run([asyncio.ensure_future(_arrive(Meeting(place, wish, pause=world.pause)))])


async def _arrive(meeting: Meeting) -> None:
    await meeting.arrive()


def arrive(refusal: Exception | None, wish: Wish = WISH) -> FakePlace:
    """A peer that finds a room whose members answer with `refusal`."""

    async def run() -> FakePlace:
        world = World()
        host, guest = (FakePlace(world, key_of(number), 0.0) for number in (1, 2))
        world.places = [host, guest]
        host.open_room("kitchen", OFFICIAL, 4)
        guest.refusal = refusal
        await _one(guest, world, wish)
        return guest

    return asyncio.run(run())


def test_a_room_that_lets_nobody_in_is_tried_once_and_another_is_opened() -> None:
    guest = arrive(JoinError(None, "nobody in this room answers"))
    assert guest.tried == 1
    assert guest.room_id == guest.opened[0]


@pytest.mark.parametrize("code", [FaultCode.WRONG_CODE, FaultCode.LIMIT_EXCEEDED])
def test_a_refused_code_is_told(code: FaultCode) -> None:
    with pytest.raises(JoinError, match="not the room's code"):
        arrive(JoinError(code, "this is not the room's code"))


def test_misuse_is_told() -> None:
    with pytest.raises(LocalProtocolError):
        arrive(LocalProtocolError("You are in a room already."))


def test_a_room_whose_terms_do_not_come_is_left() -> None:
    async def run() -> FakePlace:
        world = World()
        host, member, guest = (FakePlace(world, key_of(number), 0.0) for number in (1, 2, 3))
        world.places = [host, member, guest]
        host.open_room("kitchen", OFFICIAL, 4)
        member._sit(host.room_id)
        host.room_id = NO_ROOM  # Gone without a word.
        await _one(guest, world, WISH)
        return guest

    guest = asyncio.run(run())
    assert guest.tried == 1
    assert guest.room_id == guest.opened[0]


def test_the_code_goes_with_the_wish() -> None:
    async def run() -> tuple[RoomCode | None, RoomCode | None]:
        world = World()
        place = FakePlace(world, key_of(1))
        world.places = [place]
        codes: list[RoomCode | None] = []

        async def open_it(wish: Wish) -> None:
            codes.append(await Meeting(place, wish, pause=world.pause).arrive())
            place.command(LeaveRoom())

        await world.run([asyncio.ensure_future(open_it(replace(WISH, with_code=True)))])
        await world.run([asyncio.ensure_future(open_it(WISH))])
        return codes[0], codes[1]

    assert asyncio.run(run()) == (CODE, None)


def test_a_room_with_another_code_is_tried_once_to_merge_with() -> None:
    async def run() -> FakePlace:
        world = World()
        places = [FakePlace(world, key_of(number), 0.0) for number in (1, 2)]
        for place in places:
            place.open_room("kitchen", OFFICIAL, 4)
        world.places = places
        other, one = sorted(places, key=lambda place: place.room_id)
        meeting = Meeting(one, WISH, pause=world.pause)
        meeting._own = one.room_id
        one.refusal = JoinError(FaultCode.WRONG_CODE, "this is not the room's code")

        async def merge() -> None:
            assert not await meeting.merge()
            assert not await meeting.merge()

        await world.run([asyncio.ensure_future(merge())])
        assert (one.room_id, other.room_id) == (one.opened[0], other.opened[0])
        return one

    assert asyncio.run(run()).tried == 1


def test_a_match_that_has_begun_keeps_its_room() -> None:
    async def run() -> FakePlace:
        world = World()
        one, other = (FakePlace(world, key_of(number), 0.0) for number in (1, 2))
        world.places = [one, other]
        meetings = {id(place): Meeting(place, WISH, pause=world.pause) for place in world.places}
        await world.run([asyncio.ensure_future(_arrive(meetings[id(one)]))])
        one.delay = 100.0
        await world.run([asyncio.ensure_future(_arrive(meetings[id(other)]))])
        one.delay = 0.0
        loser = max(world.places, key=lambda place: place.room_id)
        loser.is_playing = True
        before = loser.room_id
        merged: list[bool] = []

        async def merge() -> None:
            merged.append(await meetings[id(loser)].merge())

        await world.run([asyncio.ensure_future(merge())])
        assert (merged, loser.tried) == ([False], 1)
        # Once it is known that the match has begun, nobody is even dialled.
        loser.state = "playing"
        await world.run([asyncio.ensure_future(merge())])
        assert (merged, loser.tried) == ([False, False], 1)
        assert loser.room_id == before
        return loser

    asyncio.run(run())
