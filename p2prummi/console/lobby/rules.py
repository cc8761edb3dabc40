"""The rules of a room in a few words: of one's own room from the rules, of another's from what it tells.

A room in the network tells the name of the preset that its rules come from, and a hash of all of them; so
whether something was changed can be said of it, and what was changed only inside. All the rules in words are
`p2prummi.rules`' affair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.rules import PRESETS, Ruleset, format_setting
from p2prummi.transcript.agreement import ruleset_hash
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from p2prummi.net.sightings import RoomFacts


def room_rules_words(ruleset: Ruleset | None) -> tuple[str, ...]:
    """The rules of one's own room: the preset, what was changed in it, and that no clock is kept."""
    if ruleset is None:
        return ("rules: on their way",)
    changes = [format_setting(ruleset, name) for name in ruleset.changes()]
    rules = f"rules: {ruleset.name}" + (f", changed: {', '.join(changes)}" if changes else "")
    if ruleset.turn_seconds is None:
        return (rules,)
    return (rules, f"time limit of {ruleset.turn_seconds} s a turn: agreed, not enforced yet")


def told_rules_name(facts: RoomFacts) -> str:
    """The name of the preset that a room tells."""
    return shown(facts.ruleset_name) or "?"


def told_rules_doubt(facts: RoomFacts) -> str:
    """Why the name alone does not say by which rules a room plays; empty where it does."""
    if facts.ruleset_name not in PRESETS:
        return "unknown rules"
    return "changed" if rules_are_changed(facts) else ""


def rules_are_changed(facts: RoomFacts) -> bool | None:
    """Whether a room's rules differ from the preset that it names; None where that can't be known here."""
    preset = PRESETS.get(facts.ruleset_name)
    if preset is None or not facts.ruleset_hash:
        return None
    return facts.ruleset_hash != ruleset_hash(preset)
