"""The rules in words: each value of each field has its own sentence, and it is the right one."""

from __future__ import annotations

from typing import Any

import pytest

from p2prummi.rules import PRESETS, Ruleset
from p2prummi.rules.fields import CHOICES, ENUMERATIONS
from p2prummi.rules.ruleset import FIELD_NAMES
from p2prummi.rules.words import RULE_WORDS, describe

OFFICIAL = PRESETS["official"]
SIX = {"copies": 3, "jokers": 4}
ONE_BY_ONE: list[dict[str, Any]] = [
    *({name: word} for name, words in ENUMERATIONS.items() for word in words),
    *({name: value} for name, values in CHOICES.items() for value in values),
    {"opening_points": 0},
    {"opening_then_table": True},
    {"turn_seconds": None},
    {"turn_seconds": 60},
    {"teams": 2, "players": (4, 4)},
    {"teams": 2, "players": (6, 6), **SIX},
    {"teams": 3, "players": (6, 6), **SIX},
    {"players": (2, 3)},
    {"rounds": 5},
    {"target_score": 100},
]


def test_every_value_changes_the_words() -> None:
    assert list(RULE_WORDS) == list(FIELD_NAMES)
    seen: dict[str, dict[object, str]] = {name: {} for name in FIELD_NAMES}
    for fields in ONE_BY_ONE:
        nobody = fields.get("stalemate_winner") == "nobody"
        scoring: dict[str, Any] = {"stalemate_scoring": "everyone_penalised"} if nobody else {}
        ruleset = Ruleset(**fields, **scoring)
        for name, words in describe(ruleset).items():
            assert seen[name].setdefault(getattr(ruleset, name), words) == words or name == "copies"
    for name, by_value in seen.items():
        assert len(by_value) > 1, name
        assert len(set(by_value.values())) == len(by_value), name


def test_a_time_limit_is_said_to_be_kept_by_the_players() -> None:
    assert "not enforced" in describe(OFFICIAL)["turn_seconds"]
    assert "not enforced" not in describe(PRESETS["nl-klassiek"])["turn_seconds"]


def test_words_go_through_a_translation() -> None:
    words = describe(OFFICIAL, lambda sentence: f"({sentence})")
    assert words["joker_penalty"] == "(A joker left on a rack costs 30 points.)"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"opening_joker": "forbidden"}, "without jokers"),
        ({"opening_joker": "as_replaced"}, "counts the tile that it stands for"),
        ({"opening_then_table": True}, "goes on freely"),
        ({"opening_then_table": False}, "new melds only"),
        ({"joker_swap_from": "rack"}, "from your rack."),
        ({"joker_swap_from": "rack_or_table"}, "from your rack or from the table"),
        ({"joker_swap_from": "free"}, "needs no replacement"),
        ({"joker_reuse": "new_meld_with_two_rack_tiles"}, "at least two tiles from your rack"),
        ({"joker_reuse": "new_meld"}, "in a new meld."),
        ({"joker_reuse": "other_meld"}, "in another meld"),
        ({"joker_reuse": "any_meld"}, "in any meld"),
        ({"turn_seconds": None}, "no time limit"),
        ({"turn_seconds": 60}, "60 seconds"),
        ({"starter": "highest_tile"}, "the highest number does"),
        ({"starter": "random"}, "Chance decides"),
        ({"deal_passes": (14,)}, "all at once"),
        ({"deal_passes": (7, 7)}, "two piles of seven"),
        ({"pool_empty": "round_ends"}, "takes the last tile of the pool ends the round"),
        ({"pool_empty": "one_more_turn_each"}, "everyone has one more turn"),
        ({"pool_empty": "until_all_pass"}, "when all have passed in a row"),
        ({"stalemate_winner": "lowest_value"}, "the lowest rack value wins"),
        ({"stalemate_winner": "fewest_tiles"}, "the fewest tiles win"),
        ({"stalemate_scoring": "difference"}, "more than the winner's"),
        ({"stalemate_scoring": "standard"}, "loses their rack's value"),
        ({"stalemate_scoring": "everyone_penalised"}, "nobody receives anything"),
        ({"unopened_score": None}, "like everyone else"),
        ({"unopened_score": (-100, -200)}, "-200 if their rack held an opening in their last turn, and -100"),
        ({"teams": None}, "for themselves"),
        ({"teams": 2, "players": (4, 4)}, "2 teams"),
        ({"team_opening": "each"}, "for themselves"),
        ({"team_opening": "shared"}, "for the whole team"),
        ({"players": (3, 3)}, "are 3 players"),
        ({"players": (2, 3)}, "are 2 to 3 players"),
        ({"rounds": 1}, "one round"),
        ({"rounds": 5}, "after 5 rounds"),
        ({"target_score": None}, "no target score"),
        ({"target_score": 100}, "reaches 100 points"),
    ],
)
def test_each_value_has_the_words_that_are_its_own(fields: dict[str, Any], words: str) -> None:
    name = next(iter(fields))
    assert words in describe(Ruleset(**fields))[name]
