"""Proposals, acceptances, a match and its seats (session.md, "Agreement"), and its file (events.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from verifier.ed25519 import check_signature
from verifier.hashing import digest
from verifier.messages import VERSION, Round, blob, check_commit_event, read_event, read_with
from verifier.refusal import Refused, require
from verifier.schema import Json, array, integer, load, matches
from verifier.values import decode, encode, from_json

VERSIONS_MAX = 65535
TRANSCRIPT_BYTES_MAX = 67108864
TRANSCRIPT_BEGINNING = b"p2prummi transcript 1\n"


def _defined(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


_NAME = {"type": "string", "minBytes": 1, "maxBytes": 32}
_BODY = {
    "type": "object",
    "required": ["blob"],
    "additionalProperties": False,
    "properties": {"blob": {"type": "string", "minLength": 2, "maxLength": 2 * 49152}},
}
PROPOSAL = array(
    integer(1, 65535),
    _defined("hash"),
    _defined("key"),
    integer(1, 10000),
    _defined("map"),
    {"type": "array", "items": array(_defined("key"), _NAME), "minItems": 2, "maxItems": 6},
    _defined("hash"),
)
AGREEMENT = array(
    _BODY,
    _defined("signature"),
    {
        "type": "array",
        "items": array(_defined("key"), _defined("nonce"), _defined("signature")),
        "maxItems": 6,
    },
)
SIGNED_EVENT = array(_BODY, _defined("signature"))


@dataclass(frozen=True)
class Proposal:
    """A proposal that anyone may accept."""

    value: Json
    hash: bytes
    opener: bytes
    members: tuple[bytes, ...]
    nonce_commitment: bytes


def room_id(opener: bytes, nonce: bytes) -> bytes:
    """The id of the room that a key opens with a nonce."""
    return digest("room id", opener, nonce)


def nonce_commitment(nonce: bytes) -> bytes:
    """What a proposal says of its opener's nonce."""
    return digest("nonce commitment", nonce)


def check_proposal(body: bytes, signature: bytes) -> Proposal:
    """Read a proposal and check what can be checked without knowing its room."""

    def fits(holds: bool) -> None:
        require(holds, "wrong_proposal", layer="agreement")

    # Another version's proposal may hold anything after its version.
    match decode(body):
        case [int(version), *_] if not isinstance(version, bool) and VERSION < version <= VERSIONS_MAX:
            raise Refused("version_mismatch", layer="agreement")
    value = read_with(PROPOSAL, body)
    _, _, opener, _, ruleset, roster, commitment = value
    rules = ruleset["map"]
    fits(matches(load("ruleset.json"), rules, {}))
    members = tuple(blob(key) for key, _ in roster)
    fits(all(one < following for one, following in pairwise(members)))
    fits(blob(opener) in members)
    least, most = rules["players"]
    fits(least <= len(members) <= most)
    check_signature(blob(opener), "sign proposal", body, signature, layer="agreement")
    return Proposal(value, digest("proposal", body), blob(opener), members, blob(commitment))


@dataclass(frozen=True)
class Acceptance:
    """A member's consent to a proposal."""

    key: bytes
    proposal: bytes
    nonce: bytes
    signature: bytes


@dataclass(frozen=True)
class Match:
    """What all members have accepted."""

    id: bytes
    seats: tuple[bytes, ...]  # The keys in seat order.


def check_match(body: bytes, signature: bytes, acceptances: Sequence[Acceptance]) -> Match:
    """Check that everyone on the roster has accepted this proposal, and nobody else; the first one counts."""
    proposal = check_proposal(body, signature)
    nonces: dict[bytes, bytes] = {}
    for one in acceptances:
        fits = one.key in proposal.members and one.proposal == proposal.hash
        require(fits, "wrong_proposal", layer="agreement")
        consent = encode([one.proposal, one.nonce])
        check_signature(one.key, "sign accept", consent, one.signature, layer="agreement")
        if one.key == proposal.opener:
            kept = nonce_commitment(one.nonce) == proposal.nonce_commitment
            require(kept, "commitment_mismatch", layer="agreement")
        nonces.setdefault(one.key, one.nonce)
    require(len(nonces) == len(proposal.members), "wrong_proposal", layer="agreement")
    match = digest("match id", proposal.hash, *(nonces[key] for key in sorted(nonces)))
    return Match(match, tuple(sorted(nonces, key=lambda key: digest("seat rank", match, key))))


def check_transcript(data: bytes) -> tuple[Match, int]:
    """Check the file of a match through its first slot, and read the rest; count its events."""

    def is_transcript(holds: bool) -> None:
        require(holds, "wrong_transcript", layer="transcript")

    require(len(data) <= TRANSCRIPT_BYTES_MAX, "limit_exceeded", layer="transcript")
    is_transcript(data.startswith(TRANSCRIPT_BEGINNING))
    at = len(TRANSCRIPT_BEGINNING)
    records = []
    while at < len(data):
        is_transcript(at + 4 <= len(data))
        length = int.from_bytes(data[at : at + 4], "big")
        at += 4
        is_transcript(at + length <= len(data))
        records.append(data[at : at + length])
        at += length
    is_transcript(len(records) > 0)

    body, signature, accepted = read_with(AGREEMENT, records[0])
    proposal_hash = digest("proposal", blob(body))
    acceptances = [
        Acceptance(blob(key), proposal_hash, blob(nonce), blob(sig)) for key, nonce, sig in accepted
    ]
    keys = [one.key for one in acceptances]
    is_transcript(all(one < following for one, following in pairwise(keys)))
    match = check_match(blob(body), blob(signature), acceptances)

    ruleset = from_json(read_with(PROPOSAL, blob(body))[4])
    first_round = Round(match.id, 1, ruleset, match.seats)
    for place, record in enumerate(records[1:]):
        event, event_signature = read_with(SIGNED_EVENT, record)
        seat = read_event(blob(event))[4]
        if place < len(match.seats):
            is_transcript(seat == place)
            check_commit_event(first_round, blob(event), blob(event_signature))
    return match, len(records) - 1
