"""The console on real networks: where nobody is to be seen, among namesakes, and to a round's last tile."""

from __future__ import annotations

import sys

import pytest

from p2prummi.rules import PRESETS, EndReason, Meld, format_tiles, meld_from, parse_tiles, with_settings
from p2prummi.solver import solve
from tests.net.bot_on_host import Bot
from tests.net.console_on_host import PATIENCE_SECONDS, Console, console, needs_tmux
from tests.net.lab import Lab, call
from tests.net.processes import wait_for

pytestmark = [pytest.mark.netns, pytest.mark.timeout(600), needs_tmux]

PLAYERS = 3
# Jokers move freely: where two tiles are equal, it matters nowhere which of them the console takes.
CHANGES = ("joker_swap_from=free", "joker_reuse=any_meld")
RULES = with_settings(PRESETS["official"], CHANGES)


def test_who_sees_nobody_is_told_what_may_stand_in_the_way(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    h2.drop("udp dport 5353")
    h2.drop("tcp flags & (syn|ack) == syn")
    with console(h1, "Ana", "--port", "4711") as one, console(h2, "Ben", "--port", "4712") as two:
        for shown, port in ((one, 4711), (two, 4712)):
            ways = (f"TCP port {port} (playing)", f"`--connect HOST:{port}`")
            shown.until_said("Nobody has been seen yet", "UDP port 5353 (finding)", *ways)
        h2.open()
        one.type("open kitchen")
        two.until_said("kitchen", "open · Ana")
        assert "Nobody has been seen" not in two.words


def test_without_a_network_it_says_so_and_gives_the_hint(lab: Lab) -> None:
    host = lab.host("h1", loopback=False)
    with console(host, "Ana") as alone:
        alone.until_said("There is no network now.", "until there is a network. For a game against bots")
        assert "UDP" not in alone.words
        host.call("ip", "link", "set", "lo", "up")
        alone.until_said("There is a network again")
        alone.type("quit")
        alone.until_said("exit code 0.")


def test_a_person_and_a_stranger_that_opened_a_room_each_come_to_play_in_one(lab: Lab) -> None:
    """Neither can see the other when they look for the room: whoever yields, all are ready in the end."""
    host = lab.host("h1", loopback=False)
    room = ("--room", "kitchen", "--players", "3")
    with console(host, "Ana", "--bots", "1", *room) as ana:
        ana.until_said("2 of 3 seats taken")
        other = host.process("-m", "p2prummi", "bot", *room)
        wait_for(lambda: "opened the room" in " ".join(other.errors), "the other's room", PATIENCE_SECONDS)
        host.call("ip", "link", "set", "lo", "up")
        ana.until_logged("match_start")
        ana.until_said("tiles unopened")


def test_two_players_of_one_name_talk_and_move_each_under_its_own_fingerprint(lab: Lab) -> None:
    h1, h2 = lab.hosts(2)
    room = ("--room", "kitchen", "--players", "2")
    with console(h1, "alice", *room) as one, console(h2, "alice", *room) as two:
        for each in (one, two):
            each.until_said("Type `ready`", "2 of 2 seats taken")
            each.type("ready")
        for each in (one, two):
            each.until_logged("match_start")
        labels = {each: f"alice ({each.fingerprint[:4]})" for each in (one, two)}
        assert len(set(labels.values())) == 2
        for each, other in ((one, two), (two, one)):
            each.type(f"say I sit at seat {each.seat}")
            for shown in (one, two):
                shown.until_said(f"{labels[each]}: I sit at seat {each.seat}")
                assert f"{labels[other]}: I sit at seat {each.seat}" not in shown.words
        for turns in (1, 2):
            wait_for(lambda: one.is_to_move or two.is_to_move, "a turn")
            mover, other = (one, two) if one.is_to_move else (two, one)
            mover.type("hint")
            mover.until_said("Hint: ")
            mover.type("draw")
            mover.until_said("You drew ")
            other.until_said(f"{labels[mover]} drew a tile.", "YOUR TURN")
            assert [shown.events("turn")[turns - 1]["seat"] for shown in (one, two)] == [mover.seat] * 2
        assert {turn["seat"] for turn in one.events("turn")} == {0, 1}


def table_of(player: Console) -> tuple[Meld, ...]:
    """The table as the last turn has left it: a meld is a list, or a map from its kind to one."""
    melds: list[Meld] = []
    for logged in player.events("turn")[-1]["melds"] if player.events("turn") else ():
        kind, texts = next(iter(logged.items())) if isinstance(logged, dict) else (None, logged)
        tiles = parse_tiles(texts, taken=[tile for meld in melds for tile in meld.tiles])
        melds.append(meld_from(tiles, kind))
    return tuple(melds)


def take_turn(player: Console) -> None:
    """Types the turn that lays the most tiles: takes up each meld that changes, lays what comes of them."""
    table = table_of(player)
    rack = parse_tiles(player.rack(), [tile for meld in table for tile in meld.tiles])
    opened = any(turn["laid"] for turn in player.events("turn") if turn["seat"] == player.seat)
    play = solve(RULES, table, rack, opened=opened).play
    if play is None:
        turns = player.events("turn")
        player.type("pass" if turns and not turns[-1]["pool"] else "draw")
        return
    for place in reversed(range(len(table))):
        if table[place] not in play.melds:
            player.type(f"take {format_tiles(table[place].tiles)} from {place + 1}")
    made = [meld for meld in play.melds if meld not in table]
    player.type(f"lay {' / '.join(f'{meld.kind} {format_tiles(meld.tiles)}' for meld in made)}")
    player.type("end")


def test_a_round_is_played_at_the_console_until_a_rack_is_empty(lab: Lab) -> None:
    """A person who always finds the best play, against two bots that do: so somebody goes out."""
    h1, *hosts = lab.hosts(PLAYERS)
    changes = (f"--set={change}" for change in CHANGES)
    room = ("--room", "kitchen", "--players", str(PLAYERS), *changes)
    bots = [
        Bot(lab, host, "", *room, "--strategy", "tests.net.going_out:GoingOut", "--matches", "9")
        for host in hosts
    ]
    with console(h1, "Ana", *room) as ana:
        ana.until_said("Type `ready`")
        ana.type("ready")
        ana.until_logged("match_start")
        while not ana.events("round_end"):
            wait_for(
                lambda: ana.is_to_move or ana.events("round_end"), "its turn, or the end", PATIENCE_SECONDS
            )
            if not ana.events("round_end"):
                turns = len(ana.events("turn"))
                take_turn(ana)
                ana.until_logged("turn", turns + 1)
        (ended,) = ana.events("round_end")
        assert ended["why"] == EndReason.RUMMIKUB
        sys.stdout.write(f"{len(ana.events('turn'))} turns\n")
        assert any(turn["laid"] for turn in ana.events("turn") if turn["seat"] == ana.seat)
        names = {player["seat"]: player["name"] for player in ana.events("match_start")[0]["roster"]}
        winner = names[ended["winner"]]
        ana.until_said(f"Rummikub! {winner} laid the last tile.", f"{winner} wins the match!", "is kept in")
        for seat, name in names.items():
            ana.until_said(f"{name} {ended['scores'][seat]:+d} {ended['totals'][seat]:+d}")
        ana.type("quit")
        ana.until_said("exit code 0.")
    for bot in bots:
        bot.wait_for("match_end")
        assert [end["scores"] for end in bot.events("round_end")] == [ended["scores"]]
    (file,) = (h1.home / "DATA").rglob("*.p2prummi")
    command, _ = h1.command("-m", "p2prummi", "verify", str(file))
    call(*command)
