"""Labels: no two players who were met have the same one, whatever they call themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.console.lines import columns_of
from p2prummi.console.log.model import LogModel
from p2prummi.console.people import People, clipped_label
from p2prummi.crypto.fingerprint import fingerprint
from tests.console.screens import seen
from tests.console.stage import KEYS, console, dealt, game_of, rack_of, room_of, round_ended, started


def key_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


OWN = key_of(1)
# Of the same first group, and of the same two first groups: found by trying keys.
SAME_GROUP = (key_of(607), key_of(2161))
SAME_TWO_GROUPS = (key_of(1008339), key_of(1179937))
DIFFERENT = key_of(2)


def people_of(*names: tuple[bytes, str]) -> People:
    people = People(own_key=OWN)
    for key, name in names:
        people = people.met(key, name)
    return people


def test_a_name_that_nobody_else_has_is_the_label() -> None:
    people = people_of((OWN, "Ana"), (DIFFERENT, "Björn"))
    assert (people.label(OWN), people.label(DIFFERENT)) == ("Ana", "Björn")


@pytest.mark.parametrize(("pair", "groups"), [(SAME_GROUP, 2), (SAME_TWO_GROUPS, 3)])
def test_namesakes_are_told_apart_though_their_fingerprints_begin_alike(
    pair: tuple[bytes, bytes], groups: int
) -> None:
    one, other = pair
    letters = 5 * groups - 1
    assert fingerprint(one)[: letters - 5] == fingerprint(other)[: letters - 5]
    people = people_of((one, "alice"), (other, "Alice"), (DIFFERENT, "alice"))
    assert people.label(one) == f"alice ({fingerprint(one)[:letters]})"
    assert people.label(other) == f"Alice ({fingerprint(other)[:letters]})"
    # Whom nobody resembles keeps the label that was there before.
    assert people.label(DIFFERENT) == f"alice ({fingerprint(DIFFERENT)[:4]})"


def test_equal_fingerprints_are_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2prummi.wire.peer_label.fingerprint", lambda key: "aaaa-bbbb-cccc-dddd")
    assert people_of((OWN, "x"), (DIFFERENT, "x")).label(OWN) == "x (aaaa-bbbb-cccc-dddd)"


@pytest.mark.parametrize("name", ["\uff21\uff2c\uff29\uff23\uff25", "ALICE", "\U0001d4ealice"])
def test_names_that_look_alike_are_the_same(name: str) -> None:
    people = people_of((OWN, "alice"), (DIFFERENT, name))
    assert people.label(OWN).startswith("alice (")
    assert people.label(DIFFERENT) == f"{name} ({fingerprint(DIFFERENT)[:4]})"


def test_nobody_bears_the_label_of_another_as_a_name() -> None:
    people = people_of((SAME_GROUP[0], "alice"), (DIFFERENT, "alice"), (KEYS[1], "\x1b"))
    labels = {people.label(key) for key in people.names}
    for number, label in enumerate(labels, start=100):
        people = people.met(key_of(number), label.upper())
        assert people.label(key_of(number)).lower() not in labels
    assert {people.label(key) for key in people.names} >= labels
    assert len({people.label(key) for key in people.names}) == len(people.names)


@pytest.mark.parametrize("name", ["Ana (you)", "Ana (away)", "Ana (abcd)", "Ana \uff08you\uff09"])
def test_a_name_that_ends_as_labels_and_rows_do_is_marked(name: str) -> None:
    assert (
        people_of((OWN, "Ana"), (DIFFERENT, name)).label(DIFFERENT)
        == f"{name} ({fingerprint(DIFFERENT)[:4]})"
    )


def test_the_row_of_ones_own_has_the_name_alone() -> None:
    game = game_of("R1 R2 R3")
    text = seen(console(*started(names=("alice", "alice", "Chloé")), *dealt(game, rack_of("R4", game))))
    assert "▶ alice (you)  " in text
    assert f"  alice ({fingerprint(KEYS[1])[:4]})  " in text


def test_who_has_no_name_is_shown_by_the_fingerprint() -> None:
    own = fingerprint(OWN)
    assert people_of((OWN, "\u202e")).label(OWN) == people_of((OWN, own)).label(OWN) == own


@given(
    st.text(max_size=40), st.sampled_from(["d64i", "d64i-aaaa", "d64i-aaaa-bbbb-cccc"]), st.integers(2, 40)
)
def test_a_label_is_cut_in_the_name_and_keeps_the_end_of_its_mark(name: str, mark: str, columns: int) -> None:
    people = people_of((OWN, name))
    label = f"{people.names[OWN]} ({mark})"
    cut = clipped_label(label, columns, "…")
    assert columns_of(cut) <= columns
    assert columns < len(mark) + 2 or cut.endswith(f"({mark})")
    assert cut.endswith(f"{mark})"[1 - columns :])


def test_a_label_without_a_mark_is_cut_at_its_end() -> None:
    assert clipped_label("Anna-Katharina (of the long name)", 8, "…") == "Anna-Ka…"


@pytest.mark.parametrize("ending", ["game", "result", "room"])
def test_the_screens_show_the_marks_of_long_names(ending: str) -> None:
    name = "a name of two and thirty letters"
    game = game_of("R1 R2 R3")
    told = started(names=("Ana", name, name))
    play = dealt(game, rack_of("R4", game))
    members = tuple(replace(member, name=name) for member in room_of(3).members[1:])
    room = replace(room_of(3), members=members)
    model = {
        "game": console(*told, *play),
        "result": console(*told, *play, round_ended()),
        "room": console(room),
    }[ending]
    text = seen(replace(model, log=LogModel()))
    assert all(f"… ({fingerprint(KEYS[seat])[:4]})" in text for seat in (1, 2))
