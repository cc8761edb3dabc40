"""What Tab offers: only what fits there now."""

from __future__ import annotations

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from p2prummi.console.completion import CommandCompleter
from p2prummi.console.model import ConsoleModel
from p2prummi.net import notices as net_notices
from tests.console.stage import console, dealt, game_of, rack_of, sighting_of, started

GAME = game_of("R1 R2 R3", "K7 B7 O7 J")
IN_GAME = console(*started(), *dealt(GAME, rack_of("R4 R4 K9 J", GAME)))
IN_LOBBY = console(
    net_notices.LookoutChanged(rooms=(sighting_of("Attic"), sighting_of("Full", taken_seats=4)), peers=())
)


def offered(text: str, model: ConsoleModel = IN_GAME) -> list[str]:
    completer = CommandCompleter(lambda: model)
    return [each.text for each in completer.get_completions(Document(text), CompleteEvent())]


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("re", ["reset", "ready"]),
        ("RE", ["reset", "ready"]),
        ("lay ", ["K9", "R4", "J"]),
        ("lay r", ["R4"]),
        ("lay R4 k", ["K9"]),
        ("add ", ["K9", "R4", "J"]),
        ("add R4 t", ["to"]),
        ("add R4 to ", ["1", "2"]),
        ("add R4 to 1 ", []),
        ("take K", ["K7"]),
        ("take K7 f", ["from"]),
        ("take K7 from ", ["1", "2"]),
        ("move K7 from 2 ", ["to"]),
        ("move K7 from 2 to ", ["1", "2", "new"]),
        ("move K7 from 2 to 1 ", []),
        ("split ", ["1", "2"]),
        ("split 1 ", ["after"]),
        ("split 1 after R", ["R1", "R2", "R3"]),
        ("swap ", ["J"]),
        ("swap J ", ["in"]),
        ("swap J in ", ["1", "2"]),
        ("swap J in 2 ", ["with"]),
        ("swap J in 2 with ", ["K9", "R4", "J"]),
        ("swap J in 2 with R4 ", []),
        ("say ", []),
        ("ready ", ["no"]),
        ("open Attic ", ["with"]),
        ("open Attic with nl", ["nl-klassiek", "nl-digitaal"]),
        ("nonsense ", []),
    ],
)
def test_what_is_offered(text: str, texts: list[str]) -> None:
    assert offered(text) == texts


def test_in_the_lobby_rooms_that_can_be_joined_are_offered() -> None:
    assert offered("join ", IN_LOBBY) == ["Attic"]
    assert offered("lay ", IN_LOBBY) == []
