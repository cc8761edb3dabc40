"""The whole screen: which component is where, and who gives way where there is little room.

The table and one's own rack are always whole. The log has what is left, down to nothing; the answers to what
was typed are cut before the table is. What stands there as an answer is in the log only once it has gone. On
wide screens players and log have a column of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2prummi.console.director import QUESTIONS
from p2prummi.console.help import presenter as help_presenter
from p2prummi.console.help import view as help_view
from p2prummi.console.lines import beside, clipped, in_ascii, line_columns, padded_line, wrapped
from p2prummi.console.lobby import presenter as lobby_presenter
from p2prummi.console.lobby import view as lobby_view
from p2prummi.console.log import view as log_view
from p2prummi.console.log.model import without_latest
from p2prummi.console.model import Screen
from p2prummi.console.players import presenter as players_presenter
from p2prummi.console.players import view as players_view
from p2prummi.console.rack import presenter as rack_presenter
from p2prummi.console.rack import view as rack_view
from p2prummi.console.result import presenter as result_presenter
from p2prummi.console.result import view as result_view
from p2prummi.console.setup import presenter as setup_presenter
from p2prummi.console.setup import view as setup_view
from p2prummi.console.table import presenter as table_presenter
from p2prummi.console.table import view as table_view
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from p2prummi.console.lines import Line
    from p2prummi.console.marks import Marks
    from p2prummi.console.model import ConsoleModel
    from p2prummi.console.table.model import Position
    from p2prummi.rules import Ruleset

LEAST_COLUMNS = 80
LEAST_ROWS = 24
WIDE_COLUMNS = 120
SIDE_COLUMNS = 40
LOG_ROWS = 4
LOG_SHARE = 5
"""On high screens the log has a fifth of the rows."""
DRAFT_ROWS_MAX = 2
SCORE_ROWS = 18
"""What the end of a match of six takes at its shortest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The screen in columns and rows, the line for typing included."""

    columns: int
    rows: int

    @property
    def is_enough(self) -> bool:
        """Whether everything fits."""
        return self.columns >= LEAST_COLUMNS and self.rows >= LEAST_ROWS


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What could be completed to what is being typed, and which of it is chosen."""

    texts: tuple[str, ...] = ()
    chosen: int | None = None


def render(
    model: ConsoleModel, size: Size, marks: Marks, *, port: int = 0, candidates: Candidates = Candidates()
) -> list[Line]:
    """All lines above the one for typing; `port` is the TCP port under which this peer is reached."""
    rows = size.rows - 1
    answer = _answer(model, candidates, size.columns, marks)
    if model.question is None and not candidates.texts:
        model = replace(model, log=without_latest(model.log, model.message.lines))
    if model.help.page is not None:
        lines = _page(model, size.columns, rows, answer, marks)
    elif model.screen is Screen.GAME and model.table.position is not None:
        lines = _game(model, model.table.position, size.columns, rows, answer, marks)
    else:
        lines = _other(model, size.columns, rows, answer, marks, port)
    return [in_ascii(line) for line in lines] if marks.is_ascii else lines


def too_small(size: Size, model: ConsoleModel) -> list[str]:
    """What a screen says on which not everything fits."""
    words = (
        f"{size.columns}x{size.rows} is too small:",
        f"p2prummi needs {LEAST_COLUMNS}x{LEAST_ROWS}.",
        *(["It is your turn!"] if model.table.my_turn else []),
        "Make the window larger, or its letters smaller; the game goes on meanwhile.",
        "Ctrl-C twice ends the program.",
    )
    return [line for text in words for line in wrapped(text, max(size.columns, 1))]


def _game(
    model: ConsoleModel, position: Position, columns: int, rows: int, answer: list[Line], marks: Marks
) -> list[Line]:
    players = players_presenter.present(model.players, position.game, model.people)
    is_wide = columns >= WIDE_COLUMNS
    width = columns - SIDE_COLUMNS - 3 if is_wide else columns
    rule = _rule(width, marks)
    head = [] if is_wide else [*players_view.render(players, columns, marks), rule]
    rack = rack_view.render(rack_presenter.present(model.rack, position), width, marks)
    draft = _draft(model, position, width, marks)
    melds = table_presenter.present(model.table, position)
    free = rows - 1 - len(head) - 1 - len(rack) - len(draft)
    table = table_view.render(melds, width, free - len(answer) - _log_rows(rows, is_wide), marks)
    answer = _shortened(answer, max(free - len(table), 1), width, marks)
    # What has happened since one's last turn is worth the rows that the table leaves.
    wanted = max(_log_rows(rows, is_wide), position.game.players + 2)
    log_rows = 0 if is_wide else max(min(wanted, free - len(table) - len(answer)), 0)
    log = (
        []
        if log_rows < 2
        else [rule, *_filled(log_view.render(model.log, width, log_rows - 1), log_rows - 1)]
    )
    table = _filled(table, free - len(answer) - len(log))
    body = [*head, *table, *log, rule, *rack, *draft, *answer]
    if is_wide:
        body = _with_side(model, body, players_view.render(players, SIDE_COLUMNS, marks), width, marks)
    return [_game_title(model, position, columns, marks), *body]


def _with_side(
    model: ConsoleModel, body: list[Line], players: list[Line], width: int, marks: Marks
) -> list[Line]:
    """The body with players and log in a column beside it."""
    room = len(body) - len(players) - 1
    side = [
        *players,
        _rule(SIDE_COLUMNS, marks),
        *_filled(log_view.render(model.log, SIDE_COLUMNS, room), room),
    ]
    upright = ("class:rule", f" {marks.upright} ")
    pairs = zip(body, side, strict=True)
    return [(*padded_line(left, width), upright, *right) for left, right in pairs]


def _other(
    model: ConsoleModel, columns: int, rows: int, answer: list[Line], marks: Marks, port: int
) -> list[Line]:
    """The lobby, a round's setup, or its end, with the log below as far as they leave room for it."""
    free = rows - 2 - len(answer)
    log_rows = _log_rows(rows, False) + 1
    # Scores with racks can fill the screen, and what people say of them is to be seen too.
    spared = 2 if model.log.entries and free - 2 >= SCORE_ROWS else 0
    body = _other_body(model, columns, free - spared, marks, port)
    log_rows = max(min(log_rows, free - len(body) - 1), 0)
    log: list[Line] = []
    if log_rows:
        log = [_rule(columns, marks), *_filled(log_view.render(model.log, columns, log_rows), log_rows)]
    title = _title(" p2prummi " + _room_name(model, marks), "", columns)
    return [title, (), *_filled(body, free - len(log)), *log, *answer]


def _other_body(model: ConsoleModel, columns: int, rows: int, marks: Marks, port: int) -> list[Line]:
    match model.screen:
        case Screen.LOBBY:
            lobby = lobby_presenter.present(model.lobby, model.people, port)
            return lobby_view.render(lobby, columns, rows, marks)
        case Screen.RESULT:
            room = model.lobby.room
            advice = "" if room is None else lobby_presenter.room_advice(room, model.people)
            result = result_presenter.present(model.result, model.people, advice)
            return result_view.render(result, columns, rows, marks)
        case _:
            setup = setup_presenter.present(model.setup, model.people)
            return setup_view.render(setup, columns, rows, marks)


def _page(model: ConsoleModel, columns: int, rows: int, answer: list[Line], marks: Marks) -> list[Line]:
    assert model.help.page is not None, "there is a page"
    page = help_presenter.present(model.help.page, _ruleset(model), marks)
    room = rows - 1 - len(answer)
    turn = "It is your turn! " if model.table.my_turn else ""
    body = help_view.render(page, model.help.top, columns, room)
    return [_title(" p2prummi " + _room_name(model, marks), turn, columns), *_filled(body, room), *answer]


def _ruleset(model: ConsoleModel) -> Ruleset | None:
    if model.match_running or model.lobby.room is None:
        return model.result.ruleset
    return model.lobby.room.ruleset


def _answer(model: ConsoleModel, candidates: Candidates, columns: int, marks: Marks) -> list[Line]:
    """What stands right above the line for typing: a question, what Tab offers, or an answer.

    At least one line.
    """
    if model.question is not None:
        return [(("class:question", text),) for text in wrapped(QUESTIONS[model.question], columns)]
    if candidates.texts:
        return [_candidates(candidates, columns, marks)]
    style = "class:bad" if model.message.trouble else "class:advice"
    prefix = f"{marks.fails} " if model.message.trouble else ""
    lines: list[Line] = [
        ((style, text),) for words in model.message.lines for text in wrapped(prefix + words, columns)
    ]
    return lines or [()]


def _shortened(answer: list[Line], rows: int, columns: int, marks: Marks) -> list[Line]:
    """The answer on at most that many rows, with a mark where some of it is left out."""
    if len(answer) <= rows:
        return answer
    *kept, ((style, text), *_) = answer[:rows]
    return [*kept, ((style, f"{clipped(text, columns - 2, marks.ellipsis)} {marks.ellipsis}"),)]


def _candidates(candidates: Candidates, columns: int, marks: Marks) -> Line:
    """The candidates that fit, the chosen one among them."""
    first = 0
    while True:
        texts = candidates.texts[first:]
        line: Line = tuple(
            ("class:chosen" if first + place == candidates.chosen else "class:quiet", f" {text} ")
            for place, text in enumerate(texts)
        )
        used = sum(len(text) + 2 for text in texts[: (candidates.chosen or 0) - first + 1])
        if used <= columns - 1 or len(texts) <= 1:
            is_cut = line_columns(line) > columns
            return (*padded_line(line, columns - 1), ("class:quiet", marks.ellipsis if is_cut else " "))
        first += 1


def _draft(model: ConsoleModel, position: Position, columns: int, marks: Marks) -> list[Line]:
    words = table_presenter.draft_words(model.table, position, model.people)
    if position.game.ended is not None:
        words = table_presenter.DraftWords(text=setup_presenter.settling_words(model.setup, model.people))
    style = "class:good" if words.good else "class:turn" if model.table.my_turn else "class:quiet"
    lines = list(wrapped(words.text, columns))
    if len(lines) > DRAFT_ROWS_MAX:
        rest = " ".join(lines[DRAFT_ROWS_MAX - 1 :])
        lines = [*lines[: DRAFT_ROWS_MAX - 1], clipped(rest, columns, marks.ellipsis)]
    return [((style, text),) for text in lines]


def _game_title(model: ConsoleModel, position: Position, columns: int, marks: Marks) -> Line:
    game = position.game
    facts = [
        _room_name(model, marks),
        f"round {model.setup.round_number or 1} of {game.ruleset.rounds}",
        f"turn {game.turn_number + 1}",
        f"pool {game.pool_left}" if game.pool_left else "pool EMPTY",
    ]
    if game.ended is not None:
        whose = "round over"
    elif game.to_move == model.table.seat:
        whose = "YOUR TURN" if model.table.my_turn else "your turn"
    else:
        whose = f"{model.people.seat_label(game.to_move)}'s turn"
    return _title(" " + f" {marks.between} ".join(filter(None, facts)), f"{whose} ", columns)


def _room_name(model: ConsoleModel, marks: Marks) -> str:
    return "" if model.lobby.room is None else clipped(shown(model.lobby.room.name), 24, marks.ellipsis)


def _title(left: str, right: str, columns: int) -> Line:
    return beside((("class:title", left.ljust(columns)),), (("class:title.turn", right),), columns)


def _rule(columns: int, marks: Marks) -> Line:
    return (("class:rule", marks.rule * columns),)


def _log_rows(rows: int, is_wide: bool) -> int:
    return 0 if is_wide else max(LOG_ROWS, rows // LOG_SHARE)


def _filled(lines: list[Line], rows: int) -> list[Line]:
    return [*lines, *([()] * (rows - len(lines)))]
