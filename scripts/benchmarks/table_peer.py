"""One peer of a benchmark match, a process of its own: a driver, TLS, the easy strategy, and a stopwatch.

Prints one JSON object a line. The monotonic clock is the same for all processes of a machine, so that moments
of different peers can be compared.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import secrets
import sys
from pathlib import Path
from time import monotonic

from p2prummi.bots import PlayerView, decide, strategy_of_level
from p2prummi.net.driver import Driver
from p2prummi.net.identity import open_profile
from p2prummi.rules import PRESETS, Play, with_settings
from p2prummi.session import Session, commands, notices
from p2prummi.session.notices import Notice
from p2prummi.transcript.phases import Phase

THINKING_SECONDS = 0.1


def tell(what: str, **facts: object) -> None:
    """Prints one moment."""
    print(json.dumps({"what": what, "t": monotonic(), **facts}), flush=True)


class CountingSession(Session):
    """A session that counts its frames' bytes and notes the moments that a benchmark asks for."""

    bytes_in = 0
    bytes_out = 0

    def receive(self, peer: bytes, data: bytes, now: float) -> None:
        """Counts what comes."""
        self.bytes_in += len(data)
        super().receive(peer, data, now)

    def frames_to_send(self) -> list[tuple[bytes, bytes]]:
        """Counts what goes."""
        frames = super().frames_to_send()
        self.bytes_out += sum(len(frame) for _, frame in frames)
        return frames

    def next_notice(self) -> Notice | None:
        """Notes the moment at which the session says something, before any queue."""
        notice = super().next_notice()
        match notice:
            case notices.PhaseProgress(phase=Phase.REVEAL):
                tell("committed", round=notice.round_number)
            case notices.Dealt():
                tell("dealt", round=notice.round_number, sent=self.bytes_out, received=self.bytes_in)
            case notices.TurnConfirmed():
                tell("confirmed", round=notice.round_number, slot=notice.sequence)
        return notice


async def play(directory: Path, connect: str | None, players: int, rounds: int) -> None:
    """Opens the room, or joins it at `connect`, and plays a match to its end."""
    profile = open_profile(directory)
    session = CountingSession(profile.key, directory.name, secrets.token_bytes)
    driver = await Driver.start(profile, directory.name, session, discovery=False)
    if connect is None:
        ruleset = with_settings(PRESETS["official"], [f"rounds={rounds}"])
        driver.open_room("bench", ruleset, players)
        tell("listening", port=driver.port)
    else:
        await driver.join_address(connect)
    strategy, rng, turns = strategy_of_level("easy"), random.Random(1), 0  # noqa: S311 - it seeds a strategy
    is_ready = False
    async for notice in driver.notices():
        match notice:
            case notices.RoomUpdated(ruleset=known) if known is not None and not is_ready:
                is_ready = True
                driver.command(commands.SetReady(ready=True))
            case notices.TurnStarted(mine=True):
                view = PlayerView(seat=notice.seat, rack=notice.rack, game=notice.game, history=(), totals=())
                turn = (await asyncio.to_thread(decide, strategy, view, rng)).turn
                # A person thinks longer than this: the turn before is over everywhere when the next one ends.
                await asyncio.sleep(THINKING_SECONDS)
                tell("end", round=notice.round_number, slot=notice.sequence, is_play=isinstance(turn, Play))
                driver.command(commands.TakeTurn(turn))
            case notices.TurnTaken():
                turns += 1
            case notices.RoundEnded(match_over=False):
                driver.command(commands.NextRound())
            case notices.MatchEnded(reason=reason):
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
                tell(
                    "over", reason=reason.value, turns=turns, megabytes=memory,
                    sent=session.bytes_out, received=session.bytes_in,
                )  # fmt: skip
                await asyncio.sleep(1.0)
                break
    await driver.close()


if __name__ == "__main__":
    place, address, seats, rounds_asked = sys.argv[1:]
    asyncio.run(play(Path(place), address if address != "-" else None, int(seats), int(rounds_asked)))
