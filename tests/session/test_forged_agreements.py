"""Proposals and acceptances that bend the agreement: each is refused, or at the least left unsigned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.rules import with_settings
from p2prummi.testing.network import Network, Peer
from p2prummi.transcript.agreement import Proposal, read_proposal, sign_acceptance, sign_proposal
from p2prummi.wire import frames
from p2prummi.wire.frames import Accept, Frame, Terms, encode_frame, parse_frame
from tests.session.matches import rules_for
from tests.session.rooms import has_begun, ready, refusals, room


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


# Proposals.


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


# Acceptances.


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
