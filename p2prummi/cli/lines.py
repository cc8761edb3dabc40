"""Commands that read one JSON object a line and answer each with one, and what such objects are made of.

A line that can't be read is answered with `{"error": {"line", "text"}}`, and the next one is read. Tiles are
`R7` or `J`; a meld is a list of tiles, or `{"run": [..]}` or `{"group": [..]}` where the kind must be said.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from p2prummi.cli.exit_codes import ExitCode
from p2prummi.errors import P2PRummiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from p2prummi.rules import DraftMeld, Meld, MeldKind, Ruleset, Tile


class LineError(P2PRummiError):
    """A line of input that can't be read; says what would be right."""


def read_ruleset(position: Mapping[str, Any]) -> Ruleset:
    """The ruleset of a position: its preset under `rules`, with the fields under `set` changed."""
    from p2prummi.rules import PRESETS, with_fields  # noqa: PLC0415 - `--help` must not wait for it

    name = required("rules", position.get("rules", "official"), str)
    if name not in PRESETS:
        raise LineError(f"there are no rules {name!r}: the presets are {', '.join(PRESETS)}")
    return with_fields(PRESETS[name], required("set", position.get("set", {}), dict))


def read_melds(name: str, value: object, taken: Iterable[Tile] = ()) -> list[DraftMeld]:
    """The melds under a name, legal or not; their copies go on after those of `taken`."""
    from p2prummi.rules import DraftMeld, parse_tiles  # noqa: PLC0415 - the same

    written: list[tuple[MeldKind | None, list[str]]] = []
    for meld in required(name, value, list):
        kind, tiles = None, meld
        if isinstance(meld, dict):
            if len(meld) != 1 or not meld.keys() <= {"run", "group"}:
                raise LineError(f'a meld in {name} is a list of tiles, {{"run": [..]}} or {{"group": [..]}}')
            ((kind, tiles),) = meld.items()
        written.append((kind, texts(name, tiles)))
    tiles_left = iter(parse_tiles([text for _, meld in written for text in meld], taken=taken))
    return [DraftMeld(tuple(islice(tiles_left, len(meld))), kind) for kind, meld in written]


def read_table(value: object) -> tuple[Meld, ...]:
    """The melds of a table, which must be melds. Raises LineError."""
    from p2prummi.rules import MeldError, meld_from  # noqa: PLC0415 - the same

    try:
        return tuple(meld_from(draft.tiles, draft.kind) for draft in read_melds("table", value))
    except MeldError as error:
        raise LineError(f"the table can't have been so: {error}") from error


def answer_lines(
    lines: Iterable[bytes],
    answer_to: Callable[[Mapping[str, Any]], dict[str, Any]],
    is_yes: Callable[[dict[str, Any]], bool],
) -> int:
    """Answer every line, and return the exit code.

    It is 0 where all answers mean yes, 1 where one means no, 2 where a line can't be read.
    """
    code = ExitCode.DONE
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            answer = answer_to(required("the line", _parsed(line), dict))
        except P2PRummiError as error:
            answer = {"error": {"line": number, "text": str(error)}}
            code = ExitCode.WRONG_USAGE
        except MemoryError:
            text = "there is not memory enough to answer this; `solve` needs less with --limit-ms"
            answer = {"error": {"line": number, "text": text}}
            code = ExitCode.WRONG_USAGE
        else:
            if code is ExitCode.DONE and not is_yes(answer):
                code = ExitCode.NO
        print(json.dumps(answer), flush=True)
    return code


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError(f"no JSON object: {error}") from error


def require_keys(position: Mapping[str, Any], known: set[str], needed: set[str]) -> None:
    """Refuse a position that lacks a key, or has one that means nothing. Raises LineError."""
    missing, unknown = sorted(needed - position.keys()), sorted(position.keys() - known)
    if missing:
        raise LineError(f"missing: {', '.join(missing)}")
    if unknown:
        raise LineError(f"unknown: {', '.join(unknown)}; known: {', '.join(sorted(known))}")


_TYPE_WORDS = {bool: "true or false", str: "a text", list: "a list", dict: "an object", int: "a whole number"}


def required(name: str, value: object, kind: type[Any]) -> Any:
    """The value, which must be of just that type. Raises LineError."""
    if type(value) is not kind:
        raise LineError(f"{name} must be {_TYPE_WORDS[kind]}")
    return value


def texts(name: str, value: object) -> list[str]:
    """The texts of the tiles under a name. Raises LineError."""
    return [required(f"each tile in {name}", each, str) for each in required(name, value, list)]
