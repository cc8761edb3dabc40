"""Commands in a match: turns that do not fit or come too early, agreeing to a round, and leaving."""

from __future__ import annotations

import pytest

from p2prummi.errors import LocalProtocolError
from p2prummi.rules import Draw, Pass, Play, meld_from, parse_tiles
from p2prummi.session import TurnRefusedError
from p2prummi.session.commands import Command, LeaveRoom, NextRound, SetReady, TakeTurn
from p2prummi.session.notices import (
    MatchEnd,
    MatchEnded,
    MatchStarted,
    Notice,
    RoundEnded,
    TurnStarted,
    TurnTaken,
)
from p2prummi.testing.players import Player
from p2prummi.transcript.phases import Phase
from tests.session.matches import Thoughtful, ends, seated, told
from tests.session.rooms import ready
from tests.session.scenes import round_of, scene_of

# Turns.


def test_turns_that_do_not_fit_are_refused_with_words() -> None:
    network = seated(2, 50, matches=1)
    for peer in network:
        peer.on_notice = lambda _notice: None
    anna, bob = network
    network.run()
    for command in (TakeTurn(Draw()), NextRound()):
        with pytest.raises(LocalProtocolError, match="No match is running"):
            network.command(anna, command)
    ready(network, anna, bob)
    mover, other = (
        network.peers[key]
        for key in sorted(network.peers, key=lambda key: not told(network.peers[key], TurnStarted)[0].mine)
    )
    with pytest.raises(LocalProtocolError, match="not your turn"):
        network.command(other, TakeTurn(Draw()))
    with pytest.raises(TurnRefusedError) as refused:
        network.command(mover, TakeTurn(Pass()))
    assert refused.value.faults
    held = told(mover, TurnStarted)[0].rack
    foreign = [tile for tile in parse_tiles(["R1", "R2", "R3", "B1", "B2", "B3"]) if tile not in held]
    assert foreign
    lay = Play(melds=(meld_from(parse_tiles(["R1", "R2", "R3"])),), opening=None)
    with pytest.raises(TurnRefusedError) as refused:
        network.command(mover, TakeTurn(lay))
    assert len(refused.value.faults) >= 1
    assert str(refused.value)
    network.command(mover, TakeTurn(Draw()))
    with pytest.raises(LocalProtocolError, match="not your turn"):
        network.command(mover, TakeTurn(Draw()))
    network.run()
    assert len(told(mover, TurnTaken)) == 1
    network.command(other, SetReady(ready=True))
    network.run()
    assert len(told(anna, MatchStarted)) == 1


def test_no_turn_while_the_tile_before_is_still_being_drawn() -> None:
    """The game has the next seat to move then, but its turn begins once all shares are there."""
    network = seated(2, 58)
    for peer in network:
        peer.on_notice = Thoughtful()
    anna, bob = network
    network.run(until=lambda: bool(told(anna, TurnStarted)) and bool(told(bob, TurnStarted)))
    mover, other = sorted(network, key=lambda peer: not told(peer, TurnStarted)[0].mine)
    network.command(mover, TakeTurn(Draw()))
    network.run(until=lambda: round_of(other).state.phase is Phase.DRAW_SHARE)
    assert round_of(other).state.running_game.to_move == round_of(other).seat
    network.finish_work()
    with pytest.raises(LocalProtocolError, match="not your turn"):
        network.command(other, TakeTurn(Draw()))


def test_no_turn_before_the_round_has_begun() -> None:
    network = seated(2, 51, "rounds=2", "pool_empty=round_ends")
    anna = next(iter(network))

    class Hasty(Player):
        def __call__(self, notice: Notice) -> Command | None:
            if isinstance(notice, RoundEnded) and not notice.match_over:
                anna.session.command(NextRound(), network.now)
                return TakeTurn(Draw())
            return super().__call__(notice)

    anna.on_notice = Hasty()
    network.run()
    assert [str(refusal) for refusal in anna.refusals] == ["The round has not begun yet."]
    assert {end.reason for _, end in ends(network)} == {MatchEnd.FINISHED}


def test_agreeing_to_a_round_that_is_running_changes_nothing() -> None:
    scene = scene_of("draw").branch()
    for peer in scene.network:
        scene.network.command(peer, NextRound())
    scene.send_to_all(scene.event)
    assert {end.reason for _, end in ends(scene.network)} == {MatchEnd.FINISHED}


# Leaving.


class Reluctant(Player):
    """Agrees to no next round."""

    def __call__(self, notice: Notice) -> Command | None:
        return None if isinstance(notice, RoundEnded) else super().__call__(notice)


def test_leaving_between_two_rounds_ends_the_match_with_what_was_reached() -> None:
    network = seated(2, 52, "rounds=2", "pool_empty=round_ends")
    for peer in network:
        peer.on_notice = Reluctant()
    anna, bob = network
    network.run()
    totals = told(anna, RoundEnded)[0].totals
    network.command(bob, LeaveRoom())
    network.run()
    for _, end in ends(network):
        assert (end.reason, end.totals, end.winners) == (MatchEnd.LEFT, totals, ())
        assert end.head != bytes(32)


def test_leaving_while_the_deck_is_being_prepared_comes_to_nothing() -> None:
    """Work that is under way when the match ends gives no round and no error."""
    for stop in range(0, 60, 12):
        network = seated(2, 53)
        anna, bob = network
        network.run(until=lambda: bool(told(anna, MatchStarted)))  # noqa: B023 - called at once
        for _ in range(stop):
            network._step()
            network._collect()
        network.command(bob, LeaveRoom())
        network.run()
        for peer in network:
            assert len(told(peer, MatchStarted)) == len(told(peer, MatchEnded)), peer.name
            assert all(end.reason is MatchEnd.LEFT for end in told(peer, MatchEnded))


def test_leaving_while_the_next_deck_is_prepared_begins_no_round() -> None:
    network = seated(2, 57, "rounds=2", "pool_empty=round_ends")
    anna, bob = network
    network.run(until=lambda: bool(told(bob, RoundEnded)))
    assert bob.session.has_work()
    network.command(bob, LeaveRoom())
    network.run()
    assert told(bob, MatchEnded)[0].reason is MatchEnd.LEFT
    assert told(anna, MatchEnded)[0].totals == told(bob, MatchEnded)[0].totals
