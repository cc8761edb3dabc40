"""One round from this seat's side: takes events and acknowledgements in, gives its own out when they are due.

Whatever comes is sorted into slots (`slots.py`); when the next slot is filled, `replay.advance` judges it as
work, and the state that comes back is acknowledged (`finality.py`). Then this seat's own duty is looked up by
the phase and done (`duties.py`). Faults are raised as RemoteProtocolError, as SignedFaultError where a
signature proves them, for the match to act on.

What a seat signs on a head that this peer does not have is never judged by its content, since its signer may
have been shown something else: it is doubted. Everyone else is shown it, and the slot before is compared with
its signer, so that the pair which differs comes to light somewhere. What others have had and this peer has
not is asked for by `relay.py`. Nothing here looks at a clock but for one thing: how long such a word may stay
unexplained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from p2prummi.crypto.deck import PreparedShuffle
from p2prummi.crypto.entropy import Entropy
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.rules import Tile, Turn, TurnFault, judge
from p2prummi.session import duties, notices, telling
from p2prummi.session.duties import DUTIES, Author, Made, RoundSecrets
from p2prummi.session.finality import Finality
from p2prummi.session.outbox import Outbox
from p2prummi.session.relay import Relay
from p2prummi.session.slots import Slots
from p2prummi.transcript import replay
from p2prummi.transcript.blame import Signed, frame_of, signed_fault
from p2prummi.transcript.phases import NEED_FINALITY, SLOTS, Phase
from p2prummi.transcript.state import RoundState, RoundTerms, start_round
from p2prummi.wire import limits
from p2prummi.wire.events import Event
from p2prummi.wire.frames import Ack, Want


class TurnRefusedError(LocalProtocolError):
    """The turn does not follow the rules; `faults` holds all that is wrong, each with words for a person."""

    def __init__(self, faults: Sequence[TurnFault]) -> None:
        super().__init__(" ".join(fault.text for fault in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class _Doubt:
    """What a seat signed on a head that this peer does not have, and until when it may stay unexplained."""

    signed: Signed
    deadline: float


class Round:
    """A running round. `state` is what all share, `hand` this seat's own tiles by deck index.

    Once `is_final`, everyone has acknowledged the signed result and the round is over for all.
    """

    def __init__(
        self, *, terms: RoundTerms, author: Author, shuffle: PreparedShuffle, outbox: Outbox, entropy: Entropy
    ) -> None:
        self.state = start_round(terms)
        self.hand: dict[int, Tile] = {}
        self.is_final = False
        self._author = author
        self._outbox = outbox
        self._entropy = entropy
        self._others = tuple(key for key in terms.keys if key != author.key.public)
        self._slots = Slots(terms.keys)
        self._finality = Finality(terms, author)
        self.relay = Relay(
            terms=terms, seat=author.seat, slots=self._slots, finality=self._finality, outbox=outbox
        )
        self._states = [self.state]
        self._steps: list[tuple[Event, ...]] = []
        self._shuffle = shuffle
        self._secrets: RoundSecrets | None = None
        self._working: set[str] = set()
        self._doubt: _Doubt | None = None
        self._unconfirmed: list[int] = []
        self._is_stopped = False

    @property
    def context(self) -> bytes:
        """The 32 bytes that everything of this round names."""
        return self.state.terms.context

    @property
    def seat(self) -> int:
        """This player's seat."""
        return self._author.seat

    @property
    def rack(self) -> tuple[Tile, ...]:
        """This player's tiles, in the order in which they were dealt and drawn."""
        return tuple(self.hand.values())

    @property
    def is_working(self) -> bool:
        """Whether something is being judged or made, whose outcome is still to come."""
        return bool(self._working)

    def steps(self) -> list[tuple[Event, ...]]:
        """The steps accepted so far, each with its events in seat order: what a transcript keeps."""
        return list(self._steps)

    # What the local player does.

    def agree(self) -> None:
        """Lets the round begin as far as this player is concerned; a second time changes nothing."""
        if self._secrets is None:
            self._work(
                "own",
                self._take_secrets,
                duties.make_secrets,
                self.context,
                self.seat,
                self._shuffle,
                self._entropy,
            )

    def take_turn(self, turn: Turn) -> None:
        """Ends the own turn.

        Raises LocalProtocolError when it is not one's turn, TurnRefusedError with every fault.
        """
        if not self._is_own_turn():
            raise LocalProtocolError("It is not your turn.")
        game = self.state.running_game
        judgement = judge(
            turn,
            ruleset=game.ruleset,
            table=game.table,
            opened=game.opened[self.seat],
            pool_left=game.pool_left,
            rack=self.rack,
        )
        if judgement.faults:
            raise TurnRefusedError(judgement.faults)
        self._work(
            "own",
            self._made,
            duties.take_turn,
            self.state,
            self._author,
            self._secrets,
            turn,
            self.hand,
            self._entropy,
        )

    def _is_own_turn(self) -> bool:
        return (
            self.state.phase is Phase.PLAY
            and self.state.running_game.to_move == self.seat
            and not self._working
        )

    def stop(self) -> None:
        """Ends this seat's part, as the match is over; work that is under way comes to nothing."""
        self._is_stopped = True

    # What comes from the links.

    def receive_event(self, event: Event, now: float) -> None:
        """Takes an event of this round. Raises RemoteProtocolError or SignedFaultError."""
        replay.check_origin(self.state, event)
        if not self._slots.put(event, self.state.sequence):
            return
        if event.sequence <= self.state.sequence:
            self._check(event, now)
        self._tell_progress()
        self._go_on(now)

    def receive_ack(self, ack: Ack, now: float) -> None:
        """Takes an acknowledgement. Raises RemoteProtocolError or SignedFaultError."""
        if not self._finality.put(ack, self.state.sequence):
            return
        if ack in self._finality.differing(ack.sequence):
            self._compare(ack, ack.sequence, now)
        self._go_on(now)

    def receive_late(self, signed: Signed) -> None:
        """Takes what comes once the round is over, which may still show a fault.

        Raises RemoteProtocolError or SignedFaultError.
        """
        if isinstance(signed, Ack):
            self._finality.put(signed, self.state.sequence)
        else:
            replay.check_origin(self.state, signed)
            self._slots.put(signed, self.state.sequence)

    def deadline(self) -> float | None:
        """When `handle_deadline` is due."""
        doubts = [self._doubt.deadline] if self._doubt is not None else []
        asks = self.relay.deadline()
        return min(doubts if asks is None else [*doubts, asks], default=None)

    def handle_deadline(self, now: float) -> None:
        """Asks for what is missing.

        Raises RemoteProtocolError for what nothing has explained, with its signer's key: that is a fault of
        the signer's link, since nobody else can tell from what it signed what it has been shown or asked.
        """
        self.relay.handle_deadline(self.state, now)
        if self._doubt is not None and now >= self._doubt.deadline:
            signed, self._doubt = self._doubt.signed, None
            raise RemoteProtocolError(
                FaultCode.WRONG_HEAD,
                f"seat {signed.seat} signed for slot {signed.sequence} on a head that no events lead to",
                self.state.terms.keys[signed.seat],
            )

    # Comparing with the others.

    def _check(self, event: Event, now: float) -> None:
        """Asks `replay.admit` of an event for the next slot or one before it; doubts one on another head."""
        state = self._states[event.sequence]
        if event.prev != state.prev_for(event.seat):
            self._compare(event, event.sequence - 1, now)
            return
        try:
            replay.admit(state, event)
        except RemoteProtocolError as error:
            raise signed_fault(error, (event,), state.terms.keys) from error

    def _compare(self, signed: Signed, sequence: int, now: float) -> None:
        """Doubts what its signer rests on another head after this slot, and compares the slot with it."""
        if self._doubt is None:
            self._doubt = _Doubt(signed, now + limits.FORK_SECONDS_MAX)
        signer = self.state.terms.keys[signed.seat]
        self._outbox.broadcast([key for key in self._others if key != signer], frame_of(signed))
        if sequence >= 0:
            self._outbox.send(signer, Want(self.context, sequence))
            self.relay.give_slot(signer, sequence)

    # From one state to the next.

    def _work(
        self, name: str, then: Callable[[Any, float], None], function: Callable[..., Any], *arguments: Any
    ) -> None:
        """Has work done, one at a time under each name.

        What it raises is raised where its result comes in.
        """
        if name in self._working:
            return
        self._working.add(name)

        def finish(result: object, now: float) -> None:
            self._working.discard(name)
            if self._is_stopped:
                return
            if isinstance(result, BaseException):
                raise result
            then(result, now)
            self._go_on(now)

        self._outbox.schedule(finish, function, *arguments)

    def _go_on(self, now: float) -> None:
        """Does whatever has become possible: judge a filled slot, or give what this seat owes."""
        state = self.state
        self.is_final = state.phase is Phase.DONE and self._finality.is_final(state.sequence - 1)
        self._tell_confirmed()
        step = self._slots.step(state)
        if step is not None:
            self._work("advance", self._advanced, _judge_step, state, step, self._entropy)
        elif self._secrets is not None:
            self._do_duties(state, self._secrets)
        self.relay.look(state, now)

    def _advanced(self, result: tuple[RoundState, tuple[Event, ...]], now: float) -> None:
        before, (self.state, step) = self.state, result
        self._states.append(self.state)
        self._steps.append(step)
        ack = self._finality.acknowledge(self.state)
        self._outbox.broadcast(self._others, ack)
        self._tell_step(before, step)
        for other in self._finality.differing(ack.sequence):
            self._compare(other, ack.sequence, now)
        for event in self._slots.at(self.state.sequence):
            self._check(event, now)
        self._look_at_hand()

    # This seat's own part.

    def _do_duties(self, state: RoundState, secrets: RoundSecrets) -> None:
        """Looks up what this seat owes to the state, and has it made."""
        if state.joint is not None and not secrets.is_keyed:
            self._work("key", self._take_secrets, duties.make_keyed, secrets, state.joint)
            return
        if secrets.opening is not None:
            sequence = _prove_sequence(state)
            self._work("own", self._made, duties.prove, state, self._author, secrets, sequence, self._entropy)
            return
        duty = DUTIES.get(state.phase)
        owes = self.seat in state.fillers and not self._slots.has(state.sequence, self.seat)
        if duty is None or not owes:
            return
        if SLOTS[state.phase].kinds <= NEED_FINALITY and not self._finality.is_final(state.sequence - 1):
            return
        self._work("own", self._made, duty, state, self._author, secrets, self._entropy)

    def _take_secrets(self, secrets: RoundSecrets, _now: float) -> None:
        self._secrets = secrets

    def _made(self, made: Made, _now: float) -> None:
        event, self._secrets = made
        self._slots.put(event, self.state.sequence)
        self._outbox.broadcast(self._others, frame_of(event))
        self._tell_progress()

    def _look_at_hand(self) -> None:
        """Takes off the rack what has been laid, and opens what all others have given their shares for."""
        state = self.state
        self.hand = {index: tile for index, tile in self.hand.items() if index not in state.laid}
        held = state.indices_held(self.seat)
        new = tuple(index for index in held if index in state.shares and index not in self.hand)
        if new:
            assert self._secrets is not None, "no tile is dealt before this seat has revealed its key"
            is_deal = not self.hand
            opened = duties.open_hand(state, self._secrets, new)
            self.hand = {**self.hand, **opened}
            if is_deal:
                self._outbox.notify(telling.dealt(state, self.rack))
            else:
                self._outbox.notify(notices.TilesDrawn(tiles=tuple(opened.values()), rack=self.rack))
        if state.phase is Phase.PLAY:
            self._outbox.notify(telling.turn_started(state, self.seat, self.rack))

    # What the application is told.

    def _tell_progress(self) -> None:
        if self.state.phase not in (Phase.PLAY, Phase.DONE):
            self._outbox.notify(telling.phase_progress(self.state, self._slots.filling(self.state)))

    def _tell_confirmed(self) -> None:
        number = self.state.terms.number
        while self._unconfirmed and self._finality.is_final(self._unconfirmed[0]):
            sequence = self._unconfirmed.pop(0)
            self._outbox.notify(notices.TurnConfirmed(round_number=number, sequence=sequence))

    def _tell_step(self, before: RoundState, step: tuple[Event, ...]) -> None:
        if before.phase is Phase.PROVE:
            self._outbox.notify(telling.deck_verified(self.state))
        elif before.phase is Phase.PLAY:
            self._outbox.notify(telling.turn_taken(self.state, step[0]))
            self._unconfirmed.append(step[0].sequence)
        self._tell_progress()


def _prove_sequence(state: RoundState) -> int:
    """The slot of the prove phase, from a state in it or among the shuffles, each of which fills a slot."""
    return state.sequence + state.terms.players - len(state.shuffle_heads)


def _judge_step(
    state: RoundState, step: tuple[Event, ...], entropy: Entropy
) -> tuple[RoundState, tuple[Event, ...]]:
    """Judges a filled slot as work; a fault carries the events of the seat that it is blamed on."""
    try:
        return replay.advance(state, step, entropy), step
    except RemoteProtocolError as error:
        raise signed_fault(error, step, state.terms.keys) from error
