"""Whole matches of the program's own bots, each a process on a host of its own that knows of no other.

Everything is real: namespaces, mDNS, TLS, proofs, files. What a peer receives is written down above TLS, so
that a test can say what nobody ever comes to know; where a peer is hostile, all honest ones name it alike.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2prummi.cli.exit_codes import ExitCode
from p2prummi.errors import FaultCode
from p2prummi.rules import PRESETS
from p2prummi.transcript.agreement import Match
from p2prummi.transcript.file import read_transcript
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.replay import advance
from p2prummi.transcript.rounds import Progress
from p2prummi.transcript.state import start_round
from p2prummi.wire import events
from tests.net.bot_on_host import Bot
from tests.net.lab import Lab, call

pytestmark = [pytest.mark.netns, pytest.mark.timeout(600)]

# By these rules every rack lays something soon, so that a match has plays and is over soon.
QUICK = ("--set", "opening_points=0")


def play(lab: Lab, players: int, *arguments: str, attacker: str = "") -> list[Bot]:
    """Starts one bot on each of so many hosts, the last one hostile if so asked."""
    attacks = [""] * (players - 1) + [attacker]
    room = ("--room", "kitchen", "--players", str(players))
    hosts = lab.hosts(players)
    return [Bot(lab, host, attack, *room, *arguments) for host, attack in zip(hosts, attacks, strict=True)]


def assert_same_end(bots: list[Bot]) -> None:
    """All came to the end of the match, with the same heads and scores."""
    codes = [bot.end() for bot in bots]
    assert codes == [ExitCode.DONE] * len(bots), [bot.process.errors for bot in bots]
    for name in ("match_start", "turn", "round_end", "match_end"):
        assert bots[0].events(name)
        for bot in bots[1:]:
            assert bot.events(name) == bots[0].events(name)


def assert_files_verify(bots: list[Bot]) -> None:
    """Each kept the match, and the command `verify` finds every file in order, by itself."""
    for bot in bots:
        (file,) = bot.files()
        command, _ = bot.host.command("-m", "p2prummi", "verify", "--json", str(file))
        verdict = json.loads(call(*command))
        assert verdict["verified"]
        assert verdict["complete"]
        assert verdict["head"] == bots[0].lines[-1]["head"]


@dataclass(frozen=True)
class Ledger:
    """What a kept match says of its decks: who came to hold which index, which ones an event shares."""

    holders: dict[bytes, tuple[int, ...]]
    shared: dict[tuple[bytes, int, int], tuple[int, ...]]
    secrets: list[bytes]


def ledger_of(file: Path) -> tuple[Match, Ledger]:
    """Folds a kept match, and notes what it says of its decks."""
    match, kept = read_transcript(file.read_bytes())
    ledger = Ledger({}, {}, [])
    progress, rest = Progress.of_new_match(match), list(kept)
    while rest:
        state = start_round(progress.next_terms(match))
        context = state.terms.context
        while state.phase is not Phase.DONE:
            step, rest = rest[: len(state.fillers)], rest[len(state.fillers) :]
            for event in step:
                if isinstance(event.payload, events.Deal | events.DrawShare):
                    slot = (context, event.sequence, event.seat)
                    ledger.shared[slot] = state.indices_to_share(event.seat)
                elif isinstance(event.payload, events.Settle):
                    ledger.secrets.append(event.payload.secret)
            state = advance(state, step, os.urandom)
        ledger.holders[context] = state.holders
        progress = progress.after(state)
    return match, ledger


def assert_racks_stay_hidden(bot: Bot, match: Match, ledger: Ledger) -> int:
    """A peer never holds all shares of another's tile, or of one in the pool, before it is laid or settled.

    Works on nothing but what came to it, above TLS. Returns how many shares were counted.
    """
    received = list(bot.received())
    (own,) = set(range(match.players)) - {event.seat for event in received}
    known: dict[tuple[bytes, int], set[int]] = {}
    settled: set[bytes] = set()
    counted = 0
    for event in received:
        context = event.context
        match event.payload:
            case events.Deal() | events.DrawShare():
                indices = ledger.shared[context, event.sequence, event.seat]
                may_open = [ledger.holders[context][index] == own for index in indices]
            case events.Play(laid=laid):
                indices = tuple(index for _, index in laid)
                may_open = [True] * len(indices)
            case events.Settle():
                settled.add(context)
                continue
            case _:
                continue
        assert context not in settled, "the round went on after a key was shown"
        for index, is_open in zip(indices, may_open, strict=True):
            seats = known.setdefault((context, index), {own})
            seats.add(event.seat)
            assert is_open or len(seats) < match.players, f"seat {own} can open index {index}"
            counted += 1
    return counted


def assert_no_secrets_kept(bot: Bot, ledger: Ledger) -> None:
    """Nothing in the state directory holds a key of any round."""
    files = [path for path in (bot.home / "STATE").rglob("*") if path.is_file()]
    assert files
    for path in files:
        content = path.read_bytes()
        for secret in ledger.secrets:
            assert secret not in content
            assert secret.hex().encode() not in content.lower()


def test_four_hosts_that_know_of_each_other_by_mdns_alone(lab: Lab) -> None:
    bots = play(lab, 4, "--rounds", "2", *QUICK)
    assert_same_end(bots)
    assert_files_verify(bots)
    match, ledger = ledger_of(bots[0].files()[0])
    assert len(ledger.holders) == 2
    for bot in bots:
        assert_no_secrets_kept(bot, ledger)
        # Every tile that was dealt or drawn, to this seat or another, came with the shares of others.
        dealt = sum(len(holders) for holders in ledger.holders.values())
        assert assert_racks_stay_hidden(bot, match, ledger) >= dealt * (match.players - 2)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_comes_to_its_end(lab: Lab, preset: str) -> None:
    bots = play(lab, 2, "--rules", preset)
    assert_same_end(bots)
    assert_files_verify(bots)


def test_three_players(lab: Lab) -> None:
    bots = play(lab, 3, *QUICK)
    assert_same_end(bots)
    assert_files_verify(bots)


def test_six_players_with_160_tiles(lab: Lab) -> None:
    bots = play(lab, 6, "--set", "copies=3", "--set", "jokers=4", "--set", "players=2-6", *QUICK)
    assert_same_end(bots)
    assert_files_verify(bots)


def test_exact_duplicates_change_nothing(lab: Lab) -> None:
    assert_same_end(play(lab, 3, *QUICK, attacker="duplicates"))


@pytest.mark.parametrize(
    ("attack", "code"),
    [
        ("bad_proof", FaultCode.SHUFFLE_PROOF_FAILED),
        ("wrong_tile", FaultCode.TILE_NOT_HELD),
        ("illegal_meld", FaultCode.ILLEGAL_TURN),
        ("out_of_turn", FaultCode.OUT_OF_TURN),
        ("two_versions", FaultCode.EQUIVOCATION),
        ("two_decks", FaultCode.EQUIVOCATION),
        ("old_event", FaultCode.WRONG_CONTEXT),
    ],
)
def test_all_honest_peers_blame_the_same_fault_on_who_committed_it(
    lab: Lab, attack: str, code: FaultCode
) -> None:
    bots = play(lab, 3, "--rounds", "2", *QUICK, attacker=attack)
    hostile = bots.pop()
    for bot in bots:
        assert bot.end() == ExitCode.PEER_FAULT, bot.process.errors
    hostile.end()
    blamed = fingerprint_of(hostile, bots[0])
    for bot in bots:
        first = bot.events("fault")[0]
        assert (first["code"], first["peer"]) == (code, blamed)
        words = f"{hostile.name} ({blamed}) broke the protocol"
        assert any(words in line for line in bot.process.errors)
        kept = list(bot.home.rglob(f"{code}-{blamed}-*.evidence"))
        # A replayed event was no wrong one when it was signed: it is evidence of nothing.
        assert len(kept) == (attack != "old_event")
        for evidence in kept:
            assert_proved(bot, evidence, code, blamed)


def assert_proved(bot: Bot, evidence: Path, code: FaultCode, blamed: str) -> None:
    """What a bot keeps of a fault, and of the match, lets the command `verify` judge it by itself."""
    (file,) = bot.files()
    command, _ = bot.host.command("-m", "p2prummi", "verify", "--json", str(evidence), str(file))
    proved, held = map(json.loads, call(*command).splitlines())
    assert (proved["found"]["code"], proved["found"]["culprit"]["peer"]) == (code, blamed)
    assert proved["verified"]
    assert held["verified"]


def test_two_good_decks_with_good_proofs_are_found_before_anyone_deals(lab: Lab) -> None:
    """Only the last seat can do it, and who that is nobody can choose: all would."""
    room = ("--room", "kitchen", "--players", "3", *QUICK)
    bots = [Bot(lab, host, "two_good_decks", *room) for host in lab.hosts(3)]
    codes = [bot.end() for bot in bots]
    named = {fault["peer"] for bot in bots for fault in bot.events("fault")}
    (last,) = (bot for bot in bots if bot.events("match_start")[0]["roster"][-1]["peer"] == bot.fingerprint)
    honest = [bot for bot in bots if bot is not last]
    assert [codes[bots.index(bot)] for bot in honest] == [ExitCode.PEER_FAULT] * 2, codes
    assert named == {last.fingerprint}
    for bot in honest:
        (fault,) = bot.events("fault")
        assert fault["code"] == FaultCode.EQUIVOCATION
    assert not [event for bot in bots for event in bot.received() if isinstance(event.payload, events.Deal)]


@pytest.mark.parametrize(
    ("attack", "codes"),
    [
        ("garbage", {FaultCode.MALFORMED_FRAME}),
        ("nested", {FaultCode.LIMIT_EXCEEDED}),
        ("huge_array", {FaultCode.LIMIT_EXCEEDED}),
        ("oversized", {FaultCode.OVERSIZED_FRAME}),
    ],
)
def test_unsigned_garbage_costs_its_sender_the_link_and_blames_nobody_else(
    lab: Lab, attack: str, codes: set[FaultCode]
) -> None:
    bots = play(lab, 3, *QUICK, attacker=attack)
    hostile = bots.pop()
    ended = [bot.end() for bot in bots]
    hostile.end()
    blamed = fingerprint_of(hostile, bots[0])
    # Only who received it names it; to the other the match has ended because a link was lost.
    assert sorted(ended) == [ExitCode.PEER_FAULT, ExitCode.ENDED_EARLY]
    (fault,) = [fault for bot in bots for fault in bot.events("fault")]
    assert fault["code"] in codes
    assert fault["peer"] == blamed


def test_strangers_at_the_port_leave_a_match_undisturbed(lab: Lab) -> None:
    bots = play(lab, 2, "--rounds", "2", *QUICK)
    stranger_host = lab.host("h9").plug("eth0", "10.77.0.9/24")
    bots[0].wait_for("match_start")
    host, _, port = bots[0].address.rpartition(":")
    stranger = stranger_host.process("-m", "tests.net.stranger", host, port)
    assert stranger.receive() == {"through": True}
    assert_same_end(bots)
    for bot in bots:
        assert not bot.events("fault")
        assert not [line for line in bot.process.errors if "rror" in line]


def fingerprint_of(bot: Bot, seen_by: Bot) -> str:
    """The fingerprint of a bot, as another one saw it in the roster."""
    (start,) = seen_by.events("match_start")
    own = {line["peer"] for line in seen_by.events("joined")}
    name = next(line["name"] for line in start["roster"] if line["name"] == bot.name)
    fingerprint = next(line["peer"] for line in start["roster"] if line["name"] == name)
    assert fingerprint in own
    return str(fingerprint)
