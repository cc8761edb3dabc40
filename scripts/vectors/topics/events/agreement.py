"""Vectors of the agreement: rooms, proposals, acceptances, and the match and seats that follow from them.

Operations: `room`, `ruleset` and `nonce_commitment` hash; `proposal` reads and checks a signed proposal;
`match` checks a proposal with its acceptances and gives the match's id and the keys in seat order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from p2prummi.crypto.labels import Label
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.transcript.agreement import (
    Match,
    Proposal,
    nonce_commitment,
    room_id,
    ruleset_hash,
    sign_acceptance,
    sign_proposal,
)
from p2prummi.wire.encoding import Encodable, Value, decode, encode
from p2prummi.wire.frames import Accept
from vectors.notation import to_json
from vectors.topics.events.common import OPENER, PLAYERS, ROOM_NONCE, RULESET, STRANGER, Player
from vectors.vector import Fault, Vector

PROPOSAL = Proposal(
    room=room_id(OPENER.key.public, ROOM_NONCE),
    opener=OPENER.key.public,
    number=3,
    ruleset=RULESET,
    roster=tuple((player.key.public, player.name) for player in PLAYERS),
    commitment=nonce_commitment(OPENER.nonce),
)
MATCH = Match(
    proposal=PROPOSAL,
    proposal_signature=sign_proposal(OPENER.key, PROPOSAL).signature,
    acceptances={
        player.key.public: sign_acceptance(player.key, PROPOSAL, player.nonce) for player in PLAYERS
    },
)
VERSION, ROOM, _OPENER, NUMBER, RULES, ROSTER, COMMITMENT = range(7)
MEMBER = PLAYERS[0]


def vectors() -> Iterator[Vector]:
    """All vectors of the agreement."""
    yield Vector(
        name="room_id",
        notes="A room's id",
        operation="room",
        inputs={"opener": OPENER.key.public.hex(), "nonce": ROOM_NONCE.hex()},
        outputs={"room": PROPOSAL.room.hex()},
    )
    yield Vector(
        name="ruleset_hash",
        notes="What adverts call the rules of a room by",
        operation="ruleset",
        inputs={"ruleset": to_json(RULESET.to_dict())},
        outputs={"hash": ruleset_hash(RULESET).hex()},
    )
    yield Vector(
        name="nonce_commitment",
        notes="What a proposal says of its opener's nonce",
        operation="nonce_commitment",
        inputs={"nonce": OPENER.nonce.hex()},
        outputs={"commitment": PROPOSAL.commitment.hex()},
    )
    yield Vector(
        name="proposal_good",
        notes="A proposal for three players",
        operation="proposal",
        inputs={"body": PROPOSAL.body.hex(), "signature": MATCH.proposal_signature.hex()},
        outputs={"hash": PROPOSAL.hash.hex(), "value": to_json(decode(PROPOSAL.body))},
    )
    yield from _bad_bodies()
    yield from _bad_proposal_signatures()
    yield _match("good", "Everyone has accepted", list(_accepts()), MATCH)
    yield _other_nonces()
    yield from _further_acceptances()
    yield from _bad_matches()


def _with(place: int, value: Encodable) -> list[Encodable]:
    """The fields of the good proposal with one of them another."""
    fields: list[Encodable] = list(cast(tuple[Value, ...], decode(PROPOSAL.body)))
    fields[place] = value
    return fields


def _rules(**changes: Encodable) -> dict[str, Encodable]:
    return {**RULESET.to_dict(), **changes}


def _bad_bodies() -> Iterator[Vector]:
    roster: list[Encodable] = [[player.key.public, player.name] for player in PLAYERS]
    lacking = _rules()
    del lacking["rounds"]
    many = sorted([OPENER.key.public, *(bytes([fill]) * 32 for fill in range(4))])
    schema: dict[str, list[Encodable]] = {
        "version_of_zero": _with(VERSION, 0),
        "short_room": _with(ROOM, bytes(31)),
        "short_opener": _with(_OPENER, bytes(31)),
        "number_of_zero": _with(NUMBER, 0),
        "number_too_high": _with(NUMBER, 10_001),
        "ruleset_that_is_an_array": _with(RULES, []),
        "roster_of_one": _with(ROSTER, roster[1:2]),
        "roster_of_seven": _with(ROSTER, [[bytes([fill]) * 32, "x"] for fill in range(7)]),
        "empty_name": _with(ROSTER, [[OPENER.key.public, ""], *roster[2:]]),
        "long_name": _with(ROSTER, [[OPENER.key.public, "é" * 16 + "x"], *roster[2:]]),
        "short_commitment": _with(COMMITMENT, bytes(31)),
        "without_commitment": _with(COMMITMENT, b"")[:-1],
        "with_another_field": [*_with(VERSION, 1), 0],
    }
    for name, fields in schema.items():
        yield _signed(name, fields, FaultCode.WRONG_SCHEMA, "schema")
    proposal: dict[str, list[Encodable]] = {
        "ruleset_without_a_field": _with(RULES, lacking),
        "ruleset_with_an_unknown_field": _with(RULES, _rules(unheard_of=1)),
        "ruleset_with_an_impossible_value": _with(RULES, _rules(opening_points=101)),
        "ruleset_with_too_many_rounds": _with(RULES, _rules(rounds=101)),
        "ruleset_with_the_least_players_above_the_most": _with(RULES, _rules(players=[4, 2])),
        "ruleset_that_contradicts_itself": _with(RULES, _rules(stalemate_winner="nobody")),
        "roster_descending": _with(ROSTER, roster[::-1]),
        "roster_with_a_key_twice": _with(ROSTER, [roster[0], *roster]),
        "opener_not_on_the_roster": _with(ROSTER, [roster[0], roster[2]]),
        "more_players_than_the_rules_allow": _with(ROSTER, [[key, "x"] for key in many]),
    }
    for name, fields in proposal.items():
        yield _signed(name, fields, FaultCode.WRONG_PROPOSAL, "agreement")
    yield _signed("of_another_version", [*_with(VERSION, 2), {}], FaultCode.VERSION_MISMATCH, "agreement")


def _signed(name: str, fields: list[Encodable], code: FaultCode, layer: str) -> Vector:
    """A proposal with one fault, which its opener signs nevertheless."""
    body = encode(fields)
    return _bad_proposal(name, body, OPENER.key.sign(Label.SIGN_PROPOSAL, body), code, layer)


def _bad_proposal(name: str, body: bytes, signature: bytes, code: FaultCode, layer: str) -> Vector:
    return Vector(
        name=f"proposal_{name}",
        notes=f"A proposal: {name.replace('_', ' ')}",
        operation="proposal",
        inputs={"body": body.hex(), "signature": signature.hex()},
        fault=Fault(code=code.value, layer=layer),
    )


def _bad_proposal_signatures() -> Iterator[Vector]:
    body = PROPOSAL.body
    other = encode(_with(NUMBER, 4))
    signatures = {
        "signed_by_a_member": MEMBER.key.sign(Label.SIGN_PROPOSAL, body),
        "signed_under_another_label": OPENER.key.sign(Label.SIGN_ACCEPT, body),
        "signature_of_another_number": OPENER.key.sign(Label.SIGN_PROPOSAL, other),
        "signature_with_a_bit_changed": _changed(MATCH.proposal_signature),
    }
    for name, signature in signatures.items():
        yield _bad_proposal(name, body, signature, FaultCode.BAD_SIGNATURE, "agreement")


def _changed(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def _accepts() -> Iterator[dict[str, Any]]:
    for player in PLAYERS:
        yield _accept(player.key.public, MATCH.acceptances[player.key.public])


def _accept(key: bytes, accept: Accept) -> dict[str, Any]:
    return {
        "key": key.hex(),
        "proposal": accept.proposal.hex(),
        "nonce": accept.nonce.hex(),
        "signature": accept.signature.hex(),
    }


def _match(name: str, notes: str, accepts: list[dict[str, Any]], result: Match | Fault) -> Vector:
    return Vector(
        name=f"match_{name}",
        notes=notes,
        operation="match",
        inputs={
            "body": PROPOSAL.body.hex(),
            "signature": MATCH.proposal_signature.hex(),
            "acceptances": accepts,
        },
        outputs={}
        if isinstance(result, Fault)
        else {"match": result.id.hex(), "seats": [key.hex() for key in result.keys]},
        fault=result if isinstance(result, Fault) else None,
    )


def _bad_matches() -> Iterator[Vector]:
    good = list(_accepts())
    by_member = good[0]
    other = Proposal.from_body(encode(_with(NUMBER, 4)))
    of_other = sign_acceptance(MEMBER.key, other, MEMBER.nonce)

    def replaced(player: Player, key: SigningKey, nonce: bytes, label: Label) -> list[dict[str, Any]]:
        """The acceptance of `player` with another nonce, key or label."""
        signature = key.sign(label, encode([PROPOSAL.hash, nonce]))
        accept = _accept(player.key.public, Accept(PROPOSAL.hash, nonce, signature))
        return [accept if each["key"] == accept["key"] else each for each in good]

    stranger = sign_acceptance(STRANGER.key, PROPOSAL, STRANGER.nonce)
    wrong: dict[str, tuple[list[dict[str, Any]], FaultCode]] = {
        "without_a_member": (good[:-1], FaultCode.WRONG_PROPOSAL),
        "without_the_opener": ([by_member, good[2]], FaultCode.WRONG_PROPOSAL),
        "with_a_stranger": ([*good, _accept(STRANGER.key.public, stranger)], FaultCode.WRONG_PROPOSAL),
        "acceptance_of_another_proposal": (
            [_accept(MEMBER.key.public, of_other), *good[1:]],
            FaultCode.WRONG_PROPOSAL,
        ),
        "nonce_changed": (
            [{**by_member, "nonce": STRANGER.nonce.hex()}, *good[1:]],
            FaultCode.BAD_SIGNATURE,
        ),
        "signature_changed": (
            [{**by_member, "signature": _changed(bytes.fromhex(by_member["signature"])).hex()}, *good[1:]],
            FaultCode.BAD_SIGNATURE,
        ),
        "signed_by_another": (
            replaced(MEMBER, OPENER.key, MEMBER.nonce, Label.SIGN_ACCEPT),
            FaultCode.BAD_SIGNATURE,
        ),
        "signed_under_another_label": (
            replaced(MEMBER, MEMBER.key, MEMBER.nonce, Label.SIGN_PROPOSAL),
            FaultCode.BAD_SIGNATURE,
        ),
        "opener_with_another_nonce": (
            replaced(OPENER, OPENER.key, STRANGER.nonce, Label.SIGN_ACCEPT),
            FaultCode.COMMITMENT_MISMATCH,
        ),
    }
    for name, (accepts, code) in wrong.items():
        fault = Fault(code=code.value, layer="agreement")
        yield _match(name, f"A match: {name.replace('_', ' ')}", accepts, fault)


def _further_acceptances() -> Iterator[Vector]:
    """Another acceptance by a key that has accepted: the first one counts, but the other must be good."""
    good = list(_accepts())
    key = MEMBER.key.public
    further = _accept(key, sign_acceptance(MEMBER.key, PROPOSAL, STRANGER.nonce))
    yield _match(
        "with_a_further_acceptance", "A member accepts again with another nonce", [*good, further], MATCH
    )
    unsigned = {**further, "signature": good[0]["signature"]}
    yield _match(
        "with_a_further_acceptance_unsigned",
        "A member's further acceptance has the signature of its first",
        [*good, unsigned],
        Fault(code=FaultCode.BAD_SIGNATURE.value, layer="agreement"),
    )


def _other_nonces() -> Vector:
    """The same proposal with other nonces is another match, with its own seats."""
    nonces = {player.key.public: bytes([number]) * 32 for number, player in enumerate(PLAYERS)}
    nonces[OPENER.key.public] = OPENER.nonce
    accepts = {
        player.key.public: sign_acceptance(player.key, PROPOSAL, nonces[player.key.public])
        for player in PLAYERS
    }
    match = Match(proposal=PROPOSAL, proposal_signature=MATCH.proposal_signature, acceptances=accepts)
    return _match(
        "with_other_nonces",
        "The same proposal with other nonces is another match",
        [_accept(key, accepts[key]) for key in sorted(accepts)],
        match,
    )
