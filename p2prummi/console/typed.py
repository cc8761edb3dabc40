"""What a player types: the commands as values, and the one way to read them.

Each command has a name, a usage line and a reader; help and completion are made from the same table, so that
none of the three can say something else. Case and order of tiles don't matter. Reading never looks at the
game: whether a tile is on the rack is the draft's say (`draft.py`), whether it is the player's turn the
director's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from p2prummi.errors import P2PRummiError
from p2prummi.rules import TileSyntaxError, parse_tile

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2prummi.rules import Face, MeldKind


class TypedError(P2PRummiError):
    """A line that is no command; says how the command is written."""


@dataclass(frozen=True, slots=True)
class Lay:
    """New melds from the rack, each with its kind where it was said."""

    melds: tuple[tuple[tuple[Face, ...], MeldKind | None], ...]


@dataclass(frozen=True, slots=True)
class Add:
    """Tiles from the rack to a meld."""

    tiles: tuple[Face, ...]
    meld: int


@dataclass(frozen=True, slots=True)
class Take:
    """Tiles from a meld into the hand."""

    tiles: tuple[Face, ...]
    meld: int


@dataclass(frozen=True, slots=True)
class Move:
    """Tiles from one meld to another; `target` None: to a new one."""

    tiles: tuple[Face, ...]
    source: int
    target: int | None


@dataclass(frozen=True, slots=True)
class Split:
    """One meld made two, behind a tile."""

    meld: int
    after: Face


@dataclass(frozen=True, slots=True)
class Swap:
    """A tile from the rack in a joker's place."""

    meld: int
    tile: Face


@dataclass(frozen=True, slots=True)
class Plain:
    """A command of one word, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Words:
    """A command with a free text: `say`, `open`, `join`."""

    name: str
    text: str


Typed: TypeAlias = Lay | Add | Take | Move | Split | Swap | Plain | Words


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSpec:
    """A command as help, completion and the reader know it."""

    name: str
    usage: str
    summary: str
    read: Callable[[str], Typed | None]


_MELD_WORDS: dict[str, MeldKind] = {"group": "group", "run": "run"}


def _face(text: str) -> Face:
    try:
        return parse_tile(text)
    except TileSyntaxError as error:
        raise TypedError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error


def _faces(text: str) -> tuple[Face, ...]:
    """Tiles with blanks or commas between; an empty text is none."""
    return tuple(_face(word) for word in re.split(r"[\s,]+", text.strip()) if word)


def _read_lay(text: str) -> Typed | None:
    """Tiles of one meld, or several melds in brackets or with `/` between.

    `run` or `group` may come first.
    """
    melds = []
    for part in re.split(r"[/\]]", text.replace("[", " ")):
        words = part.split()
        if not words:
            continue
        kind = _MELD_WORDS.get(words[0].lower())
        tiles = _faces(" ".join(words[1:] if kind else words))
        if not tiles:
            return None
        melds.append((tiles, kind))
    return Lay(tuple(melds)) if melds else None


def _read_add(text: str) -> Typed | None:
    match = re.fullmatch(r"(.+?)\s+(?:to\s+)?#?(\d{1,3})", text, re.IGNORECASE)
    return Add(_faces(match[1]), int(match[2])) if match else None


def _read_take(text: str) -> Typed | None:
    match = re.fullmatch(r"(.+?)\s+(?:from\s+)?#?(\d{1,3})", text, re.IGNORECASE)
    return Take(_faces(match[1]), int(match[2])) if match else None


def _read_move(text: str) -> Typed | None:
    match = re.fullmatch(r"(.+?)\s+from\s+#?(\d{1,3})\s+to\s+(?:#?(\d{1,3})|new)", text, re.IGNORECASE)
    if match is None:
        return None
    return Move(_faces(match[1]), int(match[2]), int(match[3]) if match[3] else None)


def _read_split(text: str) -> Typed | None:
    match = re.fullmatch(r"#?(\d{1,3})\s+(?:after\s+)?(\S+)", text, re.IGNORECASE)
    return Split(int(match[1]), _face(match[2])) if match else None


def _read_swap(text: str) -> Typed | None:
    match = re.fullmatch(r"(?:J\s+in\s+)?#?(\d{1,3})\s+with\s+(\S+)", text, re.IGNORECASE)
    return Swap(int(match[1]), _face(match[2])) if match else None


def _plain(name: str) -> Callable[[str], Typed | None]:
    return lambda text: None if text else Plain(name)


def _words(name: str, *, required: bool = True) -> Callable[[str], Typed | None]:
    return lambda text: Words(name, text) if text or not required else None


_TABLE = (
    ("lay", "lay R10 R11 R12", "put a new meld down; several with / between", _read_lay),
    ("add", "add B7 to 3", "put tiles from your rack to meld 3", _read_add),
    ("move", "move K4 from 1 to 5", "move tiles from one meld to another, or `to new`", _read_move),
    ("split", "split 2 after R6", "make two melds of meld 2", _read_split),
    ("swap", "swap J in 2 with R5", "put R5 in the joker's place and take the joker", _read_swap),
    ("take", "take R6 from 2", "take a tile up; one of your own goes back to the rack", _read_take),
    ("end", "end", "end your turn with the table as it lies now", _plain("end")),
    ("draw", "draw", "draw a tile instead, which ends your turn", _plain("draw")),
    ("pass", "pass", "do nothing, once the pool is empty", _plain("pass")),
    ("hint", "hint", "what a strong player would do now, and why", _plain("hint")),
    ("reset", "reset", "back to the start of the turn", _plain("reset")),
    ("sort", "sort", "sort your rack by colour, or by number", _plain("sort")),
    ("say", "say TEXT", "say something to everyone in the room", _words("say")),
    (
        "open",
        "open NAME",
        "open a room; rules go behind: with nl-digitaal rounds=3",
        _words("open"),
    ),
    ("join", "join NAME", "join a room of the list, by name or number", _words("join")),
    ("connect", "connect HOST:PORT", "look for a room at an address", _words("connect")),
    (
        "ready",
        "ready",
        "say that you are ready (`ready no`: that you aren't)",
        _words("ready", required=False),
    ),
    ("start", "start", "begin with those who are ready, if you opened the room", _plain("start")),
    ("next", "next", "go on to the next round", _plain("next")),
    ("leave", "leave", "leave the room, or stop waiting for one", _plain("leave")),
    ("rules", "rules", "the rules of this room", _plain("rules")),
    ("help", "help", "these commands", _plain("help")),
    ("quit", "quit", "end the program", _plain("quit")),
)

COMMANDS: tuple[CommandSpec, ...] = tuple(
    CommandSpec(name=name, usage=usage, summary=summary, read=read) for name, usage, summary, read in _TABLE
)
"""Every command that can be typed, in the order in which help shows them."""
BY_NAME = {command.name: command for command in COMMANDS}
_SHORT = {"?": "help", "exit": "quit"}


def parse(line: str) -> Typed:
    """Read a line; TypedError says what would have been a command."""
    name, _, rest = line.strip().partition(" ")
    name = _SHORT.get(name.lower(), name.lower())
    spec = BY_NAME.get(name)
    if spec is None:
        raise TypedError(f"There is no command {name!r}. Type `help` to see them all.")
    typed = spec.read(rest.strip())
    if typed is None:
        raise TypedError(f"Write it like this: {spec.usage}")
    return typed
