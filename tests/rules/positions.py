"""Positions written as text, `[R4 R5 J] [K7 B7 R7]`, and their judgement: what most tests here need."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from p2prummi.rules import (
    PRESETS,
    DraftMeld,
    format_meld,
    judge_draft,
    meld_from,
    parse_tiles,
    tiles_of,
    with_settings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2prummi.rules import DraftJudgement, Judgement, Meld, MeldKind, Ruleset, Tile

every_preset = pytest.mark.parametrize("preset", tuple(PRESETS))
_MELD = re.compile(r"(group|run)?\[([^\]]*)\]")


def rules(preset: str = "official", *settings: str) -> Ruleset:
    """A preset with settings such as `joker_reuse=new_meld` on top."""
    return with_settings(PRESETS[preset], settings)


def drafts(text: str, taken: Iterable[Tile] = ()) -> list[DraftMeld]:
    """Bracketed tiles, melds or not; equal tiles become copies in order, after those of `taken`."""
    used = list(taken)
    found = []
    kinds: dict[str, MeldKind | None] = {"": None, "group": "group", "run": "run"}
    for kind, tiles in _MELD.findall(text):
        read = parse_tiles(tiles, used)
        used += read
        found.append(DraftMeld(read, kinds[kind]))
    return found


def table_of(text: str, taken: Iterable[Tile] = ()) -> tuple[Meld, ...]:
    """Bracketed melds as a table."""
    return tuple(meld_from(draft.tiles, draft.kind) for draft in drafts(text, taken))


def judged(
    after: str,
    *,
    table: str = "",
    rack: str = "",
    ruleset: Ruleset | None = None,
    opened: bool = True,
    opening: str | None = None,
) -> DraftJudgement:
    """The judgement of a turn, all in text; the rack's copies go on after the table's."""
    before = table_of(table)
    witness = None
    if opening is not None:
        witness = drafts(opening, taken=tiles_of(before))
    return judge_draft(
        drafts(after),
        ruleset=ruleset or rules(),
        table=before,
        opened=opened,
        rack=parse_tiles(rack, taken=tiles_of(before)),
        opening=witness,
    )


def codes(judgement: Judgement) -> list[str]:
    """The codes of all faults, sorted; each can be said in words."""
    assert all(fault.text for fault in judgement.faults)
    return sorted(fault.code.value for fault in judgement.faults)


def shown(melds: Iterable[Meld]) -> list[str]:
    """Melds as people write them."""
    return [format_meld(meld) for meld in melds]
