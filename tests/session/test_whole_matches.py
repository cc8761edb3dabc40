"""Whole matches between honest peers in memory: every preset, 2 to 6 players, any order of delivery."""

from __future__ import annotations

from random import Random

import pytest

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.rules import PRESETS, Draw, Pass, Play, Turn, find_opening, next_starter
from p2prummi.session.commands import Command, LeaveRoom, NextRound, SetReady, StartMatch
from p2prummi.session.notices import (
    Dealt,
    DeckVerified,
    FaultSeen,
    MatchEnd,
    MatchEnded,
    MatchStarted,
    Notice,
    PeerLeft,
    PhaseProgress,
    RoundEnded,
    TilesDrawn,
    TurnConfirmed,
    TurnStarted,
    TurnTaken,
)
from p2prummi.testing.network import Network
from p2prummi.testing.players import Player, draw_always, open_and_draw
from p2prummi.transcript.phases import Phase
from p2prummi.verifier import verify_transcript
from p2prummi.wire.frames import Presence, parse_frame
from tests.session.matches import Checkers, ends, seated, told


def assert_finished(network: Network, matches: int = 1) -> MatchEnded:
    """Everyone was told of the same end, and of no fault."""
    ended = [end for _, end in ends(network)]
    for peer in network:
        assert told(peer, FaultSeen) == []
        assert peer.refusals == []
        assert len(told(peer, MatchEnded)) == matches
    assert {end.reason for end in ended} == {MatchEnd.FINISHED}
    assert len({(end.totals, end.winners, end.head, end.transcript) for end in ended}) == 1
    return ended[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_to_its_end(preset: str) -> None:
    network = seated(3, 5, preset=preset, choose=open_and_draw)
    checkers = Checkers(network)
    network.run()
    end = assert_finished(network)
    checkers.assert_worked()
    verdict = verify_transcript(end.transcript, SeededEntropy(b"weights"))
    assert verdict.ok
    assert verdict.complete
    assert verdict.match is not None
    assert verdict.match.totals == end.totals
    assert verdict.match.head == end.head


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (4, 2), (6, 3)])
def test_every_number_of_players(players: int, seed: int) -> None:
    network = seated(players, seed, "pool_empty=round_ends", choose=open_and_draw)
    checkers = Checkers(network)
    network.run()
    assert_finished(network)
    checkers.assert_worked()
    for peer in network:
        (dealt,) = told(peer, Dealt)
        assert len(dealt.rack) == 14
        assert dealt.game.turn_number == 0
        assert len(told(peer, DeckVerified)) == 1
        # Every turn was told once, started before it was taken, and confirmed by all afterwards.
        started = [notice.sequence for notice in told(peer, TurnStarted)]
        taken = [notice.sequence for notice in told(peer, TurnTaken)]
        assert started == taken == [notice.sequence for notice in told(peer, TurnConfirmed)]


@pytest.mark.parametrize("seed", range(100, 104))
def test_any_order_of_delivery_leads_to_the_same(seed: int) -> None:
    """The seed chooses keys, deck and order; at 2 to 4 players, with all checkers on."""
    network = seated(2 + seed % 3, seed, "pool_empty=round_ends", choose=open_and_draw)
    checkers = Checkers(network)
    network.run()
    assert_finished(network)
    checkers.assert_worked()


def test_rounds_add_up_and_each_is_started_by_the_next_seat() -> None:
    network = seated(2, 7, "rounds=3", "pool_empty=round_ends", choose=open_and_draw)
    Checkers(network)
    network.run()
    end = assert_finished(network)
    peer = next(iter(network))
    rounds = told(peer, RoundEnded)
    assert [each.round_number for each in rounds] == [1, 2, 3]
    assert [each.match_over for each in rounds] == [False, False, True]
    totals: tuple[int, ...] = (0, 0)
    for each in rounds:
        totals = tuple(map(sum, zip(totals, each.scores.points, strict=True)))
        assert each.totals == totals
    assert end.totals == totals
    best = max(totals)
    assert end.winners == tuple(seat for seat in range(2) if totals[seat] == best)
    starters = [notice.starting.seat for notice in told(peer, DeckVerified)]
    assert starters[1:] == [next_starter(starter, 2) for starter in starters[:-1]]
    # Fresh keys and decks each round: nobody holds the same rack twice.
    assert len({notice.rack for notice in told(peer, Dealt)}) == 3
    assert verify_transcript(end.transcript, SeededEntropy(b"weights")).complete


def test_a_match_ends_early_at_its_target() -> None:
    network = seated(2, 3, "rounds=9", "target_score=1", "pool_empty=round_ends", choose=open_and_draw)
    network.run()
    end = assert_finished(network)
    rounds = told(next(iter(network)), RoundEnded)
    assert [max(each.totals) >= 1 for each in rounds] == [each.match_over for each in rounds]
    assert len(rounds) < 9
    assert max(end.totals) >= 1


def test_a_rematch_in_the_same_room_is_another_match() -> None:
    network = seated(2, 11, "pool_empty=round_ends", matches=2)
    Checkers(network)
    network.run()
    assert_finished(network, matches=2)
    for peer in network:
        matches = [notice.match for notice in told(peer, MatchStarted)]
        assert len({match.id for match in matches}) == 2
        assert [match.proposal.number for match in matches] == [1, 2]
        assert len({match.proposal.room for match in matches}) == 1


def wanders(started: TurnStarted, rng: Random) -> Turn:
    """Opens, then lays what it can put to a meld or lay anew, half of the time."""
    game = started.game
    if rng.random() < 0.4:
        opening = find_opening(game.ruleset, started.rack)
        if opening is not None:
            new = (*game.table, *opening)
            return Play(melds=new, opening=None if game.opened[started.seat] else opening)
    return Draw() if game.pool_left else Pass()


def test_two_hundred_turns_keep_all_tiles() -> None:
    rng = Random(200)
    network = seated(2, 200, "copies=3", "jokers=4", "players=2-6", choose=lambda turn: wanders(turn, rng))
    checkers = Checkers(network)
    network.run()
    assert_finished(network)
    laid = sum(len(notice.laid) for notice in told(next(iter(network)), TurnTaken))
    assert checkers.tiles.turns >= 120
    assert laid >= 20


def test_an_exact_duplicate_changes_nothing() -> None:
    """Every frame of a match arrives twice, its last ones after the round is over; chat apart."""
    network = seated(2, 40, "rounds=2", "pool_empty=round_ends")
    Checkers(network)
    network.tap = lambda _sender, _receiver, frame: (frame, frame)
    network.run()
    assert_finished(network)
    for peer in network:
        assert peer.closed == []


def test_nobody_moves_on_before_everyone_agrees_to_the_next_round() -> None:
    network = seated(2, 21, "rounds=2", "pool_empty=round_ends")
    late = network.by_name("bob")
    answer = late.on_notice
    late.on_notice = lambda notice: None if isinstance(notice, RoundEnded) else answer(notice)
    network.run()
    assert all(len(told(peer, RoundEnded)) == 1 for peer in network)
    assert all(len(told(peer, DeckVerified)) == 1 for peer in network)
    network.command(late, NextRound())
    network.command(late, NextRound())
    network.run()
    assert_finished(network)


@pytest.mark.parametrize("seed", [60, 61, 62])
def test_who_leaves_once_all_have_signed_does_not_undo_the_result(seed: int) -> None:
    """The first to be done leaves at once: the others, who may still miss acknowledgements, finish too."""
    left: list[str] = []

    class Leaver(Player):
        def __call__(self, notice: Notice) -> Command | None:
            if isinstance(notice, MatchEnded) and not left:
                left.append("first")
                return LeaveRoom()
            return super().__call__(notice)

    network = seated(3, seed, "pool_empty=round_ends")
    for peer in network:
        peer.on_notice = Leaver()
    network.run()
    assert {end.reason for _, end in ends(network)} == {MatchEnd.FINISHED}
    assert len({(end.totals, end.head) for _, end in ends(network)}) == 1


def test_a_lost_link_ends_the_match_for_all() -> None:
    network = seated(4, 31)
    anna, bob, cy, dora = network
    network.run(until=lambda: len(told(anna, TurnTaken)) == 5)
    network.cut(anna, bob)
    network.run()
    for peer, end in ends(network):
        assert end.reason is MatchEnd.LINK_LOST, peer.name
        assert end.winners == ()
        assert end.totals == (0, 0, 0, 0)
        verdict = verify_transcript(end.transcript, SeededEntropy(b"weights"))
        assert verdict.ok
        assert not verdict.complete
    assert told(anna, MatchEnded)[0].peer == bob.public
    # Who was not at either end names the one that told of it.
    assert {told(peer, MatchEnded)[0].peer for peer in (cy, dora)} <= {anna.public, bob.public}
    assert all(told(peer, FaultSeen) == [] for peer in network)


def test_a_player_who_leaves_ends_the_match_for_all() -> None:
    network = seated(3, 32)
    anna, bob, cy = network
    network.run(until=lambda: len(told(anna, TurnTaken)) == 3)
    network.command(bob, LeaveRoom())
    network.run()
    assert {end.reason for _, end in ends(network)} == {MatchEnd.LEFT}
    assert {end.peer for _, end in ends(network)} == {bob.public}
    assert [notice.left for notice in told(anna, PeerLeft)] == [True]
    # The room stays, and those who are left may play again once they are ready.
    assert not network.is_linked(anna, bob)
    assert anna.session.advert().seats_taken == cy.session.advert().seats_taken == 2


@pytest.mark.parametrize("seed", [70, 71])
def test_a_rematch_follows_a_match_that_ended_early(seed: int) -> None:
    """What waits for the new match is not lost to the old one, of which a round is left."""
    network = seated(4, seed, "pool_empty=round_ends")
    anna, bob, cy, dora = network
    network.run(until=lambda: len(told(anna, TurnTaken)) == 3)
    network.command(dora, LeaveRoom())
    network.run()
    assert dora.public not in anna.session._latest
    for peer in (bob, cy, anna):
        network.command(peer, SetReady(ready=True))
    network.run()
    network.command(anna, StartMatch())
    network.run()
    for peer in (anna, bob, cy):
        assert [end.reason for end in told(peer, MatchEnded)] == [MatchEnd.LEFT, MatchEnd.FINISHED]
        assert told(peer, FaultSeen) == []


def test_progress_is_told_of_phases_in_which_all_take_part_or_wait() -> None:
    network = seated(2, 37, "pool_empty=round_ends")
    network.run()
    for peer in network:
        phases = {notice.phase for notice in told(peer, PhaseProgress)}
        assert phases == set(Phase) - {Phase.PLAY, Phase.DONE}


def test_ready_of_the_match_before_does_not_count_for_a_rematch() -> None:
    network = seated(2, 33, "pool_empty=round_ends")
    network.run()
    anna, bob = network
    network.command(anna, SetReady(ready=True))
    network.run()
    assert len(told(anna, MatchStarted)) == len(told(bob, MatchStarted)) == 1
    network.command(bob, SetReady(ready=True))
    network.run()
    assert len(told(anna, MatchStarted)) == len(told(bob, MatchStarted)) == 2


def test_draws_are_seen_by_the_drawer_alone() -> None:
    network = seated(3, 34, "pool_empty=round_ends", choose=draw_always)
    network.run()
    assert all(len(notice.tiles) == 1 for peer in network for notice in told(peer, TilesDrawn))
    drawn = [tile for peer in network for notice in told(peer, TilesDrawn) for tile in notice.tiles]
    assert len(drawn) == len(set(drawn)) == 106 - 3 * 14
    (ended,) = told(next(iter(network)), RoundEnded)
    held = [tile for rack in ended.racks for tile in rack]
    assert sorted(map(str, held)) == sorted(map(str, PRESETS["official"].tile_set.tiles))


def test_nothing_secret_is_shown() -> None:
    network = seated(2, 35)
    anna = network.by_name("anna")
    network.run(until=lambda: len(told(anna, TurnTaken)) == 1)
    running = anna.session._run.round  # type: ignore[union-attr] # a match is running
    assert running is not None
    secrets = running._secrets
    assert secrets is not None
    for shown in (repr(secrets), repr(running), repr(anna.session), repr(anna.key)):
        assert secrets.key.secret_bytes().hex() not in shown
        assert repr(secrets.coin) not in shown


def test_presence_tells_only_whom_one_is_linked_to() -> None:
    network = seated(3, 36)
    seen: list[Presence] = []

    def look(_sender: bytes, _receiver: bytes, frame: bytes) -> tuple[bytes, ...]:
        parsed = parse_frame(frame)
        if isinstance(parsed, Presence):
            seen.append(parsed)
        return (frame,)

    network.tap = look
    network.run(until=lambda: bool(told(network.by_name("anna"), MatchStarted)))
    assert {key for presence in seen for key, _ in presence.linked} == set(network.peers)
