"""The room before a match: who is there, who is ready, and the agreement that turns a room into a match.

The opener tells its terms to whoever links to it. Everyone tells everyone whom it is linked to, so that all
come to know and dial each other; once the room is full, all are ready and all are linked to all (or the
opener starts earlier), the opener proposes. A member signs when the proposal keeps the terms and it is linked
to the whole roster; the opener signs last, and with its signature the match begins at all. Signing a proposal
retires every earlier one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.rules import Ruleset, RulesetError
from p2prummi.session.links import Links
from p2prummi.session.notices import Member, RoomUpdated
from p2prummi.session.outbox import Outbox
from p2prummi.transcript import agreement
from p2prummi.transcript.agreement import Match, Proposal
from p2prummi.wire import frames, limits


@dataclass(frozen=True, kw_only=True)
class RoomTerms:
    """What the opener offers.

    The room's name and rules, how many seats it has and whether a code is needed.
    """

    opener: bytes
    nonce: bytes
    name: str
    ruleset: Ruleset
    seats: int
    code_required: bool

    def frame(self) -> frames.Terms:
        """The terms as they travel."""
        rules = self.ruleset.to_dict()
        return frames.Terms(self.nonce, self.name, rules, self.seats, self.code_required)


@dataclass(slots=True)
class _Standing:
    """What a member has said of itself."""

    ready: bool = False
    linked: frozenset[bytes] = frozenset()


@dataclass(slots=True)
class _Agreement:
    """The proposal that is in hand, and who has accepted it.

    At the `deadline` its opener gives it up; the others have none, and wait for the next proposal.
    """

    proposal: Proposal
    signature: bytes
    nonce: bytes
    deadline: float | None = None
    signed: bool = False
    acceptances: dict[bytes, frames.Accept] = field(default_factory=dict)


class Lobby:
    """One room, from entering it to its match or to leaving it. `match` is set once everyone has signed."""

    def __init__(
        self,
        *,
        room_id: bytes,
        name: str,
        key: SigningKey,
        own_name: str,
        links: Links,
        outbox: Outbox,
        entropy: Entropy,
    ) -> None:
        self.room_id = room_id
        self.name = name
        self.terms: RoomTerms | None = None
        self.opener_name = own_name
        self.match: Match | None = None
        self.ready = False
        self._key = key
        self._own_name = own_name
        self._links = links
        self._outbox = outbox
        self._entropy = entropy
        self._standings: dict[bytes, _Standing] = {}
        self._agreement: _Agreement | None = None
        self._number_seen = 0
        self._early: dict[bytes, frames.Accept] = {}
        self._start_asked = False

    @property
    def is_opener(self) -> bool:
        """Whether this peer opened the room."""
        return self._offered is not None

    @property
    def _offered(self) -> RoomTerms | None:
        """The terms, where it is this peer that offers them."""
        return self.terms if self.terms is not None and self.terms.opener == self._key.public else None

    @property
    def is_deserted(self) -> bool:
        """Whether the opener is gone, without whom no match can be proposed."""
        return self.terms is not None and not self.is_opener and self.terms.opener not in self._links

    def offer(self, terms: RoomTerms) -> None:
        """Makes this peer the room's opener."""
        self.terms = terms
        self._tell_room()

    def member_keys(self) -> list[bytes]:
        """The keys of everyone in the room, this peer first, the others in the order in which they came."""
        return [self._key.public, *(key for key in self._links if key in self._standings)]

    # What the local player does.

    def set_ready(self, ready: bool, now: float) -> None:
        """Says whether this player is ready."""
        if self.terms is None:
            raise LocalProtocolError("The room's rules have not arrived yet; wait until they are shown.")
        self.ready = ready
        self._announce()
        self._tell_room()
        self._update(now)

    def start(self, now: float) -> None:
        """Starts with the members who are ready, as only the opener may."""
        if not self.is_opener:
            raise LocalProtocolError(
                "Only who opened the room starts it early; it starts by itself once it is full."
            )
        if not self.ready:
            raise LocalProtocolError("Say that you are ready first.")
        if len(self._ready_keys()) < limits.SEATS_MIN:
            raise LocalProtocolError("Nobody else is ready yet.")
        self._start_asked = True
        self._update(now)

    @property
    def is_about_to_begin(self) -> bool:
        """Whether this member has signed a proposal, so that others may already play."""
        return self._agreement is not None and self._agreement.signed

    def reopen(self, now: float) -> None:
        """Makes the room a lobby again after its match, for a rematch: all may be ready for it already."""
        self.match = None
        self._announce()
        self._tell_room()
        self._update(now)

    # What comes from the links.

    def peer_connected(self, peer: bytes, now: float) -> None:
        """A link came up: tell the peer where this side stands."""
        if self._offered is not None:
            self._outbox.send(peer, self._offered.frame())
        self._announce()
        self._update(now)

    def peer_lost(self, peer: bytes, now: float) -> None:
        """A link went down: its peer is no member until it is back."""
        self._early.pop(peer, None)
        self._announce()
        if self._standings.pop(peer, None) is not None:
            self._tell_room()
        if self._agreement is not None and peer in self._agreement.proposal.keys:
            self._agreement = None
        self._update(now)

    def receive(self, peer: bytes, frame: frames.Frame, now: float) -> None:
        """Takes a frame of a lobby. Raises RemoteProtocolError for what only a broken peer sends."""
        match frame:
            case frames.Terms():
                self._receive_terms(peer, frame)
            case frames.Presence():
                self._receive_presence(peer, frame, now)
            case frames.Proposal():
                self._receive_proposal(peer, frame)
            case frames.Accept():
                self._receive_accept(peer, frame)
            case _:
                raise RemoteProtocolError(
                    FaultCode.UNEXPECTED_FRAME, f"{frame.name} has no place in a lobby", peer
                )
        self._update(now)

    def _receive_terms(self, peer: bytes, frame: frames.Terms) -> None:
        if agreement.room_id(peer, frame.nonce) != self.room_id:
            raise RemoteProtocolError(
                FaultCode.WRONG_ROOM, "terms by someone who did not open this room", peer
            )
        try:
            ruleset = Ruleset.from_dict(frame.ruleset)
        except RulesetError as error:
            raise RemoteProtocolError(
                FaultCode.WRONG_SCHEMA, f"no possible ruleset: {error}", peer
            ) from error
        terms = RoomTerms(
            opener=peer,
            nonce=frame.nonce,
            name=frame.room_name,
            ruleset=ruleset,
            seats=frame.seats,
            code_required=frame.code_required,
        )
        if self.terms is not None and self.terms != terms:
            # Whoever has said "ready" has agreed to the terms that it saw.
            raise RemoteProtocolError(FaultCode.WRONG_PROPOSAL, "a room's terms do not change", peer)
        self.terms = terms
        self.name = frame.room_name
        self.opener_name = self._links.name(peer)
        self._tell_room()

    def _receive_presence(self, peer: bytes, frame: frames.Presence, now: float) -> None:
        if frame.room_id != self.room_id:
            # The peer is on its way from another room to this one, or has gone to another.
            if self._standings.pop(peer, None) is not None:
                self._tell_room()
            return
        before = self._standings.get(peer)
        standing = _Standing(ready=frame.ready, linked=frozenset(key for key, _ in frame.linked))
        self._standings[peer] = standing
        introduced = standing.linked - (before.linked if before else frozenset())
        if not self._links.may_introduce(peer, len(introduced), now):
            # Each would be dialled, perhaps for minutes. Its sender may be innocent: strangers come to it.
            introduced = frozenset()
        for key, addresses in frame.linked:
            if key in introduced and key != self._key.public and key not in self._links and addresses:
                self._links.want(key, addresses)
        if before is None:
            self._announce()
        if before != standing:
            self._tell_room()

    def _receive_proposal(self, peer: bytes, frame: frames.Proposal) -> None:
        proposal = agreement.read_proposal(frame)
        terms = self.terms
        if terms is None or proposal.opener != terms.opener or proposal.room != self.room_id:
            raise RemoteProtocolError(FaultCode.WRONG_PROPOSAL, "a proposal for another room", peer)
        if proposal.ruleset != terms.ruleset:
            raise RemoteProtocolError(
                FaultCode.WRONG_PROPOSAL, "the proposal has other rules than the room", proposal.opener
            )
        if proposal.number <= self._number_seen:
            return  # A retired proposal that was under way, or a duplicate.
        self._number_seen = proposal.number
        if self._key.public not in proposal.keys or not self.ready:
            self._agreement = None
            return
        self._agreement = _Agreement(proposal=proposal, signature=frame.signature, nonce=self._entropy(32))
        early = {key: accept for key, accept in self._early.items() if accept.proposal == proposal.hash}
        for key, accept in early.items():
            del self._early[key]
            self._take_accept(self._agreement, key, accept)

    def _receive_accept(self, peer: bytes, frame: frames.Accept) -> None:
        if self._agreement is None or frame.proposal != self._agreement.proposal.hash:
            # Acceptances overtake the proposal that they answer, since they come over other links.
            self._early[peer] = frame
        else:
            self._take_accept(self._agreement, peer, frame)

    @staticmethod
    def _take_accept(held: _Agreement, peer: bytes, accept: frames.Accept) -> None:
        agreement.check_acceptance(held.proposal, peer, accept)
        held.acceptances.setdefault(peer, accept)

    # The agreement.

    def deadline(self) -> float | None:
        """When the proposal in hand is given up."""
        return None if self._agreement is None else self._agreement.deadline

    def handle_deadline(self, now: float) -> None:
        """Gives a proposal up that not everyone has signed in time.

        The opener proposes anew when all is well again.
        """
        deadline = self.deadline()
        if deadline is not None and now >= deadline:
            self._agreement = None
            self._update(now)

    def _ready_keys(self) -> list[bytes]:
        ready = [key for key in self.member_keys()[1:] if self._standings[key].ready]
        return [self._key.public, *ready] if self.ready else ready

    def _roster(self, terms: RoomTerms) -> list[bytes] | None:
        """Whom the opener would propose now; None while someone is missing, unready or not linked to all."""
        roster = self._ready_keys()[: terms.seats]
        enough = len(roster) == terms.seats or self._start_asked
        if not enough or not terms.ruleset.allows_players(len(roster)):
            return None
        meshed = all(
            self._standings[key].linked >= set(roster) - {key} for key in roster if key != self._key.public
        )
        return roster if meshed and self._key.public in roster else None

    def _update(self, now: float) -> None:
        """Does whatever has become possible: propose, sign, begin."""
        if self.match is not None:
            return
        if self._offered is not None and self._agreement is None:
            self._propose(self._offered, now)
        held = self._agreement
        if held is None:
            return
        others = [key for key in held.proposal.keys if key != self._key.public]
        linked_to_all = all(key in self._links for key in others)
        opener_is_next = all(key in held.acceptances for key in others)
        if not held.signed and self.ready and linked_to_all and (opener_is_next or not self.is_opener):
            held.signed = True
            accept = agreement.sign_acceptance(self._key, held.proposal, held.nonce)
            held.acceptances[self._key.public] = accept
            self._outbox.broadcast(others, accept)
        if len(held.acceptances) == len(held.proposal.keys):
            self.match = Match(
                proposal=held.proposal, proposal_signature=held.signature, acceptances=dict(held.acceptances)
            )
            self._agreement = None
            self._early.clear()
            self._start_asked = False
            self.ready = False
            for standing in self._standings.values():
                standing.ready = False

    def _propose(self, terms: RoomTerms, now: float) -> None:
        roster = self._roster(terms)
        if roster is None:
            return
        self._number_seen += 1
        nonce = self._entropy(32)
        proposal = Proposal(
            room=self.room_id,
            opener=self._key.public,
            number=self._number_seen,
            ruleset=terms.ruleset,
            roster=tuple(sorted((key, self._name_of(key)) for key in roster)),
            commitment=agreement.nonce_commitment(nonce),
        )
        frame = agreement.sign_proposal(self._key, proposal)
        self._agreement = _Agreement(
            proposal=proposal,
            signature=frame.signature,
            nonce=nonce,
            deadline=now + limits.PROPOSAL_SECONDS_MAX,
        )
        self._outbox.broadcast([key for key in roster if key != self._key.public], frame)

    # What others and the application are told.

    def _name_of(self, key: bytes) -> str:
        return self._own_name if key == self._key.public else self._links.name(key)

    def _announce(self) -> None:
        """Tells everyone who is linked where this peer stands."""
        linked = tuple((key, self._links.addresses(key)) for key in self._links)
        presence = frames.Presence(self.room_id, self.ready, linked)
        self._outbox.broadcast(self._links.keys(), presence)

    def _tell_room(self) -> None:
        opener = self.terms.opener if self.terms else None
        members = tuple(
            Member(
                key=key,
                name=self._name_of(key),
                ready=self.ready if key == self._key.public else self._standings[key].ready,
                is_self=key == self._key.public,
                is_opener=key == opener,
            )
            for key in self.member_keys()
        )
        self._outbox.notify(
            RoomUpdated(
                room_id=self.room_id,
                name=self.name,
                ruleset=self.terms.ruleset if self.terms else None,
                seats=self.terms.seats if self.terms else 0,
                members=members,
            )
        )
