"""How the lobby looks: a table of rooms, or of the members of one's room, and the advice under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.lines import clipped, columns_of, padded, wrapped
from p2prummi.console.people import clipped_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.console.lines import Line
    from p2prummi.console.lobby.presenter import LobbyShown, RoomRow
    from p2prummi.console.marks import Marks

_NAME_COLUMNS_MAX = 24
_NAME_COLUMNS_MIN = 12
"""Names give way to what is known of their keys, down to this."""
_RULES_COLUMNS_MAX = 21
"""Every preset with its mark; more would take the columns in which it says whether a room can be joined."""
_MEMBER_COLUMNS = 38
"""What a member's row takes beside the name and what is known: mark, standing, fingerprint, gaps."""


def render(shown: LobbyShown, columns: int, rows: int, marks: Marks) -> list[Line]:
    """The lobby on that many columns and rows."""
    lines: list[Line] = [(("class:quiet", f"You are {shown.own}"),), ()]
    advice = [(("class:advice", text),) for line in shown.advice for text in wrapped(line, columns)]
    room = rows - len(lines) - len(advice) - 1
    body = _members(shown, columns, marks) if shown.room is not None else _rooms(shown, columns, marks)
    if len(body) > room:
        body = [*body[: room - 1], (("class:quiet", f"{marks.ellipsis} and {len(body) - room + 1} more"),)]
    return [*lines, *body, (), *advice]


def _rooms(shown: LobbyShown, columns: int, marks: Marks) -> list[Line]:
    roomless = clipped(f"In no room yet: {', '.join(shown.roomless)}", columns, marks.ellipsis)
    end: list[Line] = [(), (("class:quiet", roomless),)] if shown.roomless else []
    if not shown.rooms:
        return [(("class:head", "Rooms in this network"),), (("class:quiet", "  none seen yet"),), *end]
    width = _name_columns([row.name for row in shown.rooms])
    rules = [_rules(row, marks) for row in shown.rooms]
    rules_width = max(columns_of(text) for text in (*rules, "Rules"))
    head = f"  #  {padded('Room', width)}  Seats  {padded('Rules', rules_width)}  "
    lines: list[Line] = [(("class:head", "Rooms in this network"),), (("class:quiet", head),)]
    for row, rules_text in zip(shown.rooms, rules, strict=True):
        style = "" if row.joinable else "class:quiet"
        name = padded(row.name, width, marks.ellipsis)
        start = f"{row.number:>3}  {name}  {row.seats:^5}  {padded(rules_text, rules_width)}  "
        state = f"{row.state} {marks.between} {row.opener}"
        lines.append(
            ((style, start), (style or "class:good", padded(state, max(columns - columns_of(start), 0))))
        )
    return [*lines, *end]


def _rules(row: RoomRow, marks: Marks) -> str:
    """The name of the rules, cut where that is long, and what is to be known besides it, never cut."""
    doubt = f", {row.rules_doubt}" if row.rules_doubt else ""
    return clipped(row.rules, _RULES_COLUMNS_MAX - columns_of(doubt), marks.ellipsis) + doubt


def _members(shown: LobbyShown, columns: int, marks: Marks) -> list[Line]:
    lines: list[Line] = [(("class:head", shown.room or ""),)]
    lines += [(("class:quiet", text),) for words in shown.rules for text in wrapped(words, columns)]
    lines += [(("class:head", text),) for text in wrapped(shown.code, columns) if text]
    lines.append(())
    left = columns - _MEMBER_COLUMNS - max((columns_of(row.known) for row in shown.members), default=0)
    width = min(_name_columns([row.name for row in shown.members]), max(left, _NAME_COLUMNS_MIN))
    for row in shown.members:
        mark, style = (marks.stands, "class:good") if row.ready else (marks.between, "class:quiet")
        lines.append(
            (
                (style, f"  {mark} "),
                ("class:name", padded(clipped_label(row.name, width, marks.ellipsis), width)),
                (style, f"  {row.standing:<9}"),
                ("", f"  {row.fingerprint}  "),
                (
                    "class:bad" if row.warning else "class:quiet",
                    clipped(row.known, columns - _MEMBER_COLUMNS - width, marks.ellipsis),
                ),
            )
        )
    return lines


def _name_columns(names: Sequence[str]) -> int:
    return min(max((columns_of(name) for name in names), default=4), _NAME_COLUMNS_MAX)
