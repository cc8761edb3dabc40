"""Typed commands: each form that the help shows is read, and what is none is answered with the right form."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.console.typed import (
    COMMANDS,
    Add,
    Lay,
    Move,
    Plain,
    Split,
    Swap,
    Take,
    Typed,
    TypedError,
    Words,
    parse,
)
from p2prummi.rules import parse_tile

R5, R6, R10, B7, K4 = map(parse_tile, ("R5", "R6", "R10", "B7", "K4"))
J = parse_tile("J")


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("lay R5 R6 J", Lay((((R5, R6, J), None),))),
        ("  LAY r5,r6 j ", Lay((((R5, R6, J), None),))),
        ("lay [R5 R6 J] [K4 B7]", Lay((((R5, R6, J), None), ((K4, B7), None)))),
        ("lay R5 R6 / K4", Lay((((R5, R6), None), ((K4,), None)))),
        ("lay run R5 J J", Lay((((R5, J, J), "run"),))),
        ("lay [group R5 J J]", Lay((((R5, J, J), "group"),))),
        ("add B7 to 3", Add((B7,), 3)),
        ("add B7 K4 #3", Add((B7, K4), 3)),
        ("take R6 from 2", Take((R6,), 2)),
        ("move K4 from 1 to 5", Move((K4,), 1, 5)),
        ("move K4 B7 from 12 to new", Move((K4, B7), 12, None)),
        ("split 2 after R6", Split(2, R6)),
        ("split 2 r6", Split(2, R6)),
        ("swap J in 2 with R5", Swap(2, R5)),
        ("swap 2 with R5", Swap(2, R5)),
        ("end", Plain("end")),
        ("?", Plain("help")),
        ("say hello  there", Words("say", "hello  there")),
        ("ready", Words("ready", "")),
        ("ready no", Words("ready", "no")),
        ("open Attic with rounds=3", Words("open", "Attic with rounds=3")),
    ],
)
def test_what_is_read(line: str, typed: Typed) -> None:
    assert parse(line) == typed


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_usage_line_of_the_help_is_a_command(command: object) -> None:
    usage = command.usage  # type: ignore[attr-defined]  # a parameter has no better type
    assert parse(usage) is not None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("q", "There is no command 'q'"),
        ("lay", "lay R10 R11 R12"),
        ("lay run", "lay R10 R11 R12"),
        ("lay R14", "'R14' is no tile"),
        ("add B7", "add B7 to 3"),
        ("move K4 to 5", "move K4 from 1 to 5"),
        ("split 2", "split 2 after R6"),
        ("split 2 ,", "',' is no tile"),
        ("swap J with R5", "swap J in 2 with R5"),
        ("end now", "Write it like this: end"),
        ("say", "say TEXT"),
    ],
)
def test_what_is_none_is_answered_with_the_form(line: str, words: str) -> None:
    with pytest.raises(TypedError, match=words.replace("(", r"\(")):
        parse(line)


lines = st.builds("{} {}".format, st.sampled_from(COMMANDS).map(lambda command: command.name), st.text())


@given(st.text(max_size=40) | lines)
def test_any_line_is_a_command_or_refused_with_words(line: str) -> None:
    with contextlib.suppress(TypedError):
        parse(line)
