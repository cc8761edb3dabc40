"""A hostile member on real links: dropped for each of its frames, at next to no cost, while others play."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from tests.net.bot_on_host import Bot
from tests.net.hostile_frames import HOSTILE_FRAMES
from tests.net.lab import Lab
from tests.net.test_matches import QUICK, assert_files_verify, assert_same_end

pytestmark = [pytest.mark.netns, pytest.mark.timeout(600)]

TIMES = 3
# What a frame may cost at most, in terms of what entering and leaving costs.
COST_MAX = 4.0
GROWTH_KIB_MAX = 20_000


def test_hostile_frames_cost_next_to_nothing_and_others_play_on(lab: Lab) -> None:
    h1, h2, h3, h9 = lab.hosts(4)
    room = ("--room", "kitchen", "--players", "3", "--rounds", "2", *QUICK)
    victim = Bot(lab, h1, "", *room)
    victim.wait_for("room")
    second = Bot(lab, h2, "", *room)
    second.wait_for("room")
    host, _, port = victim.address.rpartition(":")
    hostile = h9.process("-m", "tests.net.hostile_member", host, port, victim.events("room")[0]["id"])
    visits = TIMES * len(HOSTILE_FRAMES)
    for _ in range(2):
        # The first time, what is needed at all is loaded and kept.
        before = victim.process.usage()
        assert hostile.ask("hello", times=visits) == {"visits": visits}
        entered = victim.process.usage()
    for name in HOSTILE_FRAMES:
        assert hostile.ask(name, times=TIMES) == {"visits": TIMES}
    attacked = victim.process.usage()
    entering = entered.cpu_seconds - before.cpu_seconds
    attack = attacked.cpu_seconds - entered.cpu_seconds
    growth = attacked.peak_kib - entered.peak_kib
    sys.stdout.write(f"{visits} visits: {entering:.2f} s of CPU, hostile {attack:.2f} s, {growth} KiB more\n")
    assert attack < COST_MAX * entering
    assert growth < GROWTH_KIB_MAX
    third = Bot(lab, h3, "", *room)
    bots = [victim, second, third]
    for bot in bots:
        bot.wait_for("match_start")
    for name in HOSTILE_FRAMES:
        assert hostile.ask(name, times=1) == {"visits": 1}
    assert_same_end(bots)
    assert_files_verify(bots)
    named = Counter(fault["code"] for fault in victim.events("fault"))
    expected = Counter(hostile_frame.code for hostile_frame in HOSTILE_FRAMES.values())
    assert named == {code: count * (TIMES + 1) for code, count in expected.items()}
    for bot in (second, third):
        assert bot.events("fault") == []
    for bot in bots:
        assert not [line for line in bot.process.errors if "Traceback" in line]
