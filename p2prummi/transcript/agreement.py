"""What a match is, and how its players agree on it: a proposal that everyone signs.

The opener proposes room, number, ruleset and roster together with a hash that binds its own nonce; each
member signs and adds a nonce; the opener signs last and shows its nonce then. So the opener's signature is
the one moment at which the match begins, and nobody, the opener included, can choose among seat orders: each
nonce is fixed before its owner sees all the others. A match's id hashes the proposal and all nonces; a seat
is the rank of hash(match id, key).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from p2prummi.crypto.labels import Label, digest
from p2prummi.crypto.signing import SigningKey, verify
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import Ruleset, RulesetError
from p2prummi.wire import frames, limits
from p2prummi.wire.encoding import Encodable, decode, encode
from p2prummi.wire.events import HASH_BYTES
from p2prummi.wire.schema import array, blob, integer, record, table, text

PROTOCOL_VERSION = 1

_VERSION = integer(1, 0xFFFF)
_PROPOSAL = record(
    _VERSION,
    blob(HASH_BYTES),
    blob(frames.KEY_BYTES),
    integer(1, limits.PROPOSALS_MAX),
    table(),
    array(
        record(blob(frames.KEY_BYTES), text(limits.NAME_BYTES_MAX, bytes_min=1)),
        limits.SEATS_MAX,
        items_min=limits.SEATS_MIN,
    ),
    blob(HASH_BYTES),
)


def room_id(opener: bytes, nonce: bytes) -> bytes:
    """The id of the room that the key `opener` opened with this 32-byte nonce."""
    return digest(Label.ROOM_ID, opener, nonce)


def ruleset_hash(ruleset: Ruleset) -> bytes:
    """The 32 bytes by which a room's advert names its rules, all of them."""
    return digest(Label.RULESET, encode(ruleset.to_dict()))


def nonce_commitment(nonce: bytes) -> bytes:
    """The hash by which a proposal binds its opener to a nonce."""
    return digest(Label.NONCE_COMMITMENT, nonce)


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A proposed match.

    The roster holds (key, name) by ascending key; `commitment` binds the opener's nonce.
    """

    room: bytes
    opener: bytes
    number: int
    ruleset: Ruleset
    roster: tuple[tuple[bytes, str], ...]
    commitment: bytes

    @cached_property
    def body(self) -> bytes:
        """The canonical bytes that every member signs (by their hash)."""
        roster: list[Encodable] = [[key, name] for key, name in self.roster]
        return encode(
            [
                PROTOCOL_VERSION,
                self.room,
                self.opener,
                self.number,
                self.ruleset.to_dict(),
                roster,
                self.commitment,
            ]
        )

    @cached_property
    def hash(self) -> bytes:
        """The 32 bytes that acceptances name."""
        return digest(Label.PROPOSAL, self.body)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The roster's keys, ascending."""
        return tuple(key for key, _ in self.roster)

    @classmethod
    def from_body(cls, body: bytes) -> Proposal:
        """Reads a proposal's bytes. Raises RemoteProtocolError for all that is no possible match."""
        value = decode(body)
        # What comes after the version is that version's affair.
        if isinstance(value, tuple) and value and _VERSION(value[0]) != PROTOCOL_VERSION:
            raise RemoteProtocolError(FaultCode.VERSION_MISMATCH, f"a match of protocol version {value[0]!r}")
        _, room, opener, number, rules, roster, commitment = _PROPOSAL(value)
        try:
            ruleset = Ruleset.from_dict(rules)
        except RulesetError as error:
            raise RemoteProtocolError(FaultCode.WRONG_PROPOSAL, f"no possible ruleset: {error}") from error
        keys = [key for key, _ in roster]
        if keys != sorted(set(keys)):
            raise RemoteProtocolError(
                FaultCode.WRONG_PROPOSAL, "the roster is not in ascending order of distinct keys"
            )
        if opener not in keys:
            raise RemoteProtocolError(FaultCode.WRONG_PROPOSAL, "the opener is not on the roster")
        if not ruleset.allows_players(len(keys)):
            raise RemoteProtocolError(
                FaultCode.WRONG_PROPOSAL, f"these rules are not for {len(keys)} players"
            )
        return cls(
            room=room, opener=opener, number=number, ruleset=ruleset, roster=roster, commitment=commitment
        )


def sign_proposal(key: SigningKey, proposal: Proposal) -> frames.Proposal:
    """The frame by which the opener proposes."""
    return frames.Proposal(body=proposal.body, signature=key.sign(Label.SIGN_PROPOSAL, proposal.body))


def read_proposal(frame: frames.Proposal) -> Proposal:
    """Reads a proposal frame and checks its opener's signature. Raises RemoteProtocolError."""
    proposal = Proposal.from_body(frame.body)
    if not verify(proposal.opener, Label.SIGN_PROPOSAL, frame.body, frame.signature):
        raise RemoteProtocolError(FaultCode.BAD_SIGNATURE, "the opener did not sign this proposal")
    return proposal


def sign_acceptance(key: SigningKey, proposal: Proposal, nonce: bytes) -> frames.Accept:
    """The frame by which a member of the roster accepts, adding its 32-byte nonce."""
    signature = key.sign(Label.SIGN_ACCEPT, encode([proposal.hash, nonce]))
    return frames.Accept(proposal=proposal.hash, nonce=nonce, signature=signature)


def check_acceptance(proposal: Proposal, key: bytes, accept: frames.Accept) -> None:
    """Checks that `accept` is the acceptance of `proposal` by `key`. Raises RemoteProtocolError."""
    if key not in proposal.keys or accept.proposal != proposal.hash:
        raise RemoteProtocolError(FaultCode.WRONG_PROPOSAL, "the acceptance is of another proposal", key)
    if not verify(key, Label.SIGN_ACCEPT, encode([accept.proposal, accept.nonce]), accept.signature):
        raise RemoteProtocolError(FaultCode.BAD_SIGNATURE, "the member did not sign this acceptance", key)
    if key == proposal.opener and nonce_commitment(accept.nonce) != proposal.commitment:
        raise RemoteProtocolError(
            FaultCode.COMMITMENT_MISMATCH, "the opener's nonce is not the one it bound", key
        )


@dataclass(frozen=True, kw_only=True)
class Match:
    """An agreed match: the proposal with everyone's acceptance, from which id and seats follow."""

    proposal: Proposal
    proposal_signature: bytes
    acceptances: Mapping[bytes, frames.Accept]

    def __post_init__(self) -> None:
        read_proposal(frames.Proposal(body=self.proposal.body, signature=self.proposal_signature))
        if set(self.acceptances) != set(self.proposal.keys):
            raise RemoteProtocolError(FaultCode.WRONG_PROPOSAL, "not everyone on the roster has accepted")
        for key, accept in self.acceptances.items():
            check_acceptance(self.proposal, key, accept)

    @cached_property
    def id(self) -> bytes:
        """The match's 32-byte id."""
        nonces = [self.acceptances[key].nonce for key in self.proposal.keys]
        return digest(Label.MATCH_ID, self.proposal.hash, *nonces)

    @cached_property
    def keys(self) -> tuple[bytes, ...]:
        """The players' identity keys in seat order."""
        return tuple(sorted(self.proposal.keys, key=lambda key: digest(Label.SEAT_RANK, self.id, key)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, which are only labels, in seat order."""
        names = dict(self.proposal.roster)
        return tuple(names[key] for key in self.keys)

    @property
    def ruleset(self) -> Ruleset:
        """The rules that all have signed."""
        return self.proposal.ruleset

    @property
    def teams(self) -> tuple[int, ...]:
        """Each seat's team; without teams each seat is its own."""
        return tuple(self.ruleset.team_of(seat) for seat in range(self.players))

    @property
    def players(self) -> int:
        """How many seats the match has."""
        return len(self.proposal.roster)
