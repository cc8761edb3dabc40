"""What a bot peer does without a person: goes to its room, takes its turns, ends with its matches.

- The room is found, joined or opened by `net/meeting.py`; once it is full the match begins by itself, as a
  bot is always ready and agrees to every next round.
- A strategy that takes too long (`thinking`), fails or breaks the rules (`bots/deciding.py`) is replaced
  by a draw for that turn, and the reason is said.
- What happens goes to `say` in words and to a `JsonLog` as events; a match's file is written when it ends.
  The command line, exit codes and several bots at once are `cli/bot.py`'s.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from p2prummi.bots import PlayerView, PublicTurn, Strategy
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.errors import LocalProtocolError
from p2prummi.net.driver import Driver
from p2prummi.net.match_files import KeepingError, check_place, save_match
from p2prummi.net.meeting import Meeting, Place, Wish, look_patiently
from p2prummi.net.notices import LookoutChanged, MemberUnreachable, VersionsDiffer
from p2prummi.session import Session, commands, notices
from p2prummi.thinking import Thinker
from p2prummi.wire.hello import NO_ROOM
from p2prummi.wire.peer_label import peer_label
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from p2prummi.net.identity import Profile
    from p2prummi.net.jsonlog import JsonLog


class Outcome(Enum):
    """How a bot's matches ended."""

    FINISHED = auto()
    PEER_FAULT = auto()
    ENDED_EARLY = auto()


LINGER_SECONDS: Final = {Outcome.FINISHED: 1.0, Outcome.PEER_FAULT: 4.0, Outcome.ENDED_EARLY: 1.0}
"""A peer stays a little after its own end, so that the others have come to theirs before its goodbye.

It stays longer after a fault: whoever hears first that another has gone does not find the fault any more.
"""


@dataclass(frozen=True, kw_only=True)
class BotPlan:
    """What a bot is to do: sit in the room of `wish`, play `matches`, think up to `think_seconds` a turn.

    `connect`: a `host:port` to look at first, for networks that don't carry mDNS. `meeting_place`: a
    directory in which peers of this machine find each other, also without any network. `directory`: where
    finished matches go; None: the platform's place.
    """

    wish: Wish
    strategy: Strategy
    rng: random.Random
    matches: int = 1
    think_seconds: float = 5.0
    connect: str | None = None
    meeting_place: Path | None = None
    directory: Path | None = None


class BotDriver(Place, Protocol):
    """What is asked of the driver (`net/driver.py`), beside what a meeting asks."""

    @property
    def start_notices(self) -> tuple[str, ...]:
        """What is to be said at the start."""
        ...

    def addresses(self) -> tuple[str, ...]:
        """Where others can dial this peer."""
        ...

    async def look_at(self, text: str) -> object:
        """Looks who is at an address. Raises UnreachableError."""

    def notices(self) -> AsyncIterator[object]:
        """Everything that happens."""
        ...


async def play_bot(
    profile: Profile,
    name: str,
    plan: BotPlan,
    *,
    say: Callable[[str], object],
    log: JsonLog | None = None,
    port: int | None = None,
) -> Outcome:
    """Runs one bot peer from its first look to its goodbye.

    Raises PortError, JoinError and UnreachableError where the network is in the way, LocalProtocolError for
    a room that can't be opened.
    """
    session = Session(profile.key, name, secrets.token_bytes)
    driver = await Driver.start(profile, name, session, port=port, meeting_place=plan.meeting_place)
    try:
        return await Bot(driver, plan, say=say, log=log).run()
    finally:
        await driver.close()


class Bot:
    """One bot on its driver."""

    def __init__(
        self, driver: BotDriver, plan: BotPlan, *, say: Callable[[str], object], log: JsonLog | None
    ) -> None:
        self._driver = driver
        self._plan = plan
        self._say = say
        self._log = log
        self._meeting = Meeting(driver, plan.wish)
        self._thinker = Thinker(plan.strategy, plan.rng, plan.think_seconds)
        self._room_name = plan.wish.name
        self._matches_left = plan.matches
        self._is_playing = False
        self._names: tuple[str, ...] = ()
        self._history: list[PublicTurn] = []
        self._totals: tuple[int, ...] = ()
        self._turn_taken: tuple[int, int] | None = None
        self._faulty: set[bytes | None] = set()

    async def run(self) -> Outcome:
        """Plays all matches, or until one of them ends early."""
        for text in self._driver.start_notices:
            self._say(text)
        try:
            check_place(self._plan.directory)
        except KeepingError as error:
            self._say(f"matches can be played, but {error}")
        if self._plan.connect is not None:
            await look_patiently(self._driver.look_at, self._plan.connect)
        await self._arrive()
        async for notice in self._driver.notices():
            outcome = await self._take(notice)
            if outcome is not None:
                return outcome
        return Outcome.ENDED_EARLY

    async def _arrive(self) -> None:
        code = await self._meeting.arrive()
        room, address = shown(self._plan.wish.name), next(iter(self._driver.addresses()), None)
        place = "without a network" if address is None else f"at {address}"
        if self._meeting.is_opener:
            self._say(f"opened the room {room} for {self._plan.wish.seats} players, {place}")
        else:
            self._say(f"joined the room {room}, {place}")
        if code is not None and self._plan.wish.code is None:
            self._say(f"the room's code is {code.written}")

    # What happens.

    async def _take(self, notice: object) -> Outcome | None:
        """Does what a notice asks for; an outcome ends the bot."""
        if self._log is not None and not isinstance(notice, notices.MatchEnded):
            is_room = isinstance(notice, notices.RoomUpdated)
            self._log.tell(notice, address=next(iter(self._driver.addresses()), None) if is_room else None)
        match notice:
            case LookoutChanged():
                await self._merge()
            case VersionsDiffer(text=text) | MemberUnreachable(text=text):
                self._say(shown(text))
            case notices.FaultSeen(text=text, peer=peer):
                self._say(shown(text))
                self._faulty.add(peer)
            case notices.PeerJoined(_, name) | notices.PeerAway(_, name) | notices.PeerBack(_, name):
                self._say(f"{shown(name)} {_HAPPENINGS[type(notice)]}")
            case notices.PeerLeft(_, name, left, why):
                self._say(f"{shown(name)} {'has left' if left else 'is gone'}: {shown(why)}")
            case notices.RoomUpdated() | notices.RoomClosed():
                await self._take_of_room(notice)
            case notices.MatchEnded():
                return await self._end_match(notice)
            case _:
                await self._take_of_match(notice)
        return None

    async def _take_of_room(self, notice: notices.RoomUpdated | notices.RoomClosed) -> None:
        match notice:
            case notices.RoomUpdated(ruleset=ruleset, members=members):
                self._room_name = notice.name
                is_ready = any(member.is_self and member.ready for member in members)
                if ruleset is not None and not is_ready and not self._is_playing:
                    self._ask(commands.SetReady(ready=True))
            case notices.RoomClosed(why):
                if self._driver.room_id == NO_ROOM:
                    self._say(f"the room is closed: {shown(why)}")
                    await self._arrive()

    async def _take_of_match(self, notice: object) -> None:
        match notice:
            case notices.MatchStarted(match=match):
                self._is_playing = True
                names = dict(zip(match.keys, map(shown, match.names), strict=True))
                self._names = tuple([peer_label(key, names) for key in names])
                self._totals = (0,) * match.players
                self._say(f"the match begins: {', '.join(self._names)}")
            case notices.DeckVerified(round_number=number, proofs=proofs):
                self._say(f"round {number}: {proofs} shuffles are proved")
            case notices.Dealt():
                self._history.clear()
            case notices.TurnStarted(mine=True):
                await self._take_turn(notice)
            case notices.TurnTaken(seat=seat, turn=turn, laid=laid):
                self._history.append(PublicTurn(seat, turn, laid))
            case notices.RoundEnded(scores=scores, totals=totals):
                self._totals = totals
                points = ", ".join(map("{} {:+d}".format, self._names, scores.points))
                self._say(f"round {notice.round_number} is over ({notice.why}): {points}")
                if not notice.match_over:
                    self._ask(commands.NextRound())

    def _ask(self, command: commands.Command) -> None:
        """Asks the session; what no longer fits, as its notice was overtaken, comes to nothing."""
        try:
            self._driver.command(command)
        except LocalProtocolError as error:
            self._say(str(error))

    async def _merge(self) -> None:
        if await self._meeting.merge():
            self._say("another room of this name goes before this peer's own: joined that one")

    # One's own turn.

    async def _take_turn(self, notice: notices.TurnStarted) -> None:
        view = self._view(notice)
        if view is None:
            return
        self._turn_taken = (notice.round_number, notice.sequence)
        decision = await self._thinker.think(view)
        if decision.complaint:
            self._say(shown(decision.complaint))
        self._ask(commands.TakeTurn(decision.turn))

    def _view(self, notice: notices.TurnStarted) -> PlayerView | None:
        """What the strategy sees; None where the turn is taken already or drawn tiles are not open yet."""
        is_taken = self._turn_taken == (notice.round_number, notice.sequence)
        if is_taken or len(notice.rack) != notice.game.rack_sizes[notice.seat]:
            return None
        return PlayerView(
            seat=notice.seat,
            rack=notice.rack,
            game=notice.game,
            history=tuple(self._history),
            totals=self._totals,
        )

    # The end.

    async def _end_match(self, notice: notices.MatchEnded) -> Outcome | None:
        self._is_playing = False
        self._turn_taken = None
        file = self._save(notice)
        if self._log is not None:
            self._log.tell(notice, file=file)
        self._say(self._words(notice))
        if file is not None:
            self._say(f"the match is kept in {file}")
        self._matches_left -= 1
        if notice.reason is notices.MatchEnd.FINISHED and self._matches_left:
            return None
        outcome = self._outcome(notice)
        await asyncio.sleep(LINGER_SECONDS[outcome])
        return outcome

    def _outcome(self, notice: notices.MatchEnded) -> Outcome:
        if notice.reason is notices.MatchEnd.FINISHED:
            return Outcome.FINISHED
        return Outcome.PEER_FAULT if self._is_fault(notice) else Outcome.ENDED_EARLY

    def _is_fault(self, notice: notices.MatchEnded) -> bool:
        """Whether somebody broke the protocol: in what it signed, or so that its link had to be closed."""
        return notice.reason is notices.MatchEnd.FAULT or notice.peer in self._faulty

    def _words(self, notice: notices.MatchEnded) -> str:
        if self._is_fault(notice):
            names = dict(zip(notice.match.keys, map(shown, notice.match.names), strict=True))
            # Names are no proof of who somebody is, and here they would accuse.
            who = "somebody" if notice.peer is None else f"{names[notice.peer]} ({fingerprint(notice.peer)})"
            return f"the match has ended: {who} broke the protocol: {shown(notice.text)}"
        if notice.reason is not notices.MatchEnd.FINISHED:
            return f"the match has ended early: {shown(notice.text)}"
        totals = ", ".join(map("{} {:+d}".format, self._names, notice.totals))
        winners = " and ".join(self._names[seat] for seat in notice.winners) or "nobody"
        return f"the match is over, won by {winners}: {totals}"

    def _save(self, notice: notices.MatchEnded) -> Path | None:
        try:
            return save_match(
                notice.transcript,
                room=self._room_name,
                match_id=notice.match.id,
                own_key=self._driver.key,
                when=datetime.now().astimezone(),
                directory=self._plan.directory,
            )
        except KeepingError as error:
            self._say(f"the match could not be kept: {error}")
            return None


_HAPPENINGS: Final = {
    notices.PeerJoined: "is here",
    notices.PeerAway: "is away",
    notices.PeerBack: "is back",
}
