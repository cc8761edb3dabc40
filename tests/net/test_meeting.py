"""Meeting in one room: which room is taken, when one is opened, and that all come together in the end."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
from dataclasses import dataclass, field, replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.room_code import RoomCode, parse_room_code
from p2prummi.errors import FaultCode, LocalProtocolError
from p2prummi.net.joining import JoinError
from p2prummi.net.meeting import SEARCH_SECONDS, SEARCH_SPREAD_SECONDS, Meeting, Wish, room_to_join
from p2prummi.net.sightings import PeerSighting, RoomFacts, RoomSighting, Status
from p2prummi.rules import PRESETS, Ruleset, with_settings
from p2prummi.session.commands import Command, LeaveRoom
from p2prummi.transcript.agreement import room_id, ruleset_hash
from p2prummi.wire.hello import NO_ROOM, RoomAdvert, RoomState

OFFICIAL = PRESETS["official"]
WISH = Wish(name="kitchen", ruleset=OFFICIAL, seats=4)
CODE = parse_room_code("123-456-7890")


def key_of(number: int) -> bytes:
    return hashlib.sha256(bytes([number])).digest()


def sighting(
    number: int,
    *,
    opener: int = 9,
    name: str = "kitchen",
    ruleset: Ruleset = OFFICIAL,
    code_required: bool = False,
    seats_taken: int = 1,
) -> RoomSighting:
    facts = RoomFacts(
        room_id=bytes([number]) * 32,
        name=name,
        opener=fingerprint(key_of(opener)),
        ruleset_name=ruleset.name,
        ruleset_hash=ruleset_hash(ruleset),
        seats_taken=seats_taken,
        seats=4,
        state="open",
        code_required=code_required,
    )
    member = PeerSighting(
        key=key_of(opener),
        name="Ada",
        program="p2prummi",
        versions=(1,),
        compatible=True,
        addresses=(),
        room=facts,
        status=Status.LIVE,
    )
    return RoomSighting(facts=facts, members=(member,))


def chosen(*rooms: RoomSighting, wish: Wish = WISH, own: int | None = None) -> int | None:
    taken = room_to_join(rooms, wish, own=NO_ROOM if own is None else bytes([own]) * 32)
    return None if taken is None else taken.facts.room_id[0]


def test_the_smallest_of_the_rooms_of_the_name_is_taken() -> None:
    assert chosen(sighting(5), sighting(3), sighting(1, name="attic"), sighting(4)) == 3
    assert chosen(sighting(1, name="attic")) is None
    assert chosen() is None


def test_a_room_with_the_rules_that_one_would_open_goes_first_and_another_is_taken_all_the_same() -> None:
    other = with_settings(OFFICIAL, ["rounds=3"])
    assert chosen(sighting(1, ruleset=other), sighting(2)) == 2
    assert chosen(sighting(1, ruleset=other)) == 1


def test_full_running_stale_and_foreign_rooms_are_passed_over() -> None:
    room = sighting(1)
    (member,) = room.members
    assert chosen(sighting(1, seats_taken=4)) is None
    assert chosen(replace(room, facts=replace(room.facts, state="playing"))) is None
    assert chosen(replace(room, members=(replace(member, status=Status.STALE),))) is None
    assert chosen(replace(room, members=(replace(member, compatible=False),))) is None


def test_a_code_keeps_rooms_apart() -> None:
    locked = replace(WISH, with_code=True, code=CODE)
    assert chosen(sighting(1, code_required=True)) is None
    assert chosen(sighting(1), wish=locked) is None
    assert chosen(sighting(1, code_required=True), wish=locked) == 1


def test_the_own_room_yields_only_to_a_smaller_one_of_equal_rules_and_code_flag() -> None:
    other = with_settings(OFFICIAL, ["rounds=3"])
    assert chosen(sighting(3), own=5) == 3
    assert chosen(sighting(6), own=5) is None
    assert chosen(sighting(3, ruleset=other), own=5) is None
    assert chosen(sighting(3, code_required=True), own=5) is None
    assert chosen(sighting(3, name="attic"), own=5) is None


# A whole network of peers, with a clock of its own.


class World:
    """Peers that see each other's rooms after a while, and a clock that moves when all of them wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self.places: list[FakePlace] = []
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = count()

    async def pause(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self.now + seconds, next(self._count), woken))
        await woken

    async def run(self, tasks: list[asyncio.Task[None]]) -> None:
        while not all(task.done() for task in tasks):
            for _ in range(10):
                await asyncio.sleep(0)
            if self._waiting:
                self.now, _, woken = heapq.heappop(self._waiting)
                woken.set_result(None)
        for task in tasks:
            task.result()


@dataclass
class FakePlace:
    """What a driver is to a meeting. Others see what this peer does `delay` seconds later."""

    world: World
    key: bytes
    delay: float = 0.5
    room_id: bytes = NO_ROOM
    ruleset: Ruleset = OFFICIAL
    seats: int = 4
    is_playing: bool = False
    state: RoomState = "open"
    opened: list[bytes] = field(default_factory=list)
    told: list[tuple[float, bytes]] = field(default_factory=list)
    refusal: Exception | None = None
    tried: int = 0
    code: RoomCode | None = None

    def _sit(self, room: bytes) -> None:
        self.room_id = room
        self.told.append((self.world.now, room))

    def opener_of(self, room: bytes) -> FakePlace | None:
        return next((place for place in self.world.places if room in place.opened), None)

    @property
    def advert(self) -> RoomAdvert:
        opener = self.opener_of(self.room_id)
        if opener is None or opener.room_id != self.room_id:
            return RoomAdvert()
        taken = sum(place.room_id == self.room_id for place in self.world.places)
        return RoomAdvert(
            state=self.state,
            room_id=self.room_id,
            opener=opener.key,
            ruleset_hash=bytes(32),
            seats_taken=taken,
            seats=opener.seats,
        )

    def rooms(self) -> tuple[RoomSighting, ...]:
        seen: dict[bytes, list[FakePlace]] = {}
        for place in self.world.places:
            shown = [room for at, room in place.told if at + place.delay <= self.world.now]
            if place is not self and shown and shown[-1] != NO_ROOM:
                seen.setdefault(shown[-1], []).append(place)
        found = []
        for room, members in seen.items():
            opener = self.opener_of(room)
            assert opener is not None
            facts = replace(sighting(0).facts, room_id=room, seats_taken=len(members), seats=opener.seats)
            (member,) = sighting(0).members
            found.append(
                RoomSighting(facts=facts, members=tuple(replace(member, key=each.key) for each in members))
            )
        return tuple(found)

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        assert self.room_id == NO_ROOM, "a peer sits in one room at a time"
        self.opened.append(room_id(self.key, bytes([len(self.opened)]) * 32))
        self.ruleset, self.seats = ruleset, seats
        self._sit(self.opened[-1])
        return code or (CODE if with_code else None)

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        self.tried += 1
        self.code = code
        await self.world.pause(0.05)
        if self.refusal is not None:
            raise self.refusal
        if leaving and self.is_playing:
            raise LocalProtocolError("The match has begun here.")
        if not any(place.room_id == room.facts.room_id for place in self.world.places):
            raise JoinError(FaultCode.WRONG_ROOM, "this peer does not sit in that room")
        if self.room_id != NO_ROOM:
            self.command(LeaveRoom())
        self._sit(room.facts.room_id)

    def command(self, command: Command) -> None:
        """Leaving one's own room closes it for everyone in it."""
        assert isinstance(command, LeaveRoom)
        left = self.room_id
        self._sit(NO_ROOM)
        if left in self.opened:
            for place in self.world.places:
                if place.room_id == left:
                    place._sit(NO_ROOM)


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
