"""What the evidence of a fault proves, beside the file of its match: from the bytes of both to a verdict.

The match's file is played again as far as the fault, and there `transcript.evidence.judge` decides, by the
functions that judged it in the match; what the evidence says of itself plays no part in that, and is compared
afterwards. Where a fault follows from what was signed alone, as with two versions of an event, the agreement
at the beginning of the match's file is enough. Whatever the bytes are, there is a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.errors import RemoteProtocolError
from p2prummi.transcript.evidence import Blame, Evidence, NoProofError, judge, read_evidence
from p2prummi.transcript.file import read_transcript
from p2prummi.transcript.state import RoundTerms, start_round
from p2prummi.verifier.matches import EventError, Player, Verification, players_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2prummi.crypto.entropy import Entropy
    from p2prummi.transcript.agreement import Match
    from p2prummi.transcript.state import RoundState
    from p2prummi.wire.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceVerdict:
    """The answer: `said` is what the evidence says itself, `found` what it proves, each None if nothing.

    `match_id`, `round_number` and `sequence` (the slot) are None where no file beside it is of its match, and
    there are no `players` then. `why` says why nothing is proved, and is empty where something is.
    """

    said: Blame | None = None
    match_id: bytes | None = None
    players: tuple[Player, ...] = ()
    round_number: int | None = None
    sequence: int | None = None
    found: Blame | None = None
    why: str = ""

    @property
    def ok(self) -> bool:
        """Whether the evidence proves what it says: the same fault of the same player."""
        return (
            self.said is not None
            and self.found is not None
            and (self.said.code, self.said.culprit) == (self.found.code, self.found.culprit)
        )


def verify_evidence(data: bytes, transcripts: Iterable[bytes], entropy: Entropy) -> EvidenceVerdict:
    """Judges the bytes of an evidence file by the files of matches, of which one should be its own.

    The first that lets it prove something decides. `entropy` gives the weights of batched checks.
    """
    try:
        evidence = read_evidence(data)
    except RemoteProtocolError as error:
        return EvidenceVerdict(why=error.text)
    verdict = EvidenceVerdict(said=evidence.said, why="none of the files beside it is that of its match")
    for transcript in transcripts:
        try:
            match, events = read_transcript(transcript)
        except RemoteProtocolError:
            continue
        terms = _terms_of(match, evidence.context)
        if terms is not None:
            verdict = _judged(evidence, match, terms, events, entropy)
        if verdict.found is not None:
            break
    return verdict


def _terms_of(match: Match, context: bytes) -> RoundTerms | None:
    """The terms of the match's round of this context, or None where it has no such round."""
    rounds = (RoundTerms.of_match(match, number, None) for number in range(1, match.ruleset.rounds + 1))
    return next((terms for terms in rounds if terms.context == context), None)


def _judged(
    evidence: Evidence, match: Match, terms: RoundTerms, events: Sequence[Event], entropy: Entropy
) -> EvidenceVerdict:
    verdict = EvidenceVerdict(
        said=evidence.said,
        match_id=match.id,
        players=players_of(match),
        round_number=terms.number,
        sequence=evidence.sequence,
    )
    try:
        state = start_round(terms)
        if evidence.judged_at is not None:
            state = _state_at(Verification(match, events, entropy), evidence.context, evidence.judged_at)
        return replace(verdict, found=judge(evidence, state, entropy))
    except NoProofError as error:
        return replace(verdict, why=str(error))


def _state_at(verification: Verification, context: bytes, sequence: int) -> RoundState:
    """The state before this slot of the round of this context. Raises NoProofError."""
    try:
        for state in verification.states():
            if (state.terms.context, state.sequence) == (context, sequence):
                return state
    except EventError as error:
        raise NoProofError(
            f"the match's file does not hold up to that slot: event {error.position + 1} breaks a rule"
        ) from error
    raise NoProofError("the match's file ends before that slot")
