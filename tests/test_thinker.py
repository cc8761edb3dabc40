"""A bot's thinking: in a thread of its own, given up in time, never two thoughts at once."""

from __future__ import annotations

import asyncio
import random
import threading

import pytest

from p2prummi.bots import Easy, PlayerView
from p2prummi.rules import PRESETS, Draw, Play, Turn, new_game
from p2prummi.thinking import Thinker, made_apart
from tests.bots_in_memory import run


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


@pytest.mark.parametrize("error", [KeyboardInterrupt, asyncio.CancelledError])
def test_whatever_is_raised_in_a_thought_is_the_strategys_and_the_next_one_is_begun(
    error: type[BaseException],
) -> None:
    class Raising:
        def choose(self, view: PlayerView, rng: random.Random) -> Turn:
            raise error

    async def twice() -> list[str]:
        thinker = Thinker(Raising(), random.Random(0), 60.0)
        return [(await thinker.think(view())).complaint for _ in range(2)]

    assert run(twice()) == [f"the strategy failed: {error.__name__}"] * 2


def test_a_thread_that_is_started_where_a_strategy_is_made_does_not_keep_the_process_alive() -> None:
    may_end = threading.Event()
    started = made_apart(lambda: threading.Thread(target=may_end.wait))
    assert started.daemon
    may_end.set()


def test_what_is_raised_where_a_strategy_is_made_is_told() -> None:
    with pytest.raises(ZeroDivisionError):
        made_apart(lambda: 1 // 0)


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
