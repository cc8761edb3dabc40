"""Bot peers without a network: from the room to the end of the match, and what can go wrong on the way."""

from __future__ import annotations

import json
import random
from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest

from p2prummi.bots import Easy, PlayerView
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.errors import FaultCode
from p2prummi.headless import Outcome
from p2prummi.net.notices import MemberUnreachable, VersionsDiffer
from p2prummi.rules import PRESETS, Turn, new_game
from p2prummi.session import commands, notices
from p2prummi.verifier import verify_transcript
from tests.bots_in_memory import (
    BotRun,
    Hub,
    bot,
    early_end,
    make_bots,
    match_of_bot_and_driver,
    no_waiting,
    play,
    run,
    told,
    wish,
)
from tests.local_match import NAMES


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)


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


def test_a_proved_fault_names_the_culprit(tmp_path: Path) -> None:
    started, ended = early_end(notices.MatchEnd.FAULT)
    each = run(told(tmp_path, started, ended))
    assert isinstance(started, notices.MatchStarted)
    assert each.outcome is Outcome.PEER_FAULT
    name, key = started.match.names[1], started.match.keys[1]
    assert each.has_said(
        f"the match has ended: {name} ({fingerprint(key)}) broke the protocol: two decks were shown"
    )


def test_players_of_one_name_are_told_apart(tmp_path: Path) -> None:
    started, ended = early_end(notices.MatchEnd.LINK_LOST)
    assert isinstance(started, notices.MatchStarted)
    match = copy(started.match)
    # Cached, so that no signature has to be made for other names.
    match.__dict__["names"] = ("Ada", "Ad\u200ba", *match.names[2:])
    each = run(told(tmp_path, replace(started, match=match), ended))
    for key in match.keys[:2]:
        assert each.has_said(f"Ada ({fingerprint(key)[:4]})")


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
    assert each.has_said("No match is running.")
