"""The room before a match: who is there, what may start it, and an agreement that nobody can bend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.rules import with_settings
from p2prummi.session.commands import JoinRoom, LeaveRoom, OpenRoom, SendChat, SetReady, StartMatch
from p2prummi.session.notices import (
    FaultSeen,
    MatchEnd,
    MatchEnded,
    MatchStarted,
    RoomClosed,
    RoomUpdated,
    TurnStarted,
)
from p2prummi.testing.network import Network, Peer
from p2prummi.testing.players import Player
from p2prummi.transcript.agreement import (
    Proposal,
    nonce_commitment,
    read_proposal,
    sign_acceptance,
    sign_proposal,
)
from p2prummi.wire import frames, limits
from p2prummi.wire.frames import Accept, Frame, Presence, Terms, encode_frame, parse_frame
from tests.session.matches import new_network, rules_for, told


def room(
    players: int, seed: int = 1, *, seats: int | None = None, link: bool = True
) -> tuple[Network, list[Peer]]:
    """A room in which everyone sits and nobody is ready."""
    network = new_network(players, seed)
    peers = list(network)
    rules = rules_for(players, "pool_empty=round_ends")
    network.command(peers[0], OpenRoom(name="room", ruleset=rules, seats=seats or players))
    identity = peers[0].session.advert().room_id
    for peer in peers[1:]:
        network.command(peer, JoinRoom(room_id=identity, name="room"))
    if link:
        network.link_all()
        network.run()
    return network, peers


def ready(network: Network, *peers: Peer) -> None:
    for peer in peers:
        network.command(peer, SetReady(ready=True))
    network.run()


def has_begun(peer: Peer) -> bool:
    return bool(told(peer, MatchStarted))


def rewritten(
    sender: Peer, kind: type[Frame], change: Callable[[Frame], list[Frame]], network: Network
) -> None:
    """Lets `change` decide what goes out instead of one peer's frames of this kind."""

    def tap(source: bytes, _target: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if source != sender.public or not isinstance(parsed, kind):
            return [frame]
        return [encode_frame(each) for each in change(parsed)]

    network.tap = tap


def refusals(peer: Peer) -> list[tuple[FaultCode, bytes | None, bool]]:
    return [(fault.code, fault.peer, fault.signed) for fault in told(peer, FaultSeen)]


# Who is there.


def test_everyone_comes_to_know_the_rules_and_each_other() -> None:
    network, peers = room(3)
    for peer in peers:
        update = told(peer, RoomUpdated)[-1]
        assert update.ruleset == rules_for(3, "pool_empty=round_ends")
        assert (update.name, update.seats) == ("room", 3)
        assert {member.key for member in update.members} == set(network.peers)
        assert [member.name for member in update.members if member.is_opener] == ["anna"]
        assert [member.name for member in update.members if member.is_self] == [peer.name]
        advert = peer.session.advert()
        assert (advert.state, advert.seats_taken, advert.seats, advert.name) == ("open", 3, 3, "room")
        assert advert.opener == peers[0].public


def test_members_dial_whom_they_hear_of_once() -> None:
    network, (anna, bob, cy) = room(3, link=False)
    network.link(anna, bob)
    network.link(anna, cy)
    network.run()
    assert bob.session.dials_wanted() == [(cy.public, ("cy:1",))]
    assert cy.session.dials_wanted() == [(bob.public, ("bob:1",))]
    assert anna.session.dials_wanted() == []
    ready(network, anna, bob, cy)
    assert bob.session.dials_wanted() == []
    # Not linked to all: nothing is proposed, however ready they are.
    assert not is_proposed(network)
    assert not any(has_begun(peer) for peer in network)
    network.link(bob, cy)
    network.run()
    assert all(has_begun(peer) for peer in network)


def test_who_is_linked_already_is_not_dialled() -> None:
    network, (anna, bob, cy) = room(3)
    anna.session.dials_wanted()
    for linked in ((), ((cy.public, ("cy:1",)),)):
        network.send_raw(bob, anna, encode_frame(Presence(anna.session.advert().room_id, False, linked)))
    network.run()
    assert anna.session.dials_wanted() == []


def test_who_comes_back_is_dialled_again() -> None:
    network, (anna, bob, cy) = room(3, link=False)
    network.link(anna, bob)
    network.link(anna, cy)
    network.run()
    assert len(bob.session.dials_wanted()) == 1
    network.cut(anna, cy)
    network.run()
    network.link(anna, cy)
    network.run()
    assert bob.session.dials_wanted() == [(cy.public, ("cy:1",))]


def test_a_presence_of_another_room_makes_no_member() -> None:
    network, (anna, bob) = room(2)
    elsewhere = Presence(bytes(32), True, ())
    network.send_raw(bob, anna, encode_frame(elsewhere))
    network.run()
    assert anna.session.advert().seats_taken == 1
    network.send_raw(bob, anna, encode_frame(elsewhere))
    network.run()
    assert len(told(anna, RoomUpdated)[-1].members) == 1


def test_whoever_comes_from_another_room_is_told_where_one_stands() -> None:
    network, (anna, bob) = room(2)
    answers: list[Presence] = []

    def tap(sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if sender == anna.public and isinstance(parsed, Presence):
            answers.append(parsed)
        return [frame]

    network.tap = tap
    here = Presence(anna.session.advert().room_id, False, ())
    for presence, count in ((here, 0), (Presence(bytes(32), False, ()), 0), (here, 1), (here, 1)):
        network.send_raw(bob, anna, encode_frame(presence))
        network.run()
        assert len(answers) == count


def test_the_room_closes_with_its_opener() -> None:
    network, (anna, bob, cy) = room(3)
    network.cut(anna, bob)
    network.run()
    assert len(told(bob, RoomClosed)) == 1
    assert not network.is_linked(bob, cy)
    assert bob.session.advert().state == "idle"
    assert told(cy, RoomClosed) == []


def test_leaving_closes_every_link_and_another_room_may_follow() -> None:
    network, (anna, bob, cy) = room(3)
    network.command(cy, LeaveRoom())
    network.run()
    assert not network.is_linked(cy, anna)
    assert [notice.why for notice in told(cy, RoomClosed)] == ["You have left the room."]
    assert anna.session.advert().seats_taken == bob.session.advert().seats_taken == 2
    network.command(cy, OpenRoom(name="other", ruleset=rules_for(2), seats=2))
    assert cy.session.advert().name == "other"


@pytest.mark.parametrize("change", ["ruleset", "room_name", "seats", "code_required"])
def test_an_opener_that_changes_its_terms_loses_the_link(change: str) -> None:
    network, (anna, bob) = room(2)
    terms = _terms(network, anna)
    other: Any = {
        "ruleset": with_settings(rules_for(2), ["opening_points=25"]).to_dict(),
        "room_name": "another",
        "seats": 3,
        "code_required": True,
    }[change]
    network.send_raw(anna, bob, encode_frame(terms))
    network.run()
    assert refusals(bob) == []
    network.send_raw(anna, bob, encode_frame(replace(terms, **{change: other})))
    network.run()
    assert refusals(bob) == [(FaultCode.WRONG_PROPOSAL, anna.public, False)]


def _terms(network: Network, opener: Peer) -> Terms:
    lobby = opener.session._lobby
    assert lobby is not None
    assert lobby.terms is not None
    return lobby.terms.frame()


def test_terms_by_another_and_impossible_rules_are_refused() -> None:
    network, (anna, bob, cy) = room(3)
    terms = _terms(network, anna)
    network.send_raw(bob, cy, encode_frame(terms))
    network.run()
    assert refusals(cy) == [(FaultCode.WRONG_ROOM, bob.public, False)]
    network, (anna, bob) = room(2)
    network.send_raw(
        anna, bob, encode_frame(replace(terms, nonce=_terms(network, anna).nonce, ruleset={"a": 1}))
    )
    network.run()
    assert refusals(bob) == [(FaultCode.WRONG_SCHEMA, anna.public, False)]


# When it starts.


def test_a_full_room_starts_once_all_are_ready() -> None:
    network, peers = room(3)
    ready(network, *peers[:2])
    assert not any(has_begun(peer) for peer in peers)
    ready(network, peers[2])
    assert all(has_begun(peer) for peer in peers)
    match = told(peers[0], MatchStarted)[0].match
    assert all(told(peer, MatchStarted)[0].match.id == match.id for peer in peers)
    assert [told(network.peers[key], MatchStarted)[0].seat for key in match.keys] == [0, 1, 2]
    assert match.names == tuple(network.peers[key].name for key in match.keys)
    assert peers[0].session.advert().state == "playing"


def test_who_takes_ready_back_is_not_taken_along() -> None:
    network, (anna, bob) = room(2)
    ready(network, bob)
    network.command(bob, SetReady(ready=False))
    network.run()
    ready(network, anna)
    assert not has_begun(anna)
    ready(network, bob)
    assert has_begun(anna)


def test_who_takes_ready_back_while_it_is_proposed_signs_nothing() -> None:
    network, (anna, bob) = room(2)
    network.command(bob, SetReady(ready=True))
    network.run()
    network.command(anna, SetReady(ready=True))
    network.command(bob, SetReady(ready=False))
    network.run()
    assert not has_begun(anna)
    assert not has_begun(bob)
    ready(network, bob)
    assert not has_begun(anna), "the proposal in hand has yet to lapse"
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    assert has_begun(anna)
    assert has_begun(bob)
    assert told(anna, MatchStarted)[0].match.proposal.number == 2


def test_an_opener_that_takes_ready_back_does_not_sign() -> None:
    network, (anna, bob) = room(2)
    network.command(bob, SetReady(ready=True))
    network.run()
    network.command(anna, SetReady(ready=True))
    network.command(anna, SetReady(ready=False))
    network.run()
    assert not has_begun(anna)
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    assert not has_begun(bob)


def test_ready_during_a_match_is_for_the_next_one() -> None:
    network, (anna, bob) = room(2)
    proposals: list[int] = []

    def tap(_sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, frames.Proposal):
            proposals.append(read_proposal(parsed).number)
        return [frame]

    network.tap = tap
    ready(network, anna, bob)
    ready(network, anna, bob)
    assert proposals == [1]
    assert [len(told(peer, MatchStarted)) for peer in network] == [1, 1]


def test_the_opener_may_start_early_with_those_who_are_ready() -> None:
    network, (anna, bob, cy, dora) = room(4)
    with pytest.raises(LocalProtocolError, match="Only who opened"):
        network.command(bob, StartMatch())
    with pytest.raises(LocalProtocolError, match="Say that you are ready"):
        network.command(anna, StartMatch())
    ready(network, anna)
    with pytest.raises(LocalProtocolError, match="Nobody else"):
        network.command(anna, StartMatch())
    ready(network, cy, dora)
    assert not has_begun(anna)
    network.command(anna, StartMatch())
    network.run()
    assert [has_begun(peer) for peer in (anna, bob, cy, dora)] == [True, False, True, True]
    assert set(told(anna, MatchStarted)[0].match.keys) == {anna.public, cy.public, dora.public}
    # Who is not on the roster has no part in it.
    chat = encode_frame(frames.Want(bytes(32), 0))
    network.send_raw(bob, anna, chat)
    network.run()
    assert refusals(anna) == [(FaultCode.UNEXPECTED_FRAME, bob.public, False)]
    assert told(anna, MatchEnded) == []


def test_who_is_in_the_room_but_no_player_has_no_say_in_the_match() -> None:
    """Neither its links nor their loss end it."""
    network, (anna, bob, cy, dora) = room(4)
    for peer in (anna, cy, dora):
        peer.on_notice = Player()
    ready(network, cy, dora)
    network.command(anna, SetReady(ready=True))
    network.command(anna, StartMatch())
    network.run(until=lambda: all(told(peer, TurnStarted) for peer in (anna, cy, dora)))
    alone = Presence(anna.session.advert().room_id, False, ())
    for peer in (anna, cy, dora):
        peer.session.receive(bob.public, encode_frame(alone), network.now)
        peer.session.handle_deadline(network.now + limits.HEARSAY_SECONDS_MAX + 1)
        assert told(peer, MatchEnded) == []
    for peer in (anna, cy, dora):
        network.cut(peer, bob)
    network.run()
    assert [told(peer, MatchEnded)[0].reason for peer in (anna, cy, dora)] == [MatchEnd.FINISHED] * 3


def test_a_room_with_more_members_than_seats_plays_with_the_first() -> None:
    network, (anna, bob, cy) = room(3, seats=2)
    ready(network, anna, bob, cy)
    assert has_begun(anna)
    assert sum(has_begun(peer) for peer in network) == 2
    assert anna.session.advert().seats_taken == 2


def test_nothing_is_proposed_to_fewer_than_the_rules_are_for() -> None:
    network = new_network(3, 1)
    anna, bob, cy = network
    rules = rules_for(3, "players=3-4")
    network.command(anna, OpenRoom(name="room", ruleset=rules, seats=3))
    for peer in (bob, cy):
        network.command(peer, JoinRoom(room_id=anna.session.advert().room_id, name="room"))
    network.link_all()
    network.run()
    ready(network, anna, bob)
    network.command(anna, StartMatch())
    network.run()
    assert not is_proposed(network)
    ready(network, cy)
    assert all(has_begun(peer) for peer in network)


def test_nothing_is_proposed_without_the_opener() -> None:
    network, (anna, bob, cy) = room(3, seats=2)
    ready(network, bob, cy)
    assert not is_proposed(network)
    assert not any(has_begun(peer) or refusals(peer) for peer in (anna, bob, cy))


def test_a_key_without_an_address_is_not_dialled() -> None:
    network, (anna, bob) = room(2)
    room_id = anna.session.advert().room_id
    for addresses, dials in (((), []), (("x:1",), [(b"\1" * 32, ("x:1",))])):
        network.send_raw(bob, anna, encode_frame(Presence(room_id, False, ())))
        network.send_raw(bob, anna, encode_frame(Presence(room_id, False, ((b"\1" * 32, addresses),))))
        network.run()
        assert anna.session.dials_wanted() == dials


# The agreement.


def test_a_proposal_that_not_all_sign_lapses_and_another_follows() -> None:
    network, (anna, bob, cy) = room(3)
    network.tap = lambda sender, _receiver, frame: (
        [] if sender == cy.public and isinstance(parse_frame(frame), Accept) else [frame]
    )
    ready(network, anna, bob, cy)
    assert not any(has_begun(peer) for peer in network)
    network.tap = lambda _sender, _receiver, frame: [frame]
    network.advance(limits.PROPOSAL_SECONDS_MAX - 0.5)
    assert not any(has_begun(peer) for peer in network)
    network.advance(1)
    assert all(told(peer, MatchStarted)[0].match.proposal.number == 2 for peer in network)


def is_proposed(network: Network) -> bool:
    return any(
        peer.session._lobby is not None and peer.session._lobby._agreement is not None for peer in network
    )


@pytest.mark.parametrize("steps", range(0, 16, 5))
@pytest.mark.parametrize("matches_before", [0, 1])
def test_a_link_lost_before_the_last_signature_leaves_nobody_alone(steps: int, matches_before: int) -> None:
    """Wherever it breaks, nobody is left in a match that the others are not in; in a rematch neither."""
    network, (anna, bob, cy) = room(3, steps)
    if matches_before:
        for peer in network:
            peer.on_notice = Player()
            network.command(peer, SetReady(ready=True))
        network.run()
        for peer in network:
            peer.on_notice = lambda _notice: None
    before = {peer: len(told(peer, MatchEnded)) for peer in network}
    for peer in network:
        network.command(peer, SetReady(ready=True))
    network.run(until=lambda: is_proposed(network))
    for _ in range(steps):
        network._step()
        network._collect()
    network.cut(bob, cy)
    network.run()
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    for peer in (anna, bob, cy):
        assert len(told(peer, MatchStarted)) == len(told(peer, MatchEnded)), peer.name
        assert all(end.reason is MatchEnd.LINK_LOST for end in told(peer, MatchEnded)[before[peer] :])


def test_nobody_signs_who_is_not_linked_to_all() -> None:
    """bob and cy are not linked, although each seems to say so to the opener, which proposes."""
    network, (anna, bob, cy) = room(3, link=False)
    accepts: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, Accept):
            accepts.append(sender)
        if isinstance(parsed, Presence) and receiver == anna.public:
            return [encode_frame(replace(parsed, linked=tuple((key, ()) for key in network.peers)))]
        return [frame]

    network.tap = tap
    network.link(anna, bob)
    network.link(anna, cy)
    network.run()
    ready(network, anna, bob, cy)
    assert is_proposed(network)
    assert accepts == []


@pytest.mark.parametrize("matches_before", [0, 1])
def test_whoever_has_signed_waits_for_the_last_signature_however_late(matches_before: int) -> None:
    """The others are in the match already; what they send is kept, and a match before does not eat it up."""
    network, (anna, bob, cy, dora) = room(4)
    if matches_before:
        ready(network, anna, bob, cy, dora)
        network.command(dora, LeaveRoom())
        network.run()
    late: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        if (sender, receiver) == (anna.public, cy.public) and isinstance(parse_frame(frame), Accept):
            late.append(frame)
            return []
        return [frame]

    network.tap = tap
    ready(network, bob, cy, anna)
    network.command(anna, StartMatch())
    network.run()
    assert len(told(bob, MatchStarted)) == matches_before + 1
    network.advance(limits.PROPOSAL_SECONDS_MAX + 2)
    assert len(told(cy, MatchStarted)) == matches_before
    network.send_raw(anna, cy, late[-1])
    network.run()
    for peer in (anna, bob, cy):
        assert told(peer, MatchStarted)[-1].match.id == told(anna, MatchStarted)[-1].match.id
        assert len(told(peer, MatchStarted)) == len(told(peer, TurnStarted)) == matches_before + 1


def test_a_proposal_before_the_terms_is_refused() -> None:
    network, (anna, bob) = room(2, link=False)
    network.tap = lambda _sender, _receiver, frame: [] if isinstance(parse_frame(frame), Terms) else [frame]
    network.link(anna, bob)
    network.run()
    made = Proposal(
        room=anna.session.advert().room_id,
        opener=anna.public,
        number=1,
        ruleset=rules_for(2),
        roster=tuple(sorted((peer.public, peer.name) for peer in (anna, bob))),
        commitment=bytes(32),
    )
    network.send_raw(anna, bob, encode_frame(sign_proposal(anna.key, made)))
    network.run()
    assert refusals(bob) == [(FaultCode.WRONG_PROPOSAL, anna.public, False)]


def test_who_is_not_on_the_roster_may_go_while_it_is_signed() -> None:
    network, (anna, bob, cy) = room(3, seats=2)
    for peer in (anna, bob):
        network.command(peer, SetReady(ready=True))
    network.run(until=lambda: is_proposed(network))
    for peer in (anna, bob):
        network.cut(cy, peer)
    network.run()
    assert has_begun(anna)
    assert has_begun(bob)
    assert told(anna, MatchStarted)[0].match.proposal.number == 1


def test_messages_of_a_match_are_kept_by_who_has_signed_alone() -> None:
    network, (anna, bob) = room(2)
    network.command(bob, SetReady(ready=True))
    network.run()
    network.command(anna, SetReady(ready=True))
    network._collect()
    assert is_proposed(network)
    ack = frames.Ack(bytes(32), 0, 0, bytes(32), bytes(32), bytes(64))
    anna.session.receive(bob.public, encode_frame(ack), network.now)
    network.run()
    assert refusals(anna) == [(FaultCode.UNEXPECTED_FRAME, bob.public, False)]


def signed_by(opener: Peer, proposal: Proposal, **changes: object) -> frames.Proposal:
    return sign_proposal(opener.key, replace(proposal, **changes))  # type: ignore[arg-type] # a proposal's own fields


WRONG_PROPOSALS: dict[str, tuple[Callable[[Peer, Proposal], frames.Proposal], FaultCode]] = {
    "other rules": (
        lambda opener, made: signed_by(
            opener, made, ruleset=with_settings(made.ruleset, ["opening_points=0"])
        ),
        FaultCode.WRONG_PROPOSAL,
    ),
    "another room": (lambda opener, made: signed_by(opener, made, room=bytes(32)), FaultCode.WRONG_PROPOSAL),
    "a roster out of order": (
        lambda opener, made: signed_by(opener, made, roster=made.roster[::-1]),
        FaultCode.WRONG_PROPOSAL,
    ),
    "a roster without the opener": (
        lambda opener, made: signed_by(
            opener, made, roster=tuple(each for each in made.roster if each[0] != opener.public)
        ),
        FaultCode.WRONG_PROPOSAL,
    ),
    "no signature of the opener": (
        lambda _opener, made: sign_proposal(SigningKey(b"\1" * 32), made),
        FaultCode.BAD_SIGNATURE,
    ),
}


@pytest.mark.parametrize("wrong", WRONG_PROPOSALS)
def test_a_proposal_that_does_not_fit_the_room_is_refused(wrong: str) -> None:
    make, code = WRONG_PROPOSALS[wrong]
    network, (anna, bob, cy) = room(3)

    def change(frame: Frame) -> list[Frame]:
        assert isinstance(frame, frames.Proposal)
        return [make(anna, read_proposal(frame))]

    rewritten(anna, frames.Proposal, change, network)
    ready(network, anna, bob, cy)
    for peer in (bob, cy):
        assert refusals(peer) == [(code, anna.public, False)]
    assert not any(has_begun(peer) for peer in network)


def test_a_proposal_by_another_member_is_refused() -> None:
    network, (anna, bob, cy) = room(3)

    def change(frame: Frame) -> list[Frame]:
        assert isinstance(frame, frames.Proposal)
        made = read_proposal(frame)
        network.send_raw(bob, cy, encode_frame(sign_proposal(bob.key, replace(made, opener=bob.public))))
        return []

    rewritten(anna, frames.Proposal, change, network)
    ready(network, anna, bob, cy)
    assert (FaultCode.WRONG_PROPOSAL, bob.public, False) in refusals(cy)


def test_a_retired_proposal_and_one_without_oneself_are_not_signed() -> None:
    """bob is shown a later one without it, then the one that the later one retires."""
    network, (anna, bob, cy) = room(3)
    accepts: list[bytes] = []

    def tap(sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, Accept):
            accepts.append(sender)
        if not isinstance(parsed, frames.Proposal):
            return [frame]
        first = read_proposal(parsed)
        others = tuple(each for each in first.roster if each[0] != bob.public)
        return [encode_frame(sign_proposal(anna.key, replace(first, number=2, roster=others))), frame]

    network.tap = tap
    ready(network, anna, bob, cy)
    assert cy.public in accepts
    assert bob.public not in accepts


def test_an_opener_with_another_nonce_than_it_is_bound_to_is_refused() -> None:
    network, (anna, bob, cy) = room(3)
    made: list[Proposal] = []

    def tap(sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, frames.Proposal):
            made.append(read_proposal(parsed))
        if sender == anna.public and isinstance(parsed, Accept):
            return [encode_frame(sign_acceptance(anna.key, made[0], bytes(32)))]
        return [frame]

    network.tap = tap
    ready(network, anna, bob, cy)
    # Whoever sees it first leaves the room, as its opener is gone; the other may hear of that before.
    seen = [refusal for peer in (bob, cy) for refusal in refusals(peer)]
    assert (FaultCode.COMMITMENT_MISMATCH, anna.public, False) in seen
    assert {(peer, signed) for _, peer, signed in seen} == {(anna.public, False)}
    assert not has_begun(bob)
    assert not has_begun(cy)


@pytest.mark.parametrize("before", [True, False], ids=["before the proposal", "after it"])
def test_a_bad_acceptance_costs_its_own_sender_the_link(before: bool) -> None:
    """Also where it has overtaken the proposal, which comes over the innocent opener's link."""
    network, (anna, bob, cy) = room(3)
    held: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if before and isinstance(parsed, frames.Proposal) and receiver == cy.public:
            held.append(frame)
            return []
        if sender == bob.public and isinstance(parsed, Accept):
            return [encode_frame(replace(parsed, nonce=bytes(32)))] if receiver == cy.public else []
        return [frame]

    network.tap = tap
    ready(network, anna, bob, cy)
    for frame in held:
        network.send_raw(anna, cy, frame)
    network.run()
    assert refusals(cy) == [(FaultCode.BAD_SIGNATURE, bob.public, False)]
    assert network.is_linked(anna, cy)


def test_an_acceptance_by_someone_who_is_not_on_the_roster_is_refused() -> None:
    network, (anna, bob, cy) = room(3, seats=2)
    made: list[Proposal] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, frames.Proposal):
            made.append(read_proposal(parsed))
        return [] if isinstance(parsed, Accept) else [frame]

    network.tap = tap
    ready(network, anna, bob)
    network.send_raw(cy, anna, encode_frame(sign_acceptance(cy.key, made[0], bytes(32))))
    network.run()
    assert refusals(anna) == [(FaultCode.WRONG_PROPOSAL, cy.public, False)]


def test_an_acceptance_that_overtakes_two_proposals_is_kept_for_its_own() -> None:
    """cy's acceptance of the second proposal reaches bob before both proposals do."""
    network, (anna, bob, cy) = room(3)
    late: list[bytes] = []
    first: list[bytes] = []

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, frames.Proposal):
            first.append(frame)
            if receiver == bob.public:
                late.append(frame)
                return []
        if sender == cy.public and isinstance(parsed, Accept) and parsed.proposal == read_hash(first[0]):
            return []  # The first proposal is not completed.
        return [frame]

    network.tap = tap
    ready(network, anna, bob, cy)
    network.advance(limits.PROPOSAL_SECONDS_MAX + 1)
    assert len(late) == 2
    for frame in late:
        network.send_raw(anna, bob, frame)
    network.run()
    assert all(told(peer, MatchStarted)[0].match.proposal.number == 2 for peer in network)


def read_hash(frame: bytes) -> bytes:
    parsed = parse_frame(frame)
    assert isinstance(parsed, frames.Proposal)
    return read_proposal(parsed).hash


def test_other_frames_have_no_place_in_a_lobby() -> None:
    for frame in (frames.Want(bytes(32), 0), frames.Ack(bytes(32), 0, 0, bytes(32), bytes(32), bytes(64))):
        network, (anna, bob) = room(2)
        network.send_raw(bob, anna, encode_frame(frame))
        network.run()
        assert refusals(anna) == [(FaultCode.UNEXPECTED_FRAME, bob.public, False)]


def test_a_lobby_refuses_what_is_not_for_it() -> None:
    _, (anna, bob) = room(2)
    lobby = anna.session._lobby
    assert lobby is not None
    with pytest.raises(RemoteProtocolError) as raised:
        lobby.receive(bob.public, frames.Ping(), 0.0)
    assert raised.value.code is FaultCode.UNEXPECTED_FRAME


def test_nobody_can_choose_seats_each_nonce_is_fixed_before_its_owner_sees_all() -> None:
    """The opener's acceptance, with its nonce, goes out last, and is the one that its proposal commits to."""
    network, (anna, bob, cy) = room(3)
    order: list[tuple[bytes, bytes]] = []
    commitments: set[bytes] = set()

    def tap(sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if isinstance(parsed, Accept):
            order.append((sender, parsed.nonce))
        if isinstance(parsed, frames.Proposal):
            commitments.add(read_proposal(parsed).commitment)
        return [frame]

    network.tap = tap
    ready(network, anna, bob, cy)
    senders = [sender for sender, _ in order]
    assert set(senders[:4]) == {bob.public, cy.public}
    assert senders[4:] == [anna.public] * 2
    assert commitments == {nonce_commitment(order[-1][1])}


# Commands that do not fit.


def test_commands_that_do_not_fit_are_refused_with_words() -> None:
    network = new_network(2, 1)
    anna, bob = network
    rules = rules_for(2)
    for command in (SetReady(ready=True), StartMatch(), SendChat("hello"), LeaveRoom()):
        with pytest.raises(LocalProtocolError, match="in no room"):
            network.command(anna, command)
    for name in ("", "n" * (limits.ROOM_NAME_BYTES_MAX + 1), "\ud800"):
        with pytest.raises(LocalProtocolError, match="A room's name"):
            network.command(anna, OpenRoom(name=name, ruleset=rules, seats=2))
    for seats in (1, 5):
        with pytest.raises(LocalProtocolError, match="not for"):
            network.command(anna, OpenRoom(name="room", ruleset=rules, seats=seats))
    network.command(anna, OpenRoom(name="r" * limits.ROOM_NAME_BYTES_MAX, ruleset=rules, seats=2))
    with pytest.raises(LocalProtocolError, match="already"):
        network.command(anna, JoinRoom(room_id=bytes(32), name="other"))
    network.command(bob, JoinRoom(room_id=bytes(32), name="other"))
    with pytest.raises(LocalProtocolError, match="rules have not arrived"):
        network.command(bob, SetReady(ready=True))
    assert bob.session.advert().state == "idle"
