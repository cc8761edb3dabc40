"""Bot peers without a network: from the room to the end of the match, and what can go wrong on the way."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from p2prummi import headless
from p2prummi.bots import Easy, PlayerView, Strategy
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.room_code import RoomCode, parse_room_code
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.headless import Bot, BotPlan, Outcome, Thinker
from p2prummi.net import meeting
from p2prummi.net.dialling import UnreachableError
from p2prummi.net.jsonlog import JsonLog
from p2prummi.net.meeting import Wish
from p2prummi.net.notices import LookoutChanged, MemberUnreachable, VersionsDiffer
from p2prummi.net.sightings import PeerSighting, RoomSighting, Status, facts_of
from p2prummi.rules import PRESETS, Draw, Play, Ruleset, Turn, new_game
from p2prummi.session import Session, commands, notices
from p2prummi.verifier import verify_transcript
from p2prummi.wire.hello import NO_ROOM, RoomAdvert
from tests.local_match import NAMES, left_match, match_ended, short_rules

CODE = parse_room_code("123-456-7890")
T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


async def until(holds: Callable[[], object]) -> None:
    """Lets everything else go on until this holds."""
    while not holds():  # noqa: ASYNC110 - any step of the bots may be the one that makes it hold
        await asyncio.sleep(0.001)


class Hub:
    """Drivers without sockets: whoever sits in a room is linked to all who do."""

    def __init__(self) -> None:
        self.drivers: dict[bytes, MemoryDriver] = {}

    def carry(self) -> None:
        """Carries everything between the sessions until they are quiet."""
        is_busy = True
        while is_busy:
            were_busy = [driver.empty() for driver in self.drivers.values()]
            is_busy = any(were_busy)

    def room_changed(self) -> None:
        for driver in self.drivers.values():
            driver.queue.put_nowait(LookoutChanged(rooms=(), peers=()))


@dataclass
class MemoryDriver:
    """A driver whose network is the hub's memory."""

    hub: Hub
    number: int
    room_id: bytes = NO_ROOM
    start_notices: tuple[str, ...] = ()
    unreachable: int = 0
    looked_at: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        entropy = SeededEntropy(bytes([self.number]))
        self.session = Session(SigningKey(entropy(32)), NAMES[self.number], entropy)
        self.key = self.session.public
        self.queue: asyncio.Queue[object] = asyncio.Queue()
        self.hub.drivers[self.key] = self

    @property
    def advert(self) -> RoomAdvert:
        return self.session.advert()

    def addresses(self) -> tuple[str, ...]:
        return (f"10.0.0.{self.number}:4711",)

    def rooms(self) -> tuple[RoomSighting, ...]:
        found = {}
        for driver in self.hub.drivers.values():
            facts = facts_of(driver.advert)
            if driver is not self and facts is not None:
                member = PeerSighting(
                    key=driver.key,
                    name=driver.session.name,
                    program="",
                    versions=(1,),
                    compatible=True,
                    addresses=(),
                    room=facts,
                    status=Status.LIVE,
                )
                found[facts.room_id] = RoomSighting(facts=facts, members=(member,))
        return tuple(found.values())

    def open_room(
        self,
        name: str,
        ruleset: Ruleset,
        seats: int,
        *,
        code: RoomCode | None = None,
        with_code: bool = False,
    ) -> RoomCode | None:
        code = code or (CODE if with_code else None)
        self.session.command(
            commands.OpenRoom(name=name, ruleset=ruleset, seats=seats, code_required=code is not None), 0.0
        )
        self.room_id = self.advert.room_id
        self.hub.carry()
        self.hub.room_changed()
        return code

    async def join_room(
        self, room: RoomSighting, code: RoomCode | None = None, *, leaving: bool = False
    ) -> None:
        if leaving:
            self.command(commands.LeaveRoom())
        self.session.command(commands.JoinRoom(room_id=room.facts.room_id, name=room.facts.name), 0.0)
        self.room_id = room.facts.room_id
        for other in self.hub.drivers.values():
            if other is not self and other.room_id == self.room_id:
                other.session.peer_connected(self.key, self.session.name, (), 0.0)
                self.session.peer_connected(other.key, other.session.name, (), 0.0)
        self.hub.carry()

    async def look_at(self, text: str) -> None:
        self.looked_at.append(text)
        if self.unreachable:
            self.unreachable -= 1
            raise UnreachableError({}, only_self=False)

    def command(self, command: commands.Command) -> None:
        self.session.command(command, 0.0)
        self.hub.carry()

    async def notices(self) -> AsyncIterator[object]:
        while (notice := await self.queue.get()) is not None:
            yield notice

    def empty(self) -> bool:
        """Takes out all that the session has to say; whether there was anything."""
        was_busy = False
        for peer, data in self.session.frames_to_send():
            was_busy = True
            self.hub.drivers[peer].session.receive(self.key, data, 0.0)
        for closing in self.session.links_to_close():
            was_busy = True
            self.session.peer_lost(closing.peer, closing.text, 0.0)
            self.hub.drivers[closing.peer].session.peer_lost(self.key, closing.text, 0.0)
        while (work := self.session.next_work()) is not None:
            was_busy = True
            try:
                result: object = work.run()
            except Exception as error:  # noqa: BLE001 - the session judges what its work has raised
                result = error
            self.session.work_done(work.id, result, 0.0)
        while (notice := self.session.next_notice()) is not None:
            was_busy = True
            if isinstance(notice, notices.RoomClosed):
                self.room_id = NO_ROOM
            self.queue.put_nowait(notice)
        return was_busy


@dataclass
class BotRun:
    """One bot of a test: what it is to do, what it said and wrote, how it ended."""

    driver: MemoryDriver
    plan: BotPlan
    said: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    outcome: Outcome | None = None

    async def run(self) -> None:
        log = JsonLog(self.lines.append, self.driver.key)
        self.outcome = await Bot(self.driver, self.plan, say=self.said.append, log=log).run()

    def events(self, *names: str) -> list[dict[str, Any]]:
        read = [json.loads(line) for line in self.lines]
        return [{**line, "time": None, "self": None, "file": None} for line in read if line["event"] in names]

    def has_said(self, words: str) -> bool:
        return any(words in text for text in self.said)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headless, "LINGER_SECONDS", 0.0)
    monkeypatch.setattr(meeting, "ADDRESS_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(meeting, "SEARCH_SECONDS", 0.02)
    monkeypatch.setattr(meeting, "SEARCH_SPREAD_SECONDS", 0.02)
    monkeypatch.setattr(meeting, "LOOK_SECONDS", 0.005)


def wish(seats: int, *settings: str) -> Wish:
    return Wish(name="kitchen", ruleset=short_rules(*settings), seats=seats)


def bot(
    hub: Hub, number: int, room: Wish, directory: Path, strategy: Strategy | None = None, **changes: Any
) -> BotRun:
    plan = BotPlan(
        wish=room,
        strategy=strategy or Easy(),
        rng=random.Random(number),
        directory=directory / NAMES[number],
    )
    return BotRun(MemoryDriver(hub, number), replace(plan, **changes))


async def play(*bots: BotRun) -> None:
    await asyncio.gather(*(each.run() for each in bots))


def make_bots(count: int, directory: Path, *settings: str, **changes: Any) -> list[BotRun]:
    hub = Hub()
    room = wish(count, *settings)
    return [bot(hub, number, room, directory, **changes) for number in range(count)]


def test_bots_meet_play_all_rounds_and_keep_the_same_match(tmp_path: Path) -> None:
    async def whole() -> list[BotRun]:
        bots = make_bots(3, tmp_path, "rounds=2")
        await play(*bots)
        return bots

    bots = run(whole())
    assert [each.outcome for each in bots] == [Outcome.FINISHED] * 3
    shared = ("match_start", "turn", "round_end", "match_end")
    assert bots[0].events(*shared) == bots[1].events(*shared) == bots[2].events(*shared)
    assert len(bots[0].events("round_end")) == 2
    files = [path for each in NAMES[:3] for path in (tmp_path / each).iterdir()]
    assert len({path.read_bytes() for path in files}) == 1
    verdict = verify_transcript(files[0].read_bytes(), SeededEntropy(b"weights"))
    assert verdict.ok
    assert verdict.complete
    (ended,) = (json.loads(line) for line in bots[0].lines if '"match_end"' in line)
    assert ended["file"] == str(files[0])
    for words in (
        "the match begins",
        "3 shuffles are proved",
        "round 2 is over",
        "the match is over, won by",
    ):
        assert bots[1].has_said(words)


def test_rounds_see_each_others_turns_and_totals(tmp_path: Path) -> None:
    views: list[PlayerView] = []

    class Watching(Easy):
        def choose(self, view: PlayerView, rng: random.Random) -> Turn:
            views.append(view)
            return super().choose(view, rng)

    async def whole() -> BotRun:
        hub, room = Hub(), wish(2, "rounds=2")
        bots = [bot(hub, 0, room, tmp_path, Watching()), bot(hub, 1, room, tmp_path)]
        await play(*bots)
        return bots[0]

    watcher = run(whole())
    turns = watcher.events("turn")
    for view in views:
        assert len(view.history) == view.game.turn_number
        laid = [str(tile) for turn in view.history for tile in turn.laid]
        assert len(laid) == sum(len(meld.tiles) for meld in view.table)
    assert len(turns) > len(views) > 10
    (first, second) = watcher.events("round_end")
    assert {view.totals for view in views} == {(0, 0), tuple(first["totals"])}
    assert second["totals"] != first["totals"]


def test_several_matches_in_one_room(tmp_path: Path) -> None:
    async def whole() -> list[BotRun]:
        bots = make_bots(2, tmp_path, matches=2)
        await play(*bots)
        return bots

    bots = run(whole())
    assert [each.outcome for each in bots] == [Outcome.FINISHED] * 2
    assert len(bots[0].events("match_end")) == 2
    assert len(list((tmp_path / NAMES[0]).iterdir())) == 2
    assert len(bots[0].events("room")) == 1


class Failing:
    def choose(self, view: PlayerView, rng: random.Random) -> Turn:
        raise ValueError("nothing comes\nto mind")


def test_a_strategy_that_fails_draws_and_the_match_goes_on(tmp_path: Path) -> None:
    async def whole() -> list[BotRun]:
        hub, room = Hub(), wish(2)
        bots = [bot(hub, 0, room, tmp_path, Failing()), bot(hub, 1, room, tmp_path)]
        await play(*bots)
        return bots

    failing, _ = run(whole())
    assert failing.outcome is Outcome.FINISHED
    assert failing.has_said("the strategy failed: ValueError: nothing comes to mind")


async def match_of_bot_and_driver(directory: Path) -> tuple[asyncio.Task[None], BotRun, MemoryDriver]:
    """A bot in a running match with a driver that nobody moves."""
    hub, room = Hub(), wish(2)
    each, other = bot(hub, 0, room, directory), MemoryDriver(hub, 1)
    task = asyncio.ensure_future(each.run())
    await until(other.rooms)
    await other.join_room(other.rooms()[0])
    other.command(commands.SetReady(ready=True))
    await until(lambda: each.events("shuffled"))
    return task, each, other


def test_a_match_that_a_player_leaves_ends_early(tmp_path: Path) -> None:
    async def whole() -> BotRun:
        task, each, other = await match_of_bot_and_driver(tmp_path)
        other.command(commands.LeaveRoom())
        await task
        return each

    each = run(whole())
    assert each.outcome is Outcome.ENDED_EARLY
    assert each.has_said("the match has ended early: Bob has left")
    (path,) = (tmp_path / NAMES[0]).iterdir()
    verdict = verify_transcript(path.read_bytes(), SeededEntropy(b"weights"))
    assert (verdict.ok, verdict.complete) == (True, False)


def test_a_peer_that_sends_garbage_is_named_and_ends_the_match(tmp_path: Path) -> None:
    async def whole() -> BotRun:
        task, each, other = await match_of_bot_and_driver(tmp_path)
        each.driver.session.receive(other.key, b"garbage", 0.0)
        each.driver.hub.carry()
        await task
        return each

    each = run(whole())
    assert each.outcome is Outcome.PEER_FAULT
    assert len(each.events("fault")) == 1


async def told(directory: Path, *happenings: object, strategy: Strategy | None = None) -> BotRun:
    """A bot alone in its room, to which these notices come; the last of them is to end it."""
    each = bot(Hub(), 0, wish(3), directory, strategy)
    for notice in happenings:
        each.driver.queue.put_nowait(notice)
    await each.run()
    return each


def early_end(reason: notices.MatchEnd, peer: bytes | None = None) -> tuple[notices.MatchStarted, object]:
    ended = match_ended(left_match()[1])
    culprit = ended.match.keys[1] if peer is None else peer
    ending = replace(ended, reason=reason, peer=culprit, text="two decks\x1b were shown")
    return notices.MatchStarted(match=ended.match, seat=0), ending


def test_a_proved_fault_names_the_culprit(tmp_path: Path) -> None:
    started, ended = early_end(notices.MatchEnd.FAULT)
    each = run(told(tmp_path, started, ended))
    assert isinstance(started, notices.MatchStarted)
    assert each.outcome is Outcome.PEER_FAULT
    name = started.match.names[1]
    assert each.has_said(f"the match has ended: {name} broke the protocol: two decks were shown")


@pytest.mark.parametrize("is_faulty", [False, True])
def test_a_lost_link_is_a_fault_only_where_one_was_seen(is_faulty: bool, tmp_path: Path) -> None:
    started, ended = early_end(notices.MatchEnd.LINK_LOST)
    assert isinstance(started, notices.MatchStarted)
    culprit = started.match.keys[1 if is_faulty else 2]
    fault = notices.FaultSeen(code=FaultCode.NOT_CANONICAL, text="no", peer=culprit, signed=False)
    each = run(told(tmp_path, started, fault, ended))
    assert each.outcome is (Outcome.PEER_FAULT if is_faulty else Outcome.ENDED_EARLY)


def test_what_happens_is_said(tmp_path: Path) -> None:
    each = run(
        told(
            tmp_path,
            notices.PeerJoined(b"", "Bob\x07"),
            notices.PeerAway(b"", "Bob"),
            notices.PeerBack(b"", "Bob"),
            notices.PeerLeft(b"", "Bob", True, "said goodbye"),
            notices.PeerLeft(b"", "Cleo", False, "silent"),
            VersionsDiffer(
                host="h", own_versions=(1,), peer_versions=(2,), peer_program="", text="v1 and v2"
            ),
            MemberUnreachable(peer=b"", code=None, text="no answer"),
            *early_end(notices.MatchEnd.LEFT),
        )
    )
    for words in (
        "Bob is here",
        "Bob is away",
        "Bob is back",
        "Bob has left: said goodbye",
        "Cleo is gone: silent",
        "v1 and v2",
        "no answer",
    ):
        assert words in each.said


def test_a_match_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / NAMES[0]).write_bytes(b"a file in the way")
    each = run(told(tmp_path, *early_end(notices.MatchEnd.LEFT)))
    assert each.has_said("the match could not be kept")
    assert "matches can be played, but finished matches can't be kept in" in each.said[0]
    assert "set XDG_DATA_HOME" in each.said[0]
    assert '"file": null' in each.lines[-1]


def test_a_turn_is_taken_once_and_not_before_the_rack_is_whole(tmp_path: Path) -> None:
    thought: list[int] = []

    class Counting(Easy):
        def choose(self, view: PlayerView, rng: random.Random) -> Turn:
            thought.append(len(view.rack))
            return view.idle_turn

    game = new_game(PRESETS["official"], 3, 0)
    rack = PRESETS["official"].tile_set.tiles[:14]
    turn = notices.TurnStarted(round_number=1, sequence=9, seat=0, mine=True, game=game, rack=rack)
    each = run(
        told(
            tmp_path,
            replace(turn, mine=False),
            replace(turn, rack=rack[:13]),
            turn,
            turn,
            replace(turn, sequence=12),
            *early_end(notices.MatchEnd.LEFT),
            strategy=Counting(),
        )
    )
    assert thought == [14, 14]
    # No match is running in this bot's session, so it was refused, and that is no reason to fall over.
    assert each.has_said("TakeTurn: No match is running.")


def test_a_room_that_closes_is_looked_for_anew(tmp_path: Path) -> None:
    async def whole() -> BotRun:
        hub, room = Hub(), wish(3)
        host, each = MemoryDriver(hub, 1), bot(hub, 0, room, tmp_path)
        host.open_room("kitchen", room.ruleset, 3)
        task = asyncio.ensure_future(each.run())
        await until(lambda: each.driver.room_id != NO_ROOM)
        host.command(commands.LeaveRoom())
        await until(lambda: each.has_said("opened the room"))
        task.cancel()
        return each

    each = run(whole())
    assert each.has_said("joined the room kitchen, at 10.0.0.0:4711")
    assert each.has_said("the room is closed: Bob, who opened the room, is gone.")


def test_two_rooms_of_one_name_become_one(tmp_path: Path) -> None:
    async def whole() -> list[BotRun]:
        hub, room = Hub(), wish(2)
        bots = [bot(hub, number, room, tmp_path) for number in range(2)]
        real_rooms = MemoryDriver.rooms
        # Neither sees the other's room until both have opened one.
        for each in bots:
            each.driver.rooms = lambda: ()  # type: ignore[method-assign]  # a network that shows nothing
        tasks = [asyncio.ensure_future(each.run()) for each in bots]
        await until(lambda: all(each.has_said("opened the room") for each in bots))
        for each in bots:
            each.driver.rooms = real_rooms.__get__(each.driver)  # type: ignore[method-assign]  # as it is
        hub.room_changed()
        await asyncio.gather(*tasks)
        return bots

    bots = run(whole())
    assert [each.outcome for each in bots] == [Outcome.FINISHED] * 2
    assert [each.has_said("goes before this peer's own") for each in bots].count(True) == 1


@pytest.mark.parametrize(
    ("given", "made", "is_said"), [(None, True, True), (CODE, True, False), (None, False, False)]
)
def test_a_new_code_is_shown_and_a_given_one_is_not(
    given: RoomCode | None, made: bool, is_said: bool, tmp_path: Path
) -> None:
    async def whole() -> BotRun:
        room = replace(wish(3), with_code=made, code=given)
        each = bot(Hub(), 0, room, tmp_path)
        for notice in early_end(notices.MatchEnd.LEFT):
            each.driver.queue.put_nowait(notice)
        await each.run()
        return each

    assert run(whole()).has_said("123-456-7890") == is_said


@pytest.mark.parametrize("failures", [0, 3])
def test_an_address_is_looked_at_until_somebody_answers(failures: int, tmp_path: Path) -> None:
    async def whole() -> BotRun:
        each = bot(Hub(), 0, wish(3), tmp_path, connect="10.0.0.9:4711")
        each.driver.unreachable = failures
        for notice in early_end(notices.MatchEnd.LEFT):
            each.driver.queue.put_nowait(notice)
        await each.run()
        return each

    assert run(whole()).driver.looked_at == ["10.0.0.9:4711"] * (failures + 1)


def test_an_address_where_nobody_ever_answers_is_told(tmp_path: Path) -> None:
    async def whole() -> None:
        each = bot(Hub(), 0, wish(3), tmp_path, connect="10.0.0.9:4711")
        each.driver.unreachable = 1000
        await each.run()

    with pytest.raises(UnreachableError):
        run(whole())


def test_the_driver_s_own_words_come_first_and_its_end_ends_the_bot(tmp_path: Path) -> None:
    async def whole() -> BotRun:
        each = bot(Hub(), 0, wish(3), tmp_path)
        each.driver.start_notices = ("a damaged file was set aside",)
        each.driver.queue.put_nowait(None)
        await each.run()
        return each

    each = run(whole())
    assert each.said[0] == "a damaged file was set aside"
    assert each.outcome is Outcome.ENDED_EARLY


# Thinking.


def view() -> PlayerView:
    rack = PRESETS["official"].tile_set.tiles[:14]
    return PlayerView(seat=0, rack=rack, game=new_game(PRESETS["official"], 2, 0))


def test_a_thought_in_time_is_taken() -> None:
    decision = run(Thinker(Easy(), random.Random(0), 60.0).think(view()))
    assert isinstance(decision.turn, Play)
    assert decision.complaint == ""


def test_a_thought_that_takes_too_long_is_given_up_and_no_other_is_begun_beside_it() -> None:
    may_end, calls = threading.Event(), []

    class Slow:
        def choose(self, view: PlayerView, rng: random.Random) -> Turn:
            calls.append(view)
            if len(calls) == 1:
                may_end.wait()
            return view.idle_turn

    async def whole() -> list[str]:
        thinker = Thinker(Slow(), random.Random(0), 0.02)
        late, busy = await thinker.think(view()), await thinker.think(view())
        assert (late.turn, busy.turn, len(calls)) == (Draw(), Draw(), 1)
        may_end.set()
        complaints = [late.complaint, busy.complaint]
        while complaints[-1]:
            complaints.append((await thinker.think(view())).complaint)
            await asyncio.sleep(0)
        return complaints

    complaints = run(whole())
    assert complaints[0] == "the strategy took more than 0.02 seconds"
    assert complaints[1] == "the strategy still thinks about an earlier turn"


def test_an_answer_after_the_end_of_the_loop_is_lost_quietly() -> None:
    may_end, threads = threading.Event(), []

    class Slow:
        def choose(self, view: PlayerView, rng: random.Random) -> Turn:
            threads.append(threading.current_thread())
            may_end.wait()
            return view.idle_turn

    run(Thinker(Slow(), random.Random(0), 0.01).think(view()))
    may_end.set()
    # A thread that raises would fail this test by a warning.
    threads[0].join()
