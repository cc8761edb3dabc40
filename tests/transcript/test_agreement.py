"""What a match is: who may propose what, and which signatures make it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import PRESETS, with_settings
from p2prummi.transcript.agreement import (
    PROTOCOL_VERSION,
    Match,
    Proposal,
    check_acceptance,
    nonce_commitment,
    read_proposal,
    ruleset_hash,
    sign_acceptance,
    sign_proposal,
)
from p2prummi.wire.encoding import decode, encode
from tests.transcript.rounds import keys_of, match_of, proposal_of

RULES = PRESETS["official"]


def refused(call: Callable[..., object], *arguments: object) -> FaultCode:
    with pytest.raises(RemoteProtocolError) as raised:
        call(*arguments)
    return raised.value.code


def body_with(position: int, value: Any) -> bytes:
    fields = list(decode(proposal_of(RULES).body))  # type: ignore[arg-type] # a body is an array
    fields[position] = value
    return encode(fields)


def test_a_proposal_reads_back_as_it_was_written() -> None:
    proposal = proposal_of(RULES, 3)
    assert Proposal.from_body(proposal.body) == proposal
    frame = sign_proposal(keys_of(3)[0], proposal)
    assert read_proposal(frame).hash == proposal.hash
    assert proposal.keys == tuple(key.public for key in keys_of(3))


def test_a_proposal_that_cannot_be_is_refused() -> None:
    roster = [[key, name] for key, name in proposal_of(RULES).roster]
    wrong = {
        "version": (body_with(0, PROTOCOL_VERSION + 1), FaultCode.VERSION_MISMATCH),
        "rules": (body_with(4, {"copies": 9}), FaultCode.WRONG_PROPOSAL),
        "order": (body_with(5, roster[::-1]), FaultCode.WRONG_PROPOSAL),
        "a key twice": (body_with(5, [roster[0], roster[0]]), FaultCode.WRONG_PROPOSAL),
        "opener": (body_with(2, bytes(32)), FaultCode.WRONG_PROPOSAL),
        "players": (proposal_of(RULES, 5).body, FaultCode.WRONG_PROPOSAL),
        "schema": (body_with(3, 0), FaultCode.WRONG_SCHEMA),
    }
    for what, (body, code) in wrong.items():
        assert refused(Proposal.from_body, body) is code, what


def test_only_the_opener_proposes() -> None:
    frame = sign_proposal(keys_of(2)[1], proposal_of(RULES))
    assert refused(lambda: read_proposal(frame)) is FaultCode.BAD_SIGNATURE


def test_an_acceptance_is_of_this_proposal_by_this_member() -> None:
    opener, member = keys_of(2)
    proposal = proposal_of(RULES)
    good = sign_acceptance(member, proposal, bytes(32))
    check_acceptance(proposal, member.public, good)
    other = sign_acceptance(member, replace(proposal, number=2), bytes(32))
    assert refused(lambda: check_acceptance(proposal, member.public, other)) is FaultCode.WRONG_PROPOSAL
    assert refused(lambda: check_acceptance(proposal, bytes(32), good)) is FaultCode.WRONG_PROPOSAL
    assert refused(lambda: check_acceptance(proposal, opener.public, good)) is FaultCode.BAD_SIGNATURE
    moved = replace(good, nonce=b"\1" * 32)
    assert refused(lambda: check_acceptance(proposal, member.public, moved)) is FaultCode.BAD_SIGNATURE
    check_acceptance(proposal, opener.public, sign_acceptance(opener, proposal, bytes(32)))
    chosen = sign_acceptance(opener, proposal, b"\1" * 32)
    assert refused(lambda: check_acceptance(proposal, opener.public, chosen)) is FaultCode.COMMITMENT_MISMATCH


def test_a_match_is_signed_by_all() -> None:
    match = match_of(RULES, 3)
    assert sorted(match.keys) == list(match.proposal.keys)
    assert dict(zip(match.keys, match.names, strict=True)) == dict(match.proposal.roster)
    assert match.teams == (0, 1, 2)
    partial = dict(list(match.acceptances.items())[:2])
    assert refused(lambda: replace(match, acceptances=partial)) is FaultCode.WRONG_PROPOSAL
    assert refused(lambda: replace(match, proposal_signature=bytes(64))) is FaultCode.BAD_SIGNATURE
    first = match.proposal.keys[0]
    swapped = {**match.acceptances, first: match.acceptances[match.proposal.keys[1]]}
    assert refused(lambda: replace(match, acceptances=swapped)) is FaultCode.BAD_SIGNATURE


def test_the_id_and_so_the_seats_hang_on_every_nonce() -> None:
    match = match_of(RULES, 3)
    ids = {match.id}
    for key in keys_of(3)[1:]:
        accept = sign_acceptance(key, match.proposal, b"\7" * 32)
        ids.add(replace(match, acceptances={**match.acceptances, key.public: accept}).id)
    assert len(ids) == 3
    assert (
        Match(
            proposal=match.proposal,
            proposal_signature=match.proposal_signature,
            acceptances=match.acceptances,
        ).keys
        == match.keys
    )


def test_hashes_name_all_that_they_are_of() -> None:
    assert ruleset_hash(RULES) != ruleset_hash(with_settings(RULES, ["opening_points=25"]))
    assert nonce_commitment(bytes(32)) != nonce_commitment(b"\1" * 32)
    proposal = proposal_of(RULES)
    assert proposal.hash != replace(proposal, commitment=b"\1" * 32).hash
