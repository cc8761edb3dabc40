"""Whether a saved match holds, and what the evidence of a fault proves: offline, years later, by anyone."""

from p2prummi.verifier.evidence import EvidenceVerdict, verify_evidence
from p2prummi.verifier.matches import (
    MatchSummary,
    Player,
    RoundSummary,
    Verdict,
    VerdictFault,
    verify_transcript,
)

__all__ = [
    "EvidenceVerdict",
    "MatchSummary",
    "Player",
    "RoundSummary",
    "Verdict",
    "VerdictFault",
    "verify_evidence",
    "verify_transcript",
]
