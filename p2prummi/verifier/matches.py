"""Whether a saved match holds: from the bytes of its file to a verdict, offline and years later.

The events are folded through `transcript.replay.advance`, the very function that accepted them live, so every
signature, proof, turn and score is checked again. A file may end before its match does, when a player left
or broke the protocol: what there is of it may hold all the same, and the verdict says that it is not
complete. Whatever the bytes are, there is a verdict and nothing is raised. `evidence.py` looks on while the
states go by.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.transcript import replay
from p2prummi.transcript.file import MalformedEventError, read_transcript
from p2prummi.transcript.rounds import Progress
from p2prummi.transcript.state import start_round

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from p2prummi.crypto.entropy import Entropy
    from p2prummi.rules import Ruleset
    from p2prummi.transcript.agreement import Match
    from p2prummi.transcript.state import RoundState
    from p2prummi.wire.events import Event


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a match: the identity key (32 bytes), and the name, which is only a label."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSummary:
    """A finished round: why it ended, its winner (None: nobody), points and totals by seat, last head."""

    number: int
    why: str
    winner: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    head: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """What a file says of its match as far as it holds, by seat; `winners` is empty until it is over."""

    match_id: bytes
    ruleset: Ruleset
    players: tuple[Player, ...]
    rounds: tuple[RoundSummary, ...] = ()
    totals: tuple[int, ...]
    winners: tuple[int, ...] = ()
    head: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFault:
    """What is wrong: `event` counts the file's events from 1, None where it is the file or the agreement.

    `culprit` is the player whom a signature proves to be at fault, None where nobody signed the fault.
    `round_number` is None where an event could not even be read.
    """

    code: FaultCode
    text: str
    culprit: Player | None = None
    event: int | None = None
    round_number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer: `fault` None: all that there is holds. `complete`: the match was played to its end.

    `match` is None where not even the agreement could be read.
    """

    complete: bool
    match: MatchSummary | None
    fault: VerdictFault | None

    @property
    def ok(self) -> bool:
        """Whether everything in the file holds."""
        return self.fault is None


def verify_transcript(data: bytes, entropy: Entropy) -> Verdict:
    """Judges the bytes of a match's file; `entropy` gives the weights of batched checks."""
    try:
        match, events = read_transcript(data)
    except RemoteProtocolError as error:
        event = error.event if isinstance(error, MalformedEventError) else None
        fault = VerdictFault(code=error.code, text=error.text, event=event)
        return Verdict(complete=False, match=None, fault=fault)
    return Verification(match, events, entropy).run()


class EventError(RemoteProtocolError):
    """A fault of the event at a position, counted from 0."""

    def __init__(self, error: RemoteProtocolError, culprit: bytes | None, position: int) -> None:
        super().__init__(error.code, error.text, culprit)
        self.position = position


class Verification:
    """One file's events on their way through the rounds of its match."""

    def __init__(self, match: Match, events: Sequence[Event], entropy: Entropy) -> None:
        self._match = match
        self._events = events
        self._entropy = entropy
        self._progress = Progress.of_new_match(match)
        self._position = 0
        self._summary = MatchSummary(
            match_id=match.id,
            ruleset=match.ruleset,
            players=players_of(match),
            totals=self._progress.totals,
            head=match.id,
        )

    def run(self) -> Verdict:
        """Plays the match again, to its end or that of the events or to the first fault."""
        fault = None
        try:
            for state in self.states():
                if state.sequence:
                    self._summary = replace(self._summary, head=state.head)
        except EventError as error:
            fault = self._fault(error)
        complete = fault is None and self._progress.is_over(self._match)
        return Verdict(complete=complete, match=self._summary, fault=fault)

    def states(self) -> Iterator[RoundState]:
        """Yields each state that the events lead to, from the first of each round to its last.

        Raises EventError at the first event that does not hold.
        """
        while not self._progress.is_over(self._match):
            state = start_round(self._progress.next_terms(self._match))
            yield state
            while state.fillers:
                start, end = self._position, self._position + len(state.fillers)
                step = tuple(self._events[start:end])
                try:
                    after = self._after(state, step)
                except RemoteProtocolError as error:
                    offset, found = _find(state, step, error)
                    raise EventError(found, _culprit(state, step[offset], found), start + offset) from error
                if after is None:
                    return
                state, self._position = after, end
                yield state
            self._finish_round(state)
        if self._position < len(self._events):
            extra = RemoteProtocolError(FaultCode.WRONG_TRANSCRIPT, "the match is over before this event")
            raise EventError(extra, None, self._position)

    def _after(self, state: RoundState, step: Sequence[Event]) -> RoundState | None:
        """The state after a step, or None for one that the file breaks off, judged as far as it goes."""
        if len(step) == len(state.fillers):
            return replay.advance(state, step, self._entropy)
        for event, seat in zip(step, state.fillers, strict=False):
            if event.seat != seat:
                raise RemoteProtocolError(FaultCode.WRONG_TRANSCRIPT, f"here an event of seat {seat} is due")
        if step:
            replay.examine(state, step, self._entropy)
        return None

    def _finish_round(self, state: RoundState) -> None:
        assert state.scores is not None, "a finished round has scores"
        assert state.running_game.ended is not None, "a finished round has ended"
        self._progress = self._progress.after(state)
        summary = RoundSummary(
            number=state.terms.number,
            why=state.running_game.ended.reason,
            winner=state.scores.winner,
            points=state.scores.points,
            totals=self._progress.totals,
            head=state.head,
        )
        over = self._progress.is_over(self._match)
        self._summary = replace(
            self._summary,
            rounds=(*self._summary.rounds, summary),
            totals=self._progress.totals,
            winners=self._progress.winners(self._match) if over else (),
        )

    def _fault(self, error: EventError) -> VerdictFault:
        names = {player.key: player for player in self._summary.players}
        return VerdictFault(
            code=error.code,
            text=error.text,
            culprit=None if error.culprit is None else names[error.culprit],
            event=error.position + 1,
            round_number=self._progress.rounds + 1,
        )


def players_of(match: Match) -> tuple[Player, ...]:
    """The players of a match, by seat."""
    return tuple(map(Player, match.keys, match.names))


def _find(
    state: RoundState, step: Sequence[Event], error: RemoteProtocolError
) -> tuple[int, RemoteProtocolError]:
    """Which event of a refused step is at fault, and its fault: what is wrong with it alone goes first."""
    for offset, (event, seat) in enumerate(zip(step, state.fillers, strict=False)):
        try:
            replay.admit(state, event)
        except RemoteProtocolError as own:
            return offset, own
        if event.seat != seat or error.culprit == state.terms.keys[seat]:
            break
    return offset, error


def _culprit(state: RoundState, event: Event, error: RemoteProtocolError) -> bytes | None:
    """Whom to blame: nobody for an event of another slot or on another head.

    Whoever wrote the file may have left out what lies between.
    """
    is_here = (
        event.sequence == state.sequence
        and event.seat < state.terms.players
        and event.prev == state.prev_for(event.seat)
    )
    return error.culprit if is_here else None
