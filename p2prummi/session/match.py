"""A running match from this seat's side: its rounds, its end, and who is to blame for an early one.

A fault that a signature proves, a link that is lost and a player who leaves end the match for all; what is
proved is passed on first, so that everyone comes to the same verdict by its own judgement. A fault of
several players' events together ends the match too, and is blamed on nobody. A round whose result all have
signed stands, whatever happens then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from p2prummi.crypto.deck import PreparedShuffle, prepare_shuffle
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.rules import Turn
from p2prummi.session.duties import Author
from p2prummi.session.notices import FaultSeen, MatchEnd, MatchEnded, MatchStarted, RoundEnded
from p2prummi.session.outbox import Outbox
from p2prummi.session.round import Round
from p2prummi.transcript.agreement import Match
from p2prummi.transcript.blame import Signed, SignedFaultError, frame_of
from p2prummi.transcript.file import write_transcript
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.rounds import Progress
from p2prummi.wire import frames, limits
from p2prummi.wire.events import Event

MatchMessage: TypeAlias = Signed | frames.Want
"""What travels in a match; each names the context of its round."""


class MatchRun:
    """An agreed match while it is played. `ended` is set by its last notice.

    `over` collects the contexts of which nothing more is wanted, though it may still be under way.
    """

    def __init__(
        self, *, match: Match, key: SigningKey, outbox: Outbox, entropy: Entropy, over: set[bytes]
    ) -> None:
        self.match = match
        self.round: Round | None = None
        self.ended: MatchEnd | None = None
        self.progress = Progress.of_new_match(match)
        self._author = Author(key=key, seat=match.keys.index(key.public))
        self._outbox = outbox
        self._entropy = entropy
        self._steps: list[tuple[Event, ...]] = []
        self._over = over
        self._agreed = True
        self._hearsay: dict[bytes, tuple[float, str]] = {}
        self._loss: tuple[MatchEnd, bytes, str] | None = None
        self._head = match.id
        self._before: Round | None = None
        outbox.notify(MatchStarted(match=match, seat=self._author.seat))

    def begin(self, shuffle: PreparedShuffle | None, now: float) -> None:
        """Begins the first round, with the shuffle that was prepared in the lobby if there is one."""
        if shuffle is None:
            self._prepare()
        else:
            self._start_round(shuffle, now)

    # What the local player does.

    def take_turn(self, turn: Turn) -> None:
        """Ends the own turn."""
        if self.round is None:
            raise LocalProtocolError("The round has not begun yet.")
        self.round.take_turn(turn)

    def next_round(self) -> None:
        """Agrees to the next round."""
        self._agreed = True
        if self.round is not None:
            self.round.agree()

    def leave(self) -> None:
        """Ends the match by leaving it."""
        self._end(MatchEnd.LEFT, self._author.key.public, "You have left the match.")

    # What comes from the links.

    def is_coming(self, context: bytes) -> bool:
        """Whether this is the context of a round that others may have begun before it begins here."""
        return context in self._coming_contexts()

    def _coming_contexts(self) -> set[bytes]:
        """The context of the round after the one that is under way here; none while it is not known."""
        if self.round is None:
            return {self.progress.next_terms(self.match).context}
        if self.round.state.scores is None:
            return set()
        return {self.progress.after(self.round.state).next_terms(self.match).context}

    def receive(self, peer: bytes, message: MatchMessage, now: float) -> None:
        """Takes a message of the round that is running.

        Raises RemoteProtocolError where only the link it came over is at fault.
        """
        if peer not in self.match.keys:
            raise RemoteProtocolError(FaultCode.UNEXPECTED_FRAME, "only its players have a part in a match")
        if self.round is None or message.context != self.round.context:
            raise RemoteProtocolError(FaultCode.WRONG_CONTEXT, "this belongs to another round or match")
        try:
            match message:
                case Event():
                    self.round.receive_event(message, now)
                case frames.Ack():
                    self.round.receive_ack(message, now)
                case _:
                    self.round.relay.give_slot(peer, message.sequence)
        except SignedFaultError as fault:
            self.blame(fault)
        self.look()

    def receive_late(self, peer: bytes, message: MatchMessage) -> None:
        """Takes a message of something that is over, from a peer that may not be as far yet.

        Who is still in the round before may lack an acknowledgement to follow, or show what proves a fault.
        Raises RemoteProtocolError where only the link it came over is at fault.
        """
        before = self._before
        if peer not in self.match.keys or before is None or message.context != before.context:
            return
        if isinstance(message, frames.Want):
            before.relay.give_acks(peer, message.sequence)
        elif self.ended is None:
            try:
                before.receive_late(message)
            except SignedFaultError as fault:
                # Who shows it shows it to all; from here, where that round is over, it were a replay.
                self._convict(fault)

    def receive_links(self, peer: bytes, name: str, linked: Iterable[bytes], now: float) -> None:
        """A player says whom it is linked to; without one of the others, the match is over for all.

        Only after a little while: whoever cost itself that link by a fault has perhaps sent the same here,
        and each peer is to find that for itself.
        """
        if {*linked, peer} >= set(self.match.keys):
            self._hearsay.pop(peer, None)
        elif peer in self.match.keys:
            there = {*linked, peer}
            named = zip(self.match.keys, self.match.names, strict=True)
            missing = " and ".join(other for key, other in named if key not in there)
            words = f"{name} has lost the link to {missing}."
            self._hearsay.setdefault(peer, (now + limits.HEARSAY_SECONDS_MAX, words))

    def peer_is_done(self, peer: bytes, name: str, now: float) -> None:
        """A player's match has ended before this one, over what is perhaps still to be found here."""
        if peer in self.match.keys and peer not in self._hearsay:
            said = (now + limits.HEARSAY_SECONDS_MAX, f"The match has ended for {name}.")
            # Before what others say of their links to it, which are gone since it is.
            self._hearsay = {peer: said, **self._hearsay}

    def peer_lost(self, peer: bytes, name: str, left: bool, why: str) -> None:
        """A player's link is gone, which ends the match once all that is under judgement is judged.

        Who finds a fault may be gone before others have: they are to find it too. Whoever leaves after it has
        told of a lost link, or of the end of its match, is heard of as that says.
        """
        if peer not in self.match.keys or self._loss is not None or (left and peer in self._hearsay):
            return
        if left:
            self._loss = (MatchEnd.LEFT, peer, f"{name} has left the match.")
        else:
            self._loss = (MatchEnd.LINK_LOST, peer, f"The link to {name} was lost: {why}")
        self.look()

    def blame(self, fault: SignedFaultError) -> None:
        """Ends the match on a fault that a signature proves; the evidence goes to everyone else first."""
        others = [key for key in self.match.keys if key not in (self._author.key.public, fault.culprit)]
        for signed in fault.evidence:
            self._outbox.broadcast(others, frame_of(signed))
        self._convict(fault)

    def _convict(self, fault: SignedFaultError) -> None:
        evidence = tuple(frames.encode_frame(frame_of(signed)) for signed in fault.evidence)
        self._outbox.notify(
            FaultSeen(code=fault.code, text=fault.text, peer=fault.culprit, signed=True, evidence=evidence)
        )
        self._end(MatchEnd.FAULT, fault.culprit, fault.text)

    def give_up(self, fault: RemoteProtocolError) -> None:
        """Ends the match on a fault of the events of a slot together, which is nobody's alone."""
        self._outbox.notify(FaultSeen(code=fault.code, text=fault.text, peer=None, signed=True))
        self._end(MatchEnd.FAULT, None, fault.text)

    def deadline(self) -> float | None:
        """When `handle_deadline` is due."""
        if self.ended is not None:
            return None
        times = [due for due, _ in self._hearsay.values()]
        unexplained = None if self.round is None else self.round.deadline()
        return min(times if unexplained is None else [*times, unexplained], default=None)

    def handle_deadline(self, now: float) -> None:
        """Does what time demands. Raises RemoteProtocolError for a fault of its culprit's link."""
        if self.ended is not None:
            return
        if self.round is not None:
            self.round.handle_deadline(now)
        for peer, (due, words) in self._hearsay.items():
            if now >= due:
                self._end(MatchEnd.LINK_LOST, peer, words)

    # From round to round.

    def look(self) -> None:
        """Closes the round once it is final for all; ends the match where a player is lost."""
        if self.round is not None and self.round.is_final:
            self._close_round(self.round)
        if self._loss is not None and (self.round is None or not self.round.is_working):
            self._end(*self._loss)

    def _prepare(self) -> None:
        size = self.match.ruleset.tile_set.size
        self._outbox.schedule(self._start_round, prepare_shuffle, size, self._entropy)

    def _start_round(self, shuffle: PreparedShuffle, _now: float) -> None:
        if self.ended is not None:
            return
        self.round = Round(
            terms=self.progress.next_terms(self.match),
            author=self._author,
            shuffle=shuffle,
            outbox=self._outbox,
            entropy=self._entropy,
        )
        if self._agreed:
            self.round.agree()

    def _close_round(self, finished: Round) -> None:
        state = finished.state
        assert state.scores is not None, "a final round has scores"
        assert state.running_game.ended is not None, "a final round has ended"
        self._steps.extend(finished.steps())
        self.progress = self.progress.after(state)
        over = self.progress.is_over(self.match)
        self._outbox.notify(
            RoundEnded(
                round_number=state.terms.number,
                why=state.running_game.ended.reason,
                racks=state.racks,
                scores=state.scores,
                totals=self.progress.totals,
                head=state.head,
                match_over=over,
            )
        )
        self._head = state.head
        self._over.add(finished.context)
        self._before = finished
        self.round = None
        self._agreed = False
        if over:
            self._end(MatchEnd.FINISHED, None, "The match is over.")
        else:
            self._prepare()

    def _end(self, reason: MatchEnd, peer: bytes | None, text: str) -> None:
        if self.round is not None and self.round.state.phase is Phase.DONE:
            self._close_round(self.round)
        if self.ended is not None:
            return
        self.ended = reason
        winners = self.progress.winners(self.match) if reason is MatchEnd.FINISHED else ()
        self._over |= self._coming_contexts()
        steps, head = self._steps, self._head
        if self.round is not None:
            steps = steps + self.round.steps()
            # Of a round without a step the file says nothing.
            head = self.round.state.head if self.round.steps() else head
            self._over.add(self.round.context)
            self.round.stop()
        self._outbox.notify(
            MatchEnded(
                reason=reason,
                match=self.match,
                totals=self.progress.totals,
                winners=winners,
                head=head,
                transcript=write_transcript(self.match, steps),
                peer=peer,
                text=text,
            )
        )
