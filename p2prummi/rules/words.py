"""The rules in words for players, built from a ruleset's fields.

`BASICS` says what all rulesets share; `RULE_WORDS` has one function for each field, whose sentence tells
every value of the field from every other. Sentences are whole, with named places for numbers, so that a
translation needs only the sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2prummi.rules.faults import untranslated
from p2prummi.rules.fields import (
    JokerReuse,
    JokerSwapFrom,
    OpeningJoker,
    PoolEmpty,
    StalemateScoring,
    StalemateWinner,
    Starter,
    TeamOpening,
)
from p2prummi.rules.ruleset import FIELD_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from p2prummi.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, which is also its key in the translations, and what fills its places."""

    sentence: str
    values: tuple[tuple[str, int | str], ...] = ()

    def words(self, translate: Callable[[str], str] = untranslated) -> str:
        """The sentence in the language that `translate` turns English sentences into."""
        return translate(self.sentence).format(**dict(self.values))


def said(sentence: str, **values: int | str) -> Sentence:
    """Build a sentence."""
    return Sentence(sentence, tuple(values.items()))


BASICS = (
    said("Get rid of all tiles on your rack before the others do. Everyone starts with 14 tiles."),
    said("A group is three or four tiles of one number in different colours."),
    said("A run is three or more consecutive numbers of one colour; 1 is lowest and never follows 13."),
    said("A joker stands for any tile. A meld has at least three tiles, one of them without a joker."),
    said(
        "In your turn, lay at least one tile from your rack, or draw one tile, which ends the turn. "
        "You may always draw, whatever you could lay."
    ),
    said(
        "Once you have opened, rearrange the table as you like: at the end of the turn every meld must "
        "stand, and every tile that lay on the table still does."
    ),
    said(
        "The round ends when a rack is empty. Each other player loses the value of their rack, "
        "and the winner receives the sum."
    ),
)
"""What holds under every ruleset."""


def describe(ruleset: Ruleset, translate: Callable[[str], str] = untranslated) -> dict[str, str]:
    """The sentence of each field, in the order in which people read them, in the language of `translate`."""
    return {name: RULE_WORDS[name](ruleset).words(translate) for name in FIELD_NAMES}


def _opening_points(ruleset: Ruleset) -> Sentence:
    return said(
        "To open, lay one or more melds from your rack alone that are worth at least {points} points in all.",
        points=ruleset.opening_points,
    )


def _opening_joker(ruleset: Ruleset) -> Sentence:
    if ruleset.opening_joker is OpeningJoker.FORBIDDEN:
        return said("The opening must do without jokers.")
    return said("A joker in the opening counts the tile that it stands for.")


def _opening_then_table(ruleset: Ruleset) -> Sentence:
    if ruleset.opening_then_table:
        return said("Once the opening is laid, the same turn goes on freely on the whole table.")
    return said(
        "In the turn in which you open you lay new melds only; the table is yours from the next turn on."
    )


_JOKER_SWAP_FROM: Mapping[JokerSwapFrom, Sentence] = {
    JokerSwapFrom.RACK: said(
        "To take a joker from the table, lay the tile that it stands for from your rack."
    ),
    JokerSwapFrom.RACK_OR_TABLE: said(
        "To take a joker from the table, replace it with the tile that it stands for, "
        "from your rack or from the table."
    ),
    JokerSwapFrom.FREE: said("A joker on the table moves like any other tile and needs no replacement."),
}


_JOKER_REUSE: Mapping[JokerReuse, Sentence] = {
    JokerReuse.NEW_MELD_WITH_TWO_RACK_TILES: said(
        "A joker taken must be laid in the same turn, in a new meld with at least two tiles from your rack."
    ),
    JokerReuse.NEW_MELD: said("A joker taken must be laid in the same turn, in a new meld."),
    JokerReuse.OTHER_MELD: said(
        "A joker taken must be laid in the same turn, in another meld than the one it came from."
    ),
    JokerReuse.ANY_MELD: said("A joker taken must be laid in the same turn, in any meld."),
}


def _joker_penalty(ruleset: Ruleset) -> Sentence:
    return said("A joker left on a rack costs {points} points.", points=ruleset.joker_penalty)


def _turn_seconds(ruleset: Ruleset) -> Sentence:
    if ruleset.turn_seconds is None:
        return said("A turn has no time limit.")
    return said(
        "A turn may take {seconds} seconds. This limit is agreed but not enforced yet: keep it yourselves.",
        seconds=ruleset.turn_seconds,
    )


def _timeout_draw(ruleset: Ruleset) -> Sentence:
    return said(
        "Should a turn's time run out, the table is put back and the player draws this many tiles: {tiles}.",
        tiles=ruleset.timeout_draw,
    )


def _starter(ruleset: Ruleset) -> Sentence:
    if ruleset.starter is Starter.HIGHEST_TILE:
        return said(
            "Everyone draws a tile to see who starts: the highest number does, a joker being highest; "
            "those who tie draw again. Later rounds are started by the next seat."
        )
    return said("Chance decides who starts. Later rounds are started by the next seat.")


def _deal_passes(ruleset: Ruleset) -> Sentence:
    if ruleset.deal_passes == (14,):
        return said("The 14 tiles are dealt all at once.")
    return said("The 14 tiles are dealt in two piles of seven.")


_POOL_EMPTY: Mapping[PoolEmpty, Sentence] = {
    PoolEmpty.ROUND_ENDS: said("The turn that takes the last tile of the pool ends the round."),
    PoolEmpty.ONE_MORE_TURN_EACH: said(
        "Once the last tile of the pool is taken, everyone has one more turn, its taker last; "
        "then the round ends. Who can't lay or doesn't want to passes."
    ),
    PoolEmpty.UNTIL_ALL_PASS: said(
        "Once the pool is empty, who can't lay or doesn't want to passes; "
        "the round ends when all have passed in a row."
    ),
}


_STALEMATE_WINNER: Mapping[StalemateWinner, Sentence] = {
    StalemateWinner.LOWEST_VALUE: said(
        "If nobody goes out, the lowest rack value wins; if equal, the fewest tiles."
    ),
    StalemateWinner.FEWEST_TILES: said(
        "If nobody goes out, the fewest tiles win; if equal, the lowest rack value."
    ),
    StalemateWinner.NOBODY: said("If nobody goes out, nobody wins."),
}


_STALEMATE_SCORING: Mapping[StalemateScoring, Sentence] = {
    StalemateScoring.DIFFERENCE: said(
        "Then each other player loses what their rack is worth more than the winner's, "
        "and the winner receives the sum."
    ),
    StalemateScoring.STANDARD: said(
        "Then each other player loses their rack's value, and the winner receives the sum."
    ),
    StalemateScoring.EVERYONE_PENALISED: said(
        "Then everyone loses their own rack's value, and nobody receives anything."
    ),
}


def _unopened_score(ruleset: Ruleset) -> Sentence:
    if ruleset.unopened_score is None:
        return said("Who never opened is scored like everyone else.")
    unable, able = ruleset.unopened_score
    return said(
        "Who never opened scores {able} if their rack held an opening in their last turn, "
        "and {unable} if not; they can't win a round that nobody finishes.",
        able=able,
        unable=unable,
    )


def _teams(ruleset: Ruleset) -> Sentence:
    if ruleset.teams is None:
        return said("Everyone plays for themselves.")
    return said(
        "Seats alternate between {teams} teams. Scores are worked out seat by seat, then added; "
        "a member who goes out ends the round.",
        teams=ruleset.teams,
    )


def _team_opening(ruleset: Ruleset) -> Sentence:
    if ruleset.team_opening is TeamOpening.SHARED:
        return said("Where there are teams, one member's opening opens for the whole team.")
    return said("Everyone opens for themselves.")


def _copies(ruleset: Ruleset) -> Sentence:
    return said(
        "The numbers 1 to 13 come in four colours, each tile {copies} times: {size} tiles with the jokers.",
        copies=ruleset.copies,
        size=ruleset.tile_set.size,
    )


def _jokers(ruleset: Ruleset) -> Sentence:
    return said("There are {jokers} jokers.", jokers=ruleset.jokers)


def _players(ruleset: Ruleset) -> Sentence:
    least, most = ruleset.players
    if least == most:
        return said("There are {most} players.", most=most)
    return said("There are {least} to {most} players.", least=least, most=most)


def _rounds(ruleset: Ruleset) -> Sentence:
    if ruleset.rounds == 1:
        return said("The match is one round.")
    return said(
        "The match ends after {rounds} rounds; the highest total wins, and equal totals share the win.",
        rounds=ruleset.rounds,
    )


def _target_score(ruleset: Ruleset) -> Sentence:
    if ruleset.target_score is None:
        return said("There is no target score.")
    return said("The match ends earlier if a total reaches {points} points.", points=ruleset.target_score)


RULE_WORDS: Mapping[str, Callable[[Ruleset], Sentence]] = {
    "opening_points": _opening_points,
    "opening_joker": _opening_joker,
    "opening_then_table": _opening_then_table,
    "joker_swap_from": lambda ruleset: _JOKER_SWAP_FROM[ruleset.joker_swap_from],
    "joker_reuse": lambda ruleset: _JOKER_REUSE[ruleset.joker_reuse],
    "joker_penalty": _joker_penalty,
    "turn_seconds": _turn_seconds,
    "timeout_draw": _timeout_draw,
    "starter": _starter,
    "deal_passes": _deal_passes,
    "pool_empty": lambda ruleset: _POOL_EMPTY[ruleset.pool_empty],
    "stalemate_winner": lambda ruleset: _STALEMATE_WINNER[ruleset.stalemate_winner],
    "stalemate_scoring": lambda ruleset: _STALEMATE_SCORING[ruleset.stalemate_scoring],
    "unopened_score": _unopened_score,
    "teams": _teams,
    "team_opening": _team_opening,
    "copies": _copies,
    "jokers": _jokers,
    "players": _players,
    "rounds": _rounds,
    "target_score": _target_score,
}
"""What each field means, by its name."""
