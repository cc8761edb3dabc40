"""What Tab offers: the commands, and behind them the tiles, melds, rooms and words that fit there now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.completion import Completer, Completion

from p2prummi.console.typed import COMMANDS
from p2prummi.rules import PRESETS
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from p2prummi.console.model import ConsoleModel
    from p2prummi.rules import Tile


class CommandCompleter(Completer):
    """Completes the word before the cursor from what the state in `model` holds."""

    def __init__(self, model: Callable[[], ConsoleModel]) -> None:
        self._model = model

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002 - part of what prompt_toolkit calls
    ) -> Iterable[Completion]:
        """Every candidate that begins with the word that is being typed."""
        *before, word = document.text_before_cursor.split(" ")
        for text in candidates([each.lower() for each in before if each], self._model()):
            if text.lower().startswith(word.lower()):
                yield Completion(text, start_position=-len(word))


def candidates(before: list[str], model: ConsoleModel) -> list[str]:
    """What may follow the words typed before."""
    if not before:
        return [command.name for command in COMMANDS]
    command, *arguments = before
    match command:
        case "join" if not arguments:
            return [shown(room.facts.name) for room in model.lobby.rooms if room.joinable]
        case "open" if "with" in arguments:
            return list(PRESETS)
        case "open" if arguments:
            return ["with"]
        case "ready" if not arguments:
            return ["no"]
    position = model.table.position
    if position is None:
        return []
    melds = [meld.tiles for meld in position.draft.melds]
    numbers = [str(number) for number in range(1, len(melds) + 1)]
    return _game_candidates(command, arguments, _faces(position.draft.hand), melds, numbers)


def _game_candidates(
    command: str, arguments: list[str], hand: list[str], melds: list[tuple[Tile, ...]], numbers: list[str]
) -> list[str]:
    last = arguments[-1] if arguments else ""
    match command:
        case "lay":
            return hand
        case "add":
            return (
                numbers if last == "to" else [] if "to" in arguments else [*hand, *(["to"] if last else [])]
            )
        case "take" | "move" if last == "from":
            return numbers
        case "move" if last == "to":
            return [*numbers, "new"]
        case "move" if "from" in arguments:
            return [] if "to" in arguments else ["to"]
        case "take" | "move":
            tiles = _faces(sum(melds, ()))
            return [] if "from" in arguments else [*tiles, *(["from"] if last else [])]
        case "split":
            return numbers if not last else _faces(sum(melds, ())) if last == "after" else ["after"]
        case "swap":
            return [["J"], ["in"], numbers, ["with"], hand][len(arguments)] if len(arguments) < 5 else []
    return []


def _faces(tiles: Iterable[Tile]) -> list[str]:
    return list(dict.fromkeys(str(tile) for tile in sorted(tiles, key=lambda tile: tile.canonical_key)))
